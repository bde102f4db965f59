package printer

import (
	"go/types"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// openMethods are those that scripts may find on values of types that they are not
// shown: what errors and texts are asked for.
var openMethods = map[string]bool{
	"Error": true, "Unwrap": true, "Is": true, "As": true, "Timeout": true, "Temporary": true,
	"String": true, "GoString": true, "RuntimeError": true,
}

// HostShows reports that v, a value of the host's, has the method f for the script:
// an assertion must not find what the policy hides. Of a type that the policy
// knows, that is what its declaration shows; of others, little.
func HostShows(m *exec.Machine, v any, f *types.Func) bool {
	if _, ok := v.(exec.ScriptType); ok {
		sig := inspect.Method(m.TypeOfHost(exec.TypeType).T, f.Name())
		return !f.Exported() || sig != nil && types.Identical(sig, f.Signature())
	}
	return TypeShows(m, reflect.TypeOf(v), f)
}

// TypeShows is HostShows for all values of the type rt.
func TypeShows(m *exec.Machine, rt reflect.Type, f *types.Func) bool {
	method := reflect.Zero(rt).MethodByName(f.Name())
	if !method.IsValid() && !exec.IsProxy(rt) {
		return false
	}
	t := m.P.HostType(rt)
	if t == nil || t.Met {
		t = m.TypeOfHost(rt)
		if types.NewMethodSet(t.T).Len() == 0 {
			t = nil
		}
	}
	if t != nil {
		obj, _, _ := types.LookupFieldOrMethod(t.T, false, f.Pkg(), f.Name())
		shown, ok := obj.(*types.Func)
		return ok && types.Identical(shown.Signature(), f.Signature())
	}
	if !method.IsValid() || !openMethods[f.Name()] {
		return false
	}
	want, err := m.P.Gates.TypeOf(exec.Unbound(f.Signature()))
	return err == nil && method.Type() == want
}
