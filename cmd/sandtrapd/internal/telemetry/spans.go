package telemetry

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/otelrecord"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// maxChildren bounds the spans of calls and decisions of one run.
const maxChildren = 1000

// spans are those of runs that go on, with their calls.
type spans struct {
	tracer    trace.Tracer
	decisions record.Sink

	mu   sync.Mutex
	runs map[string]*runSpan // by the ID of the run
}

// A runSpan is the span of a part of a run, up to its end or a wait.
type runSpan struct {
	ctx      context.Context
	span     trace.Span
	calls    map[int64]trace.Span // by sequence
	children int
}

func newSpans(tracer trace.Tracer) *spans {
	s := &spans{tracer: tracer, runs: map[string]*runSpan{}}
	s.decisions = otelrecord.SinkIn(tracer, s.parent)
	return s
}

// tool has the attributes of the semantic conventions for generative AI.
func tool(name, id string) trace.SpanStartOption {
	return trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "execute_tool"), attribute.String("gen_ai.tool.name", name),
		attribute.String("gen_ai.tool.type", "function"), attribute.String("gen_ai.tool.call.id", id),
	)
}

// Began is told that a run begins or goes on. Ctx has the span of the client, if it has one.
func (t *Telemetry) Began(ctx context.Context, r *store.Run) {
	if t.spans != nil {
		t.spans.began(ctx, r)
	}
}

// Ended is told that a run has ended or waits.
func (t *Telemetry) Ended(r *store.Run) {
	t.ended(r)
	if t.spans != nil {
		t.spans.ended(r)
	}
}

func (s *spans) began(ctx context.Context, r *store.Run) {
	parent := trace.ContextWithSpanContext(context.Background(), trace.SpanContextFromContext(ctx))
	ctx, span := s.tracer.Start(parent, "execute_tool run", tool("run", r.ID), trace.WithSpanKind(trace.SpanKindInternal), trace.WithAttributes(
		attribute.String("sandtrap.tenant", r.Tenant), attribute.String("sandtrap.run", r.ID), attribute.String("sandtrap.policy", r.Policy)))
	if r.Session != "" {
		span.SetAttributes(attribute.String("sandtrap.session", r.Session), attribute.String("gen_ai.conversation.id", r.Session))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs[r.ID] = &runSpan{ctx: ctx, span: span, calls: map[int64]trace.Span{}}
}

func (s *spans) ended(r *store.Run) {
	s.mu.Lock()
	run := s.runs[r.ID]
	delete(s.runs, r.ID)
	s.mu.Unlock()
	if run == nil {
		return
	}
	for _, call := range run.calls { // the run waits for them, or has ended before them
		call.End()
	}
	run.span.SetAttributes(attribute.String("sandtrap.state", string(r.State)), attribute.Int64("sandtrap.ticks", r.Ticks), attribute.Int64("sandtrap.peak_bytes", r.Peak))
	if more := run.children - maxChildren; more > 0 {
		run.span.SetAttributes(attribute.Int("sandtrap.omitted_spans", more))
	}
	if r.Kind != "" {
		run.span.SetAttributes(attribute.String("error.type", r.Kind))
		run.span.SetStatus(codes.Error, r.Kind)
	}
	run.span.End()
}

// parent is the span that one of a decision is a child of; nil if there is none, or there are too many.
func (s *spans) parent(e *record.Event) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	if run := s.runs[e.Run]; run != nil && run.child() {
		return run.ctx
	}
	return nil
}

// child counts a span. It is false if there are too many.
func (r *runSpan) child() bool {
	r.children++
	return r.children <= maxChildren
}

// observe makes spans of decisions and calls.
func (s *spans) observe(e record.Event) {
	_ = s.decisions.Write(e) // it gives no errors
	switch {
	case e.Kind == record.KindDecision && e.Decision == record.Allow && !strings.HasPrefix(e.Member, "file."):
		s.call(&e)
	case e.Kind == record.KindReturn:
		s.returned(&e)
	}
}

// call begins the span of a call.
func (s *spans) call(e *record.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	run := s.runs[e.Run]
	if run == nil || !run.child() {
		return
	}
	_, span := s.tracer.Start(run.ctx, "execute_tool "+e.Member, tool(e.Member, e.Run+"/"+strconv.FormatInt(e.Sequence, 10)), trace.WithTimestamp(e.Time),
		trace.WithAttributes(attribute.String("sandtrap.run", e.Run), attribute.Int64("sandtrap.sequence", e.Sequence)))
	run.calls[e.Sequence] = span
}

// returned ends the span of a call.
func (s *spans) returned(e *record.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	run := s.runs[e.Run]
	if run == nil || run.calls[e.Sequence] == nil {
		return
	}
	span := run.calls[e.Sequence]
	delete(run.calls, e.Sequence)
	if e.Status != 0 {
		span.SetAttributes(attribute.Int("http.response.status_code", e.Status))
	}
	if e.Error != "" {
		span.SetAttributes(attribute.String("error.type", "_OTHER"))
		span.SetStatus(codes.Error, "")
	}
	span.End(trace.WithTimestamp(e.Time))
}
