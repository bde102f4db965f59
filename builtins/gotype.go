package builtins

import (
	"errors"
	"fmt"
	"go/types"
	"reflect"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// errNoGoType says that a struct or interface is the script's alone.
var errNoGoType = errors.New("the type has no Go type of the host's")

// goType is typ's other direction. The lock is held.
func (t *Table) goType(typ types.Type) (reflect.Type, error) {
	switch typ := types.Unalias(typ).(type) {
	case *types.Basic:
		if rt := kinds.Types[kinds.OfBasic(typ)]; rt != nil && typ.Info()&types.IsUntyped == 0 {
			return rt, nil
		}
	case *types.Named:
		return t.goNamed(typ)
	case *types.Pointer:
		return t.goElem(typ.Elem(), reflect.PointerTo)
	case *types.Slice:
		return t.goElem(typ.Elem(), reflect.SliceOf)
	case *types.Array:
		return t.goElem(typ.Elem(), func(rt reflect.Type) reflect.Type { return reflect.ArrayOf(int(typ.Len()), rt) })
	case *types.Chan:
		dir := [...]reflect.ChanDir{reflect.BothDir, reflect.SendDir, reflect.RecvDir}[typ.Dir()]
		return t.goElem(typ.Elem(), func(rt reflect.Type) reflect.Type { return reflect.ChanOf(dir, rt) })
	case *types.Map:
		key, err := t.goType(typ.Key())
		if err != nil {
			return nil, err
		}
		return t.goElem(typ.Elem(), func(rt reflect.Type) reflect.Type { return reflect.MapOf(key, rt) })
	case *types.Signature:
		return t.goFunc(typ)
	case *types.Interface:
		if typ.Empty() {
			return shim.AnyType, nil
		}
		return t.goUnnamed(typ)
	case *types.Struct:
		if typ.NumFields() == 0 {
			return reflect.TypeFor[struct{}](), nil
		}
		return t.goUnnamed(typ)
	}
	return nil, fmt.Errorf("type %v has no Go type of the host's", typ)
}

func (t *Table) goElem(elem types.Type, of func(reflect.Type) reflect.Type) (reflect.Type, error) {
	rt, err := t.goType(elem)
	if err != nil {
		return nil, err
	}
	return of(rt), nil
}

func (t *Table) goNamed(typ *types.Named) (reflect.Type, error) {
	if typ.Obj() == types.Universe.Lookup("error") {
		return shim.ErrorType, nil
	}
	if rt := t.goOf(typ.Obj()); rt != nil && typ.TypeArgs() == nil {
		return rt, nil
	}
	if typ.Obj().Pkg() != nil && typ.Obj().Pkg().Path() == "iter" && typ.TypeArgs() != nil {
		// The engine's value is a plain func either way.
		return t.goType(typ.Underlying())
	}
	return nil, fmt.Errorf("type %v has no Go type of the host's", typ)
}

func (t *Table) goFunc(sig *types.Signature) (reflect.Type, error) {
	in, err := t.goTuple(sig.Params())
	if err != nil {
		return nil, err
	}
	out, err := t.goTuple(sig.Results())
	if err != nil {
		return nil, err
	}
	return reflect.FuncOf(in, out, sig.Variadic()), nil
}

func (t *Table) goTuple(tuple *types.Tuple) ([]reflect.Type, error) {
	list := make([]reflect.Type, tuple.Len())
	for i := range list {
		rt, err := t.goType(tuple.At(i).Type())
		if err != nil {
			return nil, err
		}
		list[i] = rt
	}
	return list, nil
}
