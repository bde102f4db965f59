package nettest

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// ways are all the ways in which a script can have a client make a request.
const ways = `
type doer interface { Do(*http.Request) (*http.Response, error) }
type getter interface { Get(string) (*http.Response, error) }
type wrapped struct { http.Client }

func main() {
	u := os.Args[1] + "/text"
	say := func(resp *http.Response, err error) {
		if err != nil { fmt.Println(err); return }
		resp.Body.Close()
		fmt.Println("answered", resp.StatusCode)
	}
	req := func() *http.Request { r, _ := http.NewRequest("GET", u, nil); return r }
	var zero http.Client
	say(zero.Get(u))
	say(new(http.Client).Do(req()))
	say(http.DefaultClient.Get(u))
	say(http.Get(u))
	say(http.Head(u))
	say(http.Post(u, "", nil))
	say(http.PostForm(u, nil))
	f := zero.Do
	say(f(req()))
	say((*http.Client).Do(&zero, req()))
	var d doer = &zero
	say(d.Do(req()))
	var g getter = &wrapped{}
	say(g.Get(u))
	say((&wrapped{}).Do(req()))
	for _, v := range []any{&zero, &wrapped{}} {
		if m := reflect.ValueOf(v).MethodByName("Get"); m.IsValid() {
			out := m.Call([]reflect.Value{reflect.ValueOf(u)})
			fmt.Println(out[1].Interface())
		}
	}
	err := template.Must(template.New("").Parse("{{(.C.Get .U).StatusCode}}")).Execute(io.Discard, map[string]any{"C": &zero, "U": u})
	fmt.Println(err)
	done := make(chan bool)
	go func() { say(zero.Get(u)); done <- true }()
	<-done
	func() { defer zero.Get(u) }()
}
`

// TestNoWayAround: no client of a script reaches a server past the gate: it counts the connections that come. The zero client of Go
// would.
func TestNoWayAround(t *testing.T) {
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		s := newServer(t)
		var decided atomic.Int64
		rule := egress.Rule{Host: "api.example.com"}
		g, err := egress.New(egress.Policy{Rules: []egress.Rule{rule}}, egress.Options{Observe: func(e egress.Event) {
			if e.Kind == egress.KindDecision && e.Denied != nil {
				decided.Add(1)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		box := mustBox(t, p, g)
		const imports = "import (\n\"fmt\"\n\"io\"\n\"net/http\"\n\"os\"\n\"reflect\"\n\"text/template\"\n)\n"
		res, err := box.Run(t.Context(), sandtrap.Script{Text: "package main\n" + imports + ways, Args: []string{"x", s.URL}})
		if err != nil {
			t.Fatal(err)
		}
		if s.mu.Lock(); s.seen != 0 {
			t.Errorf("%d connections came past the gate", s.seen)
		}
		s.mu.Unlock()
		if strings.Contains(res.Stdout, "answered") || strings.Count(res.Stdout, "is not allowed") < 15 || decided.Load() < 15 {
			t.Errorf("the gate refused %d: %s", decided.Load(), res.Stdout)
		}
	})
}

// TestWithoutNetwork: without the field of the policy there is no client, nor the package unless Std lists it, and the error says what
// to do.
func TestWithoutNetwork(t *testing.T) {
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		for _, std := range [][]string{p.Std, {"net/http", "fmt"}, {"..."}} {
			p.Std = std
			_, err := rig.RunOnce(t, p, `http.Get("http://127.0.0.1/")`)
			if err == nil || !strings.Contains(err.Error(), "no Network") {
				t.Errorf("%v: %v", std, err)
			}
		}
	})
}

// TestDenied: what would make a connection is not there, and the error says why.
func TestDenied(t *testing.T) {
	s := newServer(t)
	box := mustBox(t, rig.Pure(), s.gate(t))
	for code, why := range map[string]string{
		`http.DefaultTransport.RoundTrip(nil)`:                             "gate of the policy",
		`_ = http.Client{Transport: nil}`:                                  "gate of the policy",
		`_ = &http.Transport{}`:                                            "gate of the policy",
		`http.ListenAndServe(":8080", nil)`:                                "scripts open no ports",
		`http.HandleFunc("/", nil)`:                                        "NewServeMux",
		`req, _ := http.NewRequest("GET", "x", nil); req.Write(os.Stdout)`: "no connections",
	} {
		_, err := box.Run(t.Context(), sandtrap.Script{Text: code})
		var e *sandtrap.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error()+e.Hint, why) {
			t.Errorf("%s: %v", code, err)
		}
	}
}

// TestNothingOutlives: however a run ends, no request of it goes on at the server, and no goroutine in the host.
func TestNothingOutlives(t *testing.T) {
	for name, script := range map[string]string{
		"never closed":   `for range 10 { http.Get(base + "/slow?n=1000&ms=20") }`,
		"spins":          `http.Get(base + "/slow?n=1000&ms=20"); for {}`,
		"waits":          `http.Get(base + "/hang")`,
		"waits for many": `for range 20 { go http.Get(base + "/hang") }; time.Sleep(time.Hour)`,
		"has not waited": `for range 20 { go http.Get(base + "/hang") }; time.Sleep(50*time.Millisecond)`,
		"reads":          `resp, _ := http.Get(base + "/slow?n=1000&ms=20"); io.Copy(io.Discard, resp.Body)`,
		"uploads":        `r, _ := io.Pipe(); http.Post(base + "/sum", "", io.MultiReader(strings.NewReader("x"), r))`,
		"uploads more":   `http.Post(base + "/drip", "", io.MultiReader(strings.NewReader(strings.Repeat("x", 20_000_000)), strings.NewReader("x")))`,
		"panics":         `c := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { panic(1) }}; c.Get(base + "/redirect?n=3")`,
		"exits":          `go http.Get(base + "/hang"); time.Sleep(50*time.Millisecond); os.Exit(3)`,
		"a long timeout": `c := http.Client{Timeout: time.Hour}; c.Get(base + "/slow?n=1000&ms=20")`,
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
				s := newServer(t)
				g := s.gate(t)
				if _, err := rig.RunOnce(t, p, "_ = 1"); err != nil { // what stays for the next runs begins here
					t.Fatal(err)
				}
				before := runtime.NumGoroutine()
				p.Limits.Timeout = 700 * time.Millisecond
				p.Network = g
				box, err := sandtrap.New(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
				began := time.Now()
				_, err = box.Run(ctx, sandtrap.Script{Text: "base := os.Args[1]\n" + script, Args: []string{"x", s.URL}})
				cancel()
				if took := time.Since(began); took > 5*time.Second {
					t.Errorf("it ended in %v, %v", took, err)
				}
				if n := s.busy(); n > 0 {
					t.Errorf("%d requests go on: %v", n, err)
				}
				box.Close()
				g.Close()
				s.CloseClientConnections()
				if n := rig.Settled(before); n > before {
					t.Errorf("%d goroutines, there were %d", n, before)
				}
			})
		})
	}
}
