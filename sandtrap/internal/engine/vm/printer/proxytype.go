package printer

import (
	"fmt"
	"go/types"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
)

// A proxyError is a value of a made type as code of the host sees it that knows errors.
type proxyError struct {
	m *exec.Machine
	v any
}

// ExportProxy is v, a value of the host's, as an error if it is of a made type that is one.
func ExportProxy(m *exec.Machine, v any) any {
	if v == nil || !exec.IsProxy(reflect.TypeOf(v)) || !HostShows(m, v, errorMethod) {
		return v
	}
	e := proxyError{m, v}
	switch {
	case HostShows(m, v, UnwrapMethod):
		return proxyWrapping{e}
	case HostShows(m, v, UnwrapAllMethod):
		return proxyJoined{e}
	}
	return e
}

// A proxyWrapping is one that wraps another, a proxyJoined one that wraps a list.
type (
	proxyWrapping struct{ proxyError }
	proxyJoined   struct{ proxyError }
)

func (e proxyWrapping) Unwrap() error { return results[error](e.call("Unwrap")) }
func (e proxyJoined) Unwrap() []error { return results[[]error](e.call("Unwrap")) }

func (e proxyError) Error() string { return e.call("Error").String() }

// Is asks the value, if the policy shows that method.
func (e proxyError) Is(target error) bool {
	return HostShows(e.m, e.v, IsMethod) && e.call("Is", reflect.ValueOf(&target).Elem()).Bool()
}

// call calls a method of the value, which the policy shows.
func (e proxyError) call(method string, args ...reflect.Value) reflect.Value {
	return e.m.Method(reflect.TypeOf(e.v), method).Call(append([]reflect.Value{reflect.ValueOf(e.v)}, args...))[0]
}

// results is what v, a result of such a method, holds.
func results[T any](v reflect.Value) T {
	list, _ := v.Interface().(T)
	return list
}

// FormatAt prints the value as Go prints one that is an error.
func (e proxyError) FormatAt(s fmt.State, verb rune, depth int) {
	e.m.Host.Show(s, verb, reflect.ValueOf(e.v), depth, false, "")
}

func (e proxyError) HostError() any { return e.v }

// HostValue is what the script has.
func (e proxyError) HostValue() any { return e.v }

func (e proxyError) GoName() string { return e.m.Host.TypeName(e.v) }

// The methods that the package looks for in an error.

var ErrorGoType = types.Universe.Lookup("error").Type()
