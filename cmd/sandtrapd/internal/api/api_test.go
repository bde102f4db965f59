package api_test

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/api"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/batches"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/clone"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/mcpserver"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/trail"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A rig is a server with a key for each of two tenants, and for an operator and an admin.
type rig struct {
	*httptest.Server
	api    *api.Server
	tokens map[string]string
	keys   *keys.Ring
	store  *store.Store
	dir    string
}

func newRig(t testing.TB) *rig { return newRigWith(t, rigOptions{}) }

// rigOptions are for a rig; zero values are usual ones.
type rigOptions struct {
	isolation sandtrap.Isolation // none
	limits    string             // as a file has them
	timeout   time.Duration      // the most that a run takes: a minute
	bare      bool               // no response is compared with the document: what is measured is the server
}

func newRigWith(t testing.TB, o rigOptions) *rig {
	t.Helper()
	dir := t.TempDir()
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	catalog, err := policies.Open("", st)
	if err != nil {
		t.Fatal(err)
	}
	decisions, err := trail.Open(dir, trail.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set := plans.New(plans.Options{
		Isolation: cmp.Or(o.isolation, sandtrap.None), MaxTimeout: cmp.Or(o.timeout, time.Minute), Kept: 8, Policies: catalog, Record: decisions, Requests: decisions.Request, Log: log,
	})
	table, err := limits.Parse("limits", []byte(o.limits))
	if err != nil {
		t.Fatal(err)
	}
	limit, err := limits.New(t.Context(), table, st)
	if err != nil {
		t.Fatal(err)
	}
	options := runs.Options{Plans: set, Store: st, Trail: decisions, Limits: limit, Log: log}
	end, lines := func() {}, batches.Queue(batches.NewLocal(st))
	if *inCluster {
		end, lines = clustered(t, &options)
	}
	live := sessions.New(sessions.Options{Plans: set, Store: options.Store.(sessions.Store)})
	options.Sessions = live
	m, err := runs.New(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	many := batches.New(batches.Options{Store: options.Store.(batches.Store), Runs: m, Limits: limit, Queue: lines, Log: log})
	ring := &keys.Ring{}
	r := &rig{tokens: map[string]string{}, keys: ring, store: st, dir: dir}
	for tenant, role := range map[string]keys.Role{"alpha": keys.User, "beta": keys.User, "operator": keys.Operator, "admin": keys.Admin} {
		token, key, err := keys.New(tenant, role)
		if err != nil {
			t.Fatal(err)
		}
		r.tokens[tenant] = token
		if err := st.AddKey(store.Key{Hash: key.Hash, Tenant: key.Tenant, Role: string(key.Role), Created: key.Created}); err != nil {
			t.Fatal(err)
		}
		ring.Add(key)
	}
	cloner, err := clone.New(clone.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &api.Server{
		KeyStore: options.Store.(api.KeyStore),
		Runs:     m, Sessions: live, Batches: many, Store: st, Keys: ring, Limits: limit, Log: log, Policies: catalog, Plans: set, Trail: decisions, Metrics: http.NotFoundHandler(), Clone: cloner,
		MCP: mcpserver.NewHTTP(func(context.Context, string, string) (*mcpserver.Options, error) {
			return &mcpserver.Options{Runs: mcpserver.Of(m, st), Sessions: mcpserver.OfSessions(live), Log: log}, nil
		}),
	}
	r.api = s
	h := s.Handler()
	if !o.bare {
		h = api.Conforming(t, h)
	}
	r.Server = httptest.NewServer(h)
	t.Cleanup(func() {
		r.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		many.Stop()
		m.Drain(ctx)
		end()
		many.Close()
		live.Close()
		set.Close()
		if err := decisions.Close(); err != nil {
			t.Error(err)
		}
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// do makes a request of a tenant.
func (r *rig) do(t testing.TB, tenant, method, path, body string) (int, string) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), method, r.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+r.tokens[tenant])
	res, err := r.Client().Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// start runs a script, and gives the run.
func (r *rig) start(t testing.TB, tenant, body string) runs.View {
	t.Helper()
	status, text := r.do(t, tenant, "POST", "/v1/runs", body)
	if status != http.StatusOK {
		t.Fatalf("%d: %s", status, text)
	}
	var v runs.View
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestRun: a run that ends is answered with what it printed, one that fails too, and both can be had later.
func TestRun(t *testing.T) {
	r := newRig(t)
	v := r.start(t, "alpha", `{"code":"fmt.Println(n * 2)","inputs":{"n":21}}`)
	if v.State != store.Done || !strings.Contains(string(v.Result), `"stdout":"42\n"`) {
		t.Errorf("%s: %s", v.State, v.Result)
	}
	failed := r.start(t, "alpha", `{"code":"fmt.Printn(1)"}`)
	if failed.State != store.Failed || !strings.Contains(string(failed.Result), "did you mean fmt.Print?") {
		t.Errorf("%s: %s", failed.State, failed.Result)
	}
	if status, text := r.do(t, "alpha", "GET", "/v1/runs/"+v.ID, ""); status != 200 || !strings.Contains(text, `42\n`) {
		t.Errorf("%d: %s", status, text)
	}
	if status, text := r.do(t, "alpha", "GET", "/v1/runs/"+v.ID+"/source", ""); status != 200 || text != "fmt.Println(n * 2)" {
		t.Errorf("%d: %s", status, text)
	}
	absent, none := r.do(t, "alpha", "GET", "/v1/runs/run_absent", "")
	if status, text := r.do(t, "beta", "GET", "/v1/runs/"+v.ID, ""); status != 404 || status != absent || text != none {
		t.Errorf("another tenant's: %d: %s", status, text)
	}
}

// TestTools: a run that calls a tool waits for its answer, which has to fit.
func TestTools(t *testing.T) {
	r := newRig(t)
	v := r.start(t, "alpha", `{"code":"r, err := Search(\"go\")\nfmt.Println(r, err)","tools":"package tools\nfunc Search(query string) ([]string, error)"}`)
	if v.State != store.Pending || len(v.Pending) != 1 || v.Pending[0].Name != "Search" || string(v.Pending[0].Args) != `{"query":"go"}` {
		t.Fatalf("%+v", v)
	}
	path := "/v1/runs/" + v.ID + "/answers"
	if status, text := r.do(t, "alpha", "POST", path, `{"answers":[{"id":1,"value":5}]}`); status != 400 || !strings.Contains(text, "a number does not fit") {
		t.Errorf("%d: %s", status, text)
	}
	if status, text := r.do(t, "alpha", "POST", path, `{"answers":[{"id":1,"value":["a"]}]}`); status != 200 || !strings.Contains(text, `[a] <nil>\n`) {
		t.Errorf("%d: %s", status, text)
	}
	if status, text := r.do(t, "alpha", "POST", path, `{"answers":[{"id":1,"value":["a"]}]}`); status != 409 {
		t.Errorf("answered twice: %d: %s", status, text)
	}
}
