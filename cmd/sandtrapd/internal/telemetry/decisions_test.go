package telemetry_test

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	otlptrace "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/telemetry"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/trail"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// service has the runs of a server with one policy, whose record and telemetry go to tr and tel.
func service(t *testing.T, policy string, tr *trail.Trail, tel *telemetry.Telemetry) *runs.Manager {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "web.yaml"), []byte(policy), 0o600); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	catalog, err := policies.Open(dir, st)
	if err != nil {
		t.Fatal(err)
	}
	tr.Watch(tel.Observe)
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	set := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 4, Policies: catalog, Record: tr, Requests: tr.Request, Log: log})
	live := sessions.New(sessions.Options{Plans: set, Store: st})
	m, err := runs.New(t.Context(), runs.Options{Plans: set, Store: st, Sessions: live, Trail: tr, Watch: tel, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		m.Drain(ctx)
		live.Close()
		set.Close()
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// TestSpanOfEachDecision: of real runs an exporter gets one span for each decision that the record has, and as many as the scripts have made
// calls; and nothing of a secret that was sent, of scripts, of their inputs, or of their files.
func TestSpanOfEachDecision(t *testing.T) {
	var sent string
	site := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		sent = q.Header.Get("Authorization")
		fmt.Fprint(w, "canary-response ", sent)
	}))
	defer site.Close()
	dir := t.TempDir()
	token, roots := filepath.Join(dir, "token"), filepath.Join(dir, "roots.pem")
	for path, text := range map[string][]byte{token: []byte("canary-secret-of-some-length"), roots: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: site.Certificate().Raw})} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("SSL_CERT_FILE", roots)
	c := newCollector(t)
	tel, err := telemetry.New(t.Context(), telemetry.Options{Endpoint: c.URL, Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	if err != nil {
		t.Fatal(err)
	}
	tr, err := trail.Open(t.TempDir(), trail.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	m := service(t, fmt.Sprintf("std: [fmt, os, io, net/http]\nfs: mem\nnetwork:\n  rules: [\"GET %s/ok loopback\"]\n  secrets: [{name: k, file: %s, hosts: [%q], scheme: Bearer}]\n",
		site.URL, token, strings.TrimPrefix(site.URL, "https://")), tr, tel)
	code := fmt.Sprintf(`
for i := range 3 { os.WriteFile(fmt.Sprint("/work/canary-file", i), []byte("canary-data" + in), 0o600) }
r, err := http.Get(%q)
if err != nil { panic(err) }
io.ReadAll(r.Body)
r.Body.Close()
_, err = http.Get(%q)
if err == nil { panic("it is allowed") }
panic("canary-code")`, site.URL+"/ok?q=canary-query", site.URL+"/canary-refused")
	for range 2 {
		run, err := m.Start(t.Context(), "alpha", runs.Request{Code: code, Policy: "web", Inputs: map[string]json.RawMessage{"in": json.RawMessage(`"canary-input"`)}})
		if err != nil {
			t.Fatal(err)
		}
		if v, err := run.Wait(t.Context()); err != nil || v.Kind != "panic" || !strings.Contains(string(v.Result), "canary-code") {
			t.Fatalf("%s %v", v.Result, err)
		}
	}
	if sent != "Bearer canary-secret-of-some-length" {
		t.Errorf("the site got %q", sent)
	}
	page, err := tr.Read(t.Context(), record.Query{Kind: string(record.KindDecision)}, "", 200)
	if err != nil || page.Next != "" {
		t.Fatal(page.Next, err)
	}
	if err := tel.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	want, writes, denied := map[string]int{}, 0, 0
	for _, e := range page.Events {
		want[fmt.Sprintf("%s %d %s %s", e.Run, e.Sequence, e.Member, e.Decision)]++
		if e.Member == "file.write" {
			writes++
		}
		if e.Decision == record.Deny {
			denied++
		}
	}
	if writes != 6 || denied != 2 {
		t.Errorf("the record has %d files that were written, want 6, and %d calls that were denied, want 2: %v", writes, denied, want)
	}
	for _, s := range c.spans {
		if a := attributes(s); a["sandtrap.decision"] != "" {
			want[fmt.Sprintf("%s %s %s %s", a["sandtrap.run"], number(s, "sandtrap.sequence"), s.Name, a["sandtrap.decision"])]--
		}
	}
	for key, n := range want {
		if n != 0 {
			t.Errorf("%s: %d events without a span", key, n)
		}
	}
	if at := strings.Index(c.raw.String(), "canary"); at >= 0 {
		t.Errorf("sent: %.40q", c.raw.String()[at:])
	}
}

// number is an attribute that is one, as a text: 0 if there is none.
func number(s *otlptrace.Span, name string) string {
	for _, a := range s.Attributes {
		if a.Key == name {
			return fmt.Sprint(a.Value.GetIntValue())
		}
	}
	return "0"
}
