//go:build linux

package broker_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide/broker"
)

// A decider answers by a function.
type decider func(ctx context.Context, c decide.Call) (decide.Ruling, error)

func (d decider) Decide(ctx context.Context, c decide.Call) (decide.Ruling, error) { return d(ctx, c) }

// An approver answers by a function.
type approver func(ctx context.Context, requests []decide.Request) ([]decide.Answer, error)

func (a approver) Ask(ctx context.Context, requests []decide.Request) ([]decide.Answer, error) {
	return a(ctx, requests)
}

// aCall is what is decided, with something in each field.
func aCall() decide.Call {
	return decide.Call{
		Subject: decide.Subject{Tenant: "acme", Session: "s", Run: "r"}, Sequence: 3, Process: 9, Member: "mail.Send",
		Args: json.RawMessage(`{"to":"bob@example.com"}`), Hash: "abc", At: "main.go:4", Line: "mail.Send(to)", Risk: decide.High,
	}
}

// aRequest is what is asked.
func aRequest(id int64) decide.Request {
	return decide.Request{ID: id, Call: aCall(), Reason: "it sends mail", Rule: "mail", Always: "mail to bob"}
}

// listen makes a socket.
func listen(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "broker"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// served is a client of a broker that runs until the end of the test.
func served(t testing.TB, d decide.Decider, a decide.Approver, o broker.Options) *broker.Client {
	t.Helper()
	return dial(t, serve(t, d, a), o)
}

// serve runs a broker until the end of the test.
func serve(t testing.TB, d decide.Decider, a decide.Approver) (path string) {
	t.Helper()
	l := listen(t)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- broker.Serve(ctx, l, d, a) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return l.Addr().String()
}

func dial(t testing.TB, path string, o broker.Options) *broker.Client {
	t.Helper()
	c, err := broker.Dial(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// A line is a question as an other program sees it.
type line struct {
	V        int
	ID       int64
	Kind     string
	Call     map[string]any
	Requests []map[string]any
}

// talk is a broker of the test's own: do gets each line of each connection, and whether to go on.
func talk(t testing.TB, do func(c net.Conn, l line) bool) (path string) {
	t.Helper()
	l := listen(t)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				for s := bufio.NewScanner(c); s.Scan(); {
					var q line
					if err := json.Unmarshal(s.Bytes(), &q); err != nil {
						t.Errorf("%s: %v", s.Bytes(), err)
						return
					}
					if !do(c, q) {
						return
					}
				}
			}()
		}
	}()
	return l.Addr().String()
}

// noGoroutines is called first in a test: when it is over there are no more goroutines than now.
func noGoroutines(t *testing.T) {
	t.Helper()
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				buf := make([]byte, 1<<20)
				t.Fatalf("%d goroutines, and before %d\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
			}
		}
	})
}

// TestQuestions: each field of a call and of a request arrives, and so does each of an answer.
func TestQuestions(t *testing.T) {
	noGoroutines(t)
	var call decide.Call
	var requests []decide.Request
	ruling := decide.Ruling{Allow: true, Ask: true, Reason: "large <sum>"}
	answers := []decide.Answer{
		{ID: 2, Verdict: decide.Approve, Always: true, By: "ann"}, {ID: 1, Verdict: decide.Deny, Reason: "no"}, {ID: 3, Verdict: decide.Later},
	}
	c := served(t,
		decider(func(_ context.Context, its decide.Call) (decide.Ruling, error) { call = its; return ruling, nil }),
		approver(func(_ context.Context, its []decide.Request) ([]decide.Answer, error) {
			requests = its
			return answers, nil
		}),
		broker.Options{})
	gotRuling, err := c.Decide(t.Context(), aCall())
	if err != nil || gotRuling != ruling || fmt.Sprint(call) != fmt.Sprint(aCall()) {
		t.Errorf("%+v, %v; the broker was asked about\n%+v", gotRuling, err, call)
	}
	asked := []decide.Request{aRequest(1), aRequest(2), aRequest(3)}
	gotAnswers, err := c.Ask(t.Context(), asked)
	if err != nil || fmt.Sprint(gotAnswers) != fmt.Sprint(answers) || fmt.Sprint(requests) != fmt.Sprint(asked) {
		t.Errorf("%+v, %v; the broker was asked about\n%+v", gotAnswers, err, requests)
	}
}

// TestArguments: the bytes of the arguments arrive as they are, so that their hash is theirs.
func TestArguments(t *testing.T) {
	for _, args := range []string{`{"a":"<&>"}`, `{"a":"\u003c\u0026\u003e \u2028"}`, "{\"a\":\"\u2028 \u00e9\"}", `{"a":1.50,"b":[1e3,-0]}`, `{"Allow":1,"allow":2,"a":3,"a":4}`} {
		c := served(t, decider(func(_ context.Context, c decide.Call) (decide.Ruling, error) {
			return decide.Ruling{Allow: string(c.Args) == args, Reason: string(c.Args)}, nil
		}), nil, broker.Options{})
		call := aCall()
		call.Args = json.RawMessage(args)
		if r, err := c.Decide(t.Context(), call); err != nil || !r.Allow {
			t.Errorf("%s arrives as %s, %v", args, r.Reason, err)
		}
	}
}

// TestErrorsOfTheBroker: its error, panic, the end of its goroutine, and nobody to ask deny, and it goes on.
func TestErrorsOfTheBroker(t *testing.T) {
	noGoroutines(t)
	c := served(t, decider(func(_ context.Context, c decide.Call) (decide.Ruling, error) {
		switch c.Member {
		case "error":
			return decide.Ruling{Allow: true}, errors.New("no connection to the store")
		case "empty":
			return decide.Ruling{Allow: true}, errors.New("")
		case "panic":
			panic("a bug")
		case "exit":
			runtime.Goexit()
		}
		return decide.Ruling{Allow: true}, nil
	}), nil, broker.Options{})
	for member, want := range map[string]string{
		"error": "broker: no connection to the store", "empty": "broker: an error without a text",
		"panic": "broker: the broker has failed: a bug", "exit": "broker: the broker has failed",
	} {
		if r, err := c.Decide(t.Context(), decide.Call{Member: member}); err == nil || err.Error() != want || r.Allow {
			t.Errorf("%s: %+v, %v; want %s", member, r, err, want)
		}
	}
	if answers, err := c.Ask(t.Context(), []decide.Request{aRequest(1)}); err == nil || err.Error() != "broker: the broker has nobody to ask" || answers != nil {
		t.Errorf("%v, %v", answers, err)
	}
	if r, err := c.Decide(t.Context(), aCall()); err != nil || !r.Allow {
		t.Errorf("afterwards: %+v, %v", r, err)
	}
	if answers, err := c.Ask(t.Context(), nil); err != nil || answers != nil {
		t.Errorf("no requests: %v, %v", answers, err)
	}
}
