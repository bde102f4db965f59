package log

import (
	"context"
	"log/slog"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// The functions of the package ask for the run's logger each time: SetDefault may have
// changed it.

func SlogDefault(e *shim.Env) func() *slog.Logger { return func() *slog.Logger { return slogger(e) } }

func SlogWith(e *shim.Env) func(...any) *slog.Logger {
	return func(args ...any) *slog.Logger { return slogger(e).With(logged(e, args)...) }
}

func slogAt(e *shim.Env, level slog.Level) func(string, ...any) {
	return func(msg string, args ...any) { slogger(e).Log(context.Background(), level, msg, logged(e, args)...) }
}

func slogContextAt(e *shim.Env, level slog.Level) func(context.Context, string, ...any) {
	return func(ctx context.Context, msg string, args ...any) {
		slogger(e).Log(ctx, level, msg, logged(e, args)...)
	}
}

func SlogDebug(e *shim.Env) func(string, ...any) { return slogAt(e, slog.LevelDebug) }
func SlogInfo(e *shim.Env) func(string, ...any)  { return slogAt(e, slog.LevelInfo) }
func SlogWarn(e *shim.Env) func(string, ...any)  { return slogAt(e, slog.LevelWarn) }
func SlogError(e *shim.Env) func(string, ...any) { return slogAt(e, slog.LevelError) }

func SlogDebugContext(e *shim.Env) func(context.Context, string, ...any) {
	return slogContextAt(e, slog.LevelDebug)
}

func SlogInfoContext(e *shim.Env) func(context.Context, string, ...any) {
	return slogContextAt(e, slog.LevelInfo)
}

func SlogWarnContext(e *shim.Env) func(context.Context, string, ...any) {
	return slogContextAt(e, slog.LevelWarn)
}

func SlogErrorContext(e *shim.Env) func(context.Context, string, ...any) {
	return slogContextAt(e, slog.LevelError)
}

func SlogLog(e *shim.Env) func(context.Context, slog.Level, string, ...any) {
	return func(ctx context.Context, l slog.Level, msg string, args ...any) {
		slogger(e).Log(ctx, l, msg, logged(e, args)...)
	}
}

func SlogLogAttrs(e *shim.Env) func(context.Context, slog.Level, string, ...slog.Attr) {
	return func(ctx context.Context, l slog.Level, msg string, attrs ...slog.Attr) {
		slogger(e).LogAttrs(ctx, l, msg, attrs...)
	}
}

// SlogNewRecord leaves out the place, which would be one in the host's code.
func SlogNewRecord(*shim.Env) func(time.Time, slog.Level, string, uintptr) slog.Record {
	return func(t time.Time, l slog.Level, msg string, _ uintptr) slog.Record {
		return slog.NewRecord(t, l, msg, 0)
	}
}
