package nettest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/dryrun"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// A ledger keeps the events of a record.
type ledger struct {
	mu     sync.Mutex
	events []record.Event
}

func (l *ledger) sink() record.Sink {
	return record.Func(func(e record.Event) error {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.events = append(l.events, e)
		return nil
	})
}

// lines are what the events say, a line each.
func (l *ledger) lines(t *testing.T) (list []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	events := slices.Clone(l.events)
	slices.SortStableFunc(events[1:len(events)-1], func(a, b record.Event) int { return cmp.Compare(a.Sequence, b.Sequence) }) // one may end while another begins
	for _, e := range events {
		var args struct{ Method, Path string }
		if len(e.Args) > 0 && e.Kind != record.KindUse {
			if err := json.Unmarshal(e.Args, &args); err != nil {
				t.Errorf("%s: %v", e.Args, err)
			}
		}
		switch e.Kind {
		case record.KindUse:
		case record.KindStart, record.KindEnd:
			list = append(list, string(e.Kind))
		default:
			list = append(list, fmt.Sprintf("%d %s %s %s %s %s%s %d", e.Sequence, e.Kind, args.Method, args.Path, e.At, e.Decision, e.Code, e.Status))
		}
	}
	return list
}

// text is all that the events say.
func (l *ledger) text(t *testing.T) string {
	text, err := json.Marshal(l.events)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func run(t *testing.T, box *sandtrap.Sandbox, base, text string) string {
	t.Helper()
	const imports = "package main\nimport (\n\"fmt\"\n\"io\"\n\"net/http\"\n\"os\"\n\"strings\"\n\"time\"\n)\nvar _ = time.Sleep\nvar _ = io.Copy\nvar _ = strings.Cut\nvar base = os.Args[1]\n"
	const get = "func get(u string) { resp, err := http.Get(u); if err != nil { fmt.Println(err); return }; b, err := io.ReadAll(resp.Body); resp.Body.Close(); fmt.Println(resp.StatusCode, string(b), err) }\n"
	res, err := box.Run(t.Context(), sandtrap.Script{Text: imports + get + "func main() {\n" + text + "\n}", Args: []string{"x", base}})
	if err != nil {
		t.Fatal(err, res.Stdout)
	}
	return res.Stdout
}

// TestGuardRefuses: each request of a script, and each redirect, is decided by the chain of the guard too, before anything is sent.
func TestGuardRefuses(t *testing.T) {
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		for name, tc := range map[string]struct {
			guard guard.Policy
			path  string
			want  string
			code  decide.Code
			seen  int // connections
		}{
			"open":     {guard.Policy{}, "/text", "200 hello <nil>", "", 1},
			"inactive": {guard.Policy{Inactive: true}, "/text", "BASE/text is not allowed: the policy is not active", decide.Inactive, 0},
			"package":  {guard.Policy{Packages: []string{}}, "/text", "BASE/text is not allowed: its package is not listed", decide.Package, 0},
			"hidden":   {guard.Policy{Hidden: []string{"net/http.Request"}}, "/text", "BASE/text is not allowed: it is not for scripts", decide.Hidden, 0},
			"deny":     {guard.Policy{Deny: []string{"net/http.*"}}, "/text", "BASE/text is not allowed: the policy denies net/http.*", decide.PolicyRefuses, 0},
			"ask":      {guard.Policy{Ask: []string{"net/http.Request"}}, "/text", "BASE/text is not allowed: the policy wants approval for net/http.Request, and nobody is there to be asked", decide.PolicyRefuses, 0},
			"rate":     {guard.Policy{Rates: map[string]int{"net/http.Request": 0}}, "/text", "BASE/text is not allowed: ", decide.RateReached, 0},
			"rule": {guard.Policy{Rules: []rules.Rule{{
				Name: "no text", On: []string{"net/http.Request"}, When: []rules.Condition{{Param: "path", Equals: "/text"}}, Do: rules.Block, Text: "text is kept",
			}}}, "/text", "BASE/text is not allowed: text is kept", decide.RuleBlocks, 0},
			"query": {guard.Policy{Rules: []rules.Rule{{
				Name: "no key", On: []string{"net/http.Request"}, When: []rules.Condition{{Param: "query", Regexp: `.*key=.*`}}, Do: rules.Block, Text: "send no keys",
			}}}, "/text?key=1", "BASE/text is not allowed: send no keys", decide.RuleBlocks, 0},
			"redirect": {guard.Policy{Rules: []rules.Rule{{
				Name: "no ends", On: []string{"net/http.Request"}, When: []rules.Condition{{Param: "query", Equals: "n=0"}}, Do: rules.Block, Text: "go no further",
			}}}, "/redirect?n=1", "BASE/redirect is not allowed: go no further", decide.RuleBlocks, 1},
			"decider": {guard.Policy{Decider: decider(func(c decide.Call) decide.Ruling {
				return decide.Ruling{Allow: c.Member != "net/http.Request", Reason: "not now"}
			})}, "/text", "BASE/text is not allowed: not now", decide.PolicyRefuses, 0},
		} {
			t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
				s := newServer(t)
				var l ledger
				g := tc.guard
				g.Record = l.sink()
				p.Guard = &g
				out := run(t, mustBox(t, p, s.gate(t)), s.URL, fmt.Sprintf("get(base + %q)", tc.path))
				if !strings.Contains(strings.ReplaceAll(out, s.URL, "BASE"), tc.want) {
					t.Errorf("%s", out)
				}
				if s.mu.Lock(); s.seen != tc.seen {
					t.Errorf("the server saw %d connections", s.seen)
				}
				s.mu.Unlock()
				denied := decide.Code("")
				for _, e := range l.events {
					if e.Kind == record.KindDecision && e.Decision == record.Deny {
						denied = e.Code
					}
				}
				if denied != tc.code {
					t.Errorf("the record has %q", denied)
				}
			})
		}
	})
}

type decider func(decide.Call) decide.Ruling

func (d decider) Decide(_ context.Context, c decide.Call) (decide.Ruling, error) { return d(c), nil }

// TestRequestsInRecord: each request is a decision in the record, with its place, and its end if it was allowed; also one that the gate
// refuses, about which nobody is asked. No query is in it.
func TestRequestsInRecord(t *testing.T) {
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		s := newServer(t)
		var l ledger
		p.Guard = &guard.Policy{Record: l.sink(), Decider: decider(func(c decide.Call) decide.Ruling {
			var args struct{ Host string }
			if json.Unmarshal(c.Args, &args); args.Host != "127.0.0.1" {
				t.Errorf("the decider is asked about %s", c.Args)
			}
			return decide.Ruling{Allow: true}
		})}
		run(t, mustBox(t, p, s.gate(t)), s.URL, `get(base + "/text?q=hunter2")
			get("https://api.example.com/a?q=hunter2")
			get("http://us:er@[::1%25a]/x?q=hunter2")
			get(base + "/redirect?n=1")
			resp, err := http.Post(base + "/sum", "", strings.NewReader(strings.Repeat("x", 100_000)))
			fmt.Println(err)
			resp.Body.Close()
			http.Get(base + "/slow?n=1000&ms=20")`)
		want := []string{
			"start",
			"1 decision GET /text script.go:14 allow 0", "1 return GET /text script.go:14  200",
			"2 decision GET /a script.go:14 denypolicy 0",
			"3 decision GET  script.go:14 denypolicy 0",
			"4 decision GET /redirect script.go:14 allow 0", "4 return GET /redirect script.go:14  302",
			"5 decision GET /redirect script.go:14 allow 0", "5 return GET /redirect script.go:14  200",
			"6 decision POST /sum script.go:20 allow 0", "6 return POST /sum script.go:20  200",
			"7 decision GET /slow script.go:23 allow 0", "7 return GET /slow script.go:23  200",
			"end",
		}
		if got := l.lines(t); !slices.Equal(got, want) {
			t.Errorf("the record is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if text := l.text(t); !strings.Contains(text, "/redirect") || strings.Contains(text, "hunter2") || strings.Contains(text, "us:er") {
			t.Errorf("a query, or a password, is in the record: %s", text)
		}
		for _, e := range l.events {
			if e.Kind == record.KindReturn && (e.Member != "net/http.Request" || e.Sent == 0 || e.Received == 0 || e.Duration == 0) {
				t.Errorf("an end without its bytes and time: %+v", e)
			}
			if e.Kind == record.KindReturn && e.Sequence == 6 && (e.Sent < 100_000 || e.Sent > 110_000) {
				t.Errorf("100,000 bytes were sent, and the record has %d", e.Sent)
			}
		}
	})
}

type approver func([]decide.Request) []decide.Answer

func (a approver) Ask(_ context.Context, list []decide.Request) ([]decide.Answer, error) {
	return a(list), nil
}

// TestGuardAsks: an approver is shown the method, the URL and the query of a request, with its place, and that is sent: a script that
// changes its request meanwhile changes nothing. The clock of the run stands meanwhile, and its other goroutines go on.
func TestGuardAsks(t *testing.T) {
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		s := newServer(t)
		var asked []decide.Request
		p.Limits.Timeout = 500 * time.Millisecond
		p.Guard = &guard.Policy{Ask: []string{"net/http.Request"}, Approver: approver(func(list []decide.Request) []decide.Answer {
			asked = append(asked, list...)
			time.Sleep(time.Second)
			return []decide.Answer{{ID: list[0].ID, Verdict: decide.Approve}}
		})}
		out := run(t, mustBox(t, p, s.gate(t)), s.URL, `req, _ := http.NewRequest("PUT", base + "/echo?a=1", io.MultiReader(strings.NewReader("body"), strings.NewReader(strings.Repeat("y", 40_000))))
			go func() { time.Sleep(100*time.Millisecond); req.URL.Path, req.Method, req.Host = "/form", "DELETE", "api.example.com" }()
			resp, err := http.DefaultClient.Do(req)
			if err != nil { fmt.Println(err); return }
			b, _ := io.ReadAll(resp.Body)
			fmt.Println(resp.StatusCode, string(b[:8]))`)
		if out != "200 PUT body\n" {
			t.Errorf("%s", out)
		}
		want := fmt.Sprintf(`{"method":"PUT","host":"127.0.0.1","path":"/echo","url":"%s/echo","query":"a=1","attached":[]}`, s.URL)
		if len(asked) != 1 || string(asked[0].Args) != want || asked[0].At != "script.go:18" || !strings.Contains(asked[0].Line, "Do(req)") {
			t.Errorf("asked about %+v, want %s", asked, want)
		}
	})
}

// TestDryRun: a dry run lists the requests of a script, with how they are decided, and makes none.
func TestDryRun(t *testing.T) {
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		s := newServer(t)
		p.Network = s.gate(t)
		p.Guard = &guard.Policy{Rules: []rules.Rule{{
			Name: "no text", On: []string{"net/http.Request"}, When: []rules.Condition{{Param: "path", Equals: "/text"}}, Do: rules.Block, Text: "text is kept",
		}}}
		report, err := dryrun.Run(t.Context(), p, sandtrap.Script{Text: `for _, path := range []string{"/json", "/text"} {
			_, err := http.Get(os.Args[1] + path)
			fmt.Println(err)
		}
		http.Get("https://api.example.com/")`, Args: []string{"x", s.URL}}, dryrun.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range report.Calls {
			got = append(got, fmt.Sprint(c.Name, " ", c.Decision, " ", c.Code))
		}
		want := []string{"net/http.Request allow ", "net/http.Request deny rule", "net/http.Request deny policy"}
		if !slices.Equal(got, want) || !strings.Contains(report.Result.Stdout, "/json is not allowed: a dry run makes no requests") {
			t.Errorf("%q: %s", got, report.Result.Stdout)
		}
		if s.mu.Lock(); s.seen != 0 {
			t.Errorf("the server saw %d connections", s.seen)
		}
		s.mu.Unlock()
	})
}
