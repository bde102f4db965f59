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

// method calls the bound value with its receiver.
func method[P, F any](m *machine, x *ext, call func(P, F)) {
	recv, ok := m.R[x.regs[0]].(P)
	if !ok {
		doGate(m, x)
		return
	}
	typed(m, x, func(f F) { call(recv, f) })
}

func writeString[P any](m *machine, x *ext) {
	method(m, x, func(p P, f func(P, string) (int, error)) {
		n, err := f(p, m.S[x.regs[1]])
		m.counted(x.a, n, err)
	})
}

func writeRune[P any](m *machine, x *ext) {
	method(m, x, func(p P, f func(P, rune) (int, error)) {
		n, err := f(p, rune(m.I[x.regs[1]]))
		m.counted(x.a, n, err)
	})
}

func writeByte[P any](m *machine, x *ext) {
	method(m, x, func(p P, f func(P, byte) error) { m.failed(x.a, f(p, byte(m.I[x.regs[1]]))) })
}

func textOf[P any](m *machine, x *ext) {
	method(m, x, func(p P, f func(P) string) { m.text(x.a, f(p)) })
}

func lengthOf[P any](m *machine, x *ext) {
	method(m, x, func(p P, f func(P) int) { m.I[x.a] = int64(f(p)) })
}

// counted is a result (int, error).
func (m *machine) counted(a, n int, err error) {
	m.I[a] = int64(n)
	m.failed(a+1, err)
}

// failed is a result of type error.
func (m *machine) failed(a int, err error) {
	m.R[a] = nil
	if err != nil {
		m.R[a] = hostIface(err)
	}
}
