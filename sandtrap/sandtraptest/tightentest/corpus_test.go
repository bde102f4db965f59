// Package tightentest tests that the policy which is derived from recorded runs is enough for them, and no more.
package tightentest

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest"
	"github.com/sandtrap-go/sandtrap/sandtrap/tighten"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// A buffer is a record in memory.
type buffer struct {
	sync.Mutex
	bytes.Buffer
}

func (b *buffer) write(e record.Event) error {
	b.Lock()
	defer b.Unlock()
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	return json.NewEncoder(b).Encode(e)
}

// outcome is what somebody sees of a run.
type outcome struct{ Stdout, Stderr, Error string }

// run runs a case. The clock is given.
func run(t *testing.T, p sandtrap.Policy, c sandtraptest.Case) (o outcome) {
	box, err := sandtrap.New(t.Context(), p)
	if err != nil {
		return outcome{Error: "policy: " + err.Error()}
	}
	defer box.Close()
	res, err := box.Run(context.Background(), sandtrap.Script{Text: c.Script, Stdin: strings.NewReader(c.Sections["stdin"])})
	o.Stdout, o.Stderr = res.Stdout, res.Stderr
	if err != nil {
		o.Error = err.Error()
	}
	return o
}

// wide is the widest policy.
func wide(c sandtraptest.Case) sandtrap.Policy {
	return sandtrap.Policy{
		Std: sandtrap.StdDefault(), Env: map[string]string{}, Epoch: time.Unix(1e9, 0), Limits: sandtrap.Limits{Timeout: time.Minute},
		Files: &sandtrap.Files{Cwd: "/work", Open: func() (afero.Fs, error) { return vfs.Mem(), nil }},
	}
}

// recorded is the policy that is derived from a run under the policy p.
func recorded(t *testing.T, p sandtrap.Policy, c sandtraptest.Case) (outcome, *tighten.Suggestion) {
	var text buffer
	var g guard.Policy
	if p.Guard != nil {
		g = *p.Guard.(*guard.Policy)
	}
	g.Record = record.Func(text.write)
	p.Guard = &g
	o := run(t, p, c)
	s, err := tighten.Policy(&text)
	if err != nil {
		t.Fatalf("%s: %v, after %+v", c.Name, err, o)
	}
	if len(s.Notes) > 0 {
		t.Logf("%s: %q", c.Name, s.Notes)
	}
	return o, s
}

var whole = flag.Bool("corpus", false, "record all programs of the corpus, not a sample")

// TestCorpus: programs of the corpus do the same under the policy that is derived from a record of them, and not without any
// package or file of it.
func TestCorpus(t *testing.T) {
	cases, err := sandtraptest.Load("../../../testdata/accept")
	if err != nil {
		t.Fatal(err)
	}
	runs, dropped, same := 0, 0, 0
	for i, c := range cases {
		if !*whole && i%8 != 0 && !c.Files {
			continue
		}
		p := wide(c)
		want, s := recorded(t, p, c)
		narrow, err := s.Apply(p)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, run(t, narrow, c)); d != "" {
			t.Errorf("%s: %s", c.Name, d)
			continue
		}
		runs++
		for what, less := range smaller(s) {
			narrow, err := less.Apply(p)
			if err != nil {
				t.Fatal(err)
			}
			if dropped++; run(t, narrow, c) == want && !denies(t, narrow, c) {
				same++
				t.Errorf("%s: it does the same without %s", c.Name, what)
			}
		}
	}
	t.Logf("%d programs, %d lines dropped, %d of them needlessly there", runs, dropped, same)
}

// denies reports that a call of a run is denied, which the script may not care about.
func denies(t *testing.T, p sandtrap.Policy, c sandtraptest.Case) (denied bool) {
	var g guard.Policy
	if p.Guard != nil {
		g = *p.Guard.(*guard.Policy)
	}
	var mu sync.Mutex
	g.Record = record.Func(func(e record.Event) error {
		mu.Lock()
		defer mu.Unlock()
		denied = denied || e.Decision == record.Deny
		return nil
	})
	p.Guard = &g
	run(t, p, c)
	return denied
}

// smaller are suggestions without one line each.
func smaller(s *tighten.Suggestion) map[string]*tighten.Suggestion {
	all := map[string]*tighten.Suggestion{}
	without := func(what string, change func(*tighten.Suggestion)) {
		less := *s
		less.Paths, less.To, less.Rates = maps.Clone(s.Paths), maps.Clone(s.To), maps.Clone(s.Rates)
		change(&less)
		all[what] = &less
	}
	drop := func(list []string, i int) []string { return slices.Delete(slices.Clone(list), i, i+1) }
	for i, name := range s.Std {
		without("std "+name, func(s *tighten.Suggestion) { s.Std = drop(s.Std, i) })
	}
	for i, name := range s.Members {
		without("member "+name, func(s *tighten.Suggestion) { s.Members = drop(s.Members, i) })
	}
	for i, name := range s.Grants {
		without("grant "+name, func(s *tighten.Suggestion) { s.Grants = drop(s.Grants, i) })
	}
	for i, name := range s.Permissions {
		without("permission "+name, func(s *tighten.Suggestion) { s.Permissions = drop(s.Permissions, i) })
	}
	for op, list := range s.Paths {
		for i, name := range list {
			without(op+" "+name, func(s *tighten.Suggestion) {
				if s.Paths[op] = drop(list, i); len(list) == 1 && !slices.Contains(s.Temporary, op) {
					delete(s.Paths, op)
				}
			})
		}
	}
	for i, op := range s.Temporary {
		without("temporary "+op, func(s *tighten.Suggestion) {
			if s.Temporary = drop(s.Temporary, i); len(s.Paths[op]) == 0 {
				delete(s.Paths, op)
			}
		})
	}
	for name, n := range s.Rates {
		without(fmt.Sprint("rate ", name, n), func(s *tighten.Suggestion) { s.Rates[name]-- })
	}
	if s.Budget > 0 {
		without("budget", func(s *tighten.Suggestion) { s.Budget-- })
	}
	if s.MaxClass > 0 {
		without("class", func(s *tighten.Suggestion) { s.MaxClass-- })
	}
	if s.Files {
		without("files", func(s *tighten.Suggestion) { s.Files = false })
	}
	if s.Env {
		without("env", func(s *tighten.Suggestion) { s.Env = false })
	}
	return all
}
