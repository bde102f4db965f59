package ledger

import (
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

func policy(name, text string) *store.Policy {
	return &store.Policy{Name: name, Texts: map[string]string{"": text}, Tenants: []string{"acme"}, Created: time.Now()}
}

// reads waits until a version of a policy, empty for the newest one, has a text at a server. It is the version then.
func (e *end) reads(name, version, text string) string {
	e.t.Helper()
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		p, err := e.Policy(e.t.Context(), name, version)
		if err == nil && p.Texts[""] == text && p.Tenants[0] == "acme" {
			return p.Version
		}
		if time.Since(began) > time.Minute {
			e.t.Fatalf("%s@%s is %+v, %v, want %q", name, version, p, err, text)
		}
	}
}

// TestPolicies: servers that send versions of a policy at a time give each number once, and each server has the same of it.
func TestPolicies(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b, away := open(t, n, t.TempDir()), open(t, n, t.TempDir()), open(t, n, t.TempDir())
	away.close()
	var mu sync.Mutex
	var all sync.WaitGroup
	texts := map[string]string{}
	for i := range 20 {
		all.Go(func() {
			p := policy("p", fmt.Sprint("text ", i))
			if err := []*end{a, b}[i%2].SendPolicy(p); err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			texts[p.Version] = p.Texts[""]
		})
	}
	all.Wait()
	if len(texts) != 20 {
		t.Fatalf("%d versions: %v", len(texts), texts)
	}
	for _, e := range []*end{a, b, open(t, n, away.dir), open(t, n, t.TempDir())} {
		for version, text := range texts {
			e.reads("p", version, text)
		}
		e.reads("p", "", texts["20"])
	}
}

// TestPoliciesBefore: a server that joins brings its policies. Those of a name that the ledger has get other versions, and what uses them
// goes on to use them.
func TestPoliciesBefore(t *testing.T) {
	n, dir := serve(t, t.TempDir()), t.TempDir()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	a := open(t, n, t.TempDir())
	for _, p := range []*store.Policy{policy("p", "same"), policy("p", "mine"), policy("p", "newest of mine"), policy("q", "q")} {
		a.must(s.SendPolicy(p))
	}
	r := run("run_0")
	r.Policy = "p@2"
	a.must(s.AddRuns(r))
	r.State, r.Ended = store.Done, time.Now()
	a.must(s.Finish(r))
	a.must(s.Close())
	a.must(a.SendPolicy(policy("p", "same")))
	a.must(a.SendPolicy(policy("p", "theirs")))
	b := open(t, n, dir)
	for _, e := range []*end{b, a} {
		e.reads("p", "1", "same")
		e.reads("p", "2", "theirs")
		e.reads("p", "", "theirs")
		e.reads("q", "", "q")
		used := e.sees("run_0", has(store.Done, ""))
		e.reads("p", used.Policy[len("p@"):], "mine")
	}
	p := policy("p", "next")
	a.must(b.SendPolicy(p))
	if p.Version != "3" {
		t.Errorf("the next version is %s", p.Version)
	}
}

// TestPoliciesLost: a ledger that has lost its end gets the policies again.
func TestPoliciesLost(t *testing.T) {
	dir, early := t.TempDir(), t.TempDir()
	n := serve(t, dir)
	a := open(t, n, t.TempDir())
	a.must(os.CopyFS(early, os.DirFS(dir)))
	a.must(a.SendPolicy(policy("p", "text")))
	a.close()
	n.Shutdown()
	n.WaitForShutdown()
	n = serve(t, early)
	open(t, n, a.dir).reads("p", "1", "text")
	open(t, n, t.TempDir()).reads("p", "1", "text")
}
