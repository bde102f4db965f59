package mirror

import (
	"go/types"
	"reflect"
	"sync"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A typeInfo is what reflection asks of a type, found when it is first asked for.
type typeInfo struct {
	t       *ir.Type
	pointer *ir.Type // to it, if the program has it
	once    sync.Once
	fields  []*structField
	shown   []*inspect.Field
	notes   inspect.Notes
}

// A fieldOfStruct is a field as the script sees it.
type structField struct {
	inspect.Field
	pkg   *types.Package
	typ   *ir.Type
	off   int // of its cells
	host  int // its index in the host's struct
	index int // among all fields
}

// StructFields are the fields of a struct, of one of the host's those that the
// universe shows.
func StructFields(m *exec.Machine, t *ir.Type) []*structField {
	i := info(m, t)
	i.once.Do(func() {
		st, ok := t.T.Underlying().(*types.Struct)
		if !ok {
			return
		}
		for k := range st.NumFields() {
			if f := fieldOfStruct(m, t, st, k); f != nil {
				f.Index, f.Engine = len(i.fields), f
				i.fields, i.shown = append(i.fields, f), append(i.shown, &f.Field)
			}
		}
	})
	return i.fields
}

func fieldOfStruct(m *exec.Machine, t *ir.Type, st *types.Struct, k int) *structField {
	f := st.Field(k)
	out := &structField{pkg: f.Pkg(), index: k}
	out.Name, out.Tag, out.Embedded, out.Exported = f.Name(), st.Tag(k), f.Embedded(), f.Exported()
	if t.Kind != ir.KindHost {
		out.typ, out.off = t.Fields[k].Typ, t.Fields[k].Off
		out.Type = TypeToSee(out.typ)
		return out
	}
	field, ok := t.Mem.FieldByName(f.Name())
	if !ok || len(field.Index) != 1 || !field.IsExported() {
		return nil
	}
	out.typ, out.host = m.TypeOf(f.Type()), field.Index[0]
	out.Type = TypeToSee(out.typ)
	return out
}

// callMethod calls a method that v has, with arguments in cells, and gives the results in
// cells. The type of v is that whose method set it is of.
func callMethod(m *exec.Machine, v Val, name string, args *ir.Obj, n int) *ir.Obj {
	x := v.Iface(m)
	if x == nil {
		exec.ThrowNil()
	}
	f, ok := x.(*exec.Iface)
	if !ok {
		return callShown(m, reflect.ValueOf(x), name, args)
	}
	id := f.T.Methods[name]
	switch {
	case id == 0 && f.T.Host != nil:
		return callShown(m, exec.ToHost(m, f.T, exec.IfaceCells(f), 0, f.T.Host), name, args)
	case id == 0:
		panic("vm: no method " + name + " on " + f.T.Str)
	}
	all := &ir.Obj{I: append([]int64{f.I}, args.I...), S: append([]string{f.S}, args.S...), R: append([]any{f.R}, args.R...)}
	return m.CallScript(m.P.Funcs[id-1], nil, all, 1+n)
}

// callShown calls a method of a value of the host's, which the universe shows.
func callShown(m *exec.Machine, recv reflect.Value, name string, args *ir.Obj) *ir.Obj {
	sig := inspect.Method(m.TypeOfHost(recv.Type()).T, name)
	if sig == nil {
		exec.ThrowPlain("the method %s of %s is not for scripts", name, recv.Type())
	}
	fn := m.Method(recv.Type(), name)
	pt, res := m.TypeOf(sig.Params()), m.TypeOf(sig.Results())
	in := []reflect.Value{recv}
	for i, f := range pt.Fields {
		in = append(in, m.Giving(f.Typ, args, f.Off, fn.Type().In(1+i)))
	}
	out := NewCells(m, res)
	for i, v := range m.CallHost(fn, nil, in, sig.Variadic()) {
		m.Charge(exec.MadeBytes(v))
		exec.FromHost(m, v, res.Fields[i].Typ, out, res.Fields[i].Off)
	}
	return out
}
