package durabletest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// A Found is a result with all kinds of parts.
type Found struct {
	Name  string
	When  time.Time
	Tags  map[string]int
	Parts []Part
	Any   any
	More  *Part
}

type Part struct {
	Name string
	Size float64
	Raw  []byte
}

func ask(question string) string {
	if strings.HasPrefix(question, "panic") {
		panic("no answer to " + question)
	}
	return "<" + question + ">"
}

func try(what string) (string, error) {
	switch what {
	case "eof":
		return "", io.EOF
	case "missing":
		return "", fmt.Errorf("%s: %w", what, fs.ErrNotExist)
	}
	return "got " + what, nil
}

func find(key string) (Found, error) {
	if key == "none" {
		return Found{}, &fs.PathError{Op: "find", Path: key, Err: fs.ErrNotExist}
	}
	return Found{
		key, time.Date(2020, 1, 2, 3, 4, 5, 678, time.UTC), map[string]int{"a": 1, "b": 2}, []Part{{"p", 0.1, []byte{0, 255}}, {}},
		[]any{"x", 1.5, nil, map[string]any{"y": true}}, &Part{Name: "more"},
	}, nil
}

func pair(s string, n ...int) (int, []string) { return len(s) + len(n), strings.Split(s, "") }

func keep(v any) any { return v }

// answer is what the function returns, as an answer to a call with these arguments.
func answer(t testing.TB, p durable.Pending) (a durable.Answer) {
	t.Helper()
	a.ID = p.ID
	var args struct {
		S string
		N []int
		V any
	}
	mustRead(t, p.Args, &args)
	defer func() {
		if p := recover(); p != nil {
			a.Err = errors.New(p.(string))
		}
	}()
	var err error
	switch p.Name {
	case "ask":
		a.Result = asJSON(t, ask(args.S))
	case "try":
		var s string
		s, err = try(args.S)
		a.Result = asJSON(t, s)
	case "find":
		var f Found
		f, err = find(args.S)
		a.Result = asJSON(t, f)
	case "pair":
		n, s := pair(args.S, args.N...)
		a.Result = asJSON(t, []any{n, s})
	case "keep":
		a.Result = asJSON(t, keep(args.V))
	default:
		t.Fatalf("%s waits", p.Name)
	}
	a.Err = err
	return a
}

// corpusPolicy is one with these functions. They answer at once, or later.
func corpusPolicy(mode sandtrap.Isolation, later bool) sandtrap.Policy {
	member := func(fn any, params ...string) sandtrap.Member {
		return sandtrap.Member{Value: fn, Params: params, Pauses: later}
	}
	return sandtrap.Policy{
		Isolation: mode, Std: sandtrap.StdDefault(), Files: &sandtrap.Files{}, Echo: sandtrap.EchoAll,
		Limits: sandtrap.Limits{Timeout: timeout, Ticks: 50_000, Output: 1 << 20},
		Seed:   7, Epoch: time.Date(2021, 2, 3, 4, 5, 6, 7, time.UTC),
		Funcs: map[string]any{
			"ask": member(ask, "s"), "try": member(try, "s"), "find": member(find, "s"), "pair": member(pair, "s", "n"), "keep": member(keep, "v"),
			"quick": func(s string) string { return "q" + s },
		},
	}
}

// boxes are those of the isolations.
func boxes(t testing.TB, later bool) (list []*durable.Box) {
	for _, mode := range isolations() {
		list = append(list, mustBox(t, corpusPolicy(mode, later)))
	}
	return list
}

// An end is what is compared of two runs.
func end(res *sandtrap.Result, err error) string {
	text := fmt.Sprint(err)
	return fmt.Sprintf("%s\nstderr: %s\nerror: %s\nticks: %d\necho: %v", short(res.Stdout), short(res.Stderr), text, res.Ticks, res.Echo)
}

// short is a text that may be long as one that tells it from others.
func short(text string) string {
	if len(text) > 1000 {
		return fmt.Sprintf("%s… (%d bytes, %x)", text[:100], len(text), sha256.Sum256([]byte(text)))
	}
	return text
}

// orders are the answers of which a run goes on with some.
var orders = []struct {
	name string
	some func([]durable.Pending) []durable.Pending
}{
	{"all at once", func(list []durable.Pending) []durable.Pending { return list }},
	{"one at a time", func(list []durable.Pending) []durable.Pending { return list[:1] }},
	{"backwards", func(list []durable.Pending) []durable.Pending { return list[len(list)-1:] }},
	{"all backwards", func(list []durable.Pending) []durable.Pending {
		list = slices.Clone(list)
		slices.Reverse(list)
		return list
	}},
}

// TestCorpus: a program that waits at each call, and goes on in any isolation with its answers in any order, does the
// same as one that does not wait. One whose run depends on when answers come does the same in all isolations.
func TestCorpus(t *testing.T) {
	at, later := boxes(t, false), boxes(t, true)
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			res, pause, err := at[0].Start(t.Context(), sandtrap.Script{Text: p.text}, nil)
			if pause != nil {
				t.Fatal("it waits")
			}
			want := end(res, err)
			t.Log(want)
			if p.unequal == "" {
				for i, b := range at {
					res, _, err := b.Start(t.Context(), sandtrap.Script{Text: p.text}, nil)
					if got := end(res, err); got != want {
						t.Errorf("%s, at once: %s\nand in the first: %s", isolations()[i], got, want)
					}
				}
			}
			for i, o := range orders {
				same := want
				for k := range starts(i, p, len(later)) {
					got := finished(t, later, (i+k)%len(later), p.text, o.some)
					if p.unequal != "" && k == 0 {
						same = got
					}
					if got != same {
						t.Errorf("%s, %s: %s\nand before: %s", isolations()[(i+k)%len(later)], o.name, got, same)
					}
				}
			}
		})
	}
}

// starts is in how many isolations the run with an order of answers starts: in one, and in all if only they can be compared.
func starts(order int, p program, all int) int {
	if p.unequal != "" && order == 1 {
		return all
	}
	return 1
}

// finished starts a script in box i, goes on with it in the next ones, and gives its end. Each journal is replayed.
func finished(t *testing.T, list []*durable.Box, i int, script string, some func([]durable.Pending) []durable.Pending) string {
	t.Helper()
	res, pause, err := list[i].Start(t.Context(), sandtrap.Script{Text: script}, nil)
	for n := 0; pause != nil; n++ {
		if err != nil || n > 100 {
			t.Fatalf("%d pauses, %v", n, err)
		}
		file := saved(t, pause)
		i = (i + 1) % len(list)
		again, same, err := list[i].Replay(t.Context(), bytes.NewReader(file))
		if got, want := end(again, err), end(res, nil); same == nil || got != want || !bytes.Equal(saved(t, same), file) {
			t.Fatalf("replayed in %s, %v: %s\nand before: %s", isolations()[i], same, got, want)
		}
		var answers []durable.Answer
		for _, p := range some(pause.Pending) {
			answers = append(answers, answer(t, p))
		}
		before := res.Stdout
		res, pause, err = list[i].Resume(t.Context(), bytes.NewReader(file), nil, answers...)
		if !strings.HasPrefix(res.Stdout, before) && !strings.HasPrefix(res.Stdout, "[... output cut") {
			t.Fatalf("%q, and before %q", short(res.Stdout), short(before))
		}
		if pause == nil {
			return end(res, err)
		}
	}
	return end(res, err)
}
