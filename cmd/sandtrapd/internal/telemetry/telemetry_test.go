package telemetry_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"
	collectormetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	collectortrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlptrace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/telemetry"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// A collector is a receiver of OTLP over HTTP.
type collector struct {
	*httptest.Server
	mu      sync.Mutex
	spans   []*otlptrace.Span
	names   map[string]bool // of metrics
	service string
	raw     strings.Builder
}

func newCollector(t *testing.T) *collector {
	c := &collector{names: map[string]bool{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		if err := c.take(q); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// take decodes a request.
func (c *collector) take(q *http.Request) error {
	body := io.Reader(q.Body)
	if q.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(q.Body)
		if err != nil {
			return err
		}
		body = z
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raw.Write(text)
	switch q.URL.Path {
	case "/v1/traces":
		var m collectortrace.ExportTraceServiceRequest
		if err := proto.Unmarshal(text, &m); err != nil {
			return err
		}
		for _, r := range m.ResourceSpans {
			c.service = r.Resource.String()
			for _, s := range r.ScopeSpans {
				c.spans = append(c.spans, s.Spans...)
			}
		}
	case "/v1/metrics":
		var m collectormetrics.ExportMetricsServiceRequest
		if err := proto.Unmarshal(text, &m); err != nil {
			return err
		}
		for _, r := range m.ResourceMetrics {
			for _, s := range r.ScopeMetrics {
				for _, one := range s.Metrics {
					c.names[one.Name] = true
				}
			}
		}
	default:
		return fmt.Errorf("no such path: %s", q.URL.Path)
	}
	return nil
}

// attributes of a span, as texts.
func attributes(s *otlptrace.Span) map[string]string {
	m := map[string]string{}
	for _, a := range s.Attributes {
		m[a.Key] = strings.Trim(strings.TrimPrefix(strings.ReplaceAll(a.Value.String(), "  ", " "), "string_value:"), `"`)
	}
	return m
}

// tell has t told of a run with one call, one request that is refused, and one that has not returned.
func tell(t *testing.T, tel *telemetry.Telemetry) {
	run := &store.Run{ID: "run_1", Tenant: "acme", Session: "ses_1", Policy: "web@1", Code: "canary-code", Request: json.RawMessage(`"canary-code"`)}
	subject := decide.Subject{Tenant: "acme", Session: "ses_1", Run: "run_1"}
	client := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled})
	tel.Began(trace.ContextWithRemoteSpanContext(t.Context(), client), run)
	at := time.Now()
	for _, e := range []record.Event{
		{Kind: record.KindDecision, Time: at, Subject: subject, Sequence: 1, Member: "mail.Send", Args: json.RawMessage(`{"to":"canary-arg"}`), Decision: record.Allow},
		{Kind: record.KindReturn, Time: at.Add(time.Second), Subject: subject, Sequence: 1, Member: "mail.Send", Args: json.RawMessage(`{"to":"canary-arg"}`), Error: "canary-error"},
		{Kind: record.KindDecision, Time: at, Subject: subject, Sequence: 2, Member: "net/http.Request", Decision: record.Deny, Code: decide.PolicyRefuses},
		{Kind: record.KindDecision, Time: at, Subject: subject, Sequence: 3, Member: "search", Decision: record.Allow},
		{Kind: record.KindDecision, Time: at, Subject: decide.Subject{Run: "run_2"}, Member: "other", Decision: record.Allow},
	} {
		tel.Observe(e)
	}
	run.State, run.Kind, run.Ticks = store.Failed, "panic", 42
	run.Result = json.RawMessage(`"canary-result"`)
	tel.Ended(run)
}

// TestCollector: a collector gets a span of each run, call and decision, in one trace with the client, and metrics; no argument, code, error
// or result is among them.
func TestCollector(t *testing.T) {
	c := newCollector(t)
	tel, err := telemetry.New(t.Context(), telemetry.Options{Endpoint: c.URL, Version: "v1.2.3", Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	if err != nil {
		t.Fatal(err)
	}
	tell(t, tel)
	if err := tel.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := map[string]*otlptrace.Span{}
	for _, s := range c.spans {
		got[s.Name] = s
	}
	run := got["execute_tool run"]
	if len(c.spans) != 6 || run == nil {
		t.Fatalf("%d spans: %v", len(c.spans), c.spans)
	}
	if run.ParentSpanId[0] != 2 || run.TraceId[0] != 1 {
		t.Errorf("the run is not of the trace of the client: %v", run)
	}
	for _, name := range []string{"mail.Send", "execute_tool mail.Send", "net/http.Request", "search", "execute_tool search"} {
		if s := got[name]; s == nil || string(s.ParentSpanId) != string(run.SpanId) {
			t.Errorf("%s: %v", name, s)
		}
	}
	for name, want := range map[string]map[string]string{
		"execute_tool run": {
			"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "run", "gen_ai.tool.call.id": "run_1", "gen_ai.conversation.id": "ses_1",
			"sandtrap.tenant": "acme", "sandtrap.policy": "web@1", "sandtrap.state": "failed", "error.type": "panic",
		},
		"execute_tool mail.Send": {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "mail.Send", "gen_ai.tool.call.id": "run_1/1", "gen_ai.tool.type": "function", "error.type": "_OTHER"},
		"net/http.Request":       {"sandtrap.decision": "deny", "sandtrap.code": "policy"},
	} {
		have := attributes(got[name])
		for key, value := range want {
			if have[key] != value {
				t.Errorf("%s: %s is %q, want %q", name, key, have[key], value)
			}
		}
	}
	if call := got["execute_tool mail.Send"]; call.EndTimeUnixNano-call.StartTimeUnixNano != uint64(time.Second) {
		t.Errorf("the call took %d ns", call.EndTimeUnixNano-call.StartTimeUnixNano)
	}
	if !c.names["sandtrapd.runs"] || !c.names["sandtrapd.run.duration"] || !strings.Contains(c.service, "sandtrapd") {
		t.Errorf("%v, %s", c.names, c.service)
	}
	for _, canary := range []string{"canary-arg", "canary-code", "canary-error", "canary-result"} {
		if strings.Contains(c.raw.String(), canary) {
			t.Errorf("%s was sent", canary)
		}
	}
}

// TestManyCalls: the spans of one run are bounded, and its own says how many are left out.
func TestManyCalls(t *testing.T) {
	c := newCollector(t)
	tel, err := telemetry.New(t.Context(), telemetry.Options{Endpoint: c.URL, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	run := &store.Run{ID: "run_1", State: store.Done}
	tel.Began(t.Context(), run)
	for i := range 5000 {
		tel.Observe(record.Event{Kind: record.KindDecision, Subject: decide.Subject{Run: "run_1"}, Sequence: int64(i), Member: "file.read", Decision: record.Allow})
	}
	tel.Ended(run)
	if err := tel.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(c.spans) != 1001 || !strings.Contains(fmt.Sprint(c.spans), `"sandtrap.omitted_spans"`) {
		t.Errorf("%d spans", len(c.spans))
	}
}

// TestNothingIsSent: where nothing is configured no connection is made, not even to where collectors are by default.
func TestNothingIsSent(t *testing.T) {
	for _, name := range []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"} {
		t.Setenv(name, "")
	}
	l, err := net.Listen("tcp", "127.0.0.1:4318")
	if err != nil {
		t.Skipf("something listens where collectors do: %v", err)
	}
	var connections atomic.Int64
	site := httptest.NewUnstartedServer(http.NotFoundHandler())
	site.Listener.Close()
	site.Listener = l
	site.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			connections.Add(1)
		}
	}
	site.Start()
	defer site.Close()
	send := func(endpoint string) {
		tel, err := telemetry.New(t.Context(), telemetry.Options{Endpoint: endpoint, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		tell(t, tel)
		_ = tel.Close(t.Context()) // the site is no collector
	}
	send("")
	if n := connections.Load(); n != 0 {
		t.Errorf("%d connections", n)
	}
	send("http://127.0.0.1:4318") // so that the count is seen to count
	if connections.Load() == 0 {
		t.Error("a collector that is configured gets no connection")
	}
	for _, bad := range []string{"127.0.0.1:4318", "ftp://a.example", "http://"} {
		if _, err := telemetry.New(t.Context(), telemetry.Options{Endpoint: bad, Log: slog.New(slog.DiscardHandler)}); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}
