//go:build linux

package isolate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestNoWorker: what is no worker, or takes too long to be one, is an error in good time, and nothing
// of it is left.
func TestNoWorker(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	had := len(children(t))
	var wg sync.WaitGroup
	for _, tc := range []struct{ name, text, want string }{
		{"no program", "\x00\x01", "exec format error"},
		{"ends at once", "#!/bin/sh\nexit 3", "exit status 3"},
		{"says nothing", "#!/bin/sh\nexec sleep 60", "it is not ready"},
		{"a byte at a time", "#!/bin/sh\nprintf '\\001\\000\\000\\000' >&3; while :; do printf x >&3; sleep 0.1; done", "it is not ready"},
		{"a frame of 4 GB", "#!/bin/sh\nprintf '\\377\\377\\377\\377' >&3; exec sleep 60", "a frame of 4294967295 bytes"},
		{"no message", "#!/bin/sh\nprintf '\\000\\000\\000\\001x' >&3; exec sleep 60", "wire: protocol"},
		{"ready before hello", "#!/bin/sh\nprintf '\\000\\000\\000\\003\\241\\001\\003' >&3; exec sleep 60", "a message of kind 3 instead of 1"},
		{"hello of version 200", "#!/bin/sh\nprintf '\\000\\000\\000\\011\\242\\001\\001\\004\\104\\241\\001\\030\\310' >&3; exec sleep 60", "version 200"},
	} {
		path := filepath.Join(t.TempDir(), "worker")
		if err := os.WriteFile(path, []byte(tc.text), 0o755); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			began := time.Now()
			w, err := Start(t.Context(), Spec{Path: path, Level: Bare})
			if w != nil || err == nil || !strings.Contains(err.Error(), tc.want) || time.Since(began) > 4*startup {
				t.Errorf("%s: %v, want %q, after %v", tc.name, err, tc.want, time.Since(began))
			}
		})
	}
	wg.Wait()
	if left := len(children(t)); left > had {
		t.Errorf("%d processes became %d", had, left)
	}
}

// TestSlowFrame: a worker that sends a frame a byte at a time, and one that does not read what it is
// sent, have as long as their job and no longer.
func TestSlowFrame(t *testing.T) {
	for _, job := range []string{"slow", "call x"} {
		w := mustStart(t, Spec{Path: worker, Level: Maximum})
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		err := within(t, func() error {
			_, err := w.Do(ctx, []byte(job), Handlers{Call: func(context.Context, string, []byte) ([]byte, error) {
				return make([]byte, 8<<20), w.stop()
			}})
			return err
		})
		if !isDeath(err, Killed) || !errors.Is(err, ErrWorker) {
			t.Errorf("%s: %v", job, err)
		}
	}
}
