package builtins

import (
	"math/bits"
	"reflect"
	"strings"
)

// What fmt prints is made in memory before it goes anywhere, can be far larger
// than the values it is made of (shared parts, widths, indexed arguments), and
// cannot be interrupted. So it is measured first.

const (
	// freePrint is how many bytes a print may take on its way to a stream without
	// being charged: fmt keeps buffers of this size for the next print.
	freePrint = 64 << 10
	printNear = 1 << 20 // that stay in caches
	maxNodes  = 1 << 24 // values in one print
	maxDepth  = 10_000  // values in values; fmt recurses on the Go stack
	maxWidth  = 1e6     // fmt's own bound for a width or precision
)

// payPrint charges for what a print of args makes; kept says that the result
// stays in memory.
func (e *Env) payPrint(format string, args []any, kept bool) {
	m := measure{e: e}
	largest := int64(0)
	for _, a := range args {
		before := m.bytes
		m.arg(a)
		largest = max(largest, m.bytes-before)
	}
	if format != "" {
		wide := widths(format, args)
		m.add(int64(len(format)) + wide)
		m.took += wide * printPad
		if m.bytes > largeText && strings.ContainsAny(format, "qxX#") { // "% #x" makes five bytes of one
			m.check(m.bytes, 5)
			m.add(4 * m.bytes)
		}
		if strings.Contains(format, "[") { // an argument may be printed any number of times
			n := int64(strings.Count(format, "%"))
			m.check(largest, n)
			m.add(largest * n)
		}
	}
	if rest := m.bytes - m.charged; kept || m.charged > 0 || rest > freePrint {
		e.charge(rest)
	}
	m.took += m.bytes*printByte + max(0, m.bytes-printNear)*printCopy
	if m.texts > largeText && strings.ContainsAny(format, "qxXU") {
		m.took += m.texts * quoteRate
	}
	if m.took >= freePrint {
		e.work(m.took / tickTime)
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

// widths is the most that the widths and precisions of a format can ask for. Those that
// are arguments are taken for the largest of all that may be one.
func widths(format string, args []any) int64 {
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
			number = min(number*10+int64(c-'0'), maxWidth)
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
	case v.CanUint() && v.Uint() <= maxWidth:
		n = int64(v.Uint())
	}
	if n < -maxWidth || n > maxWidth { // fmt refuses it
		return 0
	}
	return max(n, -n)
}

// measure adds up how much text fmt makes of values.
type measure struct {
	e              *Env
	bytes, charged int64
	took           int64 // nanoseconds, without what each byte takes
	texts          int64 // bytes that a verb may quote
	nodes, depth   int
}

// add counts n bytes, and charges in between for what is large.
func (m *measure) add(n int64) {
	if n > huge-m.bytes {
		m.tooLarge()
	}
	m.bytes += n
	if open := m.bytes - m.charged; open > 1<<20 {
		m.charged = m.bytes
		m.e.charge(open)
	}
}

// check refuses products that overflow.
func (m *measure) check(size, n int64) {
	if n > 0 && size > huge/n {
		m.tooLarge()
	}
}

func (m *measure) tooLarge() {
	m.e.charge(huge)
	panic(runtimeError("value too large to print"))
}

// runtimeError is a panic of our own that a script sees as one of its own.
type runtimeError string

func (r runtimeError) Error() string { return string(r) }

// arg counts the plain kinds without reflection.
func (m *measure) arg(a any) {
	switch v := a.(type) {
	case string:
		m.add(int64(len(v)))
		m.texts += int64(len(v))
	case nil, bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, float32, float64:
		m.add(24)
	case []byte:
		m.add(4 * int64(len(v)))
		m.texts += int64(len(v))
		m.took += printSmall * int64(len(v))
	default:
		m.value(reflect.ValueOf(a), true)
	}
}

// payMade counts an error that makes its text when fmt asks for it.
func (m *measure) payMade(v reflect.Value) bool {
	if !v.CanInterface() || !makesText(v.Type()) || v.Kind() == reflect.Pointer && v.IsNil() {
		return false
	}
	m.errorText(v.Interface().(error))
	return true
}

// value counts what fmt visits: it follows a pointer only at the top.
func (m *measure) value(v reflect.Value, top bool) {
	m.nodes++
	m.took += printNode
	if m.nodes&0xfff == 0 {
		m.e.check()
	}
	if m.nodes > maxNodes {
		m.tooLarge()
	}
	if m.depth++; m.depth > maxDepth {
		panic(runtimeError("value nested too deeply to print"))
	}
	defer func() { m.depth-- }()
	switch v.Kind() {
	case reflect.String:
		m.add(int64(v.Len()) + 2)
		m.texts += int64(v.Len())
	case reflect.Pointer:
		m.add(24)
		if m.payMade(v) || m.ownText(v) {
			return
		}
		if top && !v.IsNil() {
			switch v.Elem().Kind() {
			case reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
				m.value(v.Elem(), false)
			}
		}
	case reflect.Interface:
		m.value(v.Elem(), false)
	case reflect.Slice, reflect.Array:
		m.elements(v)
	case reflect.Map:
		m.took += int64(v.Len()) * int64(bits.Len(uint(v.Len()))) * sortStep
		for it := v.MapRange(); it.Next(); {
			m.value(it.Key(), false)
			m.value(it.Value(), false)
		}
		m.add(int64(len(typeName(v)) + 24))
	case reflect.Struct:
		if m.payMade(v) || m.ownText(v) {
			return
		}
		for i := range v.NumField() {
			m.add(int64(len(v.Type().Field(i).Name)))
			m.value(v.Field(i), false)
		}
		m.add(int64(len(typeName(v)) + 24))
	default:
		m.add(24)
	}
}

func (m *measure) elements(v reflect.Value) {
	m.add(24)
	switch v.Type().Elem().Kind() {
	case reflect.String, reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Array, reflect.Map, reflect.Struct:
		for i := range v.Len() {
			m.value(v.Index(i), false)
		}
	case reflect.Uint8:
		m.took += printSmall * int64(v.Len())
		m.texts += int64(v.Len())
		m.add(4 * int64(v.Len()))
	default:
		m.took += printNumber * int64(v.Len())
		m.check(24, int64(v.Len()))
		m.add(24 * int64(v.Len()))
	}
}

func typeName(v reflect.Value) string { return v.Type().Name() }
