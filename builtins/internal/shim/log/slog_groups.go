package log

import (
	"log/slog"
	"slices"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// Groups are in groups, and handlers of Go's follow them on their own stack, as do the
// methods of attributes. So groups of a script's are bounded where they are made; and since
// their attributes are copies there, none gets into itself later.

const (
	maxGroups     = 1000    // in each other
	maxGroupNames = 1 << 20 // bytes of their names, which come before there is an attribute to ask for
)

// group is attrs for a group.
func group(e *shim.Env, attrs []slog.Attr) []slog.Attr {
	e.ChargeProduct(int64(len(attrs)), attrSize)
	for _, a := range attrs {
		boundGroups(e, a, 1, 0)
	}
	return slices.Clone(attrs)
}

const attrSize = 40

// boundGroups looks at an attribute in depth groups, whose names are so long.
func boundGroups(e *shim.Env, a slog.Attr, depth, names int) {
	e.Stepped(1)
	if a.Value.Kind() != slog.KindGroup {
		return
	}
	if names += len(a.Key); depth >= maxGroups || names > maxGroupNames {
		panic(shim.RuntimeError("log/slog: groups nested too deeply"))
	}
	for _, a := range a.Value.Group() {
		boundGroups(e, a, depth+1, names)
	}
}

func SlogGroupValue(e *shim.Env) func(...slog.Attr) slog.Value {
	return func(attrs ...slog.Attr) slog.Value { return slog.GroupValue(group(e, attrs)...) }
}

func SlogGroupAttrs(e *shim.Env) func(string, ...slog.Attr) slog.Attr {
	return func(key string, attrs ...slog.Attr) slog.Attr { return slog.GroupAttrs(key, group(e, attrs)...) }
}

func SlogGroup(e *shim.Env) func(string, ...any) slog.Attr {
	return func(key string, args ...any) slog.Attr {
		e.ChargeProduct(int64(len(args)), attrSize)
		a := slog.Group(key, logged(e, args)...)
		boundGroups(e, slog.Attr{Value: a.Value}, 0, 0)
		return a
	}
}

// SlogValueGroup gives the script attributes of its own.
func SlogValueGroup(e *shim.Env) func(slog.Value) []slog.Attr {
	return func(v slog.Value) []slog.Attr {
		attrs := v.Group()
		e.ChargeProduct(int64(len(attrs)), attrSize)
		return slices.Clone(attrs)
	}
}

// attrRate is what an attribute takes in a text, in nanoseconds, and what it takes to
// compare; attrTimes is how much longer a text can be there, quoted.
const (
	attrRate  = 1000
	attrTimes = 4
)

// payAttr counts an attribute that is written.
func payAttr(m *shim.Measure, a slog.Attr) {
	m.Add(int64(len(a.Key)) + 2)
	m.Texts += int64(len(a.Key))
	payLogged(m, a.Value)
}

// payLogged counts a value that is written. What a LogValue method gives counts as what is
// printed by methods of the script's.
func payLogged(m *shim.Measure, v slog.Value) {
	m.Took += attrRate
	m.Env.Stepped(1)
	switch v.Kind() {
	case slog.KindGroup:
		for _, a := range v.Group() {
			payAttr(m, a)
		}
	case slog.KindAny:
		m.Arg(unwrapped(v.Any()))
	case slog.KindString:
		m.Arg(v.String())
	default:
		m.Add(24)
	}
}

// payAttrs asks for a text of attributes.
func payAttrs(e *shim.Env, attrs ...slog.Attr) {
	m := shim.Measure{Env: e}
	for _, a := range attrs {
		payAttr(&m, a)
	}
	if rest := m.Bytes - m.Charged; m.Charged > 0 || rest > shim.FreePrint {
		e.Charge(rest)
		e.ChargeProduct(m.Texts, attrTimes-1)
	}
	if m.Took += m.Texts * 2 * shim.QuoteRate; m.Took >= shim.FreePrint {
		e.Work(m.Took / shim.TickTime)
	}
}

func AttrString(e *shim.Env) func(slog.Attr) string {
	return func(a slog.Attr) string {
		payAttrs(e, a)
		return a.String()
	}
}

func AttrEqual(e *shim.Env) func(a, b slog.Attr) bool {
	return func(a, b slog.Attr) bool {
		payAttrs(e, a, b)
		return a.Equal(b)
	}
}

func SlogValueString(e *shim.Env) func(slog.Value) string {
	return func(v slog.Value) string {
		payAttrs(e, slog.Attr{Value: v})
		return v.String()
	}
}

func SlogValueEqual(e *shim.Env) func(v, w slog.Value) bool {
	return func(v, w slog.Value) bool {
		payAttrs(e, slog.Attr{Value: v}, slog.Attr{Value: w})
		return v.Equal(w)
	}
}
