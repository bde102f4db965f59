package page_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/api"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/page"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A rig is a server with pages, and a key for each of three roles, whose tenants have the same names.
type rig struct {
	*httptest.Server
	tokens map[keys.Role]string
	runs   *runs.Manager
}

// newRig starts a server. Requests to a path of answers get that text in place of what the API has.
func newRig(t *testing.T, answers map[string]string) *rig {
	t.Helper()
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	set := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8})
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	m, err := runs.New(t.Context(), runs.Options{Plans: set, Store: st, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{tokens: map[keys.Role]string{}, runs: m}
	ring := &keys.Ring{}
	for _, role := range keys.Roles() {
		token, key, err := keys.New(string(role), role)
		if err != nil {
			t.Fatal(err)
		}
		r.tokens[role] = token
		ring.Add(key)
	}
	real := (&api.Server{Runs: m, Store: st, Keys: ring, Log: log}).Handler()
	r.Server = httptest.NewServer(page.Handler(ring, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if text, ok := answers[q.Method+" "+q.URL.Path]; ok {
			_, _ = io.WriteString(w, text)
			return
		}
		real.ServeHTTP(w, q)
	})))
	t.Cleanup(func() {
		r.CloseClientConnections()
		r.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		m.Drain(ctx)
		set.Close()
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
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
