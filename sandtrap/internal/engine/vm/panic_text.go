package vm

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// maxPanics is how many panics of a chain a text shows: its beginning and its end.
const maxPanics = 100

// panicText is what Go prints after "panic: ": the panics in the order they came.
func (m *machine) panicText(p *panicRec) string {
	var chain []*panicRec
	for q := p; q != nil && !q.goexit; q = q.earlier {
		chain = append(chain, q)
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
		if i > 0 && chain[i-1].recovered && sameValue(chain[i-1].val, q.val) {
			last := &lines[len(lines)-1]
			*last = strings.TrimSuffix(*last, "]") + ", repanicked]"
			continue
		}
		line := strings.ReplaceAll(m.panicLine(q.val), "\n", "\n\t")
		if q.recovered {
			line += " [recovered]"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n\tpanic: ")
}

func (m *machine) panicLine(v any) string {
	f, ok := v.(*Iface)
	if !ok || f.T.kind != reflect.String || f.T.methods["Error"] != 0 || f.T.methods["String"] != 0 {
		return m.panicValue(v)
	}
	return f.T.str + `("` + f.S + `")`
}

// sameValue reports the very value that was recovered.
func sameValue(a, b any) bool {
	return reflect.TypeOf(a) == reflect.TypeOf(b) && reflect.TypeOf(a).Comparable() && a == b
}

// goPanicText is the text of a panic, which may call methods of the script.
func (m *machine) goPanicText(p *panicRec) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = "panic: (the panic's text panicked)"
		}
	}()
	text = "panic: " + m.panicText(p)
	for q := p; q != nil; q = q.earlier {
		if e, ok := q.val.(*runtimeError); ok && strings.Contains(e.Error(), "nil pointer dereference") {
			return text + "\n[signal SIGSEGV: segmentation violation]"
		}
	}
	return text
}
