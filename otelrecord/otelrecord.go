// Package otelrecord makes spans of OpenTelemetry of the decisions about calls of scripts. It is a module of its own, so that
// hosts without OpenTelemetry neither link nor list it.
//
// It may not put arguments of calls into spans.
package otelrecord

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// Sink is a Sink that makes a span of each event of record.KindDecision, named like its member, which ends at the time of the event
// and has its fields as attributes sandtrap.*, but for the arguments; texts are redacted by the zero record.Redactor. The status is an
// error if the event has one; a call that was denied has sandtrap.decision "deny". Other events make no spans. It gives no errors, and
// is safe for concurrent use if tracer is.
func Sink(tracer trace.Tracer) record.Sink {
	return SinkIn(tracer, func(*record.Event) context.Context { return context.Background() })
}

// SinkIn is Sink, with spans that are children of what parent gives for an event. An event for which that is nil makes no span.
func SinkIn(tracer trace.Tracer, parent func(*record.Event) context.Context) record.Sink {
	return record.Func(func(e record.Event) error {
		if e.Kind != record.KindDecision {
			return nil
		}
		if e.Time.IsZero() {
			e.Time = time.Now()
		}
		ctx := parent(&e)
		if ctx == nil {
			return nil
		}
		_, span := tracer.Start(ctx, e.Member,
			trace.WithTimestamp(e.Time.Add(-e.Duration)), trace.WithAttributes(attributes(&e)...))
		if e.Error != "" {
			span.SetStatus(codes.Error, e.Error)
		}
		span.End(trace.WithTimestamp(e.Time))
		return nil
	})
}

// attributes are the fields of e that are not empty.
func attributes(e *record.Event) (list []attribute.KeyValue) {
	for _, a := range []struct{ name, text string }{
		{"tenant", e.Tenant}, {"session", e.Session}, {"run", e.Run}, {"script", e.Script}, {"member", e.Member}, {"args_hash", e.Hash},
		{"at", e.At}, {"risk", e.Risk.String()}, {"decision", string(e.Decision)}, {"code", string(e.Code)}, {"rule", e.Rule},
		{"reason", e.Reason}, {"by", e.By},
	} {
		if a.text != "" {
			list = append(list, attribute.String("sandtrap."+a.name, a.text))
		}
	}
	for _, a := range []struct {
		name string
		n    int64
	}{{"sequence", e.Sequence}, {"process", int64(e.Process)}, {"ticks", e.Ticks}} {
		if a.n != 0 {
			list = append(list, attribute.Int64("sandtrap."+a.name, a.n))
		}
	}
	return list
}
