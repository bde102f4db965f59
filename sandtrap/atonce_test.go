package sandtrap

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/live"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// An alone is a stream of a host that two must not use at a time.
type alone struct {
	users  atomic.Int64
	shared atomic.Bool
}

func (a *alone) use(p []byte) (int, error) {
	if a.users.Add(1) > 1 {
		a.shared.Store(true)
	}
	defer a.users.Add(-1)
	runtime.Gosched()
	return len(p), nil
}

func (a *alone) Read(p []byte) (int, error)  { return a.use(p) }
func (a *alone) Write(p []byte) (int, error) { return a.use(p) }

// atOnceDo does something many times on several goroutines.
func atOnceDo(times int, do ...func() error) (failed error) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, f := range do {
		for range 2 {
			wg.Go(func() {
				for range times {
					if err := f(); err != nil {
						mu.Lock()
						failed = err
						mu.Unlock()
					}
				}
			})
		}
	}
	wg.Wait()
	return failed
}

// TestForgedAtOnce: a worker may make any calls at the same time, as no true one does; the streams of
// the host are used by one after the other, and by none when the run is over.
func TestForgedAtOnce(t *testing.T) {
	in, from, to := &alone{}, &alone{}, &alone{}
	c := (&Sandbox{plan: &Plan{limits: gates.Limits{Output: 1 << 20}}}).remoteCall(t.Context(), Script{Stdin: in})
	c.load, c.save = from, to
	read, err := wire.Encode(jobs.StdinOp{N: 10})
	if err != nil {
		t.Fatal(err)
	}
	printed, err := wire.Encode(jobs.PrintOp{Data: []byte("ten bytes\n")})
	if err != nil {
		t.Fatal(err)
	}
	calls := []func() error{}
	for name, body := range map[string][]byte{wire.CallStdin: read, wire.CallLoad: read, wire.CallSave: read, wire.CallAhead: printed} {
		calls = append(calls, func() error {
			_, err := c.call(t.Context(), name, body)
			return err
		})
	}
	if err := atOnceDo(1000, calls...); err != nil {
		t.Error(err)
	}
	for name, s := range map[string]*alone{"stdin": in, "load": from, "save": to} {
		if s.shared.Load() {
			t.Errorf("%s was used by two at a time", name)
		}
	}
	if out, _ := c.ahead.Texts(); len(out) != 20_000 {
		t.Errorf("%d bytes of 20,000 were printed", len(out))
	}
	var all live.Ahead
	err = atOnceDo(500_000, func() error { return all.Add(false, []byte("x"), roomAhead(&c.plan.limits)) })
	if out, _ := all.Texts(); len(out) != 1_000_000 || err != nil {
		t.Errorf("%d bytes of 1,000,000 were printed, %v", len(out), err)
	}
	c.close()
	for _, call := range calls {
		if call() == nil {
			t.Error("a call is answered when the run is over")
		}
	}
}

// TestForgedFilesAtOnce: so it may with a file.
func TestForgedFilesAtOnce(t *testing.T) {
	base := vfs.Mem()
	for n := range 200 {
		if err := afero.WriteFile(base, fmt.Sprintf("/%d", n), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	v, err := vfs.New(base, vfs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	files := newServedFiles(v, &Plan{})
	defer files.close()
	opened, err := files.during(t.Context()).do(jobs.FileOp{Op: "open", Path: "/", Flag: os.O_RDONLY})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(op string, n int64) func() error {
		return func() error {
			got, err := files.during(t.Context()).do(jobs.FileOp{Op: op, Handle: opened.Handle, N: n})
			if err == nil && got.Error != "" {
				err = fmt.Errorf("%s: %s", op, got.Error)
			}
			return err
		}
	}
	if err := atOnceDo(10_000, ask("readdir", 100), ask("seek", 0)); err != nil {
		t.Error(err)
	}
}

// TestFilesOwnRun: of two calls for files at a time each is decided by the run that makes it.
func TestFilesOwnRun(t *testing.T) {
	v, err := vfs.New(vfs.Mem(), vfs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	files := newServedFiles(v, &Plan{guards: guards{Files: true}})
	defer files.close()
	var asked [2][]string
	var calls [2]fileCall
	for i := range calls {
		calls[i] = files.during(decide.WithRun(t.Context(), &askedRun{paths: &asked[i]}))
	}
	for i, call := range calls {
		if got, err := call.do(jobs.FileOp{Op: "mkdir", Path: fmt.Sprintf("/%d", i), Mode: 0o700}); err != nil || got.Error != "" {
			t.Error(got.Error, err)
		}
	}
	for i, paths := range asked {
		if len(paths) != 1 || paths[0] != fmt.Sprintf("/%d", i) {
			t.Errorf("run %d was asked about %q", i, paths)
		}
	}
}

// An askedRun allows all, and keeps the paths that it is asked about.
type askedRun struct {
	decide.Run
	paths *[]string
}

func (r *askedRun) Call(_ context.Context, _, _ string, args []reflect.Value, do func() []reflect.Value) ([]reflect.Value, error) {
	*r.paths = append(*r.paths, args[0].String())
	return do(), nil
}
