package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch/dispatchtest"
)

var done = &dispatch.Outcome{Result: json.RawMessage(`{"done":true}`)}

// honest does jobs as they are to be done: it prints two lines.
func honest(_ context.Context, _ *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
	fmt.Fprintln(out.Stdout, "one")
	fmt.Fprintln(out.Stdout, "two")
	return done, nil
}

// do has a front do a job, and gives what it printed.
func do(t *testing.T, f *Front) (*dispatch.Outcome, string, error) {
	t.Helper()
	var out bytes.Buffer
	o, err := f.Do(t.Context(), dispatchtest.Job("alpha", "run_1", `{}`), func() error { return nil }, dispatch.Output{Stdout: &out, Stderr: &out})
	return o, out.String(), err
}

// TestLost: a worker that is lost in the middle of a job gives way to another one, and its output is not told again.
func TestLost(t *testing.T) {
	t.Parallel()
	s := start(t)
	f := front(t, s)
	conn := client(t, s, "w1")
	began := make(chan struct{}, 10)
	work(t, conn, "w1", 4, func(ctx context.Context, _ *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
		fmt.Fprintln(out.Stdout, "one")
		began <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	})
	has(t, f, 4)
	go func() {
		<-began
		work(t, client(t, s, "w2"), "w2", 2, honest)
		conn.Close() // as that of a process that is killed
	}()
	if o, out, err := do(t, f); err != nil || string(o.Result) != string(done.Result) || out != "one\ntwo\n" {
		t.Errorf("%v, output %q", err, out)
	}
	has(t, f, 2)
}

// TestRestarted: a worker that is killed and started again at once, with its name, does not have the jobs that it had before.
func TestRestarted(t *testing.T) {
	t.Parallel()
	s := start(t)
	f := front(t, s)
	i := enrol(t, s, RoleWorker, "w1")
	conn := connect(t, s, i)
	began := make(chan struct{}, 10)
	work(t, conn, "w1", 2, func(ctx context.Context, _ *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
		fmt.Fprintln(out.Stdout, "one")
		began <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	})
	has(t, f, 2)
	go func() {
		<-began
		conn.Close()
		work(t, connect(t, s, i), "w1", 2, honest)
	}()
	if o, out, err := do(t, f); err != nil || string(o.Result) != string(done.Result) || out != "one\ntwo\n" {
		t.Errorf("%v, output %q", err, out)
	}
}

// TestNoWorker: a job without workers fails soon, before it begins, and so does one whose workers have no room.
func TestNoWorker(t *testing.T) {
	t.Parallel()
	s := start(t)
	f := front(t, s)
	f.noneFor = 50 * time.Millisecond
	begun := false
	_, err := f.Do(t.Context(), dispatchtest.Job("alpha", "run_1", `{}`), func() error { begun = true; return nil }, dispatch.Output{})
	if !errors.Is(err, dispatch.ErrNoWorker) || begun {
		t.Errorf("begun %t, %v", begun, err)
	}
	conn := client(t, s, "w1") // says that it is there, and has no subscription
	if err := conn.Publish(here+"w1", encode(beat{Instance: "i1", Slots: 2, Level: "none"})); err != nil {
		t.Fatal(err)
	}
	has(t, f, 2)
	if _, _, err := do(t, f); !errors.Is(err, dispatch.ErrNoWorker) {
		t.Error(err)
	}
}

// TestLate: a worker that begins a job when its front has given it up is told to end it.
func TestLate(t *testing.T) {
	t.Parallel()
	s := start(t)
	f := front(t, s)
	conn := client(t, s, "w1")
	end, err := conn.SubscribeSync(ends + "w1")
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Publish(back+"w1."+f.id+".given-up", encode(frame{Kind: accepted, Data: []byte("i1")})); err != nil {
		t.Fatal(err)
	}
	if m, err := end.NextMsg(time.Minute); err != nil || string(m.Data) != "given-up" {
		t.Errorf("%v, %v", m, err)
	}
}

// TestShutOut: a worker that the cluster does not let in again ends with an error, and ends its jobs.
func TestShutOut(t *testing.T) {
	t.Parallel()
	s, err := Start(ServerOptions{Listen: "127.0.0.1:0", Roster: Roster(t.TempDir()), Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	conn := client(t, s, "w1")
	worked := make(chan error, 1)
	go func() {
		worked <- Work(t.Context(), conn, WorkerOptions{Name: "w1", Slots: 1, Level: "none", Handler: honest, Log: quiet})
	}()
	at := strings.TrimPrefix(s.URL(), "nats://")
	s.Close()
	other, err := Start(ServerOptions{Listen: at, Roster: Roster(t.TempDir()), Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	select {
	case err := <-worked:
		if !errors.Is(err, nats.ErrAuthorization) {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("it goes on")
	}
}

// TestCutOff: a worker that cannot reach the cluster for so long that its jobs were given to others ends them.
func TestCutOff(t *testing.T) {
	t.Parallel()
	s := start(t)
	f := front(t, s)
	began, ended, over := make(chan struct{}), make(chan struct{}), make(chan struct{})
	defer close(over)
	work(t, client(t, s, "w1"), "w1", 1, func(ctx context.Context, _ *dispatch.Job, _ dispatch.Output) (*dispatch.Outcome, error) {
		close(began)
		select {
		case <-ctx.Done():
			close(ended)
		case <-over:
		}
		return nil, ctx.Err()
	})
	has(t, f, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var waits sync.WaitGroup
	waits.Go(func() {
		_, _ = f.Do(ctx, dispatchtest.Job("alpha", "run_1", `{}`), func() error { return nil }, dispatch.Output{})
	})
	<-began
	s.Close()
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		t.Error("its job goes on")
	}
	cancel()
	waits.Wait()
}

// TestGone: a worker that is not connected is lost, even if somebody beats in its name. One that is connected stays.
func TestGone(t *testing.T) {
	t.Parallel()
	s := start(t)
	f := front(t, s)
	beats := func(name string, conn *nats.Conn) {
		go func() {
			for t.Context().Err() == nil {
				_ = conn.Publish(here+name, encode(beat{Instance: "i1", Slots: 1, Level: "none"}))
				time.Sleep(20 * time.Millisecond)
			}
		}()
	}
	beats("gone", client(t, s, "gone"))
	conn := client(t, s, "there")
	if _, err := conn.Subscribe(ends+"there", func(*nats.Msg) {}); err != nil {
		t.Fatal(err)
	}
	beats("there", conn)
	member := func(name string) bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.members[name] != nil
	}
	until(t, func() bool { return member("gone") && member("there") })
	until(t, func() bool {
		for range 10 {
			f.probe(time.Now().Add(time.Hour))
		}
		if err := f.conn.Flush(); err != nil {
			t.Fatal(err)
		}
		return !member("gone")
	})
	if !member("there") {
		t.Error("a worker that is connected is lost")
	}
}
