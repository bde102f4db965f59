package printer

import (
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

const (
	maxEchoText = 4 << 10 // bytes of the text of an echo; the rest is cut
	echoBytes   = 16      // that are asked for, of memory, for one of the values that a value is made of
	nearby      = 2       // pointers below others that are gone through
)

// An echoState is the state of fmt for an echo. That is Go syntax, in which errors and what has
// a method String say what they are, as a person wants to read them; no address is shown, and
// what follows the first few thousand bytes is left out.
type echoState struct {
	fmt.State
	left  int
	cut   bool
	large bool // the value is more than a walk goes through: its head alone is looked at
}

func (e *echoState) Write(p []byte) (int, error) {
	n := len(p)
	if e.left < n {
		e.cut, p = true, p[:e.left]
	}
	e.left -= len(p)
	_, err := e.State.Write(p)
	return n, err
}

// Pointers tells who prints values of the host how deep they go through pointers, as here for those of the script.
func (e *echoState) Pointers() int { return nearby }

// echoing is s if it is that of an echo, else nil.
func echoing(s fmt.State) *echoState {
	e, _ := s.(*echoState)
	return e
}

// full reports that nothing more of an echo is shown.
func full(s fmt.State) bool {
	e := echoing(s)
	return e != nil && e.cut
}

// shown bounds how many of n parts a list prints.
func shown(s fmt.State, n int) int {
	if e := echoing(s); e != nil {
		return min(n, e.left+1)
	}
	return n
}

// An echoed is a value that fmt prints as an echo.
type echoed struct {
	m     *exec.Machine
	v     any
	state *echoState
}

func (x echoed) Format(s fmt.State, verb rune) {
	x.state.State = s
	formatIface(x.m, x.state, verb, ir.Universe.Any, x.v, -1, true)
}

// echoText is v as an echo shows it.
func echoText(m *exec.Machine, v any) string {
	state := &echoState{left: maxEchoText}
	w := &Walk{Left: maxEchoSize, near: nearby}
	_, own := v.(*exec.Iface)
	if w.iface(v, 0) {
		if own {
			m.Charge(int64(maxEchoSize-w.Left) * echoBytes)
		} else {
			m.Guarded(func() { m.Host.Price(m.Export(v)) })
		}
	} else if text, ok := v.(string); ok {
		return strconv.Quote(strings.ToValidUTF8(text[:maxEchoText], "")) + " ..."
	} else if own {
		state.large = true
	} else {
		return "(too large to show)"
	}
	text := fmt.Sprintf("%#v", echoed{m, v, state})
	if state.cut {
		text = strings.ToValidUTF8(text, "") + " ..."
	}
	return text
}

// echoBytesOf shows a []byte: as text, if it is one.
func echoBytesOf(m *exec.Machine, s fmt.State, b []byte) {
	cut := shown(s, len(b)) < len(b)
	b = b[:shown(s, len(b))]
	m.Charge(int64(len(b) + 2))
	text := string(b)
	if cut {
		text = strings.ToValidUTF8(text, "")
	}
	if utf8.ValidString(text) {
		fmt.Fprintf(s, "[]byte(%q)", text)
		return
	}
	fmt.Fprintf(s, "%#v", b)
}

// echoHost shows a value of the host's in an echo, if that is not left to its fields.
func echoHost(m *exec.Machine, s fmt.State, v reflect.Value) bool {
	e := echoing(s)
	switch {
	case e == nil || !v.IsValid() || !v.CanInterface():
		return false
	case e.large:
		io.WriteString(s, m.DynName(v.Interface())+"(...)")
		return true
	case v.Kind() == reflect.Pointer && v.IsNil():
		return false
	}
	text, ok := textOfHost(m, v.Interface())
	if !ok && opaque(v.Type()) {
		text, ok = m.DynName(v.Interface())+"{...}", true
	}
	if ok {
		io.WriteString(s, text)
	}
	return ok
}

// opaque reports a struct, or a pointer to one, whose fields are its package's own business.
func opaque(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t.NumField() == 0 {
		return false
	}
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			return false
		}
	}
	return true
}
