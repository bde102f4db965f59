package builtins

import (
	"context"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/script"
)

// Handlers of Go's print values, and encode them, by reflection and by methods that they
// look for. What is logged is wrapped where it enters the package, so that they find what
// the script sees.

// logged are arguments of a function that logs: keys, values and attributes.
func (e *Env) logged(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		out[i] = e.loggedValue(a)
	}
	return out
}

// A printedText has a method by which it is text.
type printedText struct{ printed }

func (a printedText) MarshalText() ([]byte, error) {
	return a.e.marshalText(a.v.(encoding.TextMarshaler))
}

// A guardedValuer is one whose method may panic. Package slog would log where it was called
// from, which are places in the host's code.
type guardedValuer struct {
	env *Env
	slog.LogValuer
}

func (g guardedValuer) LogValue() (v slog.Value) {
	defer func() {
		if recover() != nil {
			g.env.check()
			v = slog.AnyValue(errLogValue)
		}
	}()
	return g.LogValuer.LogValue()
}

// Format prints what was logged.
func (g guardedValuer) Format(s fmt.State, verb rune) {
	fmt.Fprintf(s, fmt.FormatString(s, verb), g.LogValuer)
}

// HostValue is what was logged.
func (g guardedValuer) HostValue() any { return g.LogValuer }

var errLogValue = errors.New("LogValue panicked")

func (e *Env) loggedValue(v any) any {
	w := e.shownLogged(v)
	if l, ok := w.(slog.LogValuer); ok {
		return guardedValuer{e, l}
	}
	return w
}

// shownLogged is v as handlers may see it.
func (e *Env) shownLogged(v any) any {
	switch v := v.(type) {
	case slog.Attr, slog.Value, slog.Kind, *slog.Source, time.Time, time.Duration:
		return v // slog knows them
	case []slog.Attr:
		return e.group(v)
	}
	if e.showable(v, 'v', true) || e.foreign(v) {
		return v
	}
	w := e.showing(reflect.TypeOf(v))
	if _, ok := v.(slog.LogValuer); ok && w.Has["LogValue"] {
		return v
	}
	if _, ok := v.(encoding.TextMarshaler); ok && w.Has["MarshalText"] {
		return printedText{printed{e, v}}
	}
	return e.wrap(v, 'w')
}

// unwrapped is what was logged.
func unwrapped(v any) any {
	if p, ok := v.(interface{ HostValue() any }); ok {
		return p.HostValue()
	}
	return v
}

func slogValueAny(e *Env) func(slog.Value) any {
	return func(v slog.Value) any {
		if v.Kind() == slog.KindGroup {
			return slogValueGroup(e)(v)
		}
		return unwrapped(v.Any())
	}
}

func slogValueLogValuer(*Env) func(slog.Value) slog.LogValuer {
	return func(v slog.Value) slog.LogValuer { return unwrapped(v.LogValuer()).(slog.LogValuer) }
}

func slogAny(e *Env) func(string, any) slog.Attr {
	return func(key string, v any) slog.Attr { return slog.Any(key, e.loggedValue(v)) }
}

func slogAnyValue(e *Env) func(any) slog.Value {
	return func(v any) slog.Value { return slog.AnyValue(e.loggedValue(v)) }
}

func recordAdd(e *Env) func(*slog.Record, ...any) {
	return func(r *slog.Record, args ...any) {
		e.chargeProduct(int64(len(args)), attrSize)
		r.Add(e.logged(args)...)
	}
}

func recordAddAttrs(e *Env) func(*slog.Record, ...slog.Attr) {
	return func(r *slog.Record, attrs ...slog.Attr) {
		e.chargeProduct(int64(len(attrs)), attrSize)
		r.AddAttrs(attrs...)
	}
}

// readingLevel is for methods whose errors quote the text, and hold one with a copy of it.
func readingLevel[A any](f func(A, []byte) error) func(*Env) func(A, []byte) error {
	return reading(2*quoteRate, quoted+1, f)
}

func loggerWith(e *Env) func(*slog.Logger, ...any) *slog.Logger {
	return func(l *slog.Logger, args ...any) *slog.Logger { return l.With(e.logged(args)...) }
}

func loggerLog(e *Env) func(*slog.Logger, context.Context, slog.Level, string, ...any) {
	return func(l *slog.Logger, ctx context.Context, level slog.Level, msg string, args ...any) {
		l.Log(ctx, level, msg, e.logged(args)...)
	}
}

func loggerAt(level slog.Level) func(*Env) func(*slog.Logger, string, ...any) {
	return func(e *Env) func(*slog.Logger, string, ...any) {
		return func(l *slog.Logger, msg string, args ...any) {
			l.Log(context.Background(), level, msg, e.logged(args)...)
		}
	}
}

func loggerContextAt(level slog.Level) func(*Env) func(*slog.Logger, context.Context, string, ...any) {
	return func(e *Env) func(*slog.Logger, context.Context, string, ...any) {
		return func(l *slog.Logger, ctx context.Context, msg string, args ...any) {
			l.Log(ctx, level, msg, e.logged(args)...)
		}
	}
}

// jsonAttr is an attribute for the handler of JSON: errors that do not encode themselves
// are their texts there, and other values are encoded by who knows them.
func (e *Env) jsonAttr(a slog.Attr) slog.Attr {
	if a.Value.Kind() != slog.KindAny {
		return a
	}
	given := a.Value.Any()
	switch given.(type) {
	case nil, *slog.Source, slog.Level, json.RawMessage: // a message that jsonAttr made: those of scripts are wrapped
		return a
	}
	v := unwrapped(given)
	if err, ok := given.(error); ok && !e.encodesItself(v) {
		a.Value = slog.StringValue(err.Error())
		return a
	}
	if e.Values == nil && e.showing(reflect.TypeOf(v)).Plain {
		return a
	}
	text, err := e.marshalJSON(v, false)
	if err != nil {
		a.Value = slog.StringValue("!ERROR:" + err.Error())
		return a
	}
	a.Value = slog.AnyValue(json.RawMessage(text))
	return a
}

// encodesItself reports a method MarshalJSON that scripts see.
func (e *Env) encodesItself(v any) bool {
	if own := script.ViewOf(v); own != nil {
		return own.Marshals()
	}
	_, ok := v.(json.Marshaler)
	return ok && e.showing(reflect.TypeOf(v)).Has["MarshalJSON"]
}
