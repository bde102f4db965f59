package sessions_test

import (
	"errors"
	"testing"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestFillHeld: files that are brought count among those that are on their way, also while they wait for their turn; then no more.
func TestFillHeld(t *testing.T) {
	r := newRig(t, t.TempDir(), sandtrap.None, sessions.Options{Held: 400})
	id := r.create("a")
	bring := func(name string, size int) error {
		return r.sessions.Fill(t.Context(), "a", id, func(files afero.Fs) error { return afero.WriteFile(files, name, make([]byte, size), 0o644) })
	}
	if err := bring("/large", 101); !errors.Is(err, runs.ErrBusy) {
		t.Errorf("more than a quarter of all: %v", err)
	}
	for _, name := range []string{"/a", "/b", "/c"} {
		if err := bring(name, 100); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
