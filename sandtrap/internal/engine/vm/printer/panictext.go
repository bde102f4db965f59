package printer

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// maxPanics is how many panics of a chain a text shows: its beginning and its end.
const maxPanics = 100

// PanicText is what Go prints after "panic: ": the panics in the order they came, one that
// panicked again with the same value once.
func PanicText(m *exec.Machine, p *exec.PanicRec) string {
	type shown struct {
		*exec.PanicRec
		again bool
	}
	var chain []shown
	for q := p; q != nil && !q.Goexit; q = q.Earlier {
		n := len(chain)
		again := n > 0 && sameValue(chain[n-1].Val, q.Val)
		if again {
			chain = chain[:n-1]
		}
		chain = append(chain, shown{q, again})
	}
	slices.Reverse(chain)
	var lines []string
	for i, q := range chain {
		if i >= maxPanics/2 && len(chain)-i > maxPanics/2 {
			continue
		}
		if left := len(chain) - maxPanics; left > 0 && len(chain)-i == maxPanics/2 {
			lines = append(lines, "... "+strconv.Itoa(left)+" panics are left out ...")
		}
		line := strings.ReplaceAll(panicLine(m, q.Val), "\n", "\n\t")
		switch {
		case q.Recovered && q.again:
			line += " [recovered, repanicked]"
		case q.Recovered:
			line += " [recovered]"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n\tpanic: ")
}

func panicLine(m *exec.Machine, v any) string {
	f, ok := v.(*exec.Iface)
	if !ok || f.T.Kind != reflect.String || f.T.Methods["Error"] != 0 || f.T.Methods["String"] != 0 {
		return PanicValue(m, v)
	}
	return f.T.Str + `("` + f.S + `")`
}

// sameValue reports values that Go takes for one that panicked again. Where Go looks whether
// they are in one place, this compares them.
func sameValue(a, b any) bool {
	return reflect.TypeOf(a) == reflect.TypeOf(b) && reflect.TypeOf(a).Comparable() && a == b
}

// GoPanicText is the text of a panic, which may call methods of the script.
func GoPanicText(m *exec.Machine, p *exec.PanicRec) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = textPanicked(m, r)
		}
	}()
	text = "panic: " + PanicText(m, p)
	for q := p; q != nil; q = q.Earlier {
		if e, ok := q.Val.(exec.RuntimeError); ok && strings.Contains(e.Error(), "nil pointer dereference") {
			return text + "\n[signal SIGSEGV: segmentation violation]"
		}
	}
	return text
}

// textPanicked is what Go prints where the method that tells of the value of a panic panics with r.
func textPanicked(m *exec.Machine, r any) string {
	const text = "fatal error: panic while printing panic value"
	p, ok := r.(*exec.ScriptPanic)
	if !ok || p.Goexits() {
		return text
	}
	if s, ok := p.Value().(string); ok {
		return text + ": " + s
	}
	return text + ": type " + m.DynName(p.Value())
}

func PanicValue(m *exec.Machine, v any) string {
	if f, ok := v.(*exec.Iface); ok {
		if _, ok := f.T.Methods["Error"]; ok {
			return CallString(m, v, "Error")
		}
		if _, ok := f.T.Methods["String"]; ok {
			return CallString(m, v, "String")
		}
		switch k := f.T.Kind; {
		case k == reflect.String:
			return fmt.Sprintf("%s(%s)", f.T.Str, strconv.Quote(f.S))
		case k == reflect.Float32 || k == reflect.Float64:
			return fmt.Sprintf("%s(%s)", f.T.Str, printFloat(ir.BitsFloat(f.I), bitsOf(f.T)))
		case k == reflect.Bool:
			return fmt.Sprintf("%s(%v)", f.T.Str, f.I != 0)
		case ir.IsUnsigned(f.T):
			return fmt.Sprintf("%s(%d)", f.T.Str, uint64(f.I))
		case ir.IsInteger(f.T):
			return fmt.Sprintf("%s(%d)", f.T.Str, f.I)
		}
		return fmt.Sprintf("(%s) %#x", f.T.Str, m.Address(f.R))
	}
	return hostPanicValue(m, v)
}

// hostPanicValue is the text for a value of the host's, or of a basic type.
func hostPanicValue(m *exec.Machine, v any) string {
	if text, ok := textOfHost(m, v); ok {
		return text
	}
	switch v := v.(type) {
	case string:
		return v
	case bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, uintptr:
		return fmt.Sprint(v)
	case float64:
		return printFloat(v, 64)
	case float32:
		return printFloat(float64(v), 32)
	case complex128:
		return strconv.FormatComplex(v, 'g', -1, 128)
	case complex64:
		return strconv.FormatComplex(complex128(v), 'g', -1, 64)
	}
	rv := reflect.ValueOf(v)
	if rt := ir.KindTypes[rv.Kind()]; rt != nil && rt != rv.Type() {
		text := hostPanicValue(m, rv.Convert(rt).Interface())
		if rv.Kind() == reflect.String {
			text = strconv.Quote(text)
		}
		return m.DynName(v) + "(" + text + ")"
	}
	return fmt.Sprintf("(%s) %#x", m.DynName(v), m.Address(new(byte)))
}

// CallString calls a method without parameters that gives a string.
func CallString(m *exec.Machine, v any, method string) (s string) {
	f := v.(*exec.Iface)
	if s = textBy(m, f, method); m.Stop != nil {
		m.StopNow()
	}
	return s
}
