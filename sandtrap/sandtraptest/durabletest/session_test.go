package durabletest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// sessionCells share their state. Some end in an error, some leave goroutines behind whose calls have not returned, some are refused.
var sessionCells = []string{
	`n, names := 1, []string{ask("first")}; fmt.Println(names, rand.Int(), time.Now())`,
	`type T struct{ a string; n int }; func (t *T) Next() string { t.n++; t.a = ask(fmt.Sprint("t", t.n)); return t.a }; func twice(f func() string) string { return f() + f() }`,
	`t := &T{}; fmt.Println(twice(t.Next), t.n); n += t.n`,
	`undefined + 1`,
	`c := make(chan string); go func() { c <- ask("left behind") }(); go func() { quick("left, too") }(); fmt.Println("no wait", n)`,
	`later := func(s string) string { names = append(names, s); return ask(s) }; func() { defer later("deferred"); panic("in a cell") }()`,
	`fmt.Println(names, later("again"), quick("now"), n, rand.Int())`,
	`n := "another type"; _, err := try("eof"); fmt.Println(n, err == io.EOF)`,
	`for i := 0; ; i++ { if i%5000 == 0 { quick("spin") } }`,
	`f, err := find("x"); fmt.Println(f.Name, err, t.Next(), names); time.Sleep(time.Hour); fmt.Println(time.Now())`,
	`os.WriteFile("f.txt", []byte(ask("content")), 0o644); os.Exit(3)`,
	`b, _ := os.ReadFile("f.txt"); fmt.Println(string(b), len(names), ask("the last"))`,
}

// sessionPolicy is corpusPolicy with a member that counts.
func sessionPolicy(mode sandtrap.Isolation, later bool, called *[]string) sandtrap.Policy {
	p := corpusPolicy(mode, later)
	p.Funcs["quick"] = func(s string) string {
		*called = append(*called, s)
		return "q" + s
	}
	return p
}

// counted are the calls by their arguments, but for the one that may be too late.
func counted(called []string) map[string]int {
	n := map[string]int{}
	for _, s := range called {
		if s != "left, too" {
			n[s]++
		}
	}
	return n
}

// loaded is the session of a saved one.
func loaded(t testing.TB, p sandtrap.Policy, text []byte, to *bytes.Buffer) *durable.Session {
	t.Helper()
	var w io.Writer
	if to != nil {
		w = to
	}
	s, err := mustBox(t, p).LoadSession(bytes.NewReader(text), w)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// unbroken are the ends of the cells of a session that does not wait.
func unbroken(t testing.TB) (want []string, called []string) {
	t.Helper()
	s, err := mustBox(t, sessionPolicy(sandtrap.None, false, &called)).Session(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, text := range sessionCells {
		res, pause, err := s.Run(t.Context(), sandtrap.Script{Text: text})
		if pause != nil {
			t.Fatalf("%s waits for %v", text, pause.Pending)
		}
		want = append(want, end(res, err))
	}
	return want, called
}

// TestSessionAsOther: the cells of such a session print and end as those of one of sandtrap's.
func TestSessionAsOther(t *testing.T) {
	var called []string
	box, err := sandtrap.New(t.Context(), sessionPolicy(sandtrap.None, false, &called))
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	s, err := box.Session()
	if err != nil {
		t.Fatal(err)
	}
	want, _ := unbroken(t)
	for i, text := range sessionCells {
		res, err := s.Run(t.Context(), sandtrap.Script{Text: text})
		own, _, _ := strings.Cut(end(res, err), "\nticks")
		if other, _, _ := strings.Cut(want[i], "\nticks"); own != other {
			t.Errorf("cell %d ends with\n%s\nand in one of sandtrap's with\n%s", i+1, other, own)
		}
	}
}

// TestSessionWaits: a session whose cells wait at each call, and which goes on in any isolation with the answers in any order, does
// the same as one that does not wait, and calls its functions as often.
func TestSessionWaits(t *testing.T) {
	want, wantCalls := unbroken(t)
	for n, o := range orders {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			var called []string
			var file bytes.Buffer
			pauses, step := 0, n
			next := func(text []byte) *durable.Session {
				step++
				file.Reset()
				return loaded(t, sessionPolicy(isolations()[step%len(isolations())], true, &called), text, &file)
			}
			begun, err := mustBox(t, sessionPolicy(sandtrap.None, true, &called)).Session(&file)
			if err != nil {
				t.Fatal(err)
			}
			s := begun
			for i, text := range sessionCells {
				res, pause, err := s.Run(t.Context(), sandtrap.Script{Text: text})
				for pause != nil {
					if pauses++; pauses > 200 {
						t.Fatal("it waits without end")
					}
					var answers []durable.Answer
					for _, p := range o.some(pause.Pending) {
						answers = append(answers, answer(t, p))
					}
					before := res.Stdout
					if _, _, err := s.Run(t.Context(), sandtrap.Script{Text: "1"}); err == nil || !strings.Contains(err.Error(), "waits for") {
						t.Fatal(err)
					}
					if step%3 > 0 { // else it goes on in the same one
						text := saved(t, pause)
						if step%2 > 0 {
							text = bytes.Clone(file.Bytes())
						}
						s.Close()
						s = next(text)
						if got, want := fmt.Sprint(s.Pending()), fmt.Sprint(pause.Pending); got != want {
							t.Fatalf("%s wait, and before %s", got, want)
						}
					} else {
						step++
					}
					res, pause, err = s.Resume(t.Context(), answers...)
					if !strings.HasPrefix(res.Stdout, before) {
						t.Fatalf("cell %d prints %q, and before %q: %v", i+1, res.Stdout, before, err)
					}
				}
				if got := end(res, err); got != want[i] {
					t.Errorf("cell %d ends with\n%s\nand without waiting with\n%s", i+1, got, want[i])
				}
			}
			if got, want := counted(called), counted(wantCalls); !maps.Equal(got, want) {
				t.Errorf("called %v, and without waiting %v", got, want)
			}
			replayed(t, file.Bytes(), want, len(called), &called)
		})
	}
}

// replayed checks that the journal repeats the ends, and calls nothing.
func replayed(t *testing.T, file []byte, want []string, calls int, called *[]string) {
	t.Helper()
	for _, mode := range isolations() {
		list, pause, err := mustBox(t, sessionPolicy(mode, true, called)).ReplaySession(t.Context(), bytes.NewReader(file))
		if err != nil || pause != nil || len(list) != len(want) || len(*called) != calls {
			t.Fatalf("%s: %d results, %v, %v, %d calls, and before %d", mode, len(list), pause, err, len(*called), calls)
		}
		for i, res := range list {
			var err error
			if res.Error != nil {
				err = res.Error
			}
			if got := end(res, err); got != want[i] {
				t.Errorf("%s: cell %d is repeated as\n%s\nand was\n%s", mode, i+1, got, want[i])
			}
		}
	}
}

// TestSessionCut: whatever a process has written of its journal when it ends, another one goes on from there, and comes to the same.
func TestSessionCut(t *testing.T) {
	var called []string
	want, _ := unbroken(t)
	var file bytes.Buffer
	s, err := mustBox(t, sessionPolicy(sandtrap.None, false, &called)).Session(&file)
	if err != nil {
		t.Fatal(err)
	}
	var cells []int // before each line
	for i, text := range sessionCells {
		if _, _, err := s.Run(t.Context(), sandtrap.Script{Text: text}); errors.Is(err, durable.ErrDiverged) {
			t.Fatal(err)
		}
		for len(cells) < bytes.Count(file.Bytes(), []byte("\n")) {
			cells = append(cells, i)
		}
	}
	lines := bytes.SplitAfter(file.Bytes(), []byte("\n"))
	for n := 1; n < len(cells); n++ {
		text := bytes.Join(lines[:n], nil)
		if n%2 > 0 {
			text = append(bytes.Clone(text), lines[n][:len(lines[n])/2]...)
		}
		s := loaded(t, sessionPolicy(isolations()[n%len(isolations())], false, &called), text, nil)
		from := cells[n]
		if !bytes.HasPrefix(lines[n], []byte(`{"cell":`)) {
			res, pause, err := s.Resume(t.Context())
			if got := end(res, err); pause != nil || got != want[from] {
				t.Fatalf("cut behind line %d, cell %d ends with\n%s\n%v\nand before with\n%s", n, from+1, got, pause, want[from])
			}
			from++
		}
		if n%7 > 0 {
			continue
		}
		for i, text := range sessionCells[from:] {
			res, pause, err := s.Run(t.Context(), sandtrap.Script{Text: text})
			if got := end(res, err); pause != nil || got != want[from+i] {
				t.Fatalf("cut behind line %d, cell %d ends with\n%s\n%v\nand before with\n%s", n, from+i+1, got, pause, want[from+i])
			}
		}
	}
}

// TestSessionNumbers: no two calls of a session have the same number, also when one had none of the earlier returns.
func TestSessionNumbers(t *testing.T) {
	for _, mode := range isolations() {
		t.Run(string(mode), func(t *testing.T) {
			seen := map[int]string{}
			note := func(ctx context.Context, s string) int {
				id := sandtrap.CallInfoFrom(ctx).ID
				if id < 1 || seen[id] != "" {
					t.Errorf("call %d is %s, and was %q", id, s, seen[id])
				}
				seen[id] = s
				return id
			}
			var blocked atomic.Int64
			block := func(ctx context.Context) int { blocked.Add(1); <-ctx.Done(); return 0 }
			p := sandtrap.Policy{Isolation: mode, Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Timeout: timeout}, Funcs: map[string]any{"note": note, "block": block}}
			var s *durable.Session
			var file bytes.Buffer
			for i := range 6 {
				var err error
				if s == nil {
					s, err = mustBox(t, p).Session(&file)
				} else if i%2 == 0 {
					s.Close()
					text := bytes.Clone(file.Bytes())
					file.Reset()
					s = loaded(t, p, text, &file)
				}
				if err != nil {
					t.Fatal(err)
				}
				res, _, err := s.Run(t.Context(), sandtrap.Script{Text: `go block(); for range 3 { note("a") }; runtime.Gosched()`})
				if err != nil {
					t.Fatal(res, err)
				}
			}
			for i := 0; blocked.Load() < 6 && i < 500; i++ { // those of the last cell may be late
				time.Sleep(10 * time.Millisecond)
			}
			if len(seen) != 18 || blocked.Load() != 6 { // also those that a cell has left behind are not called again
				t.Error(seen, blocked.Load())
			}
		})
	}
}

// TestSessionCancelled: a cell that is cancelled goes on where it was, with the answers that it was told of; one that time has ended
// ends the session, for good.
func TestSessionCancelled(t *testing.T) {
	for _, mode := range isolations() {
		t.Run(string(mode), func(t *testing.T) {
			var called []string
			p := sessionPolicy(mode, true, &called)
			p.Limits.Ticks = 0
			p.Funcs["wait"] = func(ctx context.Context) string { <-ctx.Done(); return "" }
			var file bytes.Buffer
			s, err := mustBox(t, p).Session(&file)
			if err != nil {
				t.Fatal(err)
			}
			run := func(text string) (*sandtrap.Result, *durable.Pause, error) {
				return s.Run(t.Context(), sandtrap.Script{Text: text})
			}
			if _, _, err := run(`n := quick("once")`); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(50*time.Millisecond, cancel)
			_, pause, err := s.Run(ctx, sandtrap.Script{Text: `a := quick("twice"); wait(); fmt.Println(n, a)`})
			if pause != nil || !errors.Is(err, sandtrap.KindCancelled) {
				t.Fatal(pause, err)
			}
			if _, _, err := run("1"); err == nil || !strings.Contains(err.Error(), "Resume goes on with it") {
				t.Fatal(err)
			}
			p.Funcs["wait"] = func() string { return "" }
			text := bytes.Clone(file.Bytes())
			file.Reset()
			if s, err = mustBox(t, p).LoadSession(bytes.NewReader(text), &file); err != nil {
				t.Fatal(err)
			}
			res, pause, err := s.Resume(t.Context())
			if pause != nil || err != nil || res.Stdout != "qonce qtwice\n" || len(called) != 2 {
				t.Fatalf("%q, %v, %v, %v", res.Stdout, pause, err, called)
			}
			res, _, err = s.Run(t.Context(), sandtrap.Script{Text: `for {}`, Limits: sandtrap.Limits{Timeout: 50 * time.Millisecond}})
			if !errors.Is(err, sandtrap.KindTimeout) {
				t.Fatal(res, err)
			}
			for range 2 {
				if _, _, err := run("n"); err == nil || !strings.Contains(err.Error(), "the session is over: cell 3 was ended (timeout)") {
					t.Fatal(err)
				}
				s = loaded(t, p, file.Bytes(), nil)
			}
			list, pause, err := mustBox(t, p).ReplaySession(t.Context(), bytes.NewReader(file.Bytes()))
			if err != nil || pause != nil || len(list) != 3 || !errors.Is(list[2].Error, sandtrap.KindTimeout) {
				t.Error(list, pause, err)
			}
		})
	}
}

// TestSessionMisuse: each use that is none is an error that says so, and leaves the session as it is.
func TestSessionMisuse(t *testing.T) {
	var s *durable.Session
	var nested error
	p := corpusPolicy(sandtrap.None, true)
	p.Funcs["inside"] = func(ctx context.Context) { _, _, nested = s.Run(ctx, sandtrap.Script{Text: "1"}) }
	b := mustBox(t, p)
	s, err := b.Session(nil)
	if err != nil {
		t.Fatal(err)
	}
	says := func(err error, text string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v, want %q", err, text)
		}
	}
	_, _, err = s.Resume(t.Context())
	says(err, "no cell of the session waits")
	if _, _, err := s.Run(t.Context(), sandtrap.Script{Text: "inside()"}); err != nil || !errors.Is(nested, sandtrap.ErrReentrant) {
		t.Errorf("%v, %v", err, nested)
	}
	_, pause, err := s.Run(t.Context(), sandtrap.Script{Text: `a := ask("a")`})
	if err != nil {
		t.Fatal(err)
	}
	file := saved(t, pause)
	_, _, err = s.Resume(t.Context(), durable.Answer{ID: 77})
	says(err, "no call 77 waits")
	_, _, err = s.Resume(t.Context(), durable.Answer{ID: pause.Pending[0].ID, Result: asJSON(t, 1)})
	says(err, "Result is a value of type string")
	_, _, err = b.Resume(t.Context(), bytes.NewReader(file), nil)
	says(err, "LoadSession goes on with it")
	_, run, err := b.Start(t.Context(), sandtrap.Script{Text: `a := ask("a")`}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.LoadSession(bytes.NewReader(saved(t, run)), nil)
	says(err, "Resume goes on with it")
	p.Std = []string{"fmt"}
	if _, err := mustBox(t, p).LoadSession(bytes.NewReader(file), nil); !errors.Is(err, durable.ErrDiverged) {
		t.Error(err)
	}
	changed := bytes.Replace(file, []byte("inside()"), []byte("inside(); inside()"), 1)
	p = corpusPolicy(sandtrap.None, true)
	p.Funcs["inside"] = func(context.Context) {}
	_, _, err = loaded(t, p, changed, nil).Resume(t.Context())
	if !errors.Is(err, durable.ErrDiverged) || !strings.Contains(err.Error(), "cell 1") {
		t.Error(err)
	}
	res, _, err := s.Resume(t.Context(), durable.Answer{ID: pause.Pending[0].ID, Result: asJSON(t, "b")})
	if err != nil || res.Vars["a"] != "b" {
		t.Error(res.Vars, err)
	}
	s.Close()
	_, _, err = s.Run(t.Context(), sandtrap.Script{Text: "1"})
	if !errors.Is(err, sandtrap.ErrClosed) {
		t.Error(err)
	}
}
