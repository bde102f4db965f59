package mirror

import (
	"errors"
	"go/types"
	"reflect"
	"slices"

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
func FieldAt(m *exec.Machine, v Val, index []int) (Val, error) {
	for i, k := range index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return Val{}, errors.New("reflect: indirection through nil pointer to embedded struct field " + typeName(v.T.Elem))
			}
			v = v.Elem(m)
		}
		fields := StructFields(m, v.T)
		at := slices.IndexFunc(fields, func(f *structField) bool { return f.index == k })
		if at < 0 {
			return Val{}, errors.New("reflect: the field is not for scripts")
		}
		v = v.Field(m, fields[at])
	}
	return v, nil
}
