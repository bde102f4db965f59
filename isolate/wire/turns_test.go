package wire

import (
	"context"
	"runtime"
	"testing"
	"time"
)

// TestLeading: jobs are done one after the other, quick ones and those during which another
// goroutine comes to read, and no goroutine is left of either.
func TestLeading(t *testing.T) {
	long := false
	c := serve(t, func(ctx context.Context, _ *Host) error {
		if long {
			time.Sleep(2 * pause)
		}
		return nil
	})
	before := 0
	for i := range uint64(40) {
		if i == 1 { // what serves is all there
			before = runtime.NumGoroutine()
		}
		long = i%3 == 1
		c.Send(&Message{Kind: Job, ID: i + 1})
		if m := expect(t, c, Outcome); m.ID != i+1 || m.Error != "" {
			t.Fatalf("job %d: %+v", i+1, m)
		}
	}
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

// TestCancelWithoutCalls: a job that asks the host nothing is told to end, too.
func TestCancelWithoutCalls(t *testing.T) {
	c := serve(t, func(ctx context.Context, _ *Host) error {
		<-ctx.Done()
		return nil
	})
	c.Send(&Message{Kind: Job, ID: 1})
	c.Send(&Message{Kind: Cancel})
	expect(t, c, Outcome)
}

// TestLeftReading: a call that its job has left behind reads the next job, and another goroutine does that.
func TestLeftReading(t *testing.T) {
	answered := make(chan error, 1)
	first := true
	c := serve(t, func(ctx context.Context, host *Host) error {
		if first {
			first = false
			go func() {
				_, err := host.Call(context.Background(), "left", nil)
				answered <- err
			}()
			time.Sleep(pause / 2) // the call has the turn when this one ends
		}
		return nil
	})
	c.Send(&Message{Kind: Job, ID: 1})
	left := expect(t, c, Call)
	expect(t, c, Outcome)
	c.Send(&Message{Kind: Job, ID: 2})
	if m := expect(t, c, Outcome); m.ID != 2 {
		t.Errorf("got %+v", m)
	}
	c.Send(&Message{Kind: Return, ID: left.ID})
	if err := <-answered; err != nil {
		t.Error(err)
	}
}

// TestJobDuringJob: a host that gives two at a time is none.
func TestJobDuringJob(t *testing.T) {
	started, end := make(chan bool), make(chan bool)
	l := newLoop(&Server{Do: func(context.Context, []byte, *Host) ([]byte, error) {
		close(started)
		<-end
		return nil, nil
	}}, NewConn(nothing{}))
	if err := l.give(&Message{Kind: Job, ID: 1}); err != nil {
		t.Fatal(err)
	}
	if err := l.give(&Message{Kind: Job, ID: 2}); err == nil {
		t.Error("a second job was taken before the first has begun")
	}
	go l.lead()
	<-started
	if err := l.give(&Message{Kind: Job, ID: 3}); err == nil {
		t.Error("a second job was taken")
	}
	close(end)
}

// nothing takes all and has nothing.
type nothing struct{}

func (nothing) Read([]byte) (int, error)    { select {} }
func (nothing) Write(p []byte) (int, error) { return len(p), nil }
