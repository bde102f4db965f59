package builtins

import (
	"log/slog"
	"slices"
)

// Groups are in groups, and handlers of Go's follow them on their own stack, as do the
// methods of attributes. So groups of a script's are bounded where they are made; and since
// their attributes are copies there, none gets into itself later.

const maxGroups = 1000 // in each other

// group is attrs for a group.
func (e *Env) group(attrs []slog.Attr) []slog.Attr {
	e.chargeProduct(int64(len(attrs)), attrSize)
	for _, a := range attrs {
		e.boundGroups(a.Value, 1)
	}
	return slices.Clone(attrs)
}

const attrSize = 40

func (e *Env) boundGroups(v slog.Value, depth int) {
	e.stepped(1)
	if v.Kind() != slog.KindGroup {
		return
	}
	if depth >= maxGroups {
		panic(runtimeError("log/slog: groups nested too deeply"))
	}
	for _, a := range v.Group() {
		e.boundGroups(a.Value, depth+1)
	}
}

func slogGroupValue(e *Env) func(...slog.Attr) slog.Value {
	return func(attrs ...slog.Attr) slog.Value { return slog.GroupValue(e.group(attrs)...) }
}

func slogGroupAttrs(e *Env) func(string, ...slog.Attr) slog.Attr {
	return func(key string, attrs ...slog.Attr) slog.Attr { return slog.GroupAttrs(key, e.group(attrs)...) }
}

func slogGroup(e *Env) func(string, ...any) slog.Attr {
	return func(key string, args ...any) slog.Attr {
		a := slog.Group(key, e.logged(args)...)
		e.boundGroups(a.Value, 0)
		return a
	}
}

// slogValueGroup gives the script attributes of its own.
func slogValueGroup(e *Env) func(slog.Value) []slog.Attr {
	return func(v slog.Value) []slog.Attr {
		attrs := v.Group()
		e.chargeProduct(int64(len(attrs)), attrSize)
		return slices.Clone(attrs)
	}
}

// attrRate is what an attribute takes in a text, in nanoseconds, and what it takes to
// compare; attrTimes is how much longer a text can be there, quoted.
const (
	attrRate  = 1000
	attrTimes = 4
)

// attr counts an attribute that is written.
func (m *measure) attr(a slog.Attr) {
	m.add(int64(len(a.Key)) + 2)
	m.texts += int64(len(a.Key))
	m.logged(a.Value)
}

// logged counts a value that is written. What a LogValue method gives counts as what is
// printed by methods of the script's.
func (m *measure) logged(v slog.Value) {
	m.took += attrRate
	m.e.stepped(1)
	switch v.Kind() {
	case slog.KindGroup:
		for _, a := range v.Group() {
			m.attr(a)
		}
	case slog.KindAny:
		m.arg(unwrapped(v.Any()))
	case slog.KindString:
		m.arg(v.String())
	default:
		m.add(24)
	}
}

// payAttrs asks for a text of attributes, and of more beside.
func (e *Env) payAttrs(attrs []slog.Attr, more int) {
	m := measure{e: e, bytes: int64(more), texts: int64(more)}
	for _, a := range attrs {
		m.attr(a)
	}
	if rest := m.bytes - m.charged; m.charged > 0 || rest > freePrint {
		e.charge(rest)
		e.chargeProduct(m.texts, attrTimes-1)
	}
	if m.took += m.texts * 2 * quoteRate; m.took >= freePrint {
		e.work(m.took / tickTime)
	}
}

func (e *Env) payRecord(r slog.Record) {
	var attrs []slog.Attr
	r.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, a)
		return true
	})
	e.payAttrs(attrs, len(r.Message))
}

// withAttrs is WithAttrs of a handler of Go's, which writes them at once.
func withAttrs[H slog.Handler](e *Env) func(H, []slog.Attr) slog.Handler {
	return func(h H, attrs []slog.Attr) slog.Handler {
		e.payAttrs(attrs, 0)
		return h.WithAttrs(attrs)
	}
}

func attrString(e *Env) func(slog.Attr) string {
	return func(a slog.Attr) string {
		e.payAttrs([]slog.Attr{a}, 0)
		return a.String()
	}
}

func attrEqual(e *Env) func(a, b slog.Attr) bool {
	return func(a, b slog.Attr) bool {
		e.payAttrs([]slog.Attr{a, b}, 0)
		return a.Equal(b)
	}
}

func slogValueString(e *Env) func(slog.Value) string {
	return func(v slog.Value) string {
		e.payAttrs([]slog.Attr{{Value: v}}, 0)
		return v.String()
	}
}

func slogValueEqual(e *Env) func(v, w slog.Value) bool {
	return func(v, w slog.Value) bool {
		e.payAttrs([]slog.Attr{{Value: v}, {Value: w}}, 0)
		return v.Equal(w)
	}
}
