package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch/dispatchtest"
)

// A logText is what was logged.
type logText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *logText) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

// logging is a server, and a front at it, with their log.
func logging(t *testing.T) (*Server, *Front, *logText) {
	t.Helper()
	log := &logText{}
	s, err := Start(ServerOptions{Listen: "127.0.0.1:0", Roster: Roster(t.TempDir()), Log: log.logger()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	conn, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewFront(conn, "none", equal, log.logger())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close(); conn.Close() })
	return s, f, log
}

// TestSecondProcess: of two processes with the key of a worker the second one ends, and says why; the first one goes on.
func TestSecondProcess(t *testing.T) {
	t.Parallel()
	s, f, log := logging(t)
	i := enrol(t, s, RoleWorker, "w1")
	work(t, connect(t, s, i), "w1", 2, honest)
	has(t, f, 2)
	second := make(chan error, 1)
	conn := connect(t, s, i)
	go func() {
		second <- Work(t.Context(), conn, WorkerOptions{Name: "w1", Slots: 4, Level: "none", Handler: honest, Log: quiet})
	}()
	select {
	case err := <-second:
		if err == nil || !strings.Contains(err.Error(), "another process is the worker w1") {
			t.Errorf("the second process: %v", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the second process goes on")
	}
	conn.Close()
	until(t, func() bool { return f.Stats().Turns == 2 })
	if o, _, err := do(t, f); err != nil || o == nil {
		t.Errorf("the first process: %v", err)
	}
	if !strings.Contains(log.String(), "two processes have the key of a worker") {
		t.Errorf("the log of the front:\n%s", log)
	}
}

// TestFight: who connects with a key that another process has, and is no worker, is told in the logs of both sides.
func TestFight(t *testing.T) {
	t.Parallel()
	s, _, log := logging(t)
	i := enrol(t, s, RoleFront, "f2")
	own := &logText{}
	for range 2 {
		conn, err := (&Link{URL: s.URL(), Identity: i}).Connect(own.logger())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Close)
	}
	until(t, func() bool {
		return strings.Contains(log.String(), "two processes have one key") && strings.Contains(log.String(), "name=f2") && strings.Contains(own.String(), "has another process the key too")
	})
}

// TestRemovedKey: who is let in no more is told once, and that is no orderly end.
func TestRemovedKey(t *testing.T) {
	t.Parallel()
	s, _, _ := logging(t)
	i := enrol(t, s, RoleFront, "f2")
	log, out := &logText{}, make(chan struct{}, 2)
	conn, err := (&Link{URL: s.URL(), Identity: i, Out: func() { out <- struct{}{} }}).Connect(log.logger())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := s.roster.Remove("f2"); err != nil {
		t.Fatal(err)
	}
	select {
	case <-out:
	case <-time.After(time.Minute):
		t.Fatalf("it is not told:\n%s", log)
	}
	if !strings.Contains(log.String(), "its key was removed") {
		t.Errorf("the log:\n%s", log)
	}
}

// TestOrderlyEnd: a worker that leaves, a connection that is closed, and a job that its client has ended are no faults in the log.
func TestOrderlyEnd(t *testing.T) {
	t.Parallel()
	s, f, log := logging(t)
	conn, err := (&Link{URL: s.URL(), Identity: enrol(t, s, RoleWorker, "w1")}).Connect(log.logger())
	if err != nil {
		t.Fatal(err)
	}
	began := make(chan struct{})
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		left <- Work(ctx, conn, WorkerOptions{Name: "w1", Slots: 1, Level: "none", Log: log.logger(), Handler: func(ctx context.Context, _ *dispatch.Job, _ dispatch.Output) (*dispatch.Outcome, error) {
			close(began)
			<-ctx.Done()
			return nil, ctx.Err()
		}})
	}()
	has(t, f, 1)
	job, cancel := context.WithCancel(t.Context())
	go func() { <-began; cancel() }()
	if _, err := f.Do(job, dispatchtest.Job("alpha", "run_1", "{}"), func() error { return nil }, dispatch.Output{}); err == nil {
		t.Error("the job was done")
	}
	leave()
	if err := <-left; err != nil {
		t.Error(err)
	}
	conn.Close()
	until(t, func() bool { return strings.Contains(log.String(), "a worker has left") })
	for _, fault := range []string{"level=WARN", "level=ERROR"} {
		if strings.Contains(log.String(), fault) {
			t.Errorf("%s:\n%s", fault, log)
		}
	}
}

// TestNoWorkerSays: the error of a job that no worker has taken says whether workers are there, and whether the cluster is.
func TestNoWorkerSays(t *testing.T) {
	t.Parallel()
	s, f, _ := logging(t)
	f.noneFor = 50 * time.Millisecond
	says := func(memory int64, want string) {
		t.Helper()
		job := dispatchtest.Job("alpha", "run_1", "{}")
		job.Memory = memory
		_, err := f.Do(t.Context(), job, func() error { return nil }, dispatch.Output{})
		if !errors.Is(err, dispatch.ErrNoWorker) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	says(1<<40, ": no worker answers")
	conn, w := client(t, s, "w1"), make(chan struct{})
	work(t, conn, "w1", 2, func(ctx context.Context, _ *dispatch.Job, _ dispatch.Output) (*dispatch.Outcome, error) {
		close(w)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	has(t, f, 2)
	says(1<<49, fmt.Sprint(1<<29)+" MiB of memory, and no worker has as much")
	go func() { <-w; conn.Close() }()
	says(math.MaxInt64, ": no worker answers") // it is lost, and no other one is there
	f.conn.Close()
	says(1, ": the server does not reach its cluster")
}
