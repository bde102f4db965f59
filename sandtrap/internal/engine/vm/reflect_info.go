package vm

import (
	"go/types"
	"reflect"
	"sync"

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

// A structField is a field as the script sees it.
type structField struct {
	inspect.Field
	pkg   *types.Package
	typ   *ir.Type
	off   int // of its cells
	host  int // its index in the host's struct
	index int // among all fields
}

// structFields are the fields of a struct, of one of the host's those that the
// universe shows.
func (m *machine) structFields(t *ir.Type) []*structField {
	i := m.info(t)
	i.once.Do(func() {
		st, ok := t.T.Underlying().(*types.Struct)
		if !ok {
			return
		}
		for k := range st.NumFields() {
			if f := m.structField(t, st, k); f != nil {
				f.Index, f.Engine = len(i.fields), f
				i.fields, i.shown = append(i.fields, f), append(i.shown, &f.Field)
			}
		}
	})
	return i.fields
}

func (m *machine) structField(t *ir.Type, st *types.Struct, k int) *structField {
	f := st.Field(k)
	out := &structField{pkg: f.Pkg(), index: k}
	out.Name, out.Tag, out.Embedded, out.Exported = f.Name(), st.Tag(k), f.Embedded(), f.Exported()
	if t.Kind != ir.KindHost {
		out.typ, out.off = t.Fields[k].Typ, t.Fields[k].Off
		out.Type = typeToSee(out.typ)
		return out
	}
	field, ok := t.Mem.FieldByName(f.Name())
	if !ok || len(field.Index) != 1 || !field.IsExported() {
		return nil
	}
	out.typ, out.host = m.typeOf(f.Type()), field.Index[0]
	out.Type = typeToSee(out.typ)
	return out
}

// callMethod calls a method that v has, with arguments in cells, and gives the results in
// cells. The type of v is that whose method set it is of.
func (m *machine) callMethod(v val, name string, args *ir.Obj, n int) *ir.Obj {
	x := v.iface(m)
	if x == nil {
		throwNil()
	}
	f, ok := x.(*Iface)
	if !ok {
		return m.callShown(reflect.ValueOf(x), name, args)
	}
	id := f.T.Methods[name]
	switch {
	case id == 0 && f.T.Host != nil:
		return m.callShown(toHost(m, f.T, ifaceCells(f), 0, f.T.Host), name, args)
	case id == 0:
		panic("vm: no method " + name + " on " + f.T.Str)
	}
	all := &ir.Obj{I: append([]int64{f.I}, args.I...), S: append([]string{f.S}, args.S...), R: append([]any{f.R}, args.R...)}
	return m.callback(m.p.Funcs[id-1], nil, all, 1+n)
}

// callShown calls a method of a value of the host's, which the universe shows.
func (m *machine) callShown(recv reflect.Value, name string, args *ir.Obj) *ir.Obj {
	sig := inspect.Method(m.typeOfHost(recv.Type()).T, name)
	if sig == nil {
		throwPlain("the method %s of %s is not for scripts", name, recv.Type())
	}
	fn := m.method(recv.Type(), name)
	pt, res := m.typeOf(sig.Params()), m.typeOf(sig.Results())
	in := []reflect.Value{recv}
	for i, f := range pt.Fields {
		in = append(in, m.giving(f.Typ, args, f.Off, fn.Type().In(1+i)))
	}
	out := m.newCells(res)
	for i, v := range m.callHost(fn, nil, in, sig.Variadic()) {
		m.charge(madeBytes(v))
		fromHost(m, v, res.Fields[i].Typ, out, res.Fields[i].Off)
	}
	return out
}
