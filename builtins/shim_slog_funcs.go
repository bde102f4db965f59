package builtins

import (
	"context"
	"log/slog"
	"time"
)

// The functions of the package ask for the run's logger each time: SetDefault may have
// changed it.

func slogDefault(e *Env) func() *slog.Logger { return e.slogger }

func slogWith(e *Env) func(...any) *slog.Logger {
	return func(args ...any) *slog.Logger { return e.slogger().With(e.logged(args)...) }
}

func (e *Env) slogAt(level slog.Level) func(string, ...any) {
	return func(msg string, args ...any) { e.slogger().Log(context.Background(), level, msg, e.logged(args)...) }
}

func (e *Env) slogContextAt(level slog.Level) func(context.Context, string, ...any) {
	return func(ctx context.Context, msg string, args ...any) {
		e.slogger().Log(ctx, level, msg, e.logged(args)...)
	}
}

func slogDebug(e *Env) func(string, ...any) { return e.slogAt(slog.LevelDebug) }
func slogInfo(e *Env) func(string, ...any)  { return e.slogAt(slog.LevelInfo) }
func slogWarn(e *Env) func(string, ...any)  { return e.slogAt(slog.LevelWarn) }
func slogError(e *Env) func(string, ...any) { return e.slogAt(slog.LevelError) }

func slogDebugContext(e *Env) func(context.Context, string, ...any) {
	return e.slogContextAt(slog.LevelDebug)
}

func slogInfoContext(e *Env) func(context.Context, string, ...any) {
	return e.slogContextAt(slog.LevelInfo)
}

func slogWarnContext(e *Env) func(context.Context, string, ...any) {
	return e.slogContextAt(slog.LevelWarn)
}

func slogErrorContext(e *Env) func(context.Context, string, ...any) {
	return e.slogContextAt(slog.LevelError)
}

func slogLog(e *Env) func(context.Context, slog.Level, string, ...any) {
	return func(ctx context.Context, l slog.Level, msg string, args ...any) {
		e.slogger().Log(ctx, l, msg, e.logged(args)...)
	}
}

func slogLogAttrs(e *Env) func(context.Context, slog.Level, string, ...slog.Attr) {
	return func(ctx context.Context, l slog.Level, msg string, attrs ...slog.Attr) {
		e.slogger().LogAttrs(ctx, l, msg, attrs...)
	}
}

// slogNewRecord leaves out the place, which would be one in the host's code.
func slogNewRecord(*Env) func(time.Time, slog.Level, string, uintptr) slog.Record {
	return func(t time.Time, l slog.Level, msg string, _ uintptr) slog.Record {
		return slog.NewRecord(t, l, msg, 0)
	}
}
