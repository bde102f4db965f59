package mirror

import (
	"errors"
	"go/types"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A fieldPath leads to a field, through embedded structs maybe.
type fieldPath struct {
	V     *types.Var
	Index []int
}

// FindField finds a field of a struct type by its name as package reflect does: it
// may be promoted, and need not be exported.
func FindField(m *exec.Machine, t *ir.Type, name string) (fieldPath, bool) {
	pkg := scriptPackage
	if n, ok := types.Unalias(t.T).(*types.Named); ok {
		pkg = n.Obj().Pkg()
	}
	obj, index, _ := types.LookupFieldOrMethod(t.T.Underlying(), true, pkg, name)
	f, ok := obj.(*types.Var)
	return fieldPath{f, index}, ok
}

// scriptPackage is one whose unexported names count as the script's: go/types tells packages apart by their paths.
var scriptPackage = types.NewPackage("main", "main")

// FieldAt follows a path, which may lead through a nil pointer.
func FieldAt(m *exec.Machine, v Mirror, index []int) (Mirror, error) {
	for i, k := range index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return Mirror{}, errors.New("reflect: indirection through nil pointer to embedded struct field " + name(v.T.Elem))
			}
			v = Elem(m, v)
		}
		v = field(m, v, k)
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
func field(m *exec.Machine, v Mirror, i int) Mirror {
	if v.T.Kind == ir.KindHost {
		return hostField(m, v, i)
	}
	f := v.T.Fields[i]
	o, k := v.C, v.K
	place, at := v.place, v.at
	if v.T.Agg {
		o, k = exec.AsObj(v.T, v.Ref()), 0
		if place != nil {
			place, at = o, 0
		}
	}
	switch {
	case f.Typ.W() == 0:
		return Mirror{T: f.Typ, C: &ir.Obj{}, place: place, at: at}
	case f.Typ.Agg:
		v = pointedTo(m, f.Typ, exec.AggAt(f.Typ, o, k+f.Off), 0)
	default:
		v = Mirror{T: f.Typ, C: o, K: k + f.Off}
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
func hostField(m *exec.Machine, v Mirror, i int) Mirror {
	f := v.T.T.Underlying().(*types.Struct).Field(i)
	t := m.TypeOf(f.Type())
	s := exec.HostDeref(v.T, v.Ref())
	if !s.CanAddr() {
		s = reflect.New(v.T.Host).Elem()
	}
	p := ZeroOf(m.TypeOf(types.NewPointer(t.T)))
	exec.PointTo(m, t, s.FieldByName(f.Name()).Addr(), p.C, 0)
	x := Elem(m, p)
	if !v.Addressable() {
		x.place = nil
	}
	return x
}
