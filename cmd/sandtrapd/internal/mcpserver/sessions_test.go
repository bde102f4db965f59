package mcpserver_test

import (
	"errors"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/mcpserver"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	kept "github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestNamesOfAnother: a name means the session of the tenant who says it.
func TestNamesOfAnother(t *testing.T) {
	named, m, st := newNamed(t)
	view, err := m.Create(t.Context(), "alpha", kept.Request{Name: "s"})
	if err != nil {
		t.Fatal(err)
	}
	if err := named.Reset(t.Context(), "beta", "s"); !errors.Is(err, store.ErrNone) {
		t.Errorf("reset: %v", err)
	}
	if id, err := named.Open(t.Context(), "beta", "s", "", ""); err != nil || id == view.ID {
		t.Errorf("open: %q, %v", id, err)
	}
	if id, err := named.Open(t.Context(), "alpha", "s", "", ""); err != nil || id != view.ID {
		t.Errorf("its own: %q, %v; want %q", id, err, view.ID)
	}
	if _, err := st.Session(t.Context(), "alpha", view.ID); err != nil {
		t.Errorf("the session that was there: %v", err)
	}
}

// newNamed makes sessions as the server has them.
func newNamed(t *testing.T) (mcpserver.Sessions, *kept.Manager, *store.Store) {
	t.Helper()
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	set := plans.New(plans.Options{Isolation: sandtrap.None})
	m := kept.New(kept.Options{Plans: set, Store: st})
	t.Cleanup(func() {
		m.Close()
		set.Close()
		st.Close()
	})
	return mcpserver.OfSessions(m), m, st
}

// TestNoName: an empty name is refused; it does not mean whichever session is the newest.
func TestNoName(t *testing.T) {
	named, m, st := newNamed(t)
	view, err := m.Create(t.Context(), "alpha", kept.Request{Name: "theirs"})
	if err != nil {
		t.Fatal(err)
	}
	if err := named.Reset(t.Context(), "alpha", ""); !errors.Is(err, runs.ErrRequest) {
		t.Errorf("reset: %v", err)
	}
	if id, err := named.Open(t.Context(), "alpha", "", "", ""); !errors.Is(err, runs.ErrRequest) {
		t.Errorf("open: %q, %v", id, err)
	}
	if _, err := st.Session(t.Context(), "alpha", view.ID); err != nil {
		t.Errorf("the session that was there: %v", err)
	}
}
