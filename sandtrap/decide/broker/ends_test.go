//go:build linux

package broker_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide/broker"
)

// TestSlow: an answer that comes too late denies, is dropped when it comes, and harms nobody else.
func TestSlow(t *testing.T) {
	noGoroutines(t)
	late := make(chan bool)
	conns := map[net.Conn]bool{}
	c := dial(t, talk(t, func(c net.Conn, l line) bool {
		conns[c] = true
		switch {
		case l.Kind == "cancel":
			fmt.Fprintf(c, `{"id":%d,"ruling":{"allow":true}}`+"\n", l.ID) // all the same
			close(late)
		case l.Call["member"] != "slow":
			fmt.Fprintf(c, `{"id":%d,"ruling":{"allow":true}}`+"\n", l.ID)
		}
		return true
	}), broker.Options{Timeout: 500 * time.Millisecond})
	began := time.Now()
	if r, err := c.Decide(t.Context(), decide.Call{Member: "slow"}); !errors.Is(err, context.DeadlineExceeded) || r.Allow {
		t.Errorf("%+v, %v", r, err)
	}
	if took := time.Since(began); took < 500*time.Millisecond || took > 5*time.Second {
		t.Errorf("denied after %v, and not half a second", took)
	}
	<-late
	for range 3 {
		if r, err := c.Decide(t.Context(), aCall()); err != nil || !r.Allow {
			t.Errorf("afterwards: %+v, %v", r, err)
		}
	}
	if len(conns) != 1 {
		t.Errorf("%d connections: the late answer cost one", len(conns))
	}
}

// TestNoReader: a broker that takes no lines denies, also an approval, which has no other limit.
func TestNoReader(t *testing.T) {
	noGoroutines(t)
	l := listen(t) // nobody accepts
	c := dial(t, l.Addr().String(), broker.Options{Timeout: 200 * time.Millisecond})
	call := aCall()
	call.Args = json.RawMessage(`"` + strings.Repeat("x", 1<<19) + `"`)
	began := time.Now()
	for range 4 {
		if _, err := c.Decide(t.Context(), call); err == nil {
			t.Error("allowed")
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if _, err := c.Ask(ctx, []decide.Request{{Call: call}}); err == nil || !strings.Contains(err.Error(), "i/o timeout") {
		t.Errorf("an approval whose question is not taken: %v", err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("denied after %v", took)
	}
}

// TestForgets: a broker that leaves 1,024 questions without an answer that were given up keeps the connection, and loses it
// by one more.
func TestForgets(t *testing.T) {
	noGoroutines(t)
	seen := make(chan net.Conn)
	c := dial(t, talk(t, func(c net.Conn, l line) bool {
		if l.Kind == "decide" {
			seen <- c
		}
		return true
	}), broker.Options{})
	var first net.Conn
	for i := range 1026 {
		ctx, cancel := context.WithCancel(context.Background())
		errs := make(chan error)
		go func() {
			_, err := c.Decide(ctx, aCall())
			errs <- err
		}()
		its := <-seen
		if first == nil {
			first = its
		}
		if (its == first) != (i <= 1024) {
			t.Fatalf("question %d: the same connection is %v", i, its == first)
		}
		cancel()
		if err := <-errs; !errors.Is(err, context.Canceled) {
			t.Fatal(i, err)
		}
	}
}

// TestCloseWhileWaiting: who waits is denied when the client is closed, and so are later calls.
func TestCloseWhileWaiting(t *testing.T) {
	noGoroutines(t)
	seen := make(chan bool, 20)
	c := dial(t, talk(t, func(net.Conn, line) bool { seen <- true; return true }), broker.Options{Timeout: time.Hour})
	errs := waiting(t, c, seen)
	c.Close()
	for range cap(errs) {
		if err := <-errs; err == nil || err.Error() != "broker: the client is closed" {
			t.Error(err)
		}
	}
	if err := request(c, "decide"); err == nil || err.Error() != "broker: the client is closed" {
		t.Error("afterwards:", err)
	}
}

// waiting begins ten decisions and ten approvals, and returns when the broker has seen them.
func waiting(t *testing.T, c *broker.Client, seen chan bool) chan error {
	t.Helper()
	errs := make(chan error, 20)
	for i := range 20 {
		go func() { errs <- request(c, []string{"decide", "ask"}[i%2]) }()
	}
	for range 20 {
		<-seen
	}
	return errs
}

// TestServeEndsWhileWaiting: who waits is denied when the broker ends, whose deciders and approvers are told, and the socket
// is gone. A broker that comes again is used.
func TestServeEndsWhileWaiting(t *testing.T) {
	noGoroutines(t)
	l := listen(t)
	path := l.Addr().String()
	seen := make(chan bool, 20)
	var told atomic.Int64
	wait := func(ctx context.Context) error {
		seen <- true
		<-ctx.Done()
		told.Add(1)
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		ended <- broker.Serve(ctx, l,
			decider(func(ctx context.Context, _ decide.Call) (decide.Ruling, error) {
				return decide.Ruling{Allow: true}, wait(ctx)
			}),
			approver(func(ctx context.Context, _ []decide.Request) ([]decide.Answer, error) {
				return []decide.Answer{{ID: 1, Verdict: decide.Approve}}, wait(ctx)
			}))
	}()
	c := dial(t, path, broker.Options{Timeout: time.Hour})
	errs := waiting(t, c, seen)
	cancel()
	if err := <-ended; err != nil || told.Load() != 20 {
		t.Errorf("Serve: %v; %d calls were told of the end", err, told.Load())
	}
	for range cap(errs) {
		if err := <-errs; err == nil {
			t.Error("allowed by a broker that has ended")
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket: %v", err)
	}
	if err := request(c, "decide"); !errors.Is(err, os.ErrNotExist) {
		t.Error("a broker that is gone:", err)
	}
	again, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	go func() {
		ended <- broker.Serve(ctx, again, decider(func(context.Context, decide.Call) (decide.Ruling, error) {
			return decide.Ruling{Allow: true}, nil
		}), nil)
	}()
	if err := request(c, "decide"); err != nil {
		t.Error("a broker that came again:", err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestCancelWhileWaiting: a caller who gives up is denied at once, and the broker's approver is told. Others go on.
func TestCancelWhileWaiting(t *testing.T) {
	noGoroutines(t)
	asked, told := make(chan bool, 1), make(chan bool, 1)
	c := served(t, decider(func(context.Context, decide.Call) (decide.Ruling, error) { return decide.Ruling{Allow: true}, nil }),
		approver(func(ctx context.Context, _ []decide.Request) ([]decide.Answer, error) {
			asked <- true
			<-ctx.Done()
			told <- true
			return []decide.Answer{{ID: 1, Verdict: decide.Approve}}, nil
		}), broker.Options{})
	for range 50 {
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			<-asked
			cancel()
		}()
		if answers, err := c.Ask(ctx, []decide.Request{aRequest(1)}); !errors.Is(err, context.Canceled) || answers != nil {
			t.Fatalf("%v, %v", answers, err)
		}
		<-told
		if err := request(c, "decide"); err != nil {
			t.Fatal("another call:", err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := c.Decide(ctx, aCall()); !errors.Is(err, context.Canceled) || r.Allow {
		t.Errorf("given up before: %+v, %v", r, err)
	}
}

// TestMany: of 64 goroutines with 100 decisions each, each decision is made once, and each caller has its own.
func TestMany(t *testing.T) {
	noGoroutines(t)
	var mu sync.Mutex
	decided := map[string]int{}
	c := served(t, decider(func(_ context.Context, c decide.Call) (decide.Ruling, error) {
		mu.Lock()
		decided[c.Run+"/"+strconv.FormatInt(c.Sequence, 10)]++
		mu.Unlock()
		return decide.Ruling{Allow: c.Sequence%3 == 0, Reason: c.Run + "/" + strconv.FormatInt(c.Sequence, 10)}, nil
	}), nil, broker.Options{Timeout: time.Minute})
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			for n := range int64(100) {
				call := decide.Call{Subject: decide.Subject{Run: strconv.Itoa(i)}, Sequence: n, Args: json.RawMessage("{}")}
				r, err := c.Decide(context.Background(), call)
				if err != nil || r.Allow != (n%3 == 0) || r.Reason != fmt.Sprintf("%d/%d", i, n) {
					t.Errorf("%d/%d: %+v, %v", i, n, r, err)
				}
			}
		})
	}
	all.Wait()
	if len(decided) != 6400 {
		t.Errorf("%d decisions, want 6400", len(decided))
	}
	for call, n := range decided {
		if n != 1 {
			t.Errorf("%s was decided %d times", call, n)
		}
	}
}

// TestTooLarge: a call that does not fit a line is denied, and costs nobody else the connection.
func TestTooLarge(t *testing.T) {
	c := served(t, decider(func(context.Context, decide.Call) (decide.Ruling, error) { return decide.Ruling{Allow: true}, nil }), nil, broker.Options{MaxLine: 4096})
	call := aCall()
	call.Args = json.RawMessage(`"` + strings.Repeat("x", 4096) + `"`)
	if r, err := c.Decide(t.Context(), call); err == nil || !strings.Contains(err.Error(), "bytes; the limit is 4096") || r.Allow {
		t.Errorf("%+v, %v", r, err)
	}
	call.Args = json.RawMessage(`{`)
	if r, err := c.Decide(t.Context(), call); err == nil || r.Allow {
		t.Errorf("arguments that are no JSON: %+v, %v", r, err)
	}
	if err := request(c, "decide"); err != nil {
		t.Error(err)
	}
	for _, o := range []broker.Options{{Timeout: -1}, {MaxLine: -1}, {MaxLine: 16<<20 + 1}} {
		if _, err := broker.Dial("nowhere", o); err == nil || strings.Contains(err.Error(), "no such file") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// BenchmarkDecide is one decision over the socket.
func BenchmarkDecide(b *testing.B) {
	c := served(b, decider(func(context.Context, decide.Call) (decide.Ruling, error) { return decide.Ruling{Allow: true}, nil }), nil, broker.Options{})
	b.ReportAllocs()
	for b.Loop() {
		if r, err := c.Decide(b.Context(), aCall()); err != nil || !r.Allow {
			b.Fatal(r, err)
		}
	}
}
