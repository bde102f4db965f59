package vm

import (
	"fmt"
	"io"
	"reflect"
	"sort"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// printBy calls print, which is to print v by its method, and does what fmt does when that
// panics: it prints the value of the panic. When a method panics for the value of a panic the
// program does.
func (m *machine) printBy(s fmt.State, verb rune, v *Iface, method string, print func()) {
	was := m.panicking
	m.panicking = false // the method may print on its own
	defer func() {
		if m.stop != nil {
			return
		}
		m.panicking = was
		r := recover()
		p, ok := r.(*scriptPanic)
		switch {
		case r == nil:
		case !ok:
			panic(r)
		case p.goexits():
			m.passing = p
			panic(r)
		case v.T.Kind == reflect.Pointer && v.R == nil:
			io.WriteString(s, "<nil>")
		case was:
			m.passing = p
			panic(r)
		default:
			fmt.Fprintf(s, "%%!%c(PANIC=%s method: ", verb, method)
			m.printPanic(s, p.value())
			io.WriteString(s, ")")
		}
	}()
	print()
}

// textBy is what a method without parameters says, and nothing if a stop comes.
func (m *machine) textBy(f *Iface, method string) string {
	fn := m.p.Funcs[f.T.Methods[method]-1]
	res := m.calledQuietly(fn, nil, &ir.Obj{I: []int64{f.I}, S: []string{f.S}, R: []any{f.R}}, 1)
	if res == nil {
		return ""
	}
	return res.S[0]
}

func (m *machine) printPanic(s fmt.State, v any) {
	m.panicking = true
	defer func() { m.panicking = false }()
	m.formatIface(shapeless{s}, 'v', ir.Universe.Any, v, -1, true)
}

// shapeless is a state without flags, width and precision.
type shapeless struct{ fmt.State }

func (shapeless) Flag(int) bool          { return false }
func (shapeless) Width() (int, bool)     { return 0, false }
func (shapeless) Precision() (int, bool) { return 0, false }

// formatPanic prints the value of a panic that host code has recovered.
func formatPanic(p *scriptPanic, s fmt.State, verb rune) {
	switch {
	case p.machine() == nil:
		fmt.Fprintf(s, fmt.FormatString(s, verb), p.value())
	case p.machine().passing == p: // fmt lets go of what panics here twice
		panic(p)
	default:
		p.machine().formatIface(s, verb, ir.Universe.Any, p.value(), -1, true)
	}
}

// sortedRows gives the rows in the order fmt prints maps.
func (m *machine) sortedRows(h *Map) []int {
	var rows []int
	for r := range h.rows {
		if h.alive[r] {
			rows = append(rows, r)
		}
	}
	w := h.t.Key.W()
	sort.SliceStable(rows, func(i, j int) bool {
		m.look()
		return m.compareCells(h.t.Key, h.keys, rows[i]*w, h.keys, rows[j]*w) < 0
	})
	return rows
}
