package templates

import (
	"fmt"
	"io"
	"reflect"
	"text/template/parse"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/printer"
)

// print writes a value as fmt prints it.
func (e *tmplExec) print(n parse.Node, v mirror.Val) {
	e.at(n)
	v, ok := printable(e.m, v)
	if !ok {
		e.errorf("can't print %s of type %s", n, v.T.Str)
	}
	text := "<no value>"
	switch {
	case !v.Valid():
	case v.T == ir.Universe.Str:
		text = v.Str()
	default:
		text = e.tools.Sprint(shown(e.m, v))
	}
	if _, err := io.WriteString(writerOnly{e.w}, text); err != nil {
		panic(tmplFailure{err})
	}
}

// writerOnly hides all methods of a writer but Write, which is what Go calls.
type writerOnly struct{ io.Writer }

// printable is v, or what it points to, or its address, whatever is best to print.
func printable(m *exec.Machine, v mirror.Val) (mirror.Val, bool) {
	if v.Kind() == reflect.Pointer {
		v, _ = indirect(m, v)
	}
	if !v.Valid() || v.Kind() == reflect.Interface || printsItself(m, v.T) {
		return v, true
	}
	if v.IsVar() {
		if p := v.Addr(m); printsItself(m, p.T) {
			return p, true
		}
	}
	return v, v.Kind() != reflect.Chan && v.Kind() != reflect.Func
}

// printsItself reports that t is an error or a Stringer.
func printsItself(m *exec.Machine, t *ir.Type) bool {
	if t.Host != nil && t.Methods == nil {
		return t.Host.Implements(ErrorType) || t.Host.Implements(stringerType)
	}
	for _, name := range []string{"Error", "String"} {
		if id := t.Methods[name]; id != 0 {
			fn := m.P.Funcs[id-1]
			if fn.Params == 1 && len(fn.Results.Fields) == 1 && fn.Results.Fields[0].Typ == ir.Universe.Str {
				return true
			}
		}
	}
	return false
}

// exported are values as host functions have them.
func exported(m *exec.Machine, in []mirror.Val) []any {
	out := make([]any, len(in))
	for i, v := range in {
		out[i] = shown(m, v)
	}
	return out
}

// printables are arguments of the escaping functions.
func printables(m *exec.Machine, in []mirror.Val) []any {
	out := make([]any, len(in))
	for i, v := range in {
		v, _ = printable(m, mirror.ValOf(m, v.Boxed(m)))
		if out[i] = shown(m, v); !v.Valid() {
			out[i] = "<no value>"
		}
	}
	return out
}

// shown is a value for a text. A function prints as a made-up address, whatever it
// is to the host.
func shown(m *exec.Machine, v mirror.Val) any {
	if v.Kind() == reflect.Func {
		return exec.Above.Opaque(m, &exec.Iface{T: v.T, R: v.Ref()})
	}
	return m.Export(v.Boxed(m))
}

// told is a value for the text of an error, which prints it as the script would.
func told(m *exec.Machine, v mirror.Val) any {
	return printer.Show(m, v.Boxed(m))
}

// DoEscaper is an escaping function called by the script itself.
func DoEscaper(m *exec.Machine, x *ir.SlowOp) {
	args := printables(m, elements(m, mirror.ValIn(m, x.Types[0], x.Regs[0])))
	m.Called(m.Host.Bind[x.N], x, []reflect.Value{reflect.ValueOf(args)})
}

// DoIsTrue is IsTrue called by the script itself.
func DoIsTrue(m *exec.Machine, x *ir.SlowOp) {
	truth, ok := isTrue(m, mirror.ValOf(m, m.R[x.Regs[0]]))
	m.I[x.A], m.I[x.A+1] = ir.BoolBits(truth), ir.BoolBits(ok)
}

var (
	ErrorType    = reflect.TypeFor[error]()
	stringerType = reflect.TypeFor[fmt.Stringer]()
)
