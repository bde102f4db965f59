package vm

import (
	"fmt"
	"io"
	"reflect"
	"text/template/parse"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// print writes a value as fmt prints it.
func (e *tmplExec) print(n parse.Node, v mirror) {
	e.at(n)
	v, ok := e.m.printable(v)
	if !ok {
		e.errorf("can't print %s of type %s", n, v.t.Str)
	}
	text := "<no value>"
	switch {
	case !v.valid():
	case v.t == ir.Universe.Str:
		text = v.str()
	default:
		text = e.tools.Sprint(e.m.shown(v))
	}
	if _, err := io.WriteString(writerOnly{e.w}, text); err != nil {
		panic(tmplFailure{err})
	}
}

// writerOnly hides all methods of a writer but Write, which is what Go calls.
type writerOnly struct{ io.Writer }

// printable is v, or what it points to, or its address, whatever is best to print.
func (m *machine) printable(v mirror) (mirror, bool) {
	if v.kind() == reflect.Pointer {
		v, _ = m.indirect(v)
	}
	if !v.valid() || v.kind() == reflect.Interface || m.printsItself(v.t) {
		return v, true
	}
	if v.addressable() {
		if p := m.addr(v); m.printsItself(p.t) {
			return p, true
		}
	}
	return v, v.kind() != reflect.Chan && v.kind() != reflect.Func
}

// printsItself reports that t is an error or a Stringer.
func (m *machine) printsItself(t *ir.Type) bool {
	if t.Host != nil && t.Methods == nil {
		return t.Host.Implements(errorType) || t.Host.Implements(stringerType)
	}
	for _, name := range []string{"Error", "String"} {
		if id := t.Methods[name]; id != 0 {
			fn := m.p.Funcs[id-1]
			if fn.Params == 1 && len(fn.Results.Fields) == 1 && fn.Results.Fields[0].Typ == ir.Universe.Str {
				return true
			}
		}
	}
	return false
}

// exported are values as host functions have them.
func (m *machine) exported(in []mirror) []any {
	out := make([]any, len(in))
	for i, v := range in {
		out[i] = m.shown(v)
	}
	return out
}

// printables are arguments of the escaping functions.
func (m *machine) printables(in []mirror) []any {
	out := make([]any, len(in))
	for i, v := range in {
		v, _ = m.printable(m.mirrorOf(m.iface(v)))
		if out[i] = m.shown(v); !v.valid() {
			out[i] = "<no value>"
		}
	}
	return out
}

// shown is a value for a text. A function prints as a made-up address, whatever it
// is to the host.
func (m *machine) shown(v mirror) any {
	if v.kind() == reflect.Func {
		return above.opaque(m, &Iface{T: v.t, R: v.ref()})
	}
	return m.export(m.iface(v))
}

// told is a value for the text of an error, which prints it as the script would.
func (m *machine) told(v mirror) shownVal { return show(m, m.iface(v)) }

// doEscaper is an escaping function called by the script itself.
func doEscaper(m *machine, x *ir.SlowOp) {
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	args := m.printables(m.elements(mirror{t: x.Types[0], c: w, k: x.Regs[0]}))
	m.called(m.seam.Bind[x.N], x, []reflect.Value{reflect.ValueOf(args)})
}

// doIsTrue is IsTrue called by the script itself.
func doIsTrue(m *machine, x *ir.SlowOp) {
	truth, ok := m.isTrue(m.mirrorOf(m.R[x.Regs[0]]))
	m.I[x.A], m.I[x.A+1] = ir.BoolBits(truth), ir.BoolBits(ok)
}

var (
	errorType    = reflect.TypeFor[error]()
	stringerType = reflect.TypeFor[fmt.Stringer]()
)
