package worker

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/live"
)

// TestLateOperations: what a run that was given up still does to its files, its input and its output is of its own
// job, when the next has begun.
func TestLateOperations(t *testing.T) {
	over, next := errors.New("the job is over"), errors.New("the next job")
	ended := func(cause error) *job {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(cause) // so that its error tells which job a call is of
		now := &job{host: &wire.Host{}}
		now.ctx = context.WithValue(ctx, jobKey{}, now)
		return now
	}
	j := &worker{slots: newSlots()}
	was := ended(over)
	j.now.Store(was)
	policy, err := j.policy(&jobs.Plan{Files: &jobs.Files{}})
	if err != nil {
		t.Fatal(err)
	}
	base, err := policy.Files.Open()
	if err != nil {
		t.Fatal(err)
	}
	view := base.(interface {
		For(run func() context.Context) afero.Fs
	}).For(func() context.Context { return was.ctx })
	opened := &file{fs: view.(*files), name: "/a", handle: 1}
	script, err := j.script(was.ctx, &jobs.Script{Stdin: true})
	if err != nil {
		t.Fatal(err)
	}
	out := &printer{job: was, link: &live.Link{}}
	j.now.Store(ended(next))
	for name, do := range map[string]func() error{
		"read of a file":  func() error { _, err := opened.Read(make([]byte, 1)); return err },
		"write to a file": func() error { _, err := opened.Write(make([]byte, 1)); return err },
		"open":            func() error { _, err := view.OpenFile("/b", os.O_RDWR, 0); return err },
		"remove":          func() error { return view.Remove("/b") },
		"input":           func() error { _, err := script.Stdin.Read(make([]byte, 1)); return err },
		"output":          func() error { _, err := out.Write(make([]byte, 1)); return err },
		"saved session":   func() error { _, err := savedTo{was.ctx, j}.Write(make([]byte, 1)); return err },
	} {
		if err := do(); !errors.Is(err, over) {
			t.Errorf("%s: %v; want that %v", name, err, over)
		}
	}
	if err := base.Remove("/b"); !errors.Is(err, next) {
		t.Errorf("of no run: %v", err)
	}
}
