package builtins

import (
	"fmt"
	"go/types"
	"reflect"
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
	impl := instances[p.Path+"."+r.Name]
	if impl == nil {
		return reflect.Value{}, fmt.Errorf("builtins: %v cannot be made by reflection", r)
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

// instances has the generic functions that can be had by reflection.
var instances = map[string]instance{
	"errors.AsType": errorsAsType,
}

func errorsAsType(_ *Env, ft reflect.Type, args []reflect.Value) []reflect.Value {
	target := reflect.New(ft.Out(0))
	ok := asError(args[0], target)
	return []reflect.Value{target.Elem(), reflect.ValueOf(ok)}
}
