//go:build linux

package broker_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide/broker"
)

// faults are what a broker may write instead of the answer to question %d, which asks about request 1.
var faults = []struct{ name, kind, text, want string }{
	{"nothing", "decide", "", "it has ended the connection"},
	{"no JSON", "decide", "yes\n", "malformed answer: invalid character"},
	{"empty line", "decide", "\n", "malformed answer: EOF"},
	{"null", "decide", "null\n", "of ruling, answers and error; want one"},
	{"list", "decide", `[{"id":%d,"ruling":{"allow":true}}]` + "\n", "malformed answer: json: cannot unmarshal array"},
	{"another value behind", "decide", `{"id":%d,"ruling":{"allow":true}} {}` + "\n", "something follows"},
	{"junk behind", "decide", `{"id":%d,"ruling":{"allow":true}}x` + "\n", "something follows"},
	{"cut", "decide", `{"id":%d,"ruling":{"allow":true}}`, "unexpected EOF"},
	{"no id", "decide", `{"ruling":{"allow":true}}` + "\n", "question 0, which is unknown"},
	{"another id", "decide", `{"id":1%d,"ruling":{"allow":true}}` + "\n", "which is unknown"},
	{"an id as text", "decide", `{"id":"%d","ruling":{"allow":true}}` + "\n", "cannot unmarshal string"},
	{"two ids", "decide", `{"id":%d,"id":%[1]d,"ruling":{"allow":true}}` + "\n", `key "id" is unknown, or there twice`},
	{"two rulings", "decide", `{"id":%d,"ruling":{"allow":false},"ruling":{"allow":true}}` + "\n", `key "ruling" is unknown, or there twice`},
	{"allows twice", "decide", `{"id":%d,"ruling":{"allow":false,"allow":true}}` + "\n", `key "allow" is unknown, or there twice`},
	{"a key in capitals", "decide", `{"id":%d,"ruling":{"allow":false,"Allow":true}}` + "\n", `key "Allow" is unknown`},
	{"a key that folds", "decide", `{"id":%d,"ruling":{"allow":true,"a` + "\u017f" + `k":false}}` + "\n", "is unknown"},
	{"an unknown key", "decide", `{"id":%d,"ruling":{"allow":true,"unless":"night"}}` + "\n", `unknown field "unless"`},
	{"an unknown key above", "decide", `{"id":%d,"ruling":{"allow":true},"but":1}` + "\n", `unknown field "but"`},
	{"allow as text", "decide", `{"id":%d,"ruling":{"allow":"true"}}` + "\n", "cannot unmarshal string"},
	{"allow as number", "decide", `{"id":%d,"ruling":{"allow":1}}` + "\n", "cannot unmarshal number"},
	{"no ruling", "decide", `{"id":%d}` + "\n", "0 of ruling, answers and error"},
	{"null for a ruling", "decide", `{"id":%d,"ruling":null}` + "\n", "0 of ruling, answers and error"},
	{"a ruling and an error", "decide", `{"id":%d,"ruling":{"allow":true},"error":"no"}` + "\n", "2 of ruling, answers and error"},
	{"answers to a call", "decide", `{"id":%d,"answers":[{"id":1,"verdict":"approve"}]}` + "\n", "is of another kind"},
	{"too long", "decide", `{"id":%d,"ruling":{"allow":true,"reason":"` + strings.Repeat("x", 4096) + `"}}` + "\n", "a line of more than 4096 bytes"},
	{"too long without an end", "decide", strings.Repeat(" ", 5000), "a line of more than 4096 bytes"},
	{"deep", "decide", strings.Repeat("[", 4000) + "\n", "malformed answer"},

	{"a ruling on requests", "ask", `{"id":%d,"ruling":{"allow":true}}` + "\n", "is of another kind"},
	{"answers twice", "ask", `{"id":%d,"answers":[{"id":1,"verdict":"deny"},{"id":1,"verdict":"approve"}]}` + "\n", "request 1, which is unknown or answered"},
	{"unknown request", "ask", `{"id":%d,"answers":[{"id":1,"verdict":"approve"},{"id":2,"verdict":"approve"}]}` + "\n", "request 2, which is unknown"},
	{"unknown verdict", "ask", `{"id":%d,"answers":[{"id":1,"verdict":"Approve"}]}` + "\n", `unknown verdict "Approve"`},
	{"no verdict", "ask", `{"id":%d,"answers":[{"id":1,"always":true}]}` + "\n", `unknown verdict ""`},
	{"two verdicts", "ask", `{"id":%d,"answers":[{"id":1,"verdict":"deny","verdict":"approve"}]}` + "\n", `key "verdict" is unknown, or there twice`},
	{"null for answers", "ask", `{"id":%d,"answers":null}` + "\n", "0 of ruling, answers and error"},
	{"an answer with a key", "ask", `{"id":%d,"answers":[{"id":1,"verdict":"approve","if":"x"}]}` + "\n", `unknown field "if"`},
}

// TestFaults: a broker that lies, or is confused, denies, and so it does to all others who wait; the next call has another
// connection.
func TestFaults(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			noGoroutines(t)
			seen := make(chan bool, 1)
			c := dial(t, talk(t, func(c net.Conn, l line) bool {
				switch {
				case l.Kind == "decide" && l.Call["member"] == "other":
					seen <- true
				case l.Kind == "decide" && l.Call["member"] == "good":
					fmt.Fprintf(c, `{"id":%d,"ruling":{"allow":true}}`+"\n", l.ID)
				default:
					if text := f.text; strings.Contains(text, "%") {
						fmt.Fprintf(c, text, l.ID)
					} else {
						io.WriteString(c, text)
					}
					return f.text != "" && strings.HasSuffix(f.text, "\n")
				}
				return true
			}), broker.Options{MaxLine: 4096, Timeout: 5 * time.Second})
			other := make(chan error)
			go func() {
				_, err := c.Decide(context.Background(), decide.Call{Member: "other"})
				other <- err
			}()
			<-seen
			if err := request(c, f.kind); err == nil || !strings.Contains(err.Error(), f.want) {
				t.Errorf("%v; want %s", err, f.want)
			}
			if err := <-other; err == nil || !strings.Contains(err.Error(), f.want) {
				t.Errorf("who also waits: %v; want %s", err, f.want)
			}
			if r, err := c.Decide(t.Context(), decide.Call{Member: "good"}); err != nil || !r.Allow {
				t.Errorf("the next call: %+v, %v", r, err)
			}
		})
	}
}

// request decides or asks. Without an error it must be allowed.
func request(c *broker.Client, kind string) error {
	if kind == "decide" {
		r, err := c.Decide(context.Background(), aCall())
		if err == nil && !r.Allow || err != nil && r != (decide.Ruling{}) {
			return fmt.Errorf("a ruling of %+v, %v", r, err)
		}
		return err
	}
	answers, err := c.Ask(context.Background(), []decide.Request{aRequest(1)})
	if err == nil && (len(answers) != 1 || answers[0].Verdict != decide.Approve) || err != nil && answers != nil {
		return fmt.Errorf("answers of %+v, %v", answers, err)
	}
	return err
}

// TestTwice: a second answer to a question ends the connection.
func TestTwice(t *testing.T) {
	noGoroutines(t)
	seen := make(chan bool, 1)
	c := dial(t, talk(t, func(c net.Conn, l line) bool {
		if l.Call["member"] == "other" {
			seen <- true
			return true
		}
		answer := fmt.Sprintf(`{"id":%d,"ruling":{"allow":true}}`+"\n", l.ID)
		io.WriteString(c, answer+answer)
		return true
	}), broker.Options{})
	other := make(chan error)
	go func() {
		_, err := c.Decide(context.Background(), decide.Call{Member: "other"})
		other <- err
	}()
	<-seen
	if r, err := c.Decide(t.Context(), aCall()); err != nil || !r.Allow {
		t.Errorf("%+v, %v", r, err)
	}
	if err := <-other; err == nil || !strings.Contains(err.Error(), "which is unknown or answered") {
		t.Error(err)
	}
}

// TestMixedUp: a broker that counts instead of reading ids, and is one off, answers no other question.
func TestMixedUp(t *testing.T) {
	seen := make(chan int64, 2)
	answers := make(chan string)
	c := dial(t, talk(t, func(c net.Conn, l line) bool {
		if l.Kind == "decide" {
			seen <- l.ID
			io.WriteString(c, <-answers)
		}
		return true
	}), broker.Options{})
	errs := make(chan error, 2)
	ask := func() {
		_, err := c.Decide(context.Background(), aCall())
		errs <- err
	}
	go ask()
	first := <-seen
	go ask()
	time.Sleep(20 * time.Millisecond) // until it is queued
	answers <- fmt.Sprintf(`{"id":%d,"ruling":{"allow":true}}`+"\n", first+1)
	for range 2 {
		if err := <-errs; err == nil {
			t.Error("an answer to a question that nobody asked is one to another question")
		}
	}
}

// TestCutAnswers: a broker that ends at any byte of its answer denies, and only a whole line allows.
func TestCutAnswers(t *testing.T) {
	noGoroutines(t)
	for kind, format := range map[string]string{
		"decide": `{"id":%d,"ruling":{"allow":true}}` + "\n",
		"ask":    `{"id":%d,"answers":[{"id":1,"verdict":"approve"}]}` + "\n",
	} {
		var at, whole atomic.Int64
		c := dial(t, talk(t, func(c net.Conn, l line) bool {
			text := fmt.Sprintf(format, l.ID)
			n := min(int(at.Load()), len(text))
			if n == len(text) {
				whole.Add(1)
			}
			io.WriteString(c, text[:n])
			return false
		}), broker.Options{})
		for n := range len(format) + 30 {
			at.Store(int64(n))
			before := whole.Load()
			if err := request(c, kind); (err == nil) != (whole.Load() > before) {
				t.Errorf("%s, %d bytes: %v", kind, n, err)
			}
		}
		if whole.Load() == 0 {
			t.Errorf("%s: the answer is longer than the test thinks", kind)
		}
	}
}
