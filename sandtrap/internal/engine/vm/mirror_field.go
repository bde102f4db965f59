package vm

import (
	"errors"
	"go/types"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A fieldPath leads to a field, through embedded structs maybe.
type fieldPath struct {
	v     *types.Var
	index []int
}

// findField finds a field of a struct type by its name as package reflect does: it
// may be promoted, and need not be exported.
func (m *machine) findField(t *ir.Type, name string) (fieldPath, bool) {
	pkg := scriptPackage(m.p)
	if n, ok := types.Unalias(t.T).(*types.Named); ok {
		pkg = n.Obj().Pkg()
	}
	obj, index, _ := types.LookupFieldOrMethod(t.T.Underlying(), true, pkg, name)
	f, ok := obj.(*types.Var)
	return fieldPath{f, index}, ok
}

// scriptPackage is the package whose unexported names count as the script's.
func scriptPackage(p *ir.Program) *types.Package {
	if p.Gates == nil {
		return nil
	}
	return p.Gates.Prog.Main().Package
}

// fieldAt follows a path, which may lead through a nil pointer.
func (m *machine) fieldAt(v mirror, index []int) (mirror, error) {
	for i, k := range index {
		if i > 0 && v.kind() == reflect.Pointer {
			if v.isNil() {
				return mirror{}, errors.New("reflect: indirection through nil pointer to embedded struct field " + name(v.t.Elem))
			}
			v = m.elem(v)
		}
		v = m.field(v, k)
	}
	return v, nil
}

// name is the name of a type without its package.
func name(t *ir.Type) string {
	if n, ok := t.T.(*types.Named); ok {
		return n.Obj().Name()
	}
	return t.Str
}

// field is field i of a struct, as its type shows it.
func (m *machine) field(v mirror, i int) mirror {
	if v.t.Kind == ir.KindHost {
		return m.hostField(v, i)
	}
	f := v.t.Fields[i]
	o, k := v.c, v.k
	place, at := v.place, v.at
	if v.t.Agg {
		o, k = asObj(v.t, v.ref()), 0
		if place != nil {
			place, at = o, 0
		}
	}
	switch {
	case f.Typ.W() == 0:
		return mirror{t: f.Typ, c: &ir.Obj{}, place: place, at: at}
	case f.Typ.Agg:
		v = m.pointed(f.Typ, aggAt(f.Typ, o, k+f.Off), 0)
	default:
		v = mirror{t: f.Typ, c: o, k: k + f.Off}
	}
	switch {
	case place == nil:
		v.place = nil
	case !f.Typ.Agg:
		v.place, v.at = place, at+f.Off
	}
	return v
}

// hostField is a field of a struct of the host's that the policy shows.
func (m *machine) hostField(v mirror, i int) mirror {
	f := v.t.T.Underlying().(*types.Struct).Field(i)
	t := m.typeOf(f.Type())
	s := hostDeref(v.t, v.ref())
	if !s.CanAddr() {
		s = reflect.New(v.t.Host).Elem()
	}
	p := zeroOf(m.typeOf(types.NewPointer(t.T)))
	pointTo(m, t, s.FieldByName(f.Name()).Addr(), p.c, 0)
	x := m.elem(p)
	if !v.addressable() {
		x.place = nil
	}
	return x
}
