package log

import (
	"context"
	"io"
	"log/slog"
	"slices"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimruntime "github.com/sandtrap-go/sandtrap/builtins/internal/shim/runtime"
)

// TextHandler and JSONHandler are what a script sees as the types of package slog. Each has
// one of Go's, which can neither be stopped nor says what its entries take.
type (
	TextHandler struct{ goHandler }
	JSONHandler struct{ goHandler }
)

type goHandler struct {
	h     slog.Handler
	sink  *logSink
	names int64 // what its groups take in an entry
	text  int64 // what the attributes take that are in each entry
}

// WithGroup is that of slog.Handler.
func (h *TextHandler) WithGroup(name string) slog.Handler { return &TextHandler{h.withGroup(name)} }

// WithAttrs is that of slog.Handler.
func (h *TextHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &TextHandler{h.withAttrs(attrs)}
}

// WithGroup is that of slog.Handler.
func (h *JSONHandler) WithGroup(name string) slog.Handler { return &JSONHandler{h.withGroup(name)} }

// WithAttrs is that of slog.Handler.
func (h *JSONHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &JSONHandler{h.withAttrs(attrs)}
}

// Enabled is that of slog.Handler.
func (h *goHandler) Enabled(ctx context.Context, l slog.Level) bool { return h.h.Enabled(ctx, l) }

// Handle is that of slog.Handler. What Go's writes while it holds its lock is kept until
// then, since the script's writer may log itself.
func (h *goHandler) Handle(ctx context.Context, r slog.Record) error {
	s := h.sink
	s.begin(int64(len(r.Message)), h.names, h.text)
	r.Attrs(s.opens)
	r.PC = 0 // it is of the host's code; see logPlace
	if err := h.h.Handle(ctx, r); err != nil || s.to == nil {
		return err
	}
	text := s.text
	s.text = nil
	_, err := s.to.Write(text)
	return err
}

const (
	groupSize   = 16 // of a name in the list of them
	handlerSize = 200
)

func (h *goHandler) withGroup(name string) goHandler {
	own := *h
	own.names += int64(len(name)) + groupSize
	h.sink.env.Charge(handlerSize + own.names - int64(len(name))) // of names there is the list alone
	own.h = h.h.WithGroup(name)
	return own
}

// withAttrs writes attributes once and for all.
func (h *goHandler) withAttrs(attrs []slog.Attr) goHandler {
	s := h.sink
	s.begin(0, h.names, h.text)
	s.env.Charge(handlerSize + h.text)
	for _, a := range attrs {
		s.opens(a)
	}
	own := *h
	own.h = h.h.WithAttrs(attrs)
	s.env.Charge(min(s.open, shim.FreePrint)) // it is kept
	own.text += s.made
	return own
}

// A logSink is where a handler of Go's writes, and who is told of each attribute before. It
// has what is written until the handler has let go of its lock.
type logSink struct {
	env  *shim.Env
	to   io.Writer // nil where the text is fetched
	text []byte

	made int64 // what the entry takes until now
	open int64 // of that, what has not been charged
}

// begin asks for what all entries of a handler take. Names are also put together for each
// attribute of a text; those are asked for with it.
func (s *logSink) begin(message, names, text int64) {
	s.made, s.open = 0, 0
	s.grown(attrTimes*(message+names)+text, 2*shim.QuoteRate*(message+names)+text)
}

// opens asks for the name of a group, which comes before its attributes. Those of groups in it
// are bounded.
func (s *logSink) opens(a slog.Attr) bool {
	if a.Value.Kind() == slog.KindGroup {
		n := int64(len(a.Key))
		s.grown(attrTimes*n, 2*shim.QuoteRate*n)
	}
	return true
}

// grown asks for bytes of an entry, and for the time to make them, in nanoseconds.
func (s *logSink) grown(bytes, took int64) {
	s.made += bytes
	if s.open += bytes; s.open > shim.FreePrint {
		s.env.Charge(s.open)
		s.open = 0
	}
	if took >= shim.FreePrint {
		s.env.Work(took / shim.TickTime)
	}
}

func (s *logSink) Write(p []byte) (int, error) {
	s.env.ChargeAppend(s.text, len(p))
	s.text = append(s.text, p...)
	return len(p), nil
}

// attr asks for an attribute that is written next, in groups of those names.
func (s *logSink) attr(groups []string, a slog.Attr) {
	names := 0
	for _, name := range groups {
		names += len(name) + 1
	}
	s.env.Stepped(len(groups))
	m := shim.Measure{Env: s.env, Bytes: int64(names), Texts: int64(names)}
	payAttr(&m, a)
	s.grown(m.Bytes-m.Charged+(attrTimes-1)*m.Texts, m.Took+2*shim.QuoteRate*m.Texts)
}

// options are those for a handler of Go's that writes to s, with each attribute as last makes
// it.
func (s *logSink) options(opts *slog.HandlerOptions, last func(slog.Attr) slog.Attr) *slog.HandlerOptions {
	own := slog.HandlerOptions{}
	if opts != nil {
		own = *opts
	}
	asked := own.ReplaceAttr
	own.ReplaceAttr = func(groups []string, a slog.Attr) slog.Attr {
		if p := sourceIn(a); p != nil && len(groups) == 0 && a.Key == slog.SourceKey && *p == (slog.Source{}) {
			a.Value = slog.AnyValue(logPlace(s.env))
		}
		if asked != nil {
			a = asked(slices.Clone(groups), a) // they are in a pool of the process
			a.Value = a.Value.Resolve()
		}
		if a.Value.Kind() == slog.KindGroup { // its attributes come one by one
			return a
		}
		s.attr(groups, a)
		if sourceIn(a) != nil {
			return a // Go's handler knows how to write it
		}
		return last(a)
	}
	return &own
}

func sourceIn(a slog.Attr) *slog.Source {
	if a.Value.Kind() != slog.KindAny {
		return nil
	}
	p, _ := a.Value.Any().(*slog.Source)
	return p
}

// logPlace is where the script is, for an entry with AddSource. Go's handler has an empty one, as
// the record says nothing.
func logPlace(e *shim.Env) *slog.Source {
	s := &slog.Source{}
	if t, ok := e.Tasks.(shimruntime.Tracer); ok {
		t.Callers(func(fn, file string, line int) bool {
			*s = slog.Source{Function: fn, File: file, Line: line}
			return false
		})
	}
	return s
}

func SlogNewTextHandler(e *shim.Env) func(io.Writer, *slog.HandlerOptions) *TextHandler {
	return func(w io.Writer, opts *slog.HandlerOptions) *TextHandler {
		s := &logSink{env: e, to: e.Writer(w)}
		return s.textHandler(opts)
	}
}

func (s *logSink) textHandler(opts *slog.HandlerOptions) *TextHandler {
	opts = s.options(opts, func(a slog.Attr) slog.Attr { return a })
	return &TextHandler{goHandler{h: slog.NewTextHandler(s, opts), sink: s}}
}

// SlogNewJSONHandler has values encoded by who knows them.
func SlogNewJSONHandler(e *shim.Env) func(io.Writer, *slog.HandlerOptions) *JSONHandler {
	return func(w io.Writer, opts *slog.HandlerOptions) *JSONHandler {
		s := &logSink{env: e, to: e.Writer(w)}
		return &JSONHandler{goHandler{h: slog.NewJSONHandler(s, s.options(opts, func(a slog.Attr) slog.Attr { return jsonAttr(e, a) })), sink: s}}
	}
}
