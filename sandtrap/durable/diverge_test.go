package durable_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

func policy() sandtrap.Policy {
	return sandtrap.Policy{Std: sandtrap.StdDefault(), Funcs: map[string]any{
		"add": sandtrap.Member{Value: func(a, b int) int { return a + b }, Params: []string{"a", "b"}},
		"neg": sandtrap.Member{Value: func(a, b int) int { return -a - b }, Params: []string{"a", "b"}},
		"ask": sandtrap.Member{Value: func(text string) string { return text }, Params: []string{"text"}, Pauses: true},
	}}
}

// TestDiverged: a journal that is not that of the run ends it at once, with the first call that differs.
func TestDiverged(t *testing.T) {
	const script = "n := add(1, 2)\nfor n < 10 { n = add(n, n) }\nfmt.Println(n, ask(\"more\"))"
	for _, row := range []struct{ old, new, want string }{
		{`add(1, 2)`, `add(1, 3)`, `call 1 at script.go:1 is add({"a":1,"b":3})`},
		{`add(1, 2)`, `neg(1, 2)`, `call 1 at script.go:1 is neg({"a":1,"b":2}), and in the journal it is one of add`},
		{`"result":[3]`, `"result":[4]`, `call 2 at script.go:2 is add({"a":4,"b":4})`},
		{`\"more\"`, `\"less\"`, `call 4 at script.go:3 is ask({"text":"less"}), and in the journal it waits as ask({"text":"more"})`},
		{`"rest":3,"result":[12]}` + "\n" + `{"paused":4`, `"rest":5,"result":[12]}` + "\n" + `{"paused":6`, `call 3, of add, returns at another moment`},
		{`{"paused":4`, `{"paused":9`, `it waits at another moment for 4 (ask)`},
		{`{"call":3,`, `{"call":7,`, `call 3 at script.go:2 is add({"a":6,"b":6}), and the journal has none`},
		{`n < 10`, `n < 100`, `call 4 at script.go:2 is add({"a":12,"b":12}), and in the journal it waits as ask`},
		{`"policy":"`, `"policy":"0`, `its policy is another one`},
	} {
		box, err := durable.New(policy())
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, pause, err := box.Start(t.Context(), sandtrap.Script{Text: script}, &file); pause == nil {
			t.Fatal(err)
		}
		changed := strings.Replace(file.String(), row.old, row.new, 1)
		if changed == file.String() {
			t.Fatalf("%s is not in %s", row.old, &file)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		_, _, err = box.Resume(ctx, strings.NewReader(changed), nil)
		if !errors.Is(err, durable.ErrDiverged) || !strings.Contains(err.Error(), row.want) || ctx.Err() != nil {
			t.Errorf("%s for %s: %v, %v, want %s", row.new, row.old, err, ctx.Err(), row.want)
		}
		cancel()
	}
}

// TestDivergedPolicy: the journal of a run is for its policy.
func TestDivergedPolicy(t *testing.T) {
	for name, change := range map[string]func(*sandtrap.Policy){
		"another function": func(p *sandtrap.Policy) { p.Funcs["sub"] = func(a, b int) int { return a - b } },
		"another type":     func(p *sandtrap.Policy) { p.Funcs["ask"] = func(text string) int { return 0 } },
		"a limit":          func(p *sandtrap.Policy) { p.Limits.Ticks = 1e6 },
		"less packages":    func(p *sandtrap.Policy) { p.Std = []string{"fmt"} },
		"an environment":   func(p *sandtrap.Policy) { p.Env = map[string]string{"A": "b"} },
	} {
		box, err := durable.New(policy())
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, pause, err := box.Start(t.Context(), sandtrap.Script{Text: `fmt.Println(ask("a"))`}, &file); pause == nil {
			t.Fatal(err)
		}
		p := policy()
		change(&p)
		if box, err = durable.New(p); err != nil {
			t.Fatal(err)
		}
		if _, _, err := box.Resume(t.Context(), &file, nil); !errors.Is(err, durable.ErrDiverged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestReplayEnds: a replay that ends in another way than its journal says is an error.
func TestReplayEnds(t *testing.T) {
	box, err := durable.New(policy())
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, _, err := box.Start(t.Context(), sandtrap.Script{Text: "fmt.Println(add(1, 2))"}, &file); err != nil {
		t.Fatal(err)
	}
	for _, row := range [][2]string{{"fmt.Println(add", "fmt.Print(add"}, {`"ticks":`, `"ticks":1`}, {`{"end":"ok"`, `{"end":"panic"`}} {
		_, _, err := box.Replay(t.Context(), strings.NewReader(strings.Replace(file.String(), row[0], row[1], 1)))
		if !errors.Is(err, durable.ErrDiverged) {
			t.Errorf("%s: %v", row[1], err)
		}
	}
	if _, _, err := box.Replay(t.Context(), &file); err != nil {
		t.Error(err)
	}
}

// TestReplayOfLimits: a run that time or its context has ended is repeated up to there, and one that was cancelled goes on.
func TestReplayOfLimits(t *testing.T) {
	p := policy()
	p.Limits.Timeout = time.Second
	p.Funcs["hang"] = func(ctx context.Context) { <-ctx.Done() }
	box, err := durable.New(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range []string{"fmt.Println(add(1, 2)); hang()", "fmt.Println(add(1, 2)); for {}", "go hang(); fmt.Println(add(1, 2)); ask(``)"} {
		var file bytes.Buffer
		was, _, failed := box.Start(t.Context(), sandtrap.Script{Text: script}, &file)
		if !errors.Is(failed, sandtrap.KindTimeout) {
			t.Fatal(failed)
		}
		p.Limits.Timeout = time.Minute
		res, _, err := box.Replay(t.Context(), &file)
		if !errors.Is(err, sandtrap.KindTimeout) || res.Stdout != was.Stdout || err.Error() != failed.Error() {
			t.Errorf("%s: %q, %v, and was %q, %v", script, res.Stdout, err, was.Stdout, failed)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	p.Funcs["cancel"] = func() int { cancel(); return 1 }
	if box, err = durable.New(p); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, _, err := box.Start(ctx, sandtrap.Script{Text: "fmt.Println(cancel()); fmt.Println(add(1, 2))"}, &file); !errors.Is(err, sandtrap.KindCancelled) {
		t.Fatal(err)
	}
	if res, _, err := box.Resume(t.Context(), &file, nil); err != nil || res.Stdout != "1\n3\n" {
		t.Errorf("%q, %v", res.Stdout, err)
	}
}

// TestTornJournal: a line that was not written to its end is as one that was not written.
func TestTornJournal(t *testing.T) {
	box, err := durable.New(policy())
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, pause, err := box.Start(t.Context(), sandtrap.Script{Text: "fmt.Println(add(1, 2), add(2, 3)); fmt.Println(ask(`a`))"}, &file); pause == nil {
		t.Fatal(err)
	}
	head := bytes.IndexByte(file.Bytes(), '\n') + 1
	for n := head; n < file.Len(); n++ {
		if at := bytes.LastIndexByte(file.Bytes()[:n], '\n'); at == n-1 && bytes.Contains(file.Bytes()[head:n], []byte("paused")) {
			continue // a whole line less is no torn one
		}
		res, pause, err := box.Resume(t.Context(), bytes.NewReader(file.Bytes()[:n]), nil)
		if pause == nil || len(pause.Pending) != 1 || res.Stdout != "3 5\n" {
			t.Fatalf("cut at %d: %v, %v", n, pause, err)
		}
	}
}

// TestRefusedPolicies: what a journal cannot repeat is refused when the box is made.
func TestRefusedPolicies(t *testing.T) {
	type handle struct{ _ int }
	var n int
	for name, p := range map[string]sandtrap.Policy{
		"Engine":             {Engine: "yaegi"},
		"Network":            {Network: new(egress.Gate)},
		"Files":              {Files: &sandtrap.Files{Paths: []string{t.TempDir()}}},
		"Object":             {Packages: []sandtrap.Package{{Path: "o", Object: &bytes.Buffer{}}}},
		"call: parameter 1":  {Funcs: map[string]any{"call": func(func()) {}}},
		"open: result 1":     {Funcs: map[string]any{"open": func() *handle { return nil }}},
		"stream: result 1":   {Funcs: map[string]any{"stream": func() chan int { return nil }}},
		"p.Buffer: methods":  {Packages: []sandtrap.Package{{Path: "p", Members: map[string]any{"Buffer": (*bytes.Buffer)(nil)}}}},
		"p.N: memory":        {Packages: []sandtrap.Package{{Path: "p", Members: map[string]any{"N": &n}}}},
		"p.V: a variable of": {Packages: []sandtrap.Package{{Path: "p", Members: map[string]any{"V": builtins.Variable{Pointer: &n}}}}},
	} {
		if _, err := durable.New(p); !errors.Is(err, sandtrap.ErrPolicy) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
