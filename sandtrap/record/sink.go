package record

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// A Sink takes events. It is safe for concurrent use. After an error what the event tells of should not happen.
type Sink interface {
	Write(Event) error
}

type funcSink func(Event) error

func (f funcSink) Write(e Event) error { return f(e) }

// Func is a Sink that calls f with each event, redacted by the zero Redactor; Redactor.Sink knows more. f is called from
// several goroutines at a time.
func Func(f func(Event) error) Sink { return new(Redactor).Sink(funcSink(f)) }

// Slog is a Sink that logs events, redacted by the zero Redactor, with the message "sandtrap" and the names of their JSON: as
// warnings if a call is denied or there is an error, else as information. A handler that does not take an event gives the error.
func Slog(l *slog.Logger) Sink {
	return Func(func(e Event) error {
		level := slog.LevelInfo
		if e.failed() {
			level = slog.LevelWarn
		}
		ctx := context.Background()
		if !l.Enabled(ctx, level) {
			return nil
		}
		if e.Time.IsZero() {
			e.Time = time.Now()
		}
		r := slog.NewRecord(e.Time, level, "sandtrap", 0)
		r.AddAttrs(e.attrs()...)
		return l.Handler().Handle(ctx, r)
	})
}

func (e *Event) failed() bool { return e.Decision == Deny || e.Error != "" }

// attrs are the fields of e that are not empty, but for the time.
func (e *Event) attrs() []slog.Attr {
	list := []slog.Attr{slog.String("kind", string(e.Kind))}
	text := func(name, s string) {
		if s != "" {
			list = append(list, slog.String(name, s))
		}
	}
	number := func(name string, n int64) {
		if n != 0 {
			list = append(list, slog.Int64(name, n))
		}
	}
	text("tenant", e.Tenant)
	text("session", e.Session)
	text("run", e.Run)
	number("sequence", e.Sequence)
	number("process", int64(e.Process))
	text("script", e.Script)
	text("member", e.Member)
	text("args", string(e.Args))
	text("args_hash", e.Hash)
	text("at", e.At)
	text("risk", e.Risk.String())
	text("decision", string(e.Decision))
	text("code", string(e.Code))
	text("rule", e.Rule)
	text("reason", e.Reason)
	text("by", e.By)
	number("duration_ns", int64(e.Duration))
	text("outcome", e.Outcome)
	text("error", e.Error)
	number("ticks", e.Ticks)
	number("status", int64(e.Status))
	number("sent", e.Sent)
	number("received", e.Received)
	return list
}

type tee []Sink

// Tee is a Sink that writes each event to all sinks, in their order, also after one has failed. It joins their errors.
func Tee(sinks ...Sink) Sink { return tee(sinks) }

func (t tee) Write(e Event) error {
	var errs []error
	for _, s := range t {
		errs = append(errs, s.Write(e))
	}
	return errors.Join(errs...)
}
