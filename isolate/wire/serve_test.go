package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// A pair is one end of a stream each way.
type pair struct {
	io.Reader
	io.Writer
}

// serve starts a worker whose job is do, and returns the host's end of it.
func serve(t *testing.T, do func(ctx context.Context, host *Host) error) *Conn {
	t.Helper()
	return serveBy(t, &Server{
		Do: func(ctx context.Context, _ []byte, host *Host) ([]byte, error) { return nil, do(ctx, host) },
	})
}

// serveBy starts a worker that s is.
func serveBy(t *testing.T, s *Server) *Conn {
	t.Helper()
	fromHost, toWorker := io.Pipe()
	fromWorker, toHost := io.Pipe()
	s.Lock = func(posture.Profile) (posture.Report, error) { return posture.Report{}, nil }
	done := make(chan error, 1)
	go func() { done <- s.Serve(pair{fromHost, toHost}) }()
	t.Cleanup(func() {
		toWorker.Close()
		fromWorker.Close()
		if err := <-done; err != nil {
			t.Errorf("the worker: %v", err)
		}
	})
	c := NewConn(pair{fromWorker, toWorker})
	expect(t, c, Hello)
	profile, _ := Encode(posture.Profile{})
	c.Send(&Message{Kind: Prepare, Body: profile})
	expect(t, c, Ready)
	return c
}

func expect(t *testing.T, c *Conn, kind Kind) *Message {
	t.Helper()
	m, err := c.Receive()
	if err != nil || m.Kind != kind {
		t.Fatalf("got %+v, %v; want a message of kind %d", m, err, kind)
	}
	return m
}

// TestTold: a job is told what is for it, and nothing that was for one before.
func TestTold(t *testing.T) {
	var told []string
	c := serveBy(t, &Server{
		Tell: func(name string, _ []byte) { told = append(told, name) },
		Do: func(ctx context.Context, _ []byte, host *Host) ([]byte, error) {
			defer func() { told = nil }()
			_, err := host.Call(ctx, "x", nil) // answered after what the job is told
			return fmt.Append(nil, told), err
		},
	})
	for id, names := range []string{1: "[1 1]", 2: "[2 2]", 3: "[3 3]"} {
		if names == "" {
			continue
		}
		tell := func(of int) { c.Send(&Message{Kind: Tell, ID: uint64(of), Name: fmt.Sprint(of)}) }
		tell(id)
		c.Send(&Message{Kind: Job, ID: uint64(id)})
		call := expect(t, c, Call)
		for _, of := range []int{id, id - 1, id + 1, id} {
			tell(of)
		}
		c.Send(&Message{Kind: Return, ID: call.ID})
		if out := expect(t, c, Outcome); string(out.Body) != names {
			t.Errorf("job %d was told %s", id, out.Body)
		}
		tell(id)
	}
}

// TestTurns: whoever reads, each call gets the answer to it, in whatever order they come.
func TestTurns(t *testing.T) {
	const callers, each = 20, 50
	c := serve(t, func(ctx context.Context, host *Host) error {
		var wg sync.WaitGroup
		errs := make(chan error, callers)
		for i := range callers {
			wg.Go(func() {
				ctx := ctx
				if i%3 == 0 { // one with a time of its own reads nothing itself
					timed, cancel := context.WithTimeout(ctx, time.Minute)
					defer cancel()
					ctx = timed
				}
				for k := range each {
					want := fmt.Sprint(i, k)
					if got, err := host.Call(ctx, "x", []byte(want)); err != nil || string(got) != want {
						errs <- fmt.Errorf("call %s: %q, %v", want, got, err)
						return
					}
				}
			})
		}
		wg.Wait()
		close(errs)
		return <-errs
	})
	came := make(chan *Message)
	go func() {
		defer close(came)
		for {
			m, err := c.Receive()
			if err != nil {
				return
			}
			came <- m
		}
	}()
	for range 3 {
		c.Send(&Message{Kind: Job, ID: 1})
		answerBackwards(t, c, came)
	}
}

// answerBackwards answers calls with what they send, five at a time and the last first, or
// fewer if there are no more.
func answerBackwards(t *testing.T, c *Conn, came <-chan *Message) {
	var held []*Message
	for {
		var quiet <-chan time.Time
		if len(held) > 0 {
			quiet = time.After(time.Millisecond)
		}
		select {
		case m := <-came:
			if m.Kind == Outcome {
				if m.Error != "" {
					t.Error(m.Error)
				}
				return
			}
			if held = append(held, m); len(held) < 5 {
				continue
			}
		case <-quiet:
		case <-time.After(30 * time.Second):
			t.Fatal("nothing comes any more")
		}
		for i := len(held) - 1; i >= 0; i-- {
			c.Send(&Message{Kind: Return, ID: held[i].ID, Body: held[i].Body})
		}
		held = nil
	}
}

// TestCancelReaches: a job is told to end while a call of it reads, and when none does.
func TestCancelReaches(t *testing.T) {
	c := serve(t, func(ctx context.Context, host *Host) error {
		for range 10 {
			if _, err := host.Call(ctx, "quick", nil); err != nil {
				return err
			}
		}
		if _, err := host.Call(ctx, "hangs", nil); !errors.Is(err, context.Canceled) {
			return fmt.Errorf("the call that hung: %v", err)
		}
		return nil
	})
	for range 3 {
		c.Send(&Message{Kind: Job, ID: 1})
		for range 10 {
			c.Send(&Message{Kind: Return, ID: expect(t, c, Call).ID})
		}
		expect(t, c, Call)
		c.Send(&Message{Kind: Cancel})
		if m := expect(t, c, Outcome); m.Error != "" {
			t.Error(m.Error)
		}
	}
}
