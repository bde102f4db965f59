package builtins

import (
	"bytes"
	"net/netip"
	"net/url"
	"reflect"
	"regexp/syntax"
	"strings"
	"text/template/parse"
	"time"
)

// A textSize says how many bytes the text of a value may have that it makes itself, and
// what those take, in nanoseconds.
type textSize func(e *Env, v any) (size, took int64)

// textSizes are for types of the library with texts of any length. fmt asks them for
// those in one go, so they are measured before; those of math/big have rules of their own.
var textSizes = map[reflect.Type]textSize{
	reflect.TypeFor[*bytes.Buffer]():    sizedText(func(b *bytes.Buffer) int { return b.Len() }),
	reflect.TypeFor[*strings.Builder](): sizedText(func(b *strings.Builder) int { return b.Len() }),
	reflect.TypeFor[*Regexp]():          sizedText(func(r *Regexp) int { return len(r.String()) }),
	reflect.TypeFor[*time.Time]():       sizedText(func(t *time.Time) int { return zoneText(*t) }),
	reflect.TypeFor[time.Time]():        sizedText(zoneText),
	reflect.TypeFor[*time.Location]():   sizedText(func(l *time.Location) int { return len(l.String()) }),
	reflect.TypeFor[netip.Addr]():       sizedText(func(a netip.Addr) int { return len(a.Zone()) }),
	reflect.TypeFor[netip.AddrPort]():   sizedText(func(a netip.AddrPort) int { return len(a.Addr().Zone()) }),
	reflect.TypeFor[*url.Userinfo]():    urlText(userinfoSize),
	reflect.TypeFor[*url.URL]():         urlText(urlSize),
	reflect.TypeFor[url.URL]():          urlText(func(u url.URL) int { return urlSize(&u) }),
	reflect.TypeFor[*syntax.Regexp]():   func(e *Env, v any) (int64, int64) { e.payTree(v.(*syntax.Regexp)); return 0, 0 },
}

func sizedText[T any](size func(T) int) textSize {
	return func(_ *Env, v any) (int64, int64) { return int64(size(v.(T))), 0 }
}

func urlText[T any](size func(T) int) textSize {
	return func(_ *Env, v any) (int64, int64) {
		n := int64(size(v.(T)))
		return urlTimes * n, urlRate * n
	}
}

// zoneText is the length of a name that a script may have made.
func zoneText(t time.Time) int {
	name, _ := t.Zone()
	return len(name)
}

// ownText counts a value of such a type.
func (m *measure) ownText(v reflect.Value) bool {
	if !v.CanInterface() || v.Kind() == reflect.Pointer && v.IsNil() {
		return false
	}
	size := textSizes[v.Type()]
	if size == nil {
		n, ok := v.Interface().(parse.Node)
		if ok {
			m.e.payNode(n)
		}
		return ok
	}
	n, took := size(m.e, v.Interface())
	m.add(n + 40)
	m.texts += n
	m.took += took
	return true
}
