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
	if v != nil && exec.IsProxy(reflect.TypeOf(v)) && HostShows(m, v, errorMethod) {
		return proxyError{m, v}
	}
	return v
}

func (e proxyError) Error() string {
	return e.m.Method(reflect.TypeOf(e.v), "Error").Call([]reflect.Value{reflect.ValueOf(e.v)})[0].String()
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
