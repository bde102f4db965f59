package sessions

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestQueue: who came first has the first turn, one who gives up holds up nobody, and there is a bound.
func TestQueue(t *testing.T) {
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	set := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 1})
	defer set.Close()
	m := New(Options{Plans: set, Store: st})
	defer m.Close()
	v, err := m.Create(t.Context(), "a", Request{})
	if err != nil {
		t.Fatal(err)
	}
	var line []*ticket
	for range maxQueue {
		ticket, err := m.line(t.Context(), "a", v.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		line = append(line, ticket)
	}
	if _, err := m.line(t.Context(), "a", v.ID, ""); !errors.Is(err, runs.ErrBusy) {
		t.Errorf("beyond the bound: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	line[1].Wait(ended)
	if line[1].has() {
		t.Error("the second one has its turn before the first")
	}
	line[1].Release()
	for i, ticket := range line {
		if i == 1 {
			continue
		}
		ticket.Wait(t.Context())
		for _, later := range line[i+1:] {
			if later.has() && later != line[1] {
				t.Fatalf("one later than %d has its turn", i)
			}
		}
		ticket.Release()
		ticket.Release() // does nothing
	}
	if len(m.seats) != 0 {
		t.Errorf("%d sessions are remembered", len(m.seats))
	}
}
