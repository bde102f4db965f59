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

// TestNoName: an empty name is refused; it does not mean whichever session is the newest.
func TestNoName(t *testing.T) {
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	set := plans.New(plans.Options{Isolation: sandtrap.None})
	defer set.Close()
	m := kept.New(kept.Options{Plans: set, Store: st})
	defer m.Close()
	view, err := m.Create(t.Context(), "alpha", kept.Request{Name: "theirs"})
	if err != nil {
		t.Fatal(err)
	}
	named := mcpserver.OfSessions(m)
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
