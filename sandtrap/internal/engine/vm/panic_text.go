package vm

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// maxPanics is how many panics of a chain a text shows: its beginning and its end.
const maxPanics = 100

// panicText is what Go prints after "panic: ": the panics in the order they came, one that
// panicked again with the same value once.
func (m *machine) panicText(p *panicRec) string {
	type shown struct {
		*panicRec
		again bool
	}
	var chain []shown
	for q := p; q != nil && !q.goexit; q = q.earlier {
		n := len(chain)
		again := n > 0 && sameValue(chain[n-1].val, q.val)
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
		line := strings.ReplaceAll(m.panicLine(q.val), "\n", "\n\t")
		switch {
		case q.recovered && q.again:
			line += " [recovered, repanicked]"
		case q.recovered:
			line += " [recovered]"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n\tpanic: ")
}

func (m *machine) panicLine(v any) string {
	f, ok := v.(*Iface)
	if !ok || f.T.Kind != reflect.String || f.T.Methods["Error"] != 0 || f.T.Methods["String"] != 0 {
		return m.panicValue(v)
	}
	return f.T.Str + `("` + f.S + `")`
}

// sameValue reports values that Go takes for one that panicked again. Where Go looks whether
// they are in one place, this compares them.
func sameValue(a, b any) bool {
	return reflect.TypeOf(a) == reflect.TypeOf(b) && reflect.TypeOf(a).Comparable() && a == b
}

// goPanicText is the text of a panic, which may call methods of the script.
func (m *machine) goPanicText(p *panicRec) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = m.textPanicked(r)
		}
	}()
	text = "panic: " + m.panicText(p)
	for q := p; q != nil; q = q.earlier {
		if e, ok := q.val.(runtimeError); ok && strings.Contains(e.Error(), "nil pointer dereference") {
			return text + "\n[signal SIGSEGV: segmentation violation]"
		}
	}
	return text
}

// textPanicked is what Go prints where the method that tells of the value of a panic panics with r.
func (m *machine) textPanicked(r any) string {
	const text = "fatal error: panic while printing panic value"
	p, ok := r.(*scriptPanic)
	if !ok || p.goexit {
		return text
	}
	if s, ok := p.val.(string); ok {
		return text + ": " + s
	}
	return text + ": type " + m.dynName(p.val)
}
