//go:build linux

package isolate

import (
	"context"
	"errors"
	"os"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestKilledAnyTime: a worker that is killed, at whatever moment, ends its job with an error
// and the host with nothing.
func TestKilledAnyTime(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	calls := Handlers{Call: func(context.Context, string, []byte) ([]byte, error) { return nil, nil }}
	for _, level := range []Level{Bare, Standard, Maximum} {
		for i := range 20 {
			w := mustStart(t, Spec{Path: worker, Level: level})
			time.AfterFunc(time.Duration(i)*500*time.Microsecond, w.proc.kill)
			err := within(t, func() (err error) {
				for err == nil {
					_, err = w.Do(t.Context(), []byte("call x"), calls)
				}
				return err
			})
			if !isDeath(err, Killed) {
				t.Errorf("%s, after %d: %v", level, i, err)
			}
		}
	}
}

// TestKilledWhileStarting: so does one that is not ready yet, and the spawner, if it is that.
func TestKilledWhileStarting(t *testing.T) {
	spec := Spec{Path: worker, Level: Maximum, Memory: 64 << 20}
	mustStart(t, spec).Close()
	failed := 0
	for i := range 20 {
		done := make(chan bool)
		time.AfterFunc(time.Duration(i)*500*time.Microsecond, func() {
			for _, child := range children(t) {
				if pid, err := strconv.Atoi(child); err == nil {
					unix.Kill(pid, unix.SIGKILL)
				}
			}
			close(done)
		})
		err := within(t, func() error {
			w, err := Start(t.Context(), spec)
			if err == nil {
				w.Close()
			}
			return err
		})
		if err != nil {
			failed++
		}
		if _, degraded := errors.AsType[*MissingError](err); degraded {
			t.Errorf("after %d: its death is taken for a lack of this machine: %v", i, err)
		}
		<-done
		nursery.settle()
	}
	nursery.mu.Lock()
	clear(nursery.failed) // those that were killed say nothing of the executable
	nursery.mu.Unlock()
	if failed == 0 {
		t.Error("none was killed in time")
	}
	if w := mustStart(t, spec); w.Close() != nil || failed == 20 {
		t.Error("none started")
	}
}

// TestKilledWhileLookedAt: that a worker has ended is no layer that this machine lacks, which might be
// done without.
func TestKilledWhileLookedAt(t *testing.T) {
	rows, err := Maximum.rows()
	if err != nil {
		t.Fatal(err)
	}
	w := mustStart(t, Spec{Path: worker, Level: Maximum})
	said := w.status
	w.proc.kill()
	w.proc.of.Wait()
	if err := w.verify(rows, said); !errors.Is(err, ErrWorker) {
		t.Errorf("%v", err)
	}
}

// within is what do returns, which it has to in good time.
func within(t *testing.T, do func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-time.After(20 * time.Second):
		t.Fatal("the host waits for a dead worker")
		return nil
	}
}

// TestBrokenFrames: what is no frame, or not all of one, ends the job with an error that says
// so, and the next worker is fine.
func TestBrokenFrames(t *testing.T) {
	for _, tc := range []struct {
		job  string
		want Cause
	}{
		{"half", Crashed}, // it ends in the middle of one
		{"huge", Broken},
		{"empty", Broken},
		{"garbage", Broken},
	} {
		t.Run(tc.job, func(t *testing.T) {
			w := mustStart(t, Spec{Path: worker, Level: Maximum})
			if _, err := w.Do(t.Context(), []byte("frame "+tc.job), Handlers{}); !isDeath(err, tc.want) || !errors.Is(err, ErrWorker) {
				t.Errorf("got %v, want %s", err, tc.want)
			}
			if _, err := w.Do(t.Context(), []byte("echo"), Handlers{}); !errors.Is(err, ErrWorker) {
				t.Errorf("the job after it: %v", err)
			}
			next := mustStart(t, Spec{Path: worker, Level: Maximum})
			if got, err := next.Do(t.Context(), []byte("echo here"), Handlers{}); string(got) != "here" || err != nil {
				t.Errorf("the next worker: %q, %v", got, err)
			}
		})
	}
}

// TestSocketLeft: a host does not wait for a worker that has ended, for longer than for one that does not
// end, even if another process has its end of the socket, which a worker without a wall can see to.
func TestSocketLeft(t *testing.T) {
	rest()
	before := openFiles()
	for range 3 {
		w := mustStart(t, Spec{Path: worker, Level: Bare})
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		err := within(t, func() error { _, err := w.Do(ctx, []byte("leave"), Handlers{}); return err })
		if !isDeath(err, Crashed) {
			t.Error(err)
		}
		w.Close()
		other := mustStart(t, Spec{Path: worker, Level: Bare})
		go other.Do(t.Context(), []byte("leave"), Handlers{})
		<-other.proc.said
		if err := within(t, other.Close); err != nil {
			t.Error(err)
		}
	}
	rest()
	checkOpenFiles(t, before)
}

// TestNoDescriptors: a host that can open no more files starts no worker, loses nothing by
// trying, and starts workers again when it can.
func TestNoDescriptors(t *testing.T) {
	spec := Spec{Path: worker, Level: Maximum}
	for _, start := range []func(*testing.T, Spec) *Worker{directly, bySpawner} {
		start(t, spec).Close()
		before := openFiles()
		top, giveBack := fillDescriptors(t)
		var was unix.Rlimit
		if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &was); err != nil {
			t.Fatal(err)
		}
		failed := 0
		for room := range 12 {
			low := was
			low.Cur = uint64(top + room)
			if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &low); err != nil {
				t.Fatal(err)
			}
			w, err := Start(t.Context(), spec)
			if e := unix.Setrlimit(unix.RLIMIT_NOFILE, &was); e != nil {
				t.Fatal(e)
			}
			if err == nil {
				w.Close()
			} else {
				failed++
			}
		}
		giveBack()
		if failed == 0 {
			t.Error("there was always room")
		}
		nursery.settle()
		mustStart(t, spec).Close()
		rest()
		checkOpenFiles(t, before)
	}
}

// fillDescriptors takes all numbers that are free below the highest in use; the first that is
// free is top. The limit of the kernel is about numbers.
func fillDescriptors(t *testing.T) (top int, giveBack func()) {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		n, _ := strconv.Atoi(e.Name())
		top = max(top, n+1)
	}
	var filled []*os.File
	for {
		f, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		filled = append(filled, f)
		if n := int(f.Fd()); n >= top {
			return n + 1, func() {
				for _, f := range filled {
					f.Close()
				}
			}
		}
	}
}

// TestSpawnerStops: a spawner that stands still holds nobody up for long, and is replaced.
func TestSpawnerStops(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	spec := Spec{Path: worker, Level: Maximum}
	bySpawner(t, spec)
	stopped := nursery.pid()
	if err := unix.Kill(stopped, unix.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	w := mustStart(t, spec)
	if w.proc.left != nil || time.Since(began) < startup {
		t.Error("it was started by what stands still")
	}
	bySpawner(t, spec)
	if pid := nursery.pid(); pid == stopped {
		t.Errorf("it is still process %s", strconv.Itoa(pid))
	}
}
