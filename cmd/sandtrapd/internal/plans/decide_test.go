package plans

import (
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/isolate/audit"
	"github.com/sandtrap-go/sandtrap/sandtrap"
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
