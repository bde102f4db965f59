package memory

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// crowd is how many sandboxes there are at a time.
const crowd = 10_000

// idleMost is how much a sandbox may hold that runs nothing; the files of its script are
// with it, runningMost one whose script waits, with the stack of its goroutine.
const (
	idleMost    = 32 << 10
	runningMost = 64 << 10
)

// sessionMost is how much a session may hold that waits for its next cell, beside its sandbox.
const sessionMost = 12 << 10

// crowded makes many sandboxes of one plan that keep a file each.
func crowded(t *testing.T) []*sandtrap.Sandbox {
	plan, err := sandtrap.Compile(sandtrap.Policy{
		Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Timeout: 5 * time.Minute, Memory: 64 << 20},
		Files: &sandtrap.Files{Cwd: "/", Open: func() (afero.Fs, error) { return vfs.Mem(), nil }},
	})
	if err != nil {
		t.Fatal(err)
	}
	boxes := make([]*sandtrap.Sandbox, crowd)
	for i := range boxes {
		if boxes[i], err = plan.New(t.Context()); err != nil {
			t.Fatal(err)
		}
		numberedRun(t, boxes[i], `os.WriteFile("name", []byte(os.Args[1]), 0o644)`, i, nil, "")
	}
	return boxes
}

// numberedRun runs a script for the i-th sandbox.
func numberedRun(t *testing.T, box *sandtrap.Sandbox, src string, i int, inputs map[string]any, want string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	res, err := box.Run(ctx, sandtrap.Script{Text: src, Args: []string{"x", fmt.Sprint(i)}, Inputs: inputs})
	if err != nil || res.Stdout != want {
		t.Errorf("sandbox %d: %q, %v, want %q", i, res.Stdout, err, want)
	}
}

// inUse is what the process holds, with the stacks of its goroutines.
func inUse() int64 {
	rig.SettledHeap()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc + s.StackInuse)
}

// TestManySandboxes: ten thousand sandboxes that have run a script are small, keep their
// own files, and can all run at once.
func TestManySandboxes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	before := inUse()
	boxes := crowded(t)
	if each := (inUse() - before) / crowd; each > idleMost {
		t.Errorf("an idle sandbox holds %d bytes, want at most %d", each, idleMost)
	} else {
		t.Logf("an idle sandbox holds %d bytes", each)
	}
	arrived, gone := make(chan int, crowd), make(chan int)
	var wg sync.WaitGroup
	for i, box := range boxes {
		wg.Go(func() {
			numberedRun(t, box, "b, _ := os.ReadFile(\"name\")\narrived <- len(b)\n<-gone\nfmt.Print(string(b))", i,
				map[string]any{"arrived": arrived, "gone": gone}, fmt.Sprint(i))
		})
	}
	for range boxes {
		<-arrived
	}
	each := (inUse() - before) / crowd
	t.Logf("one whose script waits holds %d bytes", each)
	if each > runningMost {
		t.Errorf("a sandbox whose script waits holds %d bytes, want at most %d", each, runningMost)
	}
	close(gone)
	wg.Wait()
}

// TestIdleSession: a session that has run a few cells is small until it goes on.
func TestIdleSession(t *testing.T) {
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Timeout: time.Minute, Memory: 64 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	open := func() *sandtrap.Session {
		s, err := box.Session()
		for _, text := range []string{"x := 1", "func f() int { return x }", "f()"} {
			if err == nil {
				_, err = s.Run(t.Context(), sandtrap.Script{Text: text})
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	open() // makes what all sessions share
	sessions := make([]*sandtrap.Session, 500)
	before := rig.SettledHeap()
	for i := range sessions {
		sessions[i] = open()
	}
	each := (rig.SettledHeap() - before) / int64(len(sessions))
	t.Logf("an idle session holds %d bytes", each)
	if each > sessionMost {
		t.Errorf("an idle session holds %d bytes, want at most %d", each, sessionMost)
	}
	for _, s := range sessions {
		s.Close()
	}
}
