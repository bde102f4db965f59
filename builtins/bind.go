package builtins

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/gates/abi"
)

// A Ref names one member that a program uses.
type Ref struct {
	Kind     abi.BindingKind // one of a function, variable, method, field or method value
	Path     string          // of the package
	Owner    string          // type name, for methods and fields
	Name     string
	Pointer  bool         // method: the receiver is *T; field: see Field
	TypeArgs []types.Type // of an instance of a generic function
}

func (r Ref) String() string {
	if r.Owner != "" {
		return r.Path + "." + r.Owner + "." + r.Name
	}
	return r.Path + "." + r.Name
}

// Value returns the value of a member for the run of env. It returns only members that
// the table's packages show. Instances of generic functions need type arguments that
// TypeOf knows.
func (t *Table) Value(env *Env, r Ref) (reflect.Value, error) {
	fn, _, err := t.Bound(env, r)
	return fn, err
}

// Bound is Value with the body of the function, if that was made for the run: a caller of the body
// avoids a second call by reflection.
func (t *Table) Bound(env *Env, r Ref) (fn reflect.Value, body func(args []reflect.Value) []reflect.Value, err error) {
	b, err := t.bound(env, r)
	return b.fn, b.body, err
}

func (t *Table) bound(env *Env, r Ref) (b bound, err error) {
	p := t.at(r.Path)
	ofType := r.Kind != abi.BindFunc && r.Kind != abi.BindVar
	if p == nil || !p.open && !(p.shown && ofType) {
		return b, fmt.Errorf("builtins: package %s is not importable", r.Path)
	}
	if err := t.ensure(r.Path); err != nil {
		return b, err
	}
	switch r.Kind {
	case abi.BindFunc:
		b, err = t.funcValue(env, p, r)
		return p.counted(env, r, b), err
	case abi.BindVar:
		b.fn, err = varValue(env, p, r)
		return b, err
	case abi.BindMethod:
		b, err = t.methodValue(env, p, r)
		return p.counted(env, r, b), err
	case abi.BindField:
		b.fn, err = fieldValue(p, r)
		return b, err
	case abi.BindMethodValue:
		method, err := t.methodValue(env, p, r)
		if err != nil {
			return b, err
		}
		return bound{fn: keepReceiver(p.counted(env, r, method).fn)}, nil
	}
	return b, r.missing()
}

// A bound is what a member is for a run.
type bound struct {
	fn   reflect.Value
	body body // what fn does, if it was made for that
}

// A body does what a function does, with the arguments and the results that reflect.MakeFunc gives and takes. It
// keeps none of the arguments, and may write to their list, behind its end too.
type body = func(args []reflect.Value) []reflect.Value

// withBody is a function of type ft with that body.
func withBody(ft reflect.Type, does body) bound { return bound{reflect.MakeFunc(ft, does), does} }

// call calls it with the arguments MakeFunc gives, the last one a slice if it is variadic.
func (b bound) call(args []reflect.Value) []reflect.Value {
	if b.body != nil {
		return b.body(args)
	}
	return call(b.fn, args)
}

// ensure loads a package.
func (t *Table) ensure(path string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, err := t.load(path)
	return err
}

func (r Ref) missing() error { return fmt.Errorf("builtins: no %v %v in the table", r.Kind, r) }

// TypeOf returns the Go type of a type without types of a script and without type
// parameters.
func (t *Table) TypeOf(typ types.Type) (reflect.Type, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.goType(typ)
}

func (t *Table) funcValue(env *Env, p *pkg, r Ref) (b bound, err error) {
	row := p.row(r.Name)
	switch {
	case row == nil && p.Source != "":
		b.fn, err = t.genericValue(env, p, r)
		return b, err
	case row == nil || row.Deny || row.Value == nil || row.Settable || memberType(row).Kind() != reflect.Func:
		return b, r.missing()
	}
	return p.function(env, row), nil
}

// shimValue is the member's value, made for the run if it is a shim.
func shimValue(m *Member, env *Env) reflect.Value {
	if print, ok := m.Value.(func(*Env) func(...any) (int, error)); ok { // in most programs
		return reflect.ValueOf(print(env))
	}
	v := reflect.ValueOf(m.Value)
	if isShim(v.Type()) {
		return v.Call([]reflect.Value{reflect.ValueOf(env)})[0]
	}
	if v.Kind() == reflect.Pointer {
		return v.Elem()
	}
	return v
}

func varValue(env *Env, p *pkg, r Ref) (reflect.Value, error) {
	row := p.row(r.Name)
	if row == nil || row.Deny || row.Value == nil || row.Typ() != nil {
		return reflect.Value{}, r.missing()
	}
	gives := memberType(row)
	if row.Settable {
		gives = reflect.PointerTo(gives)
	}
	ft := reflect.FuncOf(nil, []reflect.Type{gives}, false)
	return reflect.MakeFunc(ft, func([]reflect.Value) []reflect.Value {
		return []reflect.Value{shimValue(row, env)}
	}), nil
}

// owner returns the type whose member r is, and its row.
func (p *pkg) owner(r Ref) (reflect.Type, *Member) {
	row := p.row(r.Owner)
	if row == nil || row.Deny {
		return nil, nil
	}
	return row.Typ(), row
}

func (t *Table) methodValue(env *Env, p *pkg, r Ref) (bound, error) {
	rt, row := p.owner(r)
	if rt == nil || rt.Kind() != reflect.Interface && !t.showsMethod(rt, p, row, r.Name) {
		return bound{}, r.missing()
	}
	if own := p.row(r.Owner + "." + r.Name); own != nil && own.Value != nil {
		return bound{fn: receiver(shimValue(own, env), rt, r.Pointer)}, nil
	}
	if rt.Kind() == reflect.Interface {
		return p.interfaceMethod(env, rt, r)
	}
	if r.Pointer {
		rt = reflect.PointerTo(rt)
	}
	m, ok := rt.MethodByName(r.Name)
	if !ok {
		return bound{}, r.missing()
	}
	if r.Name == "Error" && shim.MakesText(rt) {
		return bound{fn: env.PayingError(m.Func)}, nil
	}
	return p.withContext(env, m.Func, 1, p.grantsOf(r)), nil
}

func (t *Table) method(env *Env, recv reflect.Type, name string) (reflect.Value, error) {
	base, pointer := recv, recv.Kind() == reflect.Pointer
	if pointer {
		base = recv.Elem()
	}
	t.mu.Lock()
	p, row := t.rowOf(base)
	t.mu.Unlock()
	if row == nil {
		if m, ok := recv.MethodByName(name); ok && name == "Error" && shim.MakesText(recv) {
			return env.PayingError(m.Func), nil
		}
		return reflect.Value{}, nil
	}
	return t.Value(env, Ref{Kind: abi.BindMethod, Path: p.Path, Owner: row.Name, Name: name, Pointer: pointer})
}

func (t *Table) showsMethod(rt reflect.Type, p *pkg, row *Member, name string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return p.allows(row, name) && !t.deniedBelow(rt, p, row, name)
}

// receiver adapts a method that takes *T to one that takes T, or the other way
// round.
func receiver(fn reflect.Value, rt reflect.Type, pointer bool) reflect.Value {
	have := fn.Type().In(0)
	if rt.Kind() == reflect.Interface || pointer == (have.Kind() == reflect.Pointer && have.Elem() == rt) {
		return fn
	}
	in := slices.Collect(fn.Type().Ins())
	in[0] = rt
	if pointer {
		in[0] = reflect.PointerTo(rt)
	}
	return reflect.MakeFunc(reflect.FuncOf(in, outs(fn.Type()), fn.Type().IsVariadic()), func(args []reflect.Value) []reflect.Value {
		if pointer {
			args[0] = args[0].Elem()
		} else {
			copied := reflect.New(rt)
			copied.Elem().Set(args[0])
			args[0] = copied
		}
		return call(fn, args)
	})
}

func (p *pkg) interfaceMethod(env *Env, rt reflect.Type, r Ref) (bound, error) {
	m, ok := rt.MethodByName(r.Name)
	if !ok {
		return bound{}, r.missing()
	}
	return p.withContext(env, throughInterface(rt, m), 1, p.grantsOf(r)), nil
}

// throughInterface is the method m of the interface rt as a function of a value of that.
func throughInterface(rt reflect.Type, m reflect.Method) reflect.Value {
	in := slices.AppendSeq([]reflect.Type{rt}, m.Type.Ins())
	ft := reflect.FuncOf(in, outs(m.Type), m.Type.IsVariadic())
	return reflect.MakeFunc(ft, func(args []reflect.Value) []reflect.Value {
		if args[0].IsNil() {
			panic(nilReceiver())
		}
		return call(args[0].Method(m.Index), args[1:])
	})
}

// nilReceiver is the panic of a method call on a nil interface, as Go makes it.
func nilReceiver() (err any) {
	defer func() { err = recover() }()
	var s fmt.Stringer
	_ = s.String()
	return nil
}

func fieldValue(p *pkg, r Ref) (reflect.Value, error) {
	rt, row := p.owner(r)
	if rt == nil || rt.Kind() != reflect.Struct || !p.allows(row, r.Name) {
		return reflect.Value{}, r.missing()
	}
	f, ok := rt.FieldByName(r.Name)
	if !ok || len(f.Index) != 1 || !f.IsExported() {
		return reflect.Value{}, r.missing()
	}
	if own := p.row(r.Owner + "." + r.Name); own != nil && own.Value != nil && r.Pointer {
		return reflect.ValueOf(own.Value), nil
	}
	in, out := rt, f.Type
	if r.Pointer {
		in, out = reflect.PointerTo(rt), reflect.PointerTo(f.Type)
	}
	ft := reflect.FuncOf([]reflect.Type{in}, []reflect.Type{out}, false)
	return reflect.MakeFunc(ft, func(args []reflect.Value) []reflect.Value {
		if !r.Pointer {
			return []reflect.Value{args[0].Field(f.Index[0])}
		}
		if args[0].IsNil() {
			panic(nilReceiver())
		}
		return []reflect.Value{args[0].Elem().Field(f.Index[0]).Addr()}
	}), nil
}

// withContext hides a context parameter at the given place, of functions of the host's
// own, and fills in the run's, with the grants of this function alone.
func (p *pkg) withContext(env *Env, fn reflect.Value, at int, grants string) bound {
	ft := fn.Type()
	if !p.OfHost || !takesContext(ft, at) {
		return bound{fn: fn}
	}
	in := slices.Delete(slices.Collect(ft.Ins()), at, at+1)
	return withBody(reflect.FuncOf(in, outs(ft), ft.IsVariadic()), func(args []reflect.Value) []reflect.Value {
		results := call(fn, slices.Insert(args, at, env.HostArgument(grants, Grant)))
		env.Check() // it may have returned since the run has to end, which is so here and not later
		return results
	})
}

// call calls fn with the arguments MakeFunc gives, the last one a slice if fn is
// variadic.
func call(fn reflect.Value, args []reflect.Value) []reflect.Value {
	if fn.Type().IsVariadic() {
		return fn.CallSlice(args)
	}
	return fn.Call(args)
}

func outs(ft reflect.Type) []reflect.Type { return slices.Collect(ft.Outs()) }
