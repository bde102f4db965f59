package page_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/api"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/pace"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/page"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/telemetry"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/trail"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A rig is a server with pages, and a key for each of three roles, whose tenants have the same names.
type rig struct {
	*httptest.Server
	tokens   map[keys.Role]string
	runs     *runs.Manager
	sessions *sessions.Manager
}

// newRig starts a server. Requests to a path of answers get that text in place of what the API has; with an empty one the path is absent.
func newRig(t *testing.T, answers map[string]string) *rig {
	t.Helper()
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	st := must(store.Open(t.TempDir()))(t)
	catalog := must(policies.Open("", st))(t)
	record := must(trail.Open(st.Dir(), trail.Options{}))(t)
	watch := must(telemetry.New(t.Context(), telemetry.Options{Version: "v1.2.3", Log: log}))(t)
	record.Watch(watch.Observe)
	set := plans.New(plans.Options{
		Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8, Workers: 16, Policies: catalog, Record: record, Requests: record.Request, Log: log,
	})
	limit := must(limits.New(t.Context(), must(limits.Parse("", nil))(t), st))(t)
	live := sessions.New(sessions.Options{Plans: set, Store: st, Room: limit.Room, Live: 8})
	m := must(runs.New(t.Context(), runs.Options{Plans: set, Store: st, Sessions: live, Trail: record, Watch: watch, Limits: limit, Log: log}))(t)
	r := &rig{tokens: map[keys.Role]string{}, runs: m, sessions: live}
	ring := &keys.Ring{}
	for _, role := range keys.Roles() {
		token, key, err := keys.New(string(role), role)
		if err != nil {
			t.Fatal(err)
		}
		r.tokens[role] = token
		ring.Add(key)
	}
	s := &api.Server{
		KeyStore: st,
		Runs:     m, Sessions: live, Store: st, Keys: ring, Limits: limit, Log: log, Policies: catalog, Plans: set, Trail: record,
		Metrics: watch.Metrics(), Machine: api.Machine{Version: "v1.2.3", Status: sandtrap.Status{Mode: sandtrap.None}},
	}
	if err := watch.Watch(telemetry.Sources{Runs: m.Stats, Plans: set.Stats, Store: st.Stats, Streams: s.Streams, Sessions: func() int64 { return int64(live.Live()) }}); err != nil {
		t.Fatal(err)
	}
	real := s.Handler()
	r.Server = httptest.NewServer(page.Handler(ring, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch text, ok := answers[q.Method+" "+q.URL.Path]; {
		case !ok:
			real.ServeHTTP(w, q)
		case text == "":
			http.NotFound(w, q)
		default:
			_, _ = io.WriteString(w, text)
		}
	}), pace.Bounds{}))
	t.Cleanup(func() {
		r.CloseClientConnections()
		r.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		m.Drain(ctx)
		live.Close()
		set.Close()
		if err := errors.Join(watch.Close(ctx), record.Close(), st.Close()); err != nil {
			t.Error(err)
		}
	})
	return r
}

// must gives the value of a call that may fail, or ends the test.
func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// start runs a script of the tenant user up to its end, or to where it waits.
func (r *rig) start(t *testing.T, q runs.Request) string {
	t.Helper()
	run, err := r.runs.Start(t.Context(), string(keys.User), q)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	return run.ID()
}

// send makes a request as it is: no cookie jar, no redirects. Headers are pairs of name and value.
func (r *rig) send(t *testing.T, method, path, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), method, r.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		q.Header.Set(headers[i], headers[i+1])
	}
	res, err := r.Client().Transport.RoundTrip(q)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(text)
}

const form = "application/x-www-form-urlencoded"

// login logs in with the key of a role, and gives the header Cookie.
func (r *rig) login(t *testing.T, role keys.Role, headers ...string) (header string, c *http.Cookie) {
	t.Helper()
	res, text := r.send(t, "POST", "/login", "key="+r.tokens[role], append(headers, "Content-Type", form)...)
	if res.StatusCode != http.StatusSeeOther || len(res.Cookies()) != 1 {
		t.Fatalf("%d: %s", res.StatusCode, text)
	}
	c = res.Cookies()[0]
	return c.Name + "=" + c.Value, c
}
