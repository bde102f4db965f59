package shim

import (
	"math/bits"
	"reflect"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// What fmt prints is made in memory before it goes anywhere, can be far larger
// than the values it is made of (shared parts, widths, indexed arguments), and
// cannot be interrupted. So it is measured first.

const (
	// FreePrint is how many bytes a print may take on its way to a stream without
	// being charged: fmt keeps buffers of this size for the next print.
	FreePrint = 64 << 10
	printNear = 1 << 20 // that stay in caches
	maxNodes  = 1 << 24 // values in one print
	MaxDepth  = 10_000  // values in values; fmt recurses on the Go stack
	MaxWidth  = 1e6     // fmt's own bound for a width or precision
)

// PayPrint charges for what a print of args makes; kept says that the result
// stays in memory.
func (e *Env) PayPrint(format string, args []any, kept bool) {
	m := Measure{Env: e}
	largest := int64(0)
	for _, a := range args {
		before := m.Bytes
		m.Arg(a)
		largest = max(largest, m.Bytes-before)
	}
	if format != "" {
		wide := Widths(format, args)
		m.Add(int64(len(format)) + wide)
		m.Took += wide * printPad
		if m.Bytes > LargeText && strings.ContainsAny(format, "qxX#") { // "% #x" makes five bytes of one
			m.check(m.Bytes, 5)
			m.Add(4 * m.Bytes)
		}
		if strings.Contains(format, "[") { // an argument may be printed any number of times
			n := int64(strings.Count(format, "%"))
			m.check(largest, n)
			m.Add(largest * n)
		}
	}
	if rest := m.Bytes - m.Charged; kept || m.Charged > 0 || rest > FreePrint {
		e.Charge(rest)
	}
	m.Took += m.Bytes*printByte + max(0, m.Bytes-printNear)*printCopy
	if m.Texts > LargeText && strings.ContainsAny(format, "qxXU") {
		m.Took += m.Texts * QuoteRate
	}
	if m.Took >= FreePrint {
		e.Work(m.Took / TickTime)
	}
}

// What fmt takes, in nanoseconds, and then some.
const (
	printByte   = 1
	printCopy   = 3   // more for each that does not stay in caches, on its way through buffers
	printPad    = 15  // what a width or a precision adds, for the type that takes longest
	printNumber = 200 // a float with all its digits
	printSmall  = 30  // a byte in a slice
	printNode   = 200 // a value that is found by reflection
	sortStep    = 60  // of the keys of a map
)

// Widths is the most that the widths and precisions of a format can ask for. Those that
// are arguments are taken for the largest of all that may be one.
func Widths(format string, args []any) int64 {
	largest := int64(0)
	if strings.Contains(format, "*") {
		for _, a := range args {
			largest = max(largest, widthOf(a))
		}
	}
	var total, number int64
	verb := false
	for i := range len(format) {
		switch c := format[i]; {
		case c == '%':
			verb, number = true, 0
		case !verb:
		case c >= '0' && c <= '9':
			number = min(number*10+int64(c-'0'), MaxWidth)
		case c == '*':
			total += largest
		case strings.IndexByte("+-# .[]", c) >= 0:
			total, number = total+number, 0
		default:
			total, verb = total+number, false
		}
	}
	return total
}

// widthOf is the width that fmt makes of an argument, 0 if it takes none.
func widthOf(a any) int64 {
	var n int64
	switch v := reflect.ValueOf(a); {
	case !v.IsValid():
	case v.CanInt():
		n = v.Int()
	case v.CanUint() && v.Uint() <= MaxWidth:
		n = int64(v.Uint())
	}
	if n < -MaxWidth || n > MaxWidth { // fmt refuses it
		return 0
	}
	return max(n, -n)
}

// Measure adds up how much text fmt makes of values.
type Measure struct {
	Env            *Env
	Bytes, Charged int64
	Took           int64 // nanoseconds, without what each byte takes
	Texts          int64 // bytes that a verb may quote
	nodes, depth   int
}

// Add counts n bytes, and charges in between for what is large.
func (m *Measure) Add(n int64) {
	if n > Huge-m.Bytes {
		m.tooLarge()
	}
	m.Bytes += n
	if open := m.Bytes - m.Charged; open > 1<<20 {
		m.Charged = m.Bytes
		m.Env.Charge(open)
	}
}

// check refuses products that overflow.
func (m *Measure) check(size, n int64) {
	if n > 0 && size > Huge/n {
		m.tooLarge()
	}
}

func (m *Measure) tooLarge() {
	m.Env.Charge(Huge)
	panic(RuntimeError("value too large to print"))
}

// RuntimeError is a panic of our own that a script sees as one of its own.
type RuntimeError string

func (r RuntimeError) Error() string { return string(r) }

// Arg counts the plain kinds without reflection.
func (m *Measure) Arg(a any) {
	switch v := a.(type) {
	case string:
		m.Add(int64(len(v)))
		m.Texts += int64(len(v))
	case nil, bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, float32, float64:
		m.Add(24)
	case []byte:
		m.Add(4 * int64(len(v)))
		m.Texts += int64(len(v))
		m.Took += printSmall * int64(len(v))
	default:
		m.value(reflect.ValueOf(a), true)
	}
}

// payMade counts an error that makes its text when fmt asks for it.
func (m *Measure) payMade(v reflect.Value) bool {
	if !v.CanInterface() || !MakesText(v.Type()) || v.Kind() == reflect.Pointer && v.IsNil() {
		return false
	}
	m.ErrorText(v.Interface().(error))
	return true
}

// value counts what fmt visits: it follows a pointer only at the top.
func (m *Measure) value(v reflect.Value, top bool) {
	m.nodes++
	m.Took += printNode
	if m.nodes&0xfff == 0 {
		m.Env.Check()
	}
	if m.nodes > maxNodes {
		m.tooLarge()
	}
	if m.depth++; m.depth > MaxDepth {
		panic(RuntimeError("value nested too deeply to print"))
	}
	defer func() { m.depth-- }()
	switch v.Kind() {
	case reflect.String:
		m.Add(int64(v.Len()) + 2)
		m.Texts += int64(v.Len())
	case reflect.Pointer:
		m.Add(24)
		if m.payMade(v) || m.ownText(v) {
			return
		}
		if top && !v.IsNil() {
			if kinds.Composite.Has(v.Elem().Kind()) {
				m.value(v.Elem(), false)
			}
		}
	case reflect.Interface:
		m.value(v.Elem(), false)
	case reflect.Slice, reflect.Array:
		m.elements(v)
	case reflect.Map:
		m.Took += int64(v.Len()) * int64(bits.Len(uint(v.Len()))) * sortStep
		for it := v.MapRange(); it.Next(); {
			m.value(it.Key(), false)
			m.value(it.Value(), false)
		}
		m.Add(int64(len(typeName(v)) + 24))
	case reflect.Struct:
		if m.payMade(v) || m.ownText(v) {
			return
		}
		for i := range v.NumField() {
			m.Add(int64(len(v.Type().Field(i).Name)))
			m.value(v.Field(i), false)
		}
		m.Add(int64(len(typeName(v)) + 24))
	default:
		m.Add(24)
	}
}

func (m *Measure) elements(v reflect.Value) {
	m.Add(24)
	switch k := v.Type().Elem().Kind(); {
	case k == reflect.String || kinds.Composite.Has(k) || kinds.Nilable.Has(k):
		for i := range v.Len() {
			m.value(v.Index(i), false)
		}
	case k == reflect.Uint8:
		m.Took += printSmall * int64(v.Len())
		m.Texts += int64(v.Len())
		m.Add(4 * int64(v.Len()))
	default:
		m.Took += printNumber * int64(v.Len())
		m.check(24, int64(v.Len()))
		m.Add(24 * int64(v.Len()))
	}
}

func typeName(v reflect.Value) string { return v.Type().Name() }
