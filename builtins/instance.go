package builtins

import (
	"fmt"
	"go/types"
	"reflect"

	shimerrors "github.com/sandtrap-go/sandtrap/builtins/internal/shim/errors"
	shimrand "github.com/sandtrap-go/sandtrap/builtins/internal/shim/rand"
	shimsync "github.com/sandtrap-go/sandtrap/builtins/internal/shim/sync"
)

// genericValue makes an instance of a generic function of the package's Source,
// by reflection.
func (t *Table) genericValue(env *Env, p *pkg, r Ref) (reflect.Value, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	fn, ok := p.types.Scope().Lookup(r.Name).(*types.Func)
	if !ok || fn.Signature().TypeParams().Len() == 0 {
		return reflect.Value{}, r.missing()
	}
	impl := instanceOf(p.Path, r.Name)
	if impl == nil {
		return reflect.Value{}, fmt.Errorf("builtins: %v cannot be made by reflection", r)
	}
	if len(r.TypeArgs) == 0 {
		return reflect.Value{}, fmt.Errorf("builtins: %v cannot be used from generic code", r)
	}
	typ, err := types.Instantiate(t.inst, fn.Signature(), r.TypeArgs, true)
	if err != nil {
		return reflect.Value{}, fmt.Errorf("builtins: %v: %w", r, err)
	}
	ft, err := t.goType(typ)
	if err != nil {
		return reflect.Value{}, fmt.Errorf("builtins: %v: %w", r, err)
	}
	return reflect.MakeFunc(ft, func(args []reflect.Value) []reflect.Value { return impl(env, ft, args) }), nil
}

// An instance implements a generic function for any types: ft is the type of the
// instance, args are as MakeFunc gives them.
type instance func(env *Env, ft reflect.Type, args []reflect.Value) []reflect.Value

// instanceOf returns the implementation of a generic function, nil if it cannot be
// had by reflection (iter.Pull needs a second stack, which is the engine's).
func instanceOf(path, name string) instance {
	switch path {
	case "cmp":
		return cmpInstance(name)
	case "slices":
		return slicesInstance(name)
	case "maps":
		return mapsInstance(name)
	}
	switch path + "." + name {
	case "crypto/hkdf.Expand":
		return hkdfExpand
	case "crypto/hkdf.Extract":
		return hkdfExtract
	case "crypto/hkdf.Key":
		return hkdfKey
	case "crypto/pbkdf2.Key":
		return pbkdf2Key
	case "errors.AsType":
		return shimerrors.AsType
	case "math/rand/v2.N":
		return shimrand.RandN
	case "sync.OnceValue", "sync.OnceValues":
		return shimsync.SyncOnceValue
	}
	return nil
}
