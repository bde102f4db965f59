package vm

import (
	"context"
	"encoding/xml"
	"fmt"
	"go/types"
	"io"
	"reflect"
	"sort"
	"sync"
)

// A wrapper shows a script value to the host as one interface of the host's, with
// just the methods of that interface, and Format, by which fmt prints it.
var wrappers = map[reflect.Type]func(plainVal) wrapped{
	reflect.TypeFor[sort.Interface]():  func(p plainVal) wrapped { return &sortVal{p} },
	reflect.TypeFor[heapInterface]():   func(p plainVal) wrapped { return &heapVal{sortVal{p}} },
	reflect.TypeFor[io.Reader]():       func(p plainVal) wrapped { return &readVal{p} },
	reflect.TypeFor[io.Writer]():       func(p plainVal) wrapped { return &writeVal{p} },
	reflect.TypeFor[io.Closer]():       func(p plainVal) wrapped { return &closeVal{p} },
	reflect.TypeFor[io.ReadWriter]():   func(p plainVal) wrapped { return &readWriteVal{readVal{p}, writeVal{p}} },
	reflect.TypeFor[io.ByteReader]():   func(p plainVal) wrapped { return &byteReadVal{p} },
	reflect.TypeFor[io.ByteWriter]():   func(p plainVal) wrapped { return &byteWriteVal{p} },
	reflect.TypeFor[io.RuneReader]():   func(p plainVal) wrapped { return &runeReadVal{p} },
	reflect.TypeFor[io.StringWriter](): func(p plainVal) wrapped { return &stringWriteVal{p} },
	reflect.TypeFor[io.WriterTo]():     func(p plainVal) wrapped { return &writeToVal{p} },
	reflect.TypeFor[error]():           func(p plainVal) wrapped { return &errVal{p} },
	reflect.TypeFor[fmt.Stringer]():    func(p plainVal) wrapped { return &strVal{p} },
	reflect.TypeFor[fmt.GoStringer]():  func(p plainVal) wrapped { return &goStringVal{p} },
	reflect.TypeFor[fmt.Formatter]():   func(p plainVal) wrapped { return &p },
	reflect.TypeFor[sync.Locker]():     func(p plainVal) wrapped { return &lockVal{p} },
	reflect.TypeFor[xml.TokenReader](): func(p plainVal) wrapped { return &tokenVal{p} },
	reflect.TypeFor[context.Context](): func(p plainVal) wrapped { return &ctxVal{p} },
}

// wrapFor is the wrapper for the interface it, by what its methods are: several
// interfaces of the host may have the same ones.
func wrapFor(it reflect.Type, p plainVal) (wrapped, bool) {
	if w, ok := wrappers[it]; ok {
		return w(p), true
	}
	for have, w := range wrappers {
		if have.ConvertibleTo(it) && it.ConvertibleTo(have) {
			return w(p), true
		}
	}
	return nil, false
}

// exportTo is export for a place in host code with the interface type it.
func (m *machine) exportTo(v any, it reflect.Type) any {
	f, ok := v.(*Iface)
	if !ok {
		return v
	}
	out := m.export(v)
	if it.NumMethod() == 0 || reflect.TypeOf(out).AssignableTo(it) {
		return out
	}
	key := m.identity(f)
	if key != nil {
		key = exportKey{key, it}
		if w, ok := m.exports[key]; ok {
			return w
		}
	}
	w, ok := wrapFor(it, plainVal{m, f})
	if !ok {
		throwPlain("a value of type %s cannot be given to the host as %s", f.T.str, it)
	}
	if key != nil {
		m.charge(noteBytes)
		m.exports[key] = w
	}
	return w
}

type exportKey struct {
	k  any
	it reflect.Type
}

// identity is a key by which the same value is found again; nil for a value that
// cannot be compared, or has something in it that cannot.
func (m *machine) identity(f *Iface) (key any) {
	if uncomparable(f.T) != nil {
		return nil
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *scriptPanic:
			key = nil
		default:
			panic(r)
		}
	}()
	return typedKey{f.T, mapKey(m.keys(), f.T, ifaceCells(f), 0)}
}

// call calls a method of the script's with arguments of the host's.
func (w *plainVal) call(name string, in ...any) []reflect.Value {
	m, f := w.m, w.f
	id := f.T.methods[name]
	if id == 0 {
		throwPlain("no method %s on %s", name, f.T.str)
	}
	return visiting(m, func() []reflect.Value { return m.calledMethod(m.p.funcs[id-1], f, in) })
}

// calledMethod calls the method fn of f with values of the host's.
func (m *machine) calledMethod(fn *Func, f *Iface, in []any) []reflect.Value {
	sig := fn.in
	args := newObj(fn.params+1, mI|mS|mR, 1)
	args.I[0], args.S[0], args.R[0] = f.I, f.S, f.R
	for i, v := range in {
		field := sig.fields[i]
		fromHost(m, reflect.ValueOf(v), field.typ, args, 1+field.off)
	}
	res := m.callback(fn, nil, args, fn.params)
	out := make([]reflect.Value, len(fn.results.fields))
	for i, field := range fn.results.fields {
		rt := field.typ.host
		if field.typ.kind == reflect.Interface {
			rt = hostInterface(field.typ)
		}
		out[i] = toHost(m, field.typ, res, field.off, rt)
	}
	return out
}

// hostInterface is error or any.
func hostInterface(t *Type) reflect.Type {
	if t.host != nil {
		return t.host
	}
	if types.Identical(t.t, types.Universe.Lookup("error").Type()) {
		return reflect.TypeFor[error]()
	}
	return reflect.TypeFor[any]()
}

func errorOf(v reflect.Value) error {
	err, _ := v.Interface().(error)
	return err
}

type (
	readVal        struct{ plainVal }
	closeVal       struct{ plainVal }
	byteReadVal    struct{ plainVal }
	byteWriteVal   struct{ plainVal }
	runeReadVal    struct{ plainVal }
	stringWriteVal struct{ plainVal }
	writeToVal     struct{ plainVal }
	goStringVal    struct{ plainVal }
	lockVal        struct{ plainVal }
	tokenVal       struct{ plainVal }

	readWriteVal struct {
		readVal
		w writeVal
	}
)

// heapInterface is heap.Interface, which needs no import for that.
type heapInterface interface {
	sort.Interface
	Push(x any)
	Pop() any
}

func (w *readVal) Read(p []byte) (int, error) {
	r := w.call("Read", p)
	return int(r[0].Int()), errorOf(r[1])
}

func (w *readWriteVal) Write(p []byte) (int, error) { return w.w.Write(p) }

func (w *closeVal) Close() error { return errorOf(w.call("Close")[0]) }

func (w *byteReadVal) ReadByte() (byte, error) {
	r := w.call("ReadByte")
	return byte(r[0].Uint()), errorOf(r[1])
}

func (w *byteWriteVal) WriteByte(c byte) error { return errorOf(w.call("WriteByte", c)[0]) }

func (w *runeReadVal) ReadRune() (rune, int, error) {
	r := w.call("ReadRune")
	return rune(r[0].Int()), int(r[1].Int()), errorOf(r[2])
}

func (w *stringWriteVal) WriteString(s string) (int, error) {
	r := w.call("WriteString", s)
	return int(r[0].Int()), errorOf(r[1])
}

func (w *writeToVal) WriteTo(to io.Writer) (int64, error) {
	r := w.call("WriteTo", to)
	return r[0].Int(), errorOf(r[1])
}

func (w *goStringVal) GoString() string { return w.call("GoString")[0].String() }

func (w *lockVal) Lock()   { w.call("Lock") }
func (w *lockVal) Unlock() { w.call("Unlock") }

func (w *tokenVal) Token() (xml.Token, error) {
	r := w.call("Token")
	return r[0].Interface(), errorOf(r[1])
}
