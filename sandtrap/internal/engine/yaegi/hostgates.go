package yaegi

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// helper returns the gate function of this engine with the given name.
func (s *run) helper(name string) reflect.Value {
	var f any
	switch name {
	case "Grant":
		f = s.grant
	case "Throw":
		f = throw
	case "Thrown":
		f = thrownIndex
	case "Print":
		f = func(v ...any) { s.print("", "", v) }
	case "Println":
		f = func(v ...any) { s.print(" ", "\n", v) }
	case "Clear":
		f = clearAny
	case "Clamp":
		f = func(n uint64) uint64 { return min(n, 1<<62) }
	case "Make":
		f = s.makeLen
	case "MakeCap":
		f = s.makeCap
	case "Charge":
		f = s.charge
	case "Face":
		f = func(any) string { return "(0x0,0x0)" }
	case "AwaitRecv":
		f = s.awaitRecv
	case "AwaitSend":
		f = s.awaitSend
	case "Selected":
		f = s.selected
	case "Cat":
		f = s.cat
	case "CopyString":
		f = func(v string, size int) string { s.charge(int64(len(v)) * int64(size)); return v }
	case "CopyBytes":
		f = func(v []byte) []byte { s.charge(int64(len(v))); return v }
	case "CopyRunes":
		f = func(v []rune) []rune { s.charge(4 * int64(len(v))); return v }
	case "ShiftCount":
		f = shiftCount
	case "Append":
		f = s.grow
	default:
		f = minMax(name)
	}
	return reflect.ValueOf(f)
}

// grant is what a tick calls when the countdown is below zero. It looks at the
// clock, the depth and the heap. A stop that another goroutine came upon first ends the script all
// the same.
func (s *run) grant() int {
	if s.ending {
		if s.grace++; s.grace > maxGrace {
			runtime.Goexit()
		}
		return -1
	}
	n, stop := s.depth.next()
	if stop != nil {
		s.end(stop)
	}
	g, stop := s.meter.GrantAtMost(n)
	if stop != nil {
		s.end(stop)
	}
	if stop := s.heap.Check(s.meter); stop != nil {
		s.end(stop)
	}
	return int(g) - 1
}

func (s *run) charge(n int64) {
	if stop := s.meter.Charge(n); stop != nil {
		s.end(stop)
	}
}

// cat puts strings together.
func (s *run) cat(parts ...string) string {
	n := int64(0)
	for _, p := range parts {
		n += int64(len(p))
	}
	s.charge(n)
	return strings.Join(parts, "")
}

// grow counts the array that an append beyond the capacity makes; it is up to twice
// as large as needed.
func (s *run) grow(have, more, size int) {
	n := int64(have) + int64(more)
	if have < 256 {
		n = max(n, 2*int64(have))
	} else {
		n = max(n, int64(have)+int64(have)/4+192)
	}
	s.charge(n * int64(size))
}

// makeLen is the last argument of a make, checked before it is used. Go's own
// check comes after the allocation would have been refused, so its text is here.
func (s *run) makeLen(n, size int64, what string) int { return s.made(n, size, what, "size") }

func (s *run) makeCap(n, size int64, what string) int { return s.made(n, size, what, "cap") }

func (s *run) made(n, size int64, what, which string) int {
	switch {
	case what == "map":
		n = max(n, 0)
	case what == "chan" && n < 0:
		panic(runtimeError("makechan: size out of range"))
	case n < 0 && which == "cap":
		panic(runtimeError("makeslice: cap out of range"))
	case n < 0:
		panic(runtimeError("makeslice: len out of range"))
	}
	if size > 0 && n > (1<<46)/size {
		if s.meter.Limits().Memory == 0 {
			panic(runtimeError("makeslice: len out of range"))
		}
		s.charge(1 << 62)
	}
	s.charge(n * size)
	return int(n)
}

// shiftCount is a shift count that is not negative.
func shiftCount(n int64) uint {
	if n < 0 {
		panic(runtimeError("negative shift amount"))
	}
	return uint(n)
}

func clearAny(v any) { reflect.ValueOf(v).Clear() }

// minMax returns the host's min or max for a kind, by name: Min_int.
func minMax(name string) any {
	op, kind, _ := strings.Cut(name, "_")
	smaller := op == "Min"
	switch kind {
	case "int":
		return extreme[int](smaller)
	case "int8":
		return extreme[int8](smaller)
	case "int16":
		return extreme[int16](smaller)
	case "int32", "rune":
		return extreme[int32](smaller)
	case "int64":
		return extreme[int64](smaller)
	case "uint":
		return extreme[uint](smaller)
	case "uint8", "byte":
		return extreme[uint8](smaller)
	case "uint16":
		return extreme[uint16](smaller)
	case "uint32":
		return extreme[uint32](smaller)
	case "uint64":
		return extreme[uint64](smaller)
	case "uintptr":
		return extreme[uintptr](smaller)
	case "float32":
		return extreme[float32](smaller)
	case "float64":
		return extreme[float64](smaller)
	case "string":
		return extreme[string](smaller)
	}
	panic("no gate " + name)
}

func extreme[T cmp.Ordered](smaller bool) any {
	return func(first T, rest ...T) T {
		for _, v := range rest {
			if smaller {
				first = min(first, v)
			} else {
				first = max(first, v)
			}
		}
		return first
	}
}

// print writes as the predeclared print does.
func (s *run) print(sep, end string, values []any) {
	var b bytes.Buffer
	for i, v := range values {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(printed(v))
	}
	b.WriteString(end)
	s.charge(int64(b.Len()))
	if s.Stderr != nil {
		s.Stderr.Write(b.Bytes())
	}
}

// printed is a value as the predeclared print writes it.
func printed(v any) string {
	r := reflect.ValueOf(v)
	switch k := r.Kind(); {
	case k == reflect.Invalid:
		return "nil"
	case kinds.Float.Has(k):
		return printedFloat(r.Float(), r.Type().Bits())
	case kinds.Complex.Has(k):
		return printedComplex(r.Complex(), r.Type().Bits()/2)
	case kinds.Basic.Has(k):
		return fmt.Sprint(basic(r))
	case k == reflect.Slice:
		return fmt.Sprintf("[%d/%d]0x0", r.Len(), r.Cap())
	}
	return "0x0" // addresses are none of the script's business
}

// basic is v without the methods that its type may have.
func basic(r reflect.Value) any {
	switch r.Kind() {
	case reflect.Bool:
		return r.Bool()
	case reflect.String:
		return r.String()
	}
	if r.CanInt() {
		return r.Int()
	}
	return r.Uint()
}

func printedFloat(f float64, bits int) string {
	return strconv.FormatFloat(f, 'g', -1, bits)
}

func printedComplex(c complex128, bits int) string {
	im := printedFloat(imag(c), bits)
	if !strings.ContainsAny(im[:1], "+-") {
		im = "+" + im
	}
	return "(" + printedFloat(real(c), bits) + im + "i)"
}

// recovered is the gate around recover().
func (s *run) recovered(v any) any {
	v = gates.Recover(unwrap(v))
	if stop := s.meter.Stopped(); stop != nil && v != nil {
		s.end(stop)
	}
	v = v2script(v)
	if v != nil && !own(v) && ofInterpreter(v) {
		panic(v) // not the script's business
	}
	return v
}

// echo reports a bare expression of a snippet.
func (s *run) echo(id int, v ...any) {
	if s.EchoTo == nil || id < 0 || id >= len(s.echoes) {
		return
	}
	if len(v) == 1 && v[0] == nil {
		return // no error is nothing to show
	}
	parts := make([]string, len(v))
	for i, x := range v {
		parts[i] = goSyntax(x, s.Shown)
	}
	s.EchoTo(engine.Echo{ID: id, Text: strings.Join(parts, ", "), Type: typeText(s.echoes[id].Type)})
}
