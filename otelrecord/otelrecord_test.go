package otelrecord_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/sandtrap-go/sandtrap/otelrecord"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// TestSpans: an exporter gets a span for each decision, and no secret.
func TestSpans(t *testing.T) {
	exporter := tracetest.NewInMemoryExporter()
	provider := trace.NewTracerProvider(trace.WithSyncer(exporter))
	sink := otelrecord.Sink(provider.Tracer("sandtrap"))
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	events := []record.Event{
		{Kind: record.KindStart, Script: "a.go"},
		{Kind: record.KindDecision, Time: at, Duration: time.Second, Subject: decide.Subject{Tenant: "acme", Run: "r1"}, Sequence: 1, Member: "mail.Send",
			Args: json.RawMessage(`{"to":"ann","password":"hunter2"}`), Decision: record.Allow, Risk: decide.High},
		{Kind: record.KindDecision, Member: "file.write", Decision: record.Deny, Code: decide.RuleBlocks, Rule: "no-files",
			Reason: "https://ann:hunter2@h.example/", Error: "token=hunter2"},
		{Kind: record.KindReturn, Member: "mail.Send"},
		{Kind: record.KindEnd, Outcome: "ok"},
	}
	for _, e := range events {
		if err := sink.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	spans := exporter.GetSpans()
	if len(spans) != 2 {
		t.Fatalf("%d spans, want 2", len(spans))
	}
	if all := fmt.Sprintf("%+v", spans); strings.Contains(all, "hunter2") || strings.Contains(all, "ann") {
		t.Errorf("a span has a secret, or arguments: %s", all)
	}
	allowed, denied := spans[0], spans[1]
	if allowed.Name != "mail.Send" || !allowed.EndTime.Equal(at) || !allowed.StartTime.Equal(at.Add(-time.Second)) || allowed.Status.Code != codes.Unset {
		t.Errorf("%+v", allowed)
	}
	for want, span := range map[string]tracetest.SpanStub{
		"map[sandtrap.decision:allow sandtrap.member:mail.Send sandtrap.risk:high sandtrap.run:r1 sandtrap.sequence:1 sandtrap.tenant:acme]":             allowed,
		"map[sandtrap.code:rule sandtrap.decision:deny sandtrap.member:file.write sandtrap.reason:https://[redacted]@h.example/ sandtrap.rule:no-files]": denied,
	} {
		got := map[string]string{}
		for _, a := range span.Attributes {
			got[string(a.Key)] = a.Value.Emit()
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%v\nwant %s", got, want)
		}
	}
	if denied.Status.Code != codes.Error || denied.Status.Description != "token=[redacted]" {
		t.Errorf("%+v", denied.Status)
	}
}

// TestSinkIn: a span is a child of that of its run, and an event without a run makes none.
func TestSinkIn(t *testing.T) {
	exporter := tracetest.NewInMemoryExporter()
	tracer := trace.NewTracerProvider(trace.WithSyncer(exporter)).Tracer("sandtrap")
	ctx, run := tracer.Start(context.Background(), "run")
	sink := otelrecord.SinkIn(tracer, func(e *record.Event) context.Context {
		if e.Run == "r1" {
			return ctx
		}
		return nil
	})
	for _, id := range []string{"r1", "r2"} {
		if err := sink.Write(record.Event{Kind: record.KindDecision, Subject: decide.Subject{Run: id}, Member: "mail.Send", Decision: record.Allow}); err != nil {
			t.Fatal(err)
		}
	}
	spans := exporter.GetSpans()
	if len(spans) != 1 || spans[0].Parent.SpanID() != run.SpanContext().SpanID() {
		t.Errorf("%+v", spans)
	}
}
