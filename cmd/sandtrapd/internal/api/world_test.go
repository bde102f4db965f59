package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/api"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/telemetry"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/trail"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A world is a whole server with a directory of policies, which can be ended and begun again. Its keys are named by who has them.
type world struct {
	t         *testing.T
	data, dir string // what the server keeps, and its policies
	trail     *trail.Trail
	telemetry *telemetry.Telemetry
	http      *httptest.Server
	end       func()
	log       logText
}

// Who has the keys of a world.
const (
	alpha    = "stk_alpha_alpha_alpha"
	beta     = "stk_beta_beta_beta"
	operator = "stk_operator_operator"
	admin    = "stk_admin_admin_admin"
)

// A logText is what was logged.
type logText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// newWorld is a world with these policy files.
func newWorld(t *testing.T, files map[string]string) *world {
	t.Helper()
	w := &world{t: t, data: t.TempDir(), dir: t.TempDir()}
	for name, text := range files {
		w.file(name, text)
	}
	w.begin()
	t.Cleanup(func() { w.end() })
	return w
}

// file writes a file of the directory of policies.
func (w *world) file(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// begin begins the server.
func (w *world) begin() {
	t := w.t
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	log := slog.New(slog.NewTextHandler(&w.log, nil))
	st, err := store.Open(w.data)
	must(err)
	catalog, err := policies.Open(w.dir, st)
	must(err)
	w.trail, err = trail.Open(w.data, trail.Options{})
	must(err)
	w.telemetry, err = telemetry.New(t.Context(), telemetry.Options{Version: "v1.2.3", Log: log})
	must(err)
	w.trail.Watch(w.telemetry.Observe)
	set := plans.New(plans.Options{
		Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8, Policies: catalog, Record: w.trail, Requests: w.trail.Request, Log: log,
	})
	live := sessions.New(sessions.Options{Plans: set, Store: st})
	m, err := runs.New(t.Context(), runs.Options{Plans: set, Store: st, Sessions: live, Trail: w.trail, Watch: w.telemetry, Log: log})
	must(err)
	ring, err := keys.Parse("keys", strings.NewReader(alpha+"@alpha:user\n"+beta+"@beta:user\n"+operator+"@ops:operator\n"+admin+"@root:admin\n"))
	must(err)
	s := &api.Server{
		KeyStore: st,
		Runs:     m, Sessions: live, Store: st, Keys: &keys.Ring{}, Log: log, Policies: catalog, Plans: set, Trail: w.trail, Metrics: w.telemetry.Metrics(),
		Machine: api.Machine{Version: "v1.2.3", Status: sandtrap.Status{Mode: sandtrap.None}},
	}
	s.Keys.Add(ring...)
	must(w.telemetry.Watch(telemetry.Sources{Runs: m.Stats, Plans: set.Stats, Store: st.Stats, Streams: s.Streams}))
	w.http = httptest.NewServer(s.Handler())
	w.end = sync.OnceFunc(func() {
		w.http.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		m.Drain(ctx)
		live.Close()
		set.Close()
		_ = w.trail.Close() // a test may have closed it
		if err := w.telemetry.Close(ctx); err != nil {
			t.Error(err)
		}
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
}

// restart ends the server and begins it again.
func (w *world) restart() {
	w.t.Helper()
	w.end()
	w.begin()
}

// do makes a request with a key. Headers are "Name: value".
func (w *world) do(key, method, path, body string, headers ...string) (int, string) {
	w.t.Helper()
	q, err := http.NewRequestWithContext(w.t.Context(), method, w.http.URL+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+key)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		q.Header.Set(name, value)
	}
	res, err := w.http.Client().Do(q)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// want makes a request whose response has a status and a text.
func (w *world) want(key, method, path, body string, status int, part string) string {
	w.t.Helper()
	got, text := w.do(key, method, path, body)
	if got != status || !strings.Contains(text, part) {
		w.t.Errorf("%s %s %.200s: %d %s; want %d and %q", method, path, body, got, text, status, part)
	}
	return text
}

// run begins a run.
func (w *world) run(key string, q runs.Request) runs.View {
	w.t.Helper()
	body, err := json.Marshal(q)
	if err != nil {
		w.t.Fatal(err)
	}
	var v runs.View
	if err := json.Unmarshal([]byte(w.want(key, "POST", "/v1/runs", string(body), 200, `"id"`)), &v); err != nil {
		w.t.Fatal(err)
	}
	return v
}

// refusal begins a run that is not taken.
func (w *world) refusal(key string, q runs.Request, part string) {
	w.t.Helper()
	body, err := json.Marshal(q)
	if err != nil {
		w.t.Fatal(err)
	}
	w.want(key, "POST", "/v1/runs", string(body), 400, part)
}
