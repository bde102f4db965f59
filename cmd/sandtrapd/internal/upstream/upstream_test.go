package upstream_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/upstream"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/upstream/fake"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
)

func TestMain(m *testing.M) {
	fake.Main()
	worker.Init()
	os.Exit(m.Run())
}

// A rig is a policy with servers.
type rig struct {
	set   *upstream.Set
	box   *sandtrap.Sandbox
	plan  *sandtrap.Plan
	calls string // a file of the calls that the server got
	log   *buffer
}

// A buffer has what many goroutines write.
type buffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// serve makes a rig of servers in a configuration, in which WRITTEN is the path of the file of calls.
func serve(t *testing.T, isolation sandtrap.Isolation, config string) *rig {
	t.Helper()
	r := &rig{calls: filepath.Join(t.TempDir(), "calls"), log: &buffer{}}
	config = strings.NewReplacer("COMMAND", os.Args[0], "WRITTEN", r.calls).Replace(config)
	list, err := upstream.Parse(strings.NewReader(config))
	if err != nil {
		t.Fatal(err)
	}
	r.set, err = upstream.Open(t.Context(), list, upstream.Options{Log: slog.New(slog.NewTextHandler(r.log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.set.Close)
	p := sandtrap.Policy{Std: sandtrap.StdDefault(), Isolation: isolation}
	r.set.Add("default", &p)
	g := &guard.Policy{Default: guard.DenyByDefault}
	r.set.Guard("default", g)
	p.Guard = g
	if r.plan, err = sandtrap.Compile(p); err != nil {
		t.Fatal(err)
	}
	if r.box, err = r.plan.New(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.box.Close() })
	return r
}

// run runs a script of a tenant, and gives its output with the error.
func (r *rig) run(t *testing.T, tenant, script string) string {
	t.Helper()
	ctx := decide.WithSubject(t.Context(), decide.Subject{Tenant: tenant})
	res, err := r.box.Run(ctx, sandtrap.Script{Text: script, Name: "script.go", Copy: true})
	text := res.Stdout
	if err != nil {
		text += "error: " + err.Error()
	}
	return text
}

// called are the calls that servers got.
func (r *rig) called(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(r.calls)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")[:strings.Count(string(text), "\n")]
}

const github = `
servers:
  github:
    transport: stdio
    command: COMMAND
    env: {FAKE: github, FAKE_CALLS: WRITTEN}
    may_start: true
    policies: [default]
    tools:
      list_issues: {risk: low, do: allow}
      create_issue: {risk: high, do: ask}
      delete_repo: {risk: critical, do: deny}
      fail: {risk: low, do: allow}
      meet: {risk: low, do: allow}
      remember: {risk: low, do: allow}
      environment: {risk: low, do: allow}
`

// TestCall: a tool of another process is a function with types, in each isolation.
func TestCall(t *testing.T) {
	for _, isolation := range []sandtrap.Isolation{sandtrap.None, sandtrap.Kernel} {
		r := serve(t, isolation, github)
		got := r.run(t, "alpha", `
			out, err := github.ListIssues(github.ListIssuesIn{Owner: "me", State: "closed", Filter: github.ListIssuesInFilter{Since: "2026-01-01T00:00:00Z"}})
			fmt.Println(err, out.Total, out.Issues[0].Title, out.Issues[1].Labels[0].Name, out.Issues[1].HTMLURL)`)
		if got != "<nil> 2 first of me bug https://example.com\n" {
			t.Errorf("%s: %s\n%s", isolation, got, r.log)
		}
		if got := fmt.Sprint(r.called(t)); got != `[list_issues {"filter":{"since":"2026-01-01T00:00:00Z"},"owner":"me","state":"closed"}]` {
			t.Errorf("%s: %s", isolation, got)
		}
		if got := r.run(t, "alpha", `out, err := github.ListIssues(github.ListIssuesIn{Owner: "a"}); fmt.Println(len(out.Issues), err)`); got != "2 <nil>\n" {
			t.Errorf("%s: %s", isolation, got)
		}
		if got := r.called(t)[1]; got != `list_issues {"owner":"a"}` {
			t.Error(got)
		}
	}
}

// TestWrongField: a script with a field that there is not does nothing at all.
func TestWrongField(t *testing.T) {
	r := serve(t, sandtrap.None, github)
	for script, want := range map[string]string{
		`github.ListIssues(github.ListIssuesIn{Owner: "a"}); github.ListIssues(github.ListIssuesIn{Owner: "a", Stat: "open"})`: "did you mean State?",
		`github.ListIssues(github.ListIssuesIn{Owner: "a"}); github.ListIssues(github.ListIssuesIn{Owner: 5})`:                 "cannot use 5",
		`github.ListIssues(github.ListIssuesIn{Owner: "a"}); github.ListIssue(github.ListIssuesIn{Owner: "a"})`:                "ListIssues",
	} {
		if got := r.run(t, "alpha", script); !strings.Contains(got, want) {
			t.Errorf("%s: %s", script, got)
		}
	}
	if got := r.called(t); len(got) != 0 {
		t.Errorf("%q were called", got)
	}
}

// TestArguments: arguments that do not fit what Go's types cannot say are an error for the script, and the server gets no call.
func TestArguments(t *testing.T) {
	r := serve(t, sandtrap.None, github)
	got := r.run(t, "alpha", `
		_, err := github.ListIssues(github.ListIssuesIn{Owner: "a", State: "opn"})
		fmt.Println(err)
		_, err = github.ListIssues(github.ListIssuesIn{Owner: "a", PerPage: 1000})
		fmt.Println(err)`)
	for _, want := range []string{"github.ListIssues: the arguments: ", "state", `opn`, "perPage", "1000"} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q in %s", want, got)
		}
	}
	if got := r.called(t); len(got) != 0 {
		t.Errorf("%q were called", got)
	}
}

// TestErrors: an error of the tool is one of Go, without secrets; a tool that is denied, or asked about where nobody answers, is not called.
func TestErrors(t *testing.T) {
	t.Setenv("UPSTREAM_TOKEN", "s3cret-token")
	r := serve(t, sandtrap.None, strings.Replace(github, "FAKE_CALLS: WRITTEN", "FAKE_CALLS: WRITTEN, TOKEN: {env: UPSTREAM_TOKEN}", 1))
	got := r.run(t, "alpha", `
		_, err := github.Fail(github.FailIn{})
		fmt.Println(err)
		_, err = github.DeleteRepo(github.DeleteRepoIn{Name: "x"})
		fmt.Println(err)
		_, err = github.CreateIssue(github.CreateIssueIn{Title: "x"})
		fmt.Println(err)`)
	if lines := strings.Split(got, "\n"); lines[0] != "github.Fail: no such repository, token ***" || !strings.Contains(lines[1], "is not allowed") || !strings.Contains(lines[2], "approv") {
		t.Error(got)
	}
	if got := fmt.Sprint(r.called(t)); got != "[fail {}]" {
		t.Error(got)
	}
	if strings.Contains(got+r.log.String(), "s3cret") {
		t.Errorf("the secret is told: %s\n%s", got, r.log)
	}
}

// TestEnvironment: a program gets the variables that are listed, and no other.
func TestEnvironment(t *testing.T) {
	t.Setenv("UPSTREAM_OTHER", "host")
	r := serve(t, sandtrap.None, github)
	got := r.run(t, "alpha", `out, err := github.Environment(github.EnvironmentIn{}); fmt.Println(out.Text, err)`)
	if got != "FAKE=github FAKE_CALLS="+r.calls+" <nil>\n" {
		t.Error(got)
	}
}

// TestTenants: what a server remembers of one tenant another one does not get.
func TestTenants(t *testing.T) {
	r := serve(t, sandtrap.None, github)
	say := func(tenant, text string) string {
		return r.run(t, tenant, `out, err := github.Remember(github.RememberIn{Text: "`+text+`"}); fmt.Println(out.Text, err)`)
	}
	got := say("alpha", "a1") + say("beta", "b1") + say("alpha", "a2") + say("beta", "b2")
	if got != "before:  <nil>\nbefore:  <nil>\nbefore: a1 <nil>\nbefore: b1 <nil>\n" {
		t.Error(got)
	}
}

// TestTogether: ten calls of a script go on at the same time: the tool returns when ten are there.
func TestTogether(t *testing.T) {
	r := serve(t, sandtrap.None, github)
	got := r.run(t, "alpha", `
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() { out, err := github.Meet(github.MeetIn{}); if err != nil || out.Text != "done" { panic(err) } })
		}
		wg.Wait()
		fmt.Println("all")`)
	if got != "all\n" {
		t.Error(got)
	}
}

// refused is the error of a configuration, or of its servers.
func refused(t *testing.T, config string) string {
	t.Helper()
	list, err := upstream.Parse(strings.NewReader(strings.ReplaceAll(config, "COMMAND", os.Args[0])))
	if err != nil {
		return err.Error()
	}
	set, err := upstream.Open(t.Context(), list, upstream.Options{Log: slog.New(slog.DiscardHandler)})
	if err == nil {
		set.Close()
		t.Fatalf("%s is taken", config)
	}
	return err.Error()
}
