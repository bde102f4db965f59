package vm

import (
	"bytes"
	"strings"
)

// methodGates are calls without reflection for methods of what scripts build text
// with. A bound value of another type takes the long way.
var methodGates = map[string]func(*machine, *ext){
	"strings.Builder.WriteString": writeString[*strings.Builder],
	"strings.Builder.WriteByte":   writeByte[*strings.Builder],
	"strings.Builder.WriteRune":   writeRune[*strings.Builder],
	"strings.Builder.String":      textOf[*strings.Builder],
	"strings.Builder.Len":         lengthOf[*strings.Builder],
	"bytes.Buffer.WriteString":    writeString[*bytes.Buffer],
	"bytes.Buffer.WriteByte":      writeByte[*bytes.Buffer],
	"bytes.Buffer.WriteRune":      writeRune[*bytes.Buffer],
	"bytes.Buffer.String":         textOf[*bytes.Buffer],
	"bytes.Buffer.Len":            lengthOf[*bytes.Buffer],
}

// directMethod is direct for a method, which is bound as a function of its receiver.
func directMethod[P, F any](m *machine, x *ext, text int) (recv P, f F, ok bool) {
	if recv, ok = m.R[x.regs[0]].(P); !ok {
		doGate(m, x)
		return recv, f, false
	}
	if f, ok = m.bindings[x.n].(F); !ok || m.lends(text) { // direct, written out: it is not inlined
		if f, ok = prepared[F](m, x); !ok {
			return recv, f, false
		}
	}
	m.leaves()
	return recv, f, true
}

func writeString[P any](m *machine, x *ext) {
	if p, f, ok := directMethod[P, func(P, string) (int, error)](m, x, m.size(x, 1)); ok {
		n, err := f(p, m.S[x.regs[1]])
		m.counted(x.a, n, err)
	}
}

func writeRune[P any](m *machine, x *ext) {
	if p, f, ok := directMethod[P, func(P, rune) (int, error)](m, x, 0); ok {
		n, err := f(p, rune(m.I[x.regs[1]]))
		m.counted(x.a, n, err)
	}
}

func writeByte[P any](m *machine, x *ext) {
	if p, f, ok := directMethod[P, func(P, byte) error](m, x, 0); ok {
		m.failed(x.a, f(p, byte(m.I[x.regs[1]])))
	}
}

func textOf[P any](m *machine, x *ext) {
	if p, f, ok := directMethod[P, func(P) string](m, x, 0); ok {
		m.string(x.a, f(p))
	}
}

func lengthOf[P any](m *machine, x *ext) {
	if p, f, ok := directMethod[P, func(P) int](m, x, 0); ok {
		m.number(x.a, int64(f(p)))
	}
}

// counted is a result (int, error).
func (m *machine) counted(a, n int, err error) {
	m.failed(a+1, err)
	m.I[a] = int64(n)
}

// failed is a result of type error.
func (m *machine) failed(a int, err error) {
	m.back()
	if err != nil {
		m.R[a] = hostIface(err)
	} else if m.R[a] != nil { // writing a pointer costs more than reading it
		m.R[a] = nil
	}
}
