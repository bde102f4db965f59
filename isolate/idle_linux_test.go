package isolate

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestIdle: whatever a worker does while it has no job, the next job is done, or is known not to have begun,
// long before its time is over.
func TestIdle(t *testing.T) {
	for _, what := range []string{
		"shut", "shut-rd", "shut-rw", "stop", "exit", "byte", "header", "half", "garbage", "huge", "deaf sleep", "deaf spin",
	} {
		for _, size := range []int{10, 8 << 20} { // of which one is more than a socket holds
			if testing.Short() && size == 10 {
				continue
			}
			w := mustStart(t, Spec{Path: worker, Level: Bare})
			if _, err := w.Do(t.Context(), []byte("idle "+what), Handlers{}); err != nil {
				t.Fatal(err)
			}
			until(t, what, func() bool { return w.did(what) })
			body := append([]byte("echo "), bytes.Repeat([]byte("x"), size)...)
			_, err := giveUp(t, w, body)
			if !errors.Is(err, ErrNotBegun) || !errors.Is(err, ErrWorker) {
				t.Errorf("%s, %d bytes: %v", what, size, err)
			}
			w.Close()
		}
	}
}

// giveUp has a worker do a job that is given up after a time in which any worker has begun.
func giveUp(t *testing.T, w *Worker, body []byte) (out []byte, err error) {
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	within(t, func() error { out, err = w.Do(ctx, body, Handlers{}); return nil })
	return out, err
}

// did says that an idle worker has done what it was told to, and that the host knows what it can know.
func (w *Worker) did(what string) bool {
	switch what {
	case "stop":
		return w.stopped()
	case "byte", "header", "half":
		return w.conn.Within()
	case "deaf sleep", "deaf spin":
		return true
	}
	return w.silent.Load() // where it can read no more it ends
}

// stopped reports that each thread of the process is.
func (w *Worker) stopped() bool {
	threads, _ := filepath.Glob("/proc/" + strconv.Itoa(w.Pid()) + "/task/*/stat")
	for _, thread := range threads {
		if text, err := os.ReadFile(thread); err != nil || !strings.Contains(string(text), ") T ") {
			return false
		}
	}
	return len(threads) > 0
}

// TestBegun: a job that a worker has read whole has begun, however little was heard of it, and whatever
// becomes of the worker then.
func TestBegun(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	for _, job := range []string{"panic", "spin", "frame half", "frame garbage"} {
		for _, size := range []int{0, 8 << 20} {
			w := mustStart(t, Spec{Path: worker, Level: Bare})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if job == "spin" {
				time.AfterFunc(time.Second, cancel)
			}
			body := append([]byte(job), bytes.Repeat([]byte(" "), size)...)
			if strings.HasPrefix(job, "frame") {
				body = []byte(job)
			}
			err := within(t, func() error { _, err := w.Do(ctx, body, Handlers{}); return err })
			if errors.Is(err, ErrNotBegun) || !errors.Is(err, ErrWorker) {
				t.Errorf("%s, %d bytes: %v", job, len(body), err)
			}
			w.Close()
		}
	}
}

// TestSlowToBegin: a worker that is stopped for less time than it takes to be given up does its job, as
// does one that has a large one.
func TestSlowToBegin(t *testing.T) {
	w := mustStart(t, Spec{Path: worker, Level: Maximum})
	for range 5 {
		body := append([]byte("echo "), make([]byte, 32<<20)...)
		if got, err := giveUp(t, w, body); err != nil || len(got) != 32<<20 {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
}

// TestNothingSent: a worker that waits because its host has not come to send the job is not one that stands
// still.
func TestNothingSent(t *testing.T) {
	w := mustStart(t, Spec{Path: worker, Level: Bare})
	if _, err := w.Do(t.Context(), []byte("echo"), Handlers{}); err != nil {
		t.Fatal(err)
	}
	v := w.watch(&job{}, 0)
	v.stop()
	for range 10 * looks {
		v.look()
		v.stop()
		time.Sleep(time.Millisecond)
	}
	if got, err := giveUp(t, w, []byte("echo more")); string(got) != "more" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
