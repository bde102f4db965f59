package vm

import (
	"errors"
	"go/types"
	"reflect"
)

// A fieldPath leads to a field, through embedded structs maybe.
type fieldPath struct {
	v     *types.Var
	index []int
}

// findField finds a field of a struct type by its name as package reflect does: it
// may be promoted, and need not be exported.
func (m *machine) findField(t *Type, name string) (fieldPath, bool) {
	pkg := m.p.scriptPackage()
	if n, ok := types.Unalias(t.t).(*types.Named); ok {
		pkg = n.Obj().Pkg()
	}
	obj, index, _ := types.LookupFieldOrMethod(t.t.Underlying(), true, pkg, name)
	f, ok := obj.(*types.Var)
	return fieldPath{f, index}, ok
}

// scriptPackage is the package whose unexported names count as the script's.
func (p *Program) scriptPackage() *types.Package {
	if p.gates == nil {
		return nil
	}
	return p.gates.prog.Main().Package
}

// fieldAt follows a path, which may lead through a nil pointer.
func (m *machine) fieldAt(v mirror, index []int) (mirror, error) {
	for i, k := range index {
		if i > 0 && v.kind() == reflect.Pointer {
			if v.isNil() {
				return mirror{}, errors.New("reflect: indirection through nil pointer to embedded struct field " + v.t.elem.name())
			}
			v = m.elem(v)
		}
		v = m.field(v, k)
	}
	return v, nil
}

// name is the name of a type without its package.
func (t *Type) name() string {
	if n, ok := t.t.(*types.Named); ok {
		return n.Obj().Name()
	}
	return t.str
}

// field is field i of a struct, as its type shows it.
func (m *machine) field(v mirror, i int) mirror {
	if v.t.kind == kindHost {
		return m.hostField(v, i)
	}
	f := v.t.fields[i]
	o, k := v.c, v.k
	place, at := v.place, v.at
	if v.t.agg {
		o, k = asObj(v.t, v.ref()), 0
		if place != nil {
			place, at = o, 0
		}
	}
	switch {
	case f.typ.w() == 0:
		return mirror{t: f.typ, c: &Obj{}, place: place, at: at}
	case f.typ.agg:
		v = m.pointed(f.typ, aggAt(f.typ, o, k+f.off), 0)
	default:
		v = mirror{t: f.typ, c: o, k: k + f.off}
	}
	switch {
	case place == nil:
		v.place = nil
	case !f.typ.agg:
		v.place, v.at = place, at+f.off
	}
	return v
}

// hostField is a field of a struct of the host's that the policy shows.
func (m *machine) hostField(v mirror, i int) mirror {
	f := v.t.t.Underlying().(*types.Struct).Field(i)
	t := m.typeOf(f.Type())
	s := hostDeref(v.t, v.ref())
	if !s.CanAddr() {
		s = reflect.New(v.t.host).Elem()
	}
	p := zeroOf(m.typeOf(types.NewPointer(t.t)))
	pointTo(m, t, s.FieldByName(f.Name()).Addr(), p.c, 0)
	x := m.elem(p)
	if !v.addressable() {
		x.place = nil
	}
	return x
}
