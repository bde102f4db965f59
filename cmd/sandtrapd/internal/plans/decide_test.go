package plans

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/isolate/audit"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// events is a sink that keeps what it gets.
type events struct {
	mu   sync.Mutex
	list []record.Event
}

func (e *events) Write(one record.Event) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list = append(e.list, one)
	return nil
}

// TestSyscalls: with isolation kernel refused system calls are in the record, and a worker that makes them without end does not fill it.
func TestSyscalls(t *testing.T) {
	to := &events{}
	for _, mode := range []sandtrap.Isolation{sandtrap.None, sandtrap.Kernel} {
		s := New(Options{Isolation: mode, Record: to, MaxTimeout: time.Minute, Kept: 1})
		d, err := s.draft(t.Context(), "default@builtin", "")
		if err != nil {
			t.Fatal(err)
		}
		refused := d.box.Policy.Audit
		if (refused != nil) != (mode == sandtrap.Kernel) {
			t.Fatalf("%s: has an audit: %v", mode, refused != nil)
		}
		if refused == nil {
			continue
		}
		for range 100_000 {
			refused(audit.Refusal{Call: "socket", Thread: 7, Time: time.Now()})
		}
	}
	if n := len(to.list); n < 100 || n > 1000 {
		t.Errorf("%d events", n)
	}
	if e := to.list[0]; e.Kind != record.KindSyscall || e.Member != "socket" || e.Tenant != "" {
		t.Errorf("%+v", e)
	}
}

// TestRatesByTenant: rates and budgets are those of a tenant: another one has its own, and other tools give no new ones.
func TestRatesByTenant(t *testing.T) {
	dir := t.TempDir()
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	text := "std: [fmt, os]\nfs: mem\nguard:\n  default: allow\n  max_risk: critical\n  max_class: restricted\n  permissions: [file.read, file.write]\n  rates: {\"*\": 3}\n"
	if err := os.WriteFile(filepath.Join(dir, "few.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	catalog, err := policies.Open(dir, st)
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 1, Policies: catalog})
	defer s.Close()
	ref, err := s.Resolve(t.Context(), "alpha", "few")
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range []struct {
		tenant, tools string
		refused       int
	}{{"alpha", "", 2}, {"alpha", "", 5}, {"beta", "", 2}, {"alpha", "package tools\nfunc F() error", 5}, {"gamma", "package tools\nfunc F() error", 2}} {
		b, err := s.Get(t.Context(), ref, step.tools)
		if err != nil {
			t.Fatal(err)
		}
		ctx := decide.WithSubject(t.Context(), decide.Subject{Tenant: step.tenant})
		script := sandtrap.Script{Text: "n := 0\nfor i := 0; i < 5; i++ { if os.WriteFile(fmt.Sprint(\"f\", i), nil, 0o600) != nil { n++ } }\nfmt.Print(n)"}
		var res *sandtrap.Result
		if b.Waits() {
			var journal bytes.Buffer
			if err := b.Begin(script, &journal); err != nil {
				t.Fatal(err)
			}
			res, _, err = b.Resume(ctx, step.tenant, &journal)
		} else {
			res, err = b.Run(ctx, step.tenant, script)
		}
		b.Release()
		if err != nil || res.Error != nil || res.Stdout != fmt.Sprint(step.refused) {
			t.Errorf("%d: %+v, want %d refused; %q, %v, %v", i, step, step.refused, res.Stdout, res.Error, err)
		}
	}
}

// TestWaits: what may need approval runs so that it can wait, and what cannot wait, or never asks, has workers.
func TestWaits(t *testing.T) {
	s := New(Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8})
	defer s.Close()
	for policy, want := range map[policies.Ref]bool{"default@builtin": false, "agent@builtin": false, "closed@builtin": false} {
		b, err := s.Get(t.Context(), policy, "")
		if err != nil {
			t.Fatal(err)
		}
		if b.Waits() != want {
			t.Errorf("%s: waits: %v", policy, b.Waits())
		}
		b.Release()
	}
	b, err := s.Get(t.Context(), "agent@builtin", "package tools\nfunc F() error")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Release()
	if !b.Waits() {
		t.Error("a run with tools cannot wait")
	}
	if list := s.Stats(); len(list) != 4 || list[0].Tools || list[3].Policy != "agent@builtin" || !list[3].Tools || !list[3].Waits {
		t.Errorf("%+v", list)
	}
}
