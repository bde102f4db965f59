package upstream_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/api"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/upstream"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A service is one that was begun with a configuration of upstream servers, and a key of a tenant.
type service struct {
	url, token string
	end        func()
}

// begin begins a service in a directory, where another one may have ended.
func begin(t *testing.T, dir string, isolation sandtrap.Isolation, config string) *service {
	t.Helper()
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	path := filepath.Join(dir, "upstream.yaml")
	config = strings.NewReplacer("COMMAND", os.Args[0], "WRITTEN", filepath.Join(dir, "calls")).Replace(config)
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := upstream.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	servers, err := upstream.Open(t.Context(), list, upstream.Options{Log: log})
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(filepath.Join(dir, "data"))
	if err != nil {
		t.Fatal(err)
	}
	set := plans.New(plans.Options{Isolation: isolation, MaxTimeout: time.Minute, Kept: 8, Upstream: servers})
	m, err := runs.New(t.Context(), runs.Options{Plans: set, Store: st, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	token, key, err := keys.New("alpha", keys.User)
	if err != nil {
		t.Fatal(err)
	}
	ring := &keys.Ring{}
	ring.Add(key)
	h := httptest.NewServer((&api.Server{Runs: m, Store: st, Keys: ring, Log: log}).Handler())
	return &service{h.URL, token, func() {
		h.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		m.Drain(ctx)
		set.Close()
		servers.Close()
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	}}
}

// post makes a request, and gives the run that it is answered with.
func (s *service) post(t *testing.T, path string, body any) (v runs.View) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+path, strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+s.token)
	res, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK || json.Unmarshal(answer, &v) != nil {
		t.Fatalf("%s: %d: %s, %v", path, res.StatusCode, answer, err)
	}
	return v
}

func written(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "calls"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\n", "; ")
}

// TestService: a script over HTTP calls tools that are allowed, denied, and asked about. A run that waits for approval goes on after the
// service has ended and begun again, and calls the tool once.
func TestService(t *testing.T) {
	for _, isolation := range []sandtrap.Isolation{sandtrap.None, sandtrap.Kernel} {
		t.Run(string(isolation), func(t *testing.T) {
			dir := t.TempDir()
			s := begin(t, dir, isolation, github)
			v := s.post(t, "/v1/runs", map[string]string{"code": `
				list, err := github.ListIssues(github.ListIssuesIn{Owner: "me"})
				fmt.Println(len(list.Issues), err)
				_, err = github.DeleteRepo(github.DeleteRepoIn{Name: "x"})
				fmt.Println(err)
				made, err := github.CreateIssue(github.CreateIssueIn{Title: list.Issues[0].Title, Draft: false})
				fmt.Println(made.Text, err)`})
			if v.State != store.Pending || len(v.Pending) != 1 || v.Pending[0].Name != "github.CreateIssue" || v.Pending[0].Ask == "" ||
				string(v.Pending[0].Args) != `{"in":{"title":"first of me","draft":false}}` {
				t.Fatalf("%+v", v)
			}
			if got := written(t, dir); got != `list_issues {"owner":"me"}; ` {
				t.Error(got)
			}
			s.end()
			s = begin(t, dir, isolation, github)
			defer s.end()
			v = s.post(t, "/v1/runs/"+v.ID+"/answers", map[string]any{"answers": []any{map[string]any{"id": v.Pending[0].ID, "verdict": "approve"}}})
			var res struct{ Stdout string }
			if err := json.Unmarshal(v.Result, &res); err != nil || v.State != store.Done {
				t.Fatalf("%s: %s", v.State, v.Result)
			}
			lines := strings.Split(res.Stdout, "\n")
			if lines[0] != "2 <nil>" || !strings.Contains(lines[1], "github.DeleteRepo is not allowed: the policy") || lines[2] != "created first of me <nil>" {
				t.Error(res.Stdout)
			}
			if got := written(t, dir); got != `list_issues {"owner":"me"}; create_issue {"draft":false,"title":"first of me"}; ` {
				t.Error(got)
			}
			bad := s.post(t, "/v1/runs", map[string]string{"code": `github.CreateIssue(github.CreateIssueIn{Titel: "x"})`})
			if bad.State != store.Failed || !strings.Contains(string(bad.Result), "did you mean Title?") {
				t.Errorf("%s: %s", bad.State, bad.Result)
			}
		})
	}
}

// TestApprovalDenied: a call that is denied by who was asked is not made.
func TestApprovalDenied(t *testing.T) {
	dir := t.TempDir()
	s := begin(t, dir, sandtrap.None, github)
	defer s.end()
	v := s.post(t, "/v1/runs", map[string]string{"code": `_, err := github.CreateIssue(github.CreateIssueIn{Title: "x"}); fmt.Println(err)`})
	v = s.post(t, "/v1/runs/"+v.ID+"/answers", map[string]any{"answers": []any{map[string]any{"id": v.Pending[0].ID, "verdict": "deny", "error": "not today"}}})
	if v.State != store.Done || !strings.Contains(string(v.Result), "not today") || written(t, dir) != "" {
		t.Errorf("%s: %s: %q", v.State, v.Result, written(t, dir))
	}
}

// TestSearch: what a policy has of upstream servers and of the client can be searched.
func TestSearch(t *testing.T) {
	list, err := upstream.Parse(strings.NewReader(strings.NewReplacer("COMMAND", os.Args[0], ", FAKE_CALLS: WRITTEN", "").Replace(github)))
	if err != nil {
		t.Fatal(err)
	}
	servers, err := upstream.Open(t.Context(), list, upstream.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer servers.Close()
	set := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8, Upstream: servers})
	defer set.Close()
	box, err := set.Get(t.Context(), "default@builtin", "package tools\n// Fetch gets a page.\nfunc Fetch(url string) (string, error)")
	if err != nil {
		t.Fatal(err)
	}
	defer box.Release()
	x, err := box.Index()
	if err != nil {
		t.Fatal(err)
	}
	hit := x.Find("create an issue", 1)[0]
	if hit.Package != "github" || hit.Name != "CreateIssue" || !strings.Contains(hit.Decl, "type CreateIssueIn struct") || x.Find("page", 1)[0].Name != "Fetch" {
		t.Errorf("%+v", hit)
	}
	if text := x.Describe(); !strings.HasSuffix(text, "no package needed (2), github (7).") {
		t.Error(text)
	}
}

// TestPolicies: a policy that the configuration does not name has no package.
func TestPolicies(t *testing.T) {
	s := begin(t, t.TempDir(), sandtrap.None, strings.Replace(github, "[default]", "[agent]", 1))
	defer s.end()
	for policy, state := range map[string]store.State{"default": store.Failed, "agent": store.Done} {
		v := s.post(t, "/v1/runs", map[string]string{"policy": policy, "code": `_, err := github.ListIssues(github.ListIssuesIn{Owner: "a"}); fmt.Println(err)`})
		if v.State != state {
			t.Errorf("%s: %s", policy, v.Result)
		}
	}
}

// nobody is a queue of workers for a run that is none for them.
type nobody struct{ t *testing.T }

func (n nobody) Do(context.Context, *dispatch.Job, func() error, dispatch.Output) (*dispatch.Outcome, error) {
	n.t.Error("the run is given to a worker")
	return nil, dispatch.ErrNoWorker
}

func (nobody) Stats() dispatch.Stats { return dispatch.Stats{} }

// TestStays: a run that can call an upstream server is given to no worker, with tools of its own neither: if one were lost, nobody would know
// what it has called.
func TestStays(t *testing.T) {
	dir := t.TempDir()
	list, err := upstream.Parse(strings.NewReader(strings.NewReplacer("COMMAND", os.Args[0], "WRITTEN", filepath.Join(dir, "calls")).Replace(github)))
	if err != nil {
		t.Fatal(err)
	}
	servers, err := upstream.Open(t.Context(), list, upstream.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer servers.Close()
	st, err := store.Open(filepath.Join(dir, "data"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	set := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8, Upstream: servers})
	defer set.Close()
	m, err := runs.New(t.Context(), runs.Options{Plans: set, Store: st, Log: slog.New(slog.DiscardHandler), Queue: nobody{t}})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Drain(t.Context())
	for tools, want := range map[string]store.State{"": store.Done, "package tools\nfunc Ask() int": store.Pending} {
		code := "_, err := github.ListIssues(github.ListIssuesIn{Owner: `a`}); fmt.Println(err)\n"
		if tools != "" {
			code += "Ask()"
		}
		r, err := m.Start(t.Context(), "alpha", runs.Request{Code: code, Tools: tools})
		if err != nil {
			t.Fatal(err)
		}
		if v, err := r.Wait(t.Context()); err != nil || v.State != want {
			t.Errorf("tools %q: %v, %s, %s", tools, err, v.State, v.Result)
		}
	}
	if calls := written(t, dir); strings.Count(calls, "list_issues") != 2 {
		t.Errorf("the server got %q", calls)
	}
}
