package builtins

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"strings"
)

// What Go's loggers make of a record is not the script's: the host's clock and zone,
// and a place in the host's code. A runHandler between a logger and its handler puts
// that right.
type runHandler struct {
	slog.Handler
	env *Env
}

func (h *runHandler) Handle(ctx context.Context, r slog.Record) error {
	h.env.payRecord(r)
	own := slog.NewRecord(h.env.now().UTC(), r.Level, r.Message, 0)
	r.Attrs(func(a slog.Attr) bool {
		own.AddAttrs(a)
		return true
	})
	err := h.Handler.Handle(ctx, own)
	h.env.flushLogs()
	return err
}

func (h *runHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	h.env.payAttrs(attrs, 0)
	return &runHandler{h.Handler.WithAttrs(attrs), h.env}
}

func (h *runHandler) WithGroup(name string) slog.Handler {
	return &runHandler{h.Handler.WithGroup(name), h.env}
}

func slogNew(e *Env) func(slog.Handler) *slog.Logger {
	return func(h slog.Handler) *slog.Logger {
		if h == nil {
			return slog.New(nil) // panics
		}
		return slog.New(&runHandler{h, e})
	}
}

func slogLoggerHandler(*Env) func(*slog.Logger) slog.Handler {
	return func(l *slog.Logger) slog.Handler {
		if h, ok := l.Handler().(*runHandler); ok {
			return h.Handler
		}
		return l.Handler()
	}
}

// A logSink keeps what a handler of Go's writes while that holds its lock, since the
// script's writer may log itself.
type logSink struct {
	to   io.Writer
	text []byte
	env  *Env
}

func (s *logSink) Write(p []byte) (int, error) {
	s.env.chargeAppend(s.text, len(p))
	if len(s.text) == 0 {
		s.env.sinks = append(s.env.sinks, s)
	}
	s.text = append(s.text, p...)
	return len(p), nil
}

// flushLogs writes what handlers have written. An entry that cannot be written is
// lost, as in package log.
func (e *Env) flushLogs() {
	for len(e.sinks) > 0 {
		s := e.sinks[0]
		e.sinks = e.sinks[1:]
		text := s.text
		s.text = nil
		_, _ = s.to.Write(text)
	}
}

// handling is Handle of a handler of Go's that the script calls itself.
func handling[H slog.Handler](e *Env) func(H, context.Context, slog.Record) error {
	return func(h H, ctx context.Context, r slog.Record) error {
		e.payRecord(r)
		err := h.Handle(ctx, r)
		e.flushLogs()
		return err
	}
}

// slogOptions are options without the places of the host's code.
func slogOptions(opts *slog.HandlerOptions) *slog.HandlerOptions {
	own := slog.HandlerOptions{}
	if opts != nil {
		own = *opts
	}
	own.AddSource = false
	return &own
}

func slogNewTextHandler(e *Env) func(io.Writer, *slog.HandlerOptions) *slog.TextHandler {
	return func(w io.Writer, opts *slog.HandlerOptions) *slog.TextHandler {
		return slog.NewTextHandler(&logSink{to: e.writer(w), env: e}, slogOptions(opts))
	}
}

// slogNewJSONHandler has values encoded by who knows them.
func slogNewJSONHandler(e *Env) func(io.Writer, *slog.HandlerOptions) *slog.JSONHandler {
	return func(w io.Writer, opts *slog.HandlerOptions) *slog.JSONHandler {
		own := slogOptions(opts)
		asked := own.ReplaceAttr
		own.ReplaceAttr = func(groups []string, a slog.Attr) slog.Attr {
			if asked != nil {
				a = asked(groups, a)
			}
			return e.jsonAttr(a)
		}
		return slog.NewJSONHandler(&logSink{to: e.writer(w), env: e}, own)
	}
}

// defaultHandler writes entries as package log does, to the run's own logger.
type defaultHandler struct {
	env   *Env
	attrs slog.Handler // writes the attributes to text
	text  *bytes.Buffer
}

func (e *Env) defaultHandler() slog.Handler {
	text := &bytes.Buffer{}
	return &defaultHandler{e, slog.NewTextHandler(text, &slog.HandlerOptions{Level: slog.Level(-1 << 30), ReplaceAttr: withoutHead}), text}
}

// withoutHead drops time, level and message, which stand before the attributes.
func withoutHead(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey) {
		return slog.Attr{}
	}
	return a
}

func (h *defaultHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.env.logLevel }

func (h *defaultHandler) Handle(ctx context.Context, r slog.Record) error {
	h.text.Reset()
	if err := h.attrs.Handle(ctx, r); err != nil {
		return err
	}
	line := r.Level.String() + " " + r.Message
	if attrs := strings.TrimSuffix(h.text.String(), "\n"); attrs != "" {
		line += " " + attrs
	}
	h.env.charge(int64(len(line)))
	return h.env.logger().output(0, line)
}

func (h *defaultHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &defaultHandler{h.env, h.attrs.WithAttrs(attrs), h.text}
}

func (h *defaultHandler) WithGroup(name string) slog.Handler {
	return &defaultHandler{h.env, h.attrs.WithGroup(name), h.text}
}

// slogger is the logger of the package's functions.
func (e *Env) slogger() *slog.Logger {
	if e.slog == nil {
		e.slog = slog.New(&runHandler{e.defaultHandler(), e})
	}
	return e.slog
}

// slogSetDefault also has package log write to the logger, as Go does.
func slogSetDefault(e *Env) func(*slog.Logger) {
	return func(l *slog.Logger) {
		e.slog = l
		if _, ok := slogLoggerHandler(e)(l).(*defaultHandler); !ok {
			log := e.logger()
			log.out, log.flags = &slogWriter{l, &e.logLevel}, 0
		}
	}
}

// slogWriter makes entries of lines that package log writes.
type slogWriter struct {
	l     *slog.Logger
	level *slog.Level
}

func (w *slogWriter) Write(p []byte) (int, error) {
	w.l.Log(context.Background(), *w.level, strings.TrimSuffix(string(p), "\n"))
	return len(p), nil
}

func slogNewLogLogger(e *Env) func(slog.Handler, slog.Level) *Logger {
	return func(h slog.Handler, level slog.Level) *Logger {
		w := &slogWriter{slogNew(e)(h), &level}
		return &Logger{env: e, out: w, given: w}
	}
}

func slogSetLogLoggerLevel(e *Env) func(slog.Level) slog.Level {
	return func(l slog.Level) slog.Level {
		old := e.logLevel
		e.logLevel = l
		return old
	}
}
