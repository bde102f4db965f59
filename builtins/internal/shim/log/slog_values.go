package log

import (
	"context"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimencoding "github.com/sandtrap-go/sandtrap/builtins/internal/shim/encoding"
	"github.com/sandtrap-go/sandtrap/internal/script"
)

// Handlers of Go's print values, and encode them, by reflection and by methods that they
// look for. What is logged is wrapped where it enters the package, so that they find what
// the script sees.

// logged are arguments of a function that logs: keys, values and attributes.
func logged(e *shim.Env, args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		out[i] = loggedValue(e, a)
	}
	return out
}

// A printedText has a method by which it is text.
type printedText struct{ shim.Printed }

func (a printedText) MarshalText() ([]byte, error) {
	return a.Env.MarshalText(a.Value.(encoding.TextMarshaler))
}

// A guardedValuer is one whose method may panic. Package slog would log where it was called
// from, which are places in the host's code.
type guardedValuer struct {
	env *shim.Env
	slog.LogValuer
}

func (g guardedValuer) LogValue() (v slog.Value) {
	defer func() {
		if recover() != nil {
			g.env.Check()
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

func loggedValue(e *shim.Env, v any) any {
	w := shownLogged(e, v)
	if l, ok := w.(slog.LogValuer); ok {
		return guardedValuer{e, l}
	}
	return w
}

// shownLogged is v as handlers may see it.
func shownLogged(e *shim.Env, v any) any {
	switch v := v.(type) {
	case slog.Attr, slog.Value, slog.Kind, *slog.Source, time.Time, time.Duration:
		return v // slog knows them
	case []slog.Attr:
		return group(e, v)
	}
	if e.Showable(v, 'v', true) || e.Foreign(v) {
		return v
	}
	w := e.Showing(reflect.TypeOf(v))
	if _, ok := v.(slog.LogValuer); ok && w.Has["LogValue"] {
		return v
	}
	if _, ok := v.(encoding.TextMarshaler); ok && w.Has["MarshalText"] {
		return printedText{shim.Printed{Env: e, Value: v}}
	}
	return e.Wrap(v, 'w')
}

// unwrapped is what was logged.
func unwrapped(v any) any {
	if p, ok := v.(interface{ HostValue() any }); ok {
		return p.HostValue()
	}
	return v
}

func SlogValueAny(e *shim.Env) func(slog.Value) any {
	return func(v slog.Value) any {
		if v.Kind() == slog.KindGroup {
			return SlogValueGroup(e)(v)
		}
		return unwrapped(v.Any())
	}
}

func SlogValueLogValuer(*shim.Env) func(slog.Value) slog.LogValuer {
	return func(v slog.Value) slog.LogValuer { return unwrapped(v.LogValuer()).(slog.LogValuer) }
}

func SlogAny(e *shim.Env) func(string, any) slog.Attr {
	return func(key string, v any) slog.Attr { return slog.Any(key, loggedValue(e, v)) }
}

func SlogAnyValue(e *shim.Env) func(any) slog.Value {
	return func(v any) slog.Value { return slog.AnyValue(loggedValue(e, v)) }
}

func RecordAdd(e *shim.Env) func(*slog.Record, ...any) {
	return func(r *slog.Record, args ...any) {
		e.ChargeProduct(int64(len(args)), attrSize)
		r.Add(logged(e, args)...)
	}
}

func RecordAddAttrs(e *shim.Env) func(*slog.Record, ...slog.Attr) {
	return func(r *slog.Record, attrs ...slog.Attr) {
		e.ChargeProduct(int64(len(attrs)), attrSize)
		r.AddAttrs(attrs...)
	}
}

// ReadingLevel is for methods whose errors quote the text, and hold one with a copy of it.
func ReadingLevel[A any](f func(A, []byte) error) func(*shim.Env) func(A, []byte) error {
	return shim.Reading(2*shim.QuoteRate, shim.Quoted+1, f)
}

func LoggerWith(e *shim.Env) func(*slog.Logger, ...any) *slog.Logger {
	return func(l *slog.Logger, args ...any) *slog.Logger { return l.With(logged(e, args)...) }
}

func LoggerLog(e *shim.Env) func(*slog.Logger, context.Context, slog.Level, string, ...any) {
	return func(l *slog.Logger, ctx context.Context, level slog.Level, msg string, args ...any) {
		l.Log(ctx, level, msg, logged(e, args)...)
	}
}

func LoggerAt(level slog.Level) func(*shim.Env) func(*slog.Logger, string, ...any) {
	return func(e *shim.Env) func(*slog.Logger, string, ...any) {
		return func(l *slog.Logger, msg string, args ...any) {
			l.Log(context.Background(), level, msg, logged(e, args)...)
		}
	}
}

func LoggerContextAt(level slog.Level) func(*shim.Env) func(*slog.Logger, context.Context, string, ...any) {
	return func(e *shim.Env) func(*slog.Logger, context.Context, string, ...any) {
		return func(l *slog.Logger, ctx context.Context, msg string, args ...any) {
			l.Log(ctx, level, msg, logged(e, args)...)
		}
	}
}

// jsonAttr is an attribute for the handler of JSON: errors that do not encode themselves
// are their texts there, and other values are encoded by who knows them.
func jsonAttr(e *shim.Env, a slog.Attr) slog.Attr {
	if a.Value.Kind() != slog.KindAny {
		return a
	}
	given := a.Value.Any()
	switch given.(type) {
	case nil, *slog.Source, slog.Level, json.RawMessage: // a message that jsonAttr made: those of scripts are wrapped
		return a
	}
	v := unwrapped(given)
	if err, ok := given.(error); ok && !encodesItself(e, v) {
		a.Value = slog.StringValue(err.Error())
		return a
	}
	if e.Values == nil && e.Showing(reflect.TypeOf(v)).Plain {
		return a
	}
	text, err := shimencoding.MarshalJSON(e, v, false)
	if err != nil {
		a.Value = slog.StringValue("!ERROR:" + err.Error())
		return a
	}
	a.Value = slog.AnyValue(json.RawMessage(text))
	return a
}

// encodesItself reports a method MarshalJSON that scripts see.
func encodesItself(e *shim.Env, v any) bool {
	if own := script.ViewOf(v); own != nil {
		return own.Marshals()
	}
	_, ok := v.(json.Marshaler)
	return ok && e.Showing(reflect.TypeOf(v)).Has["MarshalJSON"]
}
