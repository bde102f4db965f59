package durabletest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// An awkward error panics when it is asked what it says.
type awkward struct{}

func (awkward) Error() string { panic("no text") }

// A mute value cannot be written.
type mute struct{ N int }

func (mute) MarshalJSON() ([]byte, error) { panic("not written") }

// A forgetful value cannot be read.
type forgetful struct{ N int }

func (*forgetful) UnmarshalJSON([]byte) error { return errors.New("not read") }

// A ring may hold itself.
type Ring struct{ Next *Ring }

// TestAwkwardCalls: calls that a journal cannot hold, or whose function does not return, end as others do: the script
// learns it at once, in each isolation, and the run goes on.
func TestAwkwardCalls(t *testing.T) {
	ring := &Ring{}
	ring.Next = ring
	funcs := map[string]any{
		"number":    func(f float64) (float64, error) { return f, nil },
		"later":     sandtrap.Member{Value: func(f float64) (float64, error) { return f, nil }, Pauses: true},
		"nan":       func() float64 { return math.NaN() },
		"ring":      func() *Ring { return ring },
		"rings":     func(*Ring) int { return 1 },
		"awkward":   func() error { return awkward{} },
		"panics":    func() int { panic(awkward{}) },
		"goexit":    func() int { runtime.Goexit(); return 1 },
		"text":      func(s string) string { return s + "\xff" },
		"nothing":   func() {},
		"interface": func(v any) any { return v },
	}
	for _, row := range []struct{ name, script, want string }{
		{"argument", `_, err := number(math.NaN()); fmt.Println(err)`, "unsupported value: NaN"},
		{"argument that waits", `_, err := later(math.Inf(1)); fmt.Println(err)`, "unsupported value: +Inf"},
		{"argument of any", `defer func() { fmt.Println(recover()) }(); interface_(math.NaN())`, "unsupported value: NaN"},
		{"ring", `r := &Ring{}; r.Next = r; defer func() { fmt.Println(recover()) }(); rings(r)`, ""},
		{"result", `defer func() { fmt.Println(recover()) }(); nan()`, "unsupported value: NaN"},
		{"result that holds itself", `defer func() { fmt.Println(recover()) }(); ring()`, "cycle"},
		{"error", `defer func() { fmt.Println(recover()) }(); fmt.Println(awkward() != nil)`, "true"},
		{"panic", `defer func() { fmt.Println(recover()) }(); panics()`, "panic with a"},
		{"goexit", `defer func() { fmt.Println(recover()) }(); goexit()`, "ended its goroutine"},
		{"text", `fmt.Printf("%q\n", text("a\xfe"))`, `"a��"`},
		{"nothing", `nothing(); fmt.Println("done")`, "done"},
	} {
		script := strings.ReplaceAll(row.script, "interface_", "keep")
		members := map[string]any{"keep": funcs["interface"]}
		for name, fn := range funcs {
			if name != "interface" {
				members[name] = fn
			}
		}
		for _, mode := range isolations() {
			t.Run(fmt.Sprint(row.name, "/", mode), func(t *testing.T) {
				res, pause, err := oneBox(t, mode, members).Start(t.Context(), sandtrap.Script{Text: script}, nil)
				if err != nil || pause != nil || !strings.Contains(res.Stdout, row.want) {
					t.Errorf("%q, %v, %v", res.Stdout, pause, err)
				}
			})
		}
	}
}

// TestMethodsOfJSON: values whose methods for JSON fail are as those that JSON cannot hold.
func TestMethodsOfJSON(t *testing.T) {
	for name, fn := range map[string]any{
		"mute":      func() []mute { return []mute{{}} },
		"forgetful": func() forgetful { return forgetful{} },
	} {
		b, err := durable.New(sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Timeout: timeout}, Funcs: map[string]any{"f": fn}})
		if err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		res, pause, err := b.Start(t.Context(), sandtrap.Script{Text: `defer func() { fmt.Println(recover()) }(); f()`}, nil)
		if err != nil || pause != nil || !strings.Contains(res.Stdout, "a result of f cannot be written to the journal") {
			t.Errorf("%s: %q, %v, %v", name, res.Stdout, pause, err)
		}
	}
}

// TestReplay: a replay waits where the journal ends, with the output of before, and calls nothing.
func TestReplay(t *testing.T) {
	called := 0
	b := oneBox(t, sandtrap.None, map[string]any{
		"count": func() int { called++; return called },
		"ask":   sandtrap.Member{Value: func(int) int { return 0 }, Pauses: true},
	})
	res, pause, err := b.Start(t.Context(), sandtrap.Script{Text: `fmt.Println(count()); a := ask(count()); fmt.Println(a)`}, nil)
	if err != nil || pause == nil {
		t.Fatal(pause, err)
	}
	again, same, err := b.Replay(t.Context(), strings.NewReader(string(saved(t, pause))))
	if err != nil || same == nil || again.Stdout != res.Stdout || called != 2 || fmt.Sprint(same.Pending) != fmt.Sprint(pause.Pending) {
		t.Errorf("%v, %v, %q, %d calls", same, err, again.Stdout, called)
	}
}

// TestEarlierAnswer: an answer comes when the run waits, and not when its call begins: what the run has done until
// then stays as it was shown.
func TestEarlierAnswer(t *testing.T) {
	b := oneBox(t, sandtrap.None, map[string]any{"ask": sandtrap.Member{Value: func(string) string { return "" }, Pauses: true}})
	res, pause, err := b.Start(t.Context(), sandtrap.Script{Text: `
done := false
go func() { ask("first"); done = true }()
runtime.Gosched()
for i := 0; i < 1_000_000 && !done; i++ { }
fmt.Println(done)
fmt.Println(ask(fmt.Sprint("second ", done)))
`}, nil)
	if err != nil || pause == nil || len(pause.Pending) != 2 {
		t.Fatal(pause, err)
	}
	before := res.Stdout
	res, pause, err = b.Resume(t.Context(), strings.NewReader(string(saved(t, pause))), nil, durable.Answer{ID: 1, Result: asJSON(t, "a")})
	if err != nil || pause == nil || res.Stdout != before {
		t.Fatalf("%v, %v, %q, and before %q", pause, err, res.Stdout, before)
	}
	res, pause, err = b.Resume(t.Context(), strings.NewReader(string(saved(t, pause))), nil, durable.Answer{ID: 2, Result: asJSON(t, "b")})
	if err != nil || pause != nil || res.Stdout != before+"b\n" {
		t.Fatalf("%v, %v, %q", pause, err, res.Stdout)
	}
}

// TestNestedRun: a run that a function of the host makes with the context of its call has no part in the journal.
func TestNestedRun(t *testing.T) {
	for _, mode := range isolations() {
		inner, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Funcs: map[string]any{
			"twice": sandtrap.Member{Value: func(n int) int { return 2 * n }, Blocking: true},
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer inner.Close()
		b := oneBox(t, mode, map[string]any{
			"nest": func(ctx context.Context, script string) (string, error) {
				res, err := inner.Run(ctx, sandtrap.Script{Text: script})
				return res.Stdout, err
			},
			"ask": sandtrap.Member{Value: func(string) string { return "" }, Pauses: true},
		})
		_, pause, err := b.Start(t.Context(), sandtrap.Script{Text: "s, err := nest(`fmt.Println(twice(1), twice(2))`); fmt.Print(s, err, ask(s))"}, nil)
		if err != nil || pause == nil || len(pause.Pending) != 1 || !strings.Contains(string(pause.Pending[0].Args), `2 4\n`) {
			t.Errorf("%s: %+v, %v", mode, pause, err)
		}
	}
}

// TestAnswers: answers that fit no call are errors that say which calls wait and what they take.
func TestAnswers(t *testing.T) {
	b := oneBox(t, sandtrap.None, map[string]any{
		"one":  sandtrap.Member{Value: func(string) (int, error) { return 0, nil }, Pauses: true},
		"two":  sandtrap.Member{Value: func(string) (int, string) { return 0, "" }, Pauses: true},
		"none": sandtrap.Member{Value: func(string) {}, Pauses: true},
	})
	_, pause, err := b.Start(t.Context(), sandtrap.Script{Text: `
go two("b")
go none("c")
one("a")
`}, nil)
	if err != nil || pause == nil || len(pause.Pending) != 3 {
		t.Fatal(pause, err)
	}
	ids := map[string]int{}
	for _, p := range pause.Pending {
		ids[p.Name] = p.ID
	}
	file := saved(t, pause)
	for _, row := range []struct {
		name, result string
		err          error
		want         string
	}{
		{"one", ``, nil, "it has no Result: give it a value of type int"},
		{"one", `"text"`, nil, "a string does not fit int"},
		{"one", `1, 2`, nil, "is no JSON"},
		{"one", `1]`, nil, "is no JSON"},
		{"one", `99999999999999999999`, nil, "a number 99999999999999999999 does not fit int"},
		{"one", strings.Repeat("[", 1<<20), nil, "is no JSON"},
		{"two", `1`, nil, "an array of 2 values, of types int, string"},
		{"two", `[1]`, nil, "1 values, and the function 2"},
		{"none", `1`, nil, ""},
		{"none", ``, nil, ""},
		{"one", ``, errors.New("no"), ""},
		{"one", `1`, awkward{}, ""},
	} {
		_, _, err := b.Resume(t.Context(), strings.NewReader(string(file)), nil, durable.Answer{ID: ids[row.name], Result: json.RawMessage(row.result), Err: row.err})
		switch {
		case row.want == "" && row.name == "none" && row.result != "":
			if err == nil {
				t.Errorf("%s takes %s", row.name, row.result)
			}
		case row.want == "" && err != nil, row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)):
			t.Errorf("%s(%.20s): %v", row.name, row.result, err)
		}
		if err != nil {
			t.Logf("%.300v", err)
		}
	}
	for _, list := range [][]durable.Answer{{{ID: 9}}, {{ID: -1}}, {{ID: ids["none"]}, {ID: ids["none"]}}} {
		if _, _, err := b.Resume(t.Context(), strings.NewReader(string(file)), nil, list...); err == nil {
			t.Errorf("%v are answers", list)
		} else {
			t.Log(err)
		}
	}
}

// TestNoCallsOnceDiverged: no function is called for a run that has ended or goes another way.
func TestNoCallsOnceDiverged(t *testing.T) {
	called := 0
	b := oneBox(t, sandtrap.None, map[string]any{
		"ask":  sandtrap.Member{Value: func(string) string { return "" }, Pauses: true},
		"send": func() { called++ },
	})
	_, pause, err := b.Start(t.Context(), sandtrap.Script{Text: "go send()\nask(`one`)"}, nil)
	if err != nil || called != 1 {
		t.Fatal(called, err)
	}
	changed := strings.Replace(string(saved(t, pause)), "go send()", "go send(); go send()", 1)
	if _, _, err := b.Resume(t.Context(), strings.NewReader(changed), nil); !errors.Is(err, durable.ErrDiverged) {
		t.Error(err)
	}
	time.Sleep(10 * time.Millisecond)
	if called != 1 {
		t.Errorf("%d calls", called)
	}
}

// TestNestedID: a call of a run that a function makes has no number in the journal of the run that calls the function.
func TestNestedID(t *testing.T) {
	ids := make(chan int, 2)
	note := func(ctx context.Context) int { ids <- sandtrap.CallInfoFrom(ctx).ID; return 0 }
	inner, err := sandtrap.New(t.Context(), sandtrap.Policy{Funcs: map[string]any{"note": note}})
	if err != nil {
		t.Fatal(err)
	}
	defer inner.Close()
	b := oneBox(t, sandtrap.None, map[string]any{"note": note, "nest": func(ctx context.Context) error {
		_, err := inner.Run(ctx, sandtrap.Script{Text: "note()"})
		return err
	}})
	if _, _, err := b.Start(t.Context(), sandtrap.Script{Text: "note(); nest()"}, nil); err != nil {
		t.Fatal(err)
	}
	if outer, nested := <-ids, <-ids; outer != 1 || nested != 0 {
		t.Errorf("%d, and nested %d", outer, nested)
	}
}
