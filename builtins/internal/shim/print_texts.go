package shim

import (
	"bytes"
	"net/netip"
	"reflect"
	"strings"
	"text/template/parse"
	"time"
)

// A textSize says how many bytes the text of a value may have that it makes itself, and
// what those take, in nanoseconds.
type textSize func(e *Env, v any) (size, took int64)

// textSizes are for types of the library with texts of any length. fmt asks them for
// those in one go, so they are measured before. It is written while packages are initialised, and read afterwards.
var textSizes = map[reflect.Type]textSize{
	reflect.TypeFor[*bytes.Buffer]():    sizedText(func(b *bytes.Buffer) int { return b.Len() }),
	reflect.TypeFor[*strings.Builder](): sizedText(func(b *strings.Builder) int { return b.Len() }),
	reflect.TypeFor[*time.Time]():       sizedText(func(t *time.Time) int { return ZoneText(*t) }),
	reflect.TypeFor[time.Time]():        sizedText(ZoneText),
	reflect.TypeFor[*time.Location]():   sizedText(func(l *time.Location) int { return len(l.String()) }),
	reflect.TypeFor[netip.Addr]():       sizedText(func(a netip.Addr) int { return len(a.Zone()) }),
	reflect.TypeFor[netip.AddrPort]():   sizedText(func(a netip.AddrPort) int { return len(a.Addr().Zone()) }),
}

func sizedText[T any](size func(T) int) textSize {
	return func(_ *Env, v any) (int64, int64) { return int64(size(v.(T))), 0 }
}

// HasText says what the texts of values of T take. It is for the initialisation of packages.
func HasText[T any](size func(e *Env, v T) (size, took int64)) {
	textSizes[reflect.TypeFor[T]()] = func(e *Env, v any) (int64, int64) { return size(e, v.(T)) }
}

// ZoneText is the length of a name that a script may have made.
func ZoneText(t time.Time) int {
	name, _ := t.Zone()
	return len(name)
}

// ownText counts a value of such a type.
func (m *Measure) ownText(v reflect.Value) bool {
	if !v.CanInterface() || v.Kind() == reflect.Pointer && v.IsNil() {
		return false
	}
	size := textSizes[v.Type()]
	if size == nil {
		n, ok := v.Interface().(parse.Node)
		if ok {
			m.Env.PayNode(n)
		}
		return ok
	}
	n, took := size(m.Env, v.Interface())
	m.Add(n + 40)
	m.Texts += n
	m.Took += took
	return true
}
