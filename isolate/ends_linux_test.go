package isolate

import (
	"errors"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestSignals: a worker that a signal ends has died of that, and of no call that is forbidden; in a pid
// namespace of its own it does not hear it.
func TestSignals(t *testing.T) {
	for _, way := range []struct {
		level Level
		start func(*testing.T, Spec) *Worker
	}{{Standard, directly}, {Maximum, directly}, {Maximum, bySpawner}} {
		for _, s := range []unix.Signal{unix.SIGTERM, unix.SIGINT, unix.SIGHUP} {
			level, w := way.level, way.start(t, Spec{Path: worker, Level: way.level})
			if err := unix.Kill(w.Pid(), s); err != nil {
				t.Fatal(err)
			}
			err := within(t, func() error {
				for {
					if _, err := w.Do(t.Context(), []byte("sleep 10ms"), Handlers{}); err != nil || level == Maximum {
						return err
					}
				}
			})
			d, died := errors.AsType[*DeathError](err)
			if level == Standard && (!died || d.Cause != Crashed || d.Text != "signal "+s.String()) || level == Maximum && err != nil {
				t.Errorf("%s, %v: %v", level, s, err)
			}
			w.Close()
		}
	}
}

// TestWordsWithoutEnd: a worker that goes on writing to its standard error, with a job and without, is ended.
func TestWordsWithoutEnd(t *testing.T) {
	for _, then := range []string{"wait", "idle"} {
		w := mustStart(t, Spec{Path: worker, Level: Maximum})
		err := within(t, func() error { _, err := w.Do(t.Context(), []byte("words "+then), Handlers{}); return err })
		if then == "idle" {
			if err != nil {
				t.Fatal(err)
			}
			within(t, func() error { <-w.proc.said; return nil })
			_, err = w.Do(t.Context(), []byte("echo"), Handlers{})
		}
		if !isDeath(err, Broken) {
			t.Errorf("%s: %v", then, err)
		}
	}
}

// TestNotBegun: of a job that a worker was not told of, since it was dead, the host knows that.
func TestNotBegun(t *testing.T) {
	w := mustStart(t, Spec{Path: worker, Level: Maximum})
	if err := unix.Kill(w.Pid(), unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	within(t, func() error { <-w.proc.said; return nil })
	if _, err := w.Do(t.Context(), []byte("echo"), Handlers{}); !errors.Is(err, ErrNotBegun) || !isDeath(err, Killed) {
		t.Error(err)
	}
	w = mustStart(t, Spec{Path: worker, Level: Maximum})
	time.AfterFunc(50*time.Millisecond, w.proc.kill)
	if _, err := w.Do(t.Context(), []byte("spin"), Handlers{}); errors.Is(err, ErrNotBegun) || !isDeath(err, Killed) {
		t.Errorf("one that has begun: %v", err)
	}
}

// TestStreamPanics: a handler of streams that panics ends the job, and nothing else.
func TestStreamPanics(t *testing.T) {
	w := mustStart(t, Spec{Path: worker, Level: Maximum})
	_, err := w.Do(t.Context(), []byte("stream"), Handlers{Stream: func(string, []byte) { panic("at the host") }})
	if !isDeath(err, Broken) {
		t.Error(err)
	}
}
