package builtins

import (
	"log/slog"
	"slices"
)

// Groups are in groups, and handlers of Go's follow them on their own stack, as do the
// methods of attributes. So groups of a script's are bounded where they are made; and since
// their attributes are copies there, none gets into itself later.

const (
	maxGroups     = 1000    // in each other
	maxGroupNames = 1 << 20 // bytes of their names, which come before there is an attribute to ask for
)

// group is attrs for a group.
func (e *Env) group(attrs []slog.Attr) []slog.Attr {
	e.chargeProduct(int64(len(attrs)), attrSize)
	for _, a := range attrs {
		e.boundGroups(a, 1, 0)
	}
	return slices.Clone(attrs)
}

const attrSize = 40

// boundGroups looks at an attribute in depth groups, whose names are so long.
func (e *Env) boundGroups(a slog.Attr, depth, names int) {
	e.stepped(1)
	if a.Value.Kind() != slog.KindGroup {
		return
	}
	if names += len(a.Key); depth >= maxGroups || names > maxGroupNames {
		panic(runtimeError("log/slog: groups nested too deeply"))
	}
	for _, a := range a.Value.Group() {
		e.boundGroups(a, depth+1, names)
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
		e.chargeProduct(int64(len(args)), attrSize)
		a := slog.Group(key, e.logged(args)...)
		e.boundGroups(slog.Attr{Value: a.Value}, 0, 0)
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

// payAttrs asks for a text of attributes.
func (e *Env) payAttrs(attrs ...slog.Attr) {
	m := measure{e: e}
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

func attrString(e *Env) func(slog.Attr) string {
	return func(a slog.Attr) string {
		e.payAttrs(a)
		return a.String()
	}
}

func attrEqual(e *Env) func(a, b slog.Attr) bool {
	return func(a, b slog.Attr) bool {
		e.payAttrs(a, b)
		return a.Equal(b)
	}
}

func slogValueString(e *Env) func(slog.Value) string {
	return func(v slog.Value) string {
		e.payAttrs(slog.Attr{Value: v})
		return v.String()
	}
}

func slogValueEqual(e *Env) func(v, w slog.Value) bool {
	return func(v, w slog.Value) bool {
		e.payAttrs(slog.Attr{Value: v}, slog.Attr{Value: w})
		return v.Equal(w)
	}
}
