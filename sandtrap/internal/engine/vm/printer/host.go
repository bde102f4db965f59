package printer

import (
	"fmt"
	"go/token"
	"go/types"
	"io"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Values of the host's print as the policy shows them; that is the seam's to know.

// showHost prints one that is in depth other values.
func showHost(m *exec.Machine, s fmt.State, verb rune, v reflect.Value, depth int, methods bool) {
	if !methods || !echoHost(m, s, v) {
		m.Host.Show(s, verb, v, depth, !methods, "")
	}
}

// hostText reports a type of the host's, of lists or maps that the machine holds as its own, whose values have a text of
// their own: net.IP.
func hostText(t *ir.Type) bool {
	switch t.Kind {
	case reflect.Slice, reflect.Array, reflect.Map:
		return t.Named && t.Host != nil && (t.Host.Implements(stringerType))
	}
	return false
}

var stringerType = reflect.TypeFor[fmt.Stringer]()

// showDeclared prints a value of the script's type t, which is declared as a struct of the
// host's.
func showDeclared(m *exec.Machine, s fmt.State, verb rune, t *ir.Type, v reflect.Value, depth int, methods bool) {
	if rv, ok := v.Interface().(reflect.Value); ok {
		io.WriteString(s, exec.Above.ValueText(rv))
		return
	}
	as := ""
	if t.Host == nil {
		as = t.Str
	} else if methods && echoHost(m, s, v) {
		return
	}
	m.Host.Show(s, verb, v, depth, !methods, as)
}

// Bare is a state without the flags that change the shape, as fmt prints what a
// verb is not made for.
type Bare struct{ fmt.State }

func (b Bare) Flag(c int) bool { return c != '+' && c != '#' && b.State.Flag(c) }

// padded is a state of which only the width is left.
type padded struct{ fmt.State }

func (padded) Precision() (int, bool) { return 0, false }
func (p padded) Flag(c int) bool      { return c == '-' && p.State.Flag(c) }

// A shownVal prints what an interface holds, whoever owns it.
type shownVal struct {
	m *exec.Machine
	v any
}

func Show(m *exec.Machine, v any) any { return shownVal{m, v} }

func (x shownVal) Format(s fmt.State, verb rune) {
	formatIface(x.m, s, verb, ir.Universe.Any, x.v, -1, true)
}

// textOfHost is what a value of the host's says of itself by the method Error or String, if
// the script may call it.
func textOfHost(m *exec.Machine, v any) (text string, ok bool) {
	if rv, ok := v.(reflect.Value); ok {
		return exec.Above.ValueText(rv), true
	}
	if err, ok := ExportProxy(m, v).(interface {
		error
		HostError() any
	}); ok {
		return err.Error(), true
	}
	if err, ok := v.(error); ok && HostShows(m, v, errorMethod) {
		return ownText(m, v, "Error", err.Error), true
	}
	if s, ok := v.(fmt.Stringer); ok && HostShows(m, v, stringMethod) {
		return ownText(m, v, "String", s.String), true
	}
	return "", false
}

// ownText is what a method of a value of the host's says, which may have its price.
func ownText(m *exec.Machine, v any, method string, plain func() string) string {
	f, err := m.Host.Method(reflect.TypeOf(v), method)
	if err != nil || !f.IsValid() {
		return plain()
	}
	return f.Call([]reflect.Value{reflect.ValueOf(v)})[0].String()
}

var (
	errorMethod  = ErrorGoType.Underlying().(*types.Interface).Method(0)
	stringMethod = types.NewFunc(token.NoPos, nil, "String", errorMethod.Signature())

	// Methods that package errors looks for.
	IsMethod        = types.NewFunc(token.NoPos, nil, "Is", signature([]types.Type{ErrorGoType}, types.Typ[types.Bool]))
	UnwrapMethod    = types.NewFunc(token.NoPos, nil, "Unwrap", signature(nil, ErrorGoType))
	UnwrapAllMethod = types.NewFunc(token.NoPos, nil, "Unwrap", signature(nil, types.NewSlice(ErrorGoType)))
)

// signature is that of a method with parameters of these types and one result.
func signature(params []types.Type, result types.Type) *types.Signature {
	var vars []*types.Var
	for _, t := range params {
		vars = append(vars, types.NewParam(token.NoPos, nil, "", t))
	}
	out := types.NewParam(token.NoPos, nil, "", result)
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), types.NewTuple(out), false)
}
