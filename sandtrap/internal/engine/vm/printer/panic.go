package printer

import (
	"fmt"
	"io"
	"reflect"
	"sort"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// printBy calls print, which is to print v by its method, and does what fmt does when that
// panics: it prints the value of the panic. When a method panics for the value of a panic the
// program does.
func printBy(m *exec.Machine, s fmt.State, verb rune, v *exec.Iface, method string, print func()) {
	was := m.Panicking
	m.Panicking = false // the method may print on its own
	defer func() {
		if m.Stop != nil {
			return
		}
		m.Panicking = was
		r := recover()
		p, ok := r.(*exec.ScriptPanic)
		switch {
		case r == nil:
		case !ok:
			panic(r)
		case p.Goexits():
			m.Passing = p
			panic(r)
		case v.T.Kind == reflect.Pointer && v.R == nil:
			io.WriteString(s, "<nil>")
		case was:
			m.Passing = p
			panic(r)
		default:
			fmt.Fprintf(s, "%%!%c(PANIC=%s method: ", verb, method)
			printPanic(m, s, p.Value())
			io.WriteString(s, ")")
		}
	}()
	print()
}

// textBy is what a method without parameters says, and nothing if a stop comes.
func textBy(m *exec.Machine, f *exec.Iface, method string) string {
	fn := m.P.Funcs[f.T.Methods[method]-1]
	res := m.CallScriptQuietly(fn, nil, &ir.Obj{I: []int64{f.I}, S: []string{f.S}, R: []any{f.R}}, 1)
	if res == nil {
		return ""
	}
	return res.S[0]
}

func printPanic(m *exec.Machine, s fmt.State, v any) {
	m.Panicking = true
	defer func() { m.Panicking = false }()
	formatIface(m, shapeless{s}, 'v', ir.Universe.Any, v, -1, true)
}

// shapeless is a state without flags, width and precision.
type shapeless struct{ fmt.State }

func (shapeless) Flag(int) bool          { return false }
func (shapeless) Width() (int, bool)     { return 0, false }
func (shapeless) Precision() (int, bool) { return 0, false }

// FormatPanic prints the value of a panic that host code has recovered.
func FormatPanic(p *exec.ScriptPanic, s fmt.State, verb rune) {
	switch {
	case p.Machine() == nil:
		fmt.Fprintf(s, fmt.FormatString(s, verb), p.Value())
	case p.Machine().Passing == p: // fmt lets go of what panics here twice
		panic(p)
	default:
		formatIface(p.Machine(), s, verb, ir.Universe.Any, p.Value(), -1, true)
	}
}

// SortedRows gives the rows in the order fmt prints maps.
func SortedRows(m *exec.Machine, h *exec.Map) []int {
	var rows []int
	for r := range h.Rows {
		if h.Alive[r] {
			rows = append(rows, r)
		}
	}
	w := h.T.Key.W()
	sort.SliceStable(rows, func(i, j int) bool {
		m.Poll()
		return m.CompareCells(h.T.Key, h.Keys, rows[i]*w, h.Keys, rows[j]*w) < 0
	})
	return rows
}
