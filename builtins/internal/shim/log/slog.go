package log

import (
	"context"
	"log/slog"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// What Go's loggers make of a record is not the script's: the host's clock and zone,
// and a place in the host's code. A runHandler between a logger and its handler puts
// that right.
type runHandler struct {
	slog.Handler
	env *shim.Env
}

func (h *runHandler) Handle(ctx context.Context, r slog.Record) error {
	own := slog.NewRecord(h.env.Now().UTC(), r.Level, r.Message, 0)
	r.Attrs(func(a slog.Attr) bool {
		own.AddAttrs(a)
		return true
	})
	return h.Handler.Handle(ctx, own)
}

func (h *runHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &runHandler{h.Handler.WithAttrs(attrs), h.env}
}

func (h *runHandler) WithGroup(name string) slog.Handler {
	return &runHandler{h.Handler.WithGroup(name), h.env}
}

func SlogNew(e *shim.Env) func(slog.Handler) *slog.Logger {
	return func(h slog.Handler) *slog.Logger {
		if h == nil {
			return slog.New(nil) // panics
		}
		return slog.New(&runHandler{h, e})
	}
}

func SlogLoggerHandler(*shim.Env) func(*slog.Logger) slog.Handler {
	return func(l *slog.Logger) slog.Handler {
		if h, ok := l.Handler().(*runHandler); ok {
			return h.Handler
		}
		return l.Handler()
	}
}

// newDefaultHandler writes entries as package log does, to the run's own logger.
type defaultHandler struct {
	env   *shim.Env
	attrs slog.Handler // writes the attributes to sink
	sink  *logSink
}

func newDefaultHandler(e *shim.Env) slog.Handler {
	s := &logSink{env: e}
	return &defaultHandler{e, s.textHandler(&slog.HandlerOptions{Level: slog.Level(-1 << 30), ReplaceAttr: withoutHead}), s}
}

// withoutHead drops time, level and message, which stand before the attributes.
func withoutHead(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey) {
		return slog.Attr{}
	}
	return a
}

func (h *defaultHandler) Enabled(_ context.Context, l slog.Level) bool {
	return l >= shim.State[slogVars](h.env).level
}

func (h *defaultHandler) Handle(ctx context.Context, r slog.Record) error {
	if err := h.attrs.Handle(ctx, r); err != nil {
		return err
	}
	text := h.sink.text
	h.sink.text = nil
	h.env.Charge(int64(len(r.Message) + 3*len(text)))
	line := r.Level.String() + " " + r.Message
	if attrs := strings.TrimSuffix(string(text), "\n"); attrs != "" {
		line += " " + attrs
	}
	return logger(h.env).output(0, line)
}

func (h *defaultHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &defaultHandler{h.env, h.attrs.WithAttrs(attrs), h.sink}
}

func (h *defaultHandler) WithGroup(name string) slog.Handler {
	return &defaultHandler{h.env, h.attrs.WithGroup(name), h.sink}
}

// slogVars are what each run has set for the package's functions.
type slogVars struct {
	logger *slog.Logger
	level  slog.Level
}

// slogger is the logger of the package's functions.
func slogger(e *shim.Env) *slog.Logger {
	vars := shim.State[slogVars](e)
	if vars.logger == nil {
		vars.logger = slog.New(&runHandler{newDefaultHandler(e), e})
	}
	return vars.logger
}

// SlogSetDefault also has package log write to the logger, as Go does.
func SlogSetDefault(e *shim.Env) func(*slog.Logger) {
	return func(l *slog.Logger) {
		vars := shim.State[slogVars](e)
		vars.logger = l
		if _, ok := SlogLoggerHandler(e)(l).(*defaultHandler); !ok {
			log := logger(e)
			log.out, log.flags = &slogWriter{l, &vars.level}, 0
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

func SlogNewLogLogger(e *shim.Env) func(slog.Handler, slog.Level) *Logger {
	return func(h slog.Handler, level slog.Level) *Logger {
		w := &slogWriter{SlogNew(e)(h), &level}
		return &Logger{env: e, out: w, given: w}
	}
}

func SlogSetLogLoggerLevel(e *shim.Env) func(slog.Level) slog.Level {
	return func(l slog.Level) slog.Level {
		vars := shim.State[slogVars](e)
		old := vars.level
		vars.level = l
		return old
	}
}
