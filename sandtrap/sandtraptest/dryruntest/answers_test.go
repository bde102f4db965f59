package dryruntest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/dryrun"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// find is a function of the host that a dry run never calls.
func find(t *testing.T) sandtrap.Member {
	return sandtrap.Member{Params: []string{"key"}, Value: func(key string) (string, error) {
		t.Errorf("find(%q) was called", key)
		return "", nil
	}}
}

// sources are the sources of the calls of a report.
func sources(rep *dryrun.Report) (list []dryrun.Source) {
	for _, c := range rep.Calls {
		list = append(list, c.Answer)
	}
	return list
}

// TestAnswers: a stub goes before answers, these before a journal, and what none of them has is zero.
func TestAnswers(t *testing.T) {
	known := errors.New("known")
	var journal bytes.Buffer
	durableMembers := map[string]any{"known": known, "find": sandtrap.Member{Params: []string{"key"}, Value: func(key string) (string, error) {
		switch key {
		case "panic":
			panic("by the journal")
		case "known":
			return "", known
		}
		return "journal " + key, nil
	}}}
	p := rig.Pure()
	p.Funcs = durableMembers
	box, err := durable.New(p)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := box.Start(t.Context(), sandtrap.Script{Text: `for _, k := range []string{"a", "a", "known"} { find(k) }; find("panic")`}, &journal); !errors.Is(err, sandtrap.KindPanic) {
		t.Fatal(err)
	}

	p.Funcs = map[string]any{"known": known, "find": find(t)}
	answer := func(args, result string) dryrun.Answer {
		return dryrun.Answer{Member: "find", Args: json.RawMessage(args), Result: json.RawMessage(result)}
	}
	const src = `for _, k := range []string{"a", "b", "a", "a", "known"} { v, err := find(k); fmt.Print(v, " ", err == known, "; ") }`
	for name, tc := range map[string]struct {
		o             dryrun.Options
		want, sources string
	}{
		"zero":     {dryrun.Options{}, " false;  false;  false;  false;  false; ", "[zero zero zero zero zero]"},
		"stub":     {dryrun.Options{Stubs: map[string]any{"find": func(key string) (string, error) { return key + "!", nil }}}, "a! false; b! false; a! false; a! false; known! false; ", "[stub stub stub stub stub]"},
		"context":  {dryrun.Options{Stubs: map[string]any{"find": func(ctx context.Context, _ string) (string, error) { return fmt.Sprint(ctx.Err()), nil }}}, strings.Repeat("<nil> false; ", 5), "[stub stub stub stub stub]"},
		"answers":  {dryrun.Options{Answers: []dryrun.Answer{answer(`{ "key": "b" }`, `"B"`), answer("", `"1"`), answer("", `"2"`)}}, "1 false; B false; 2 false; 2 false; 2 false; ", "[answer answer answer answer answer]"},
		"error":    {dryrun.Options{Answers: []dryrun.Answer{{Member: "find", Err: io.EOF}}}, strings.Repeat(" false; ", 5), "[answer answer answer answer answer]"},
		"journal":  {dryrun.Options{Journal: &journal}, "journal a false;  false; journal a false;  false;  true; ", "[journal zero journal zero journal]"},
		"answered": {dryrun.Options{Journal: bytes.NewReader(journal.Bytes()), Answers: []dryrun.Answer{answer(`{"key":"a"}`, `"A"`)}}, "A false;  false; A false; A false;  true; ", "[answer zero answer answer journal]"},
	} {
		rep, err := dryrun.Run(t.Context(), p, sandtrap.Script{Text: src}, tc.o)
		if err != nil || rep.Result.Stdout != tc.want || fmt.Sprint(sources(rep)) != tc.sources {
			t.Errorf("%s: %q %v %v", name, rep.Result.Stdout, sources(rep), err)
		}
	}
}

// TestBadOptions: what fits no function is an error that says what would.
func TestBadOptions(t *testing.T) {
	p := rig.Pure()
	p.Funcs = map[string]any{"find": find(t), "each": func(func()) {}}
	for want, o := range map[string]dryrun.Options{
		`Stubs: there is no function "fond"; did you mean "find"?`:                                      {Stubs: map[string]any{"fond": func() {}}},
		"Stubs: find: func(int) takes or returns something else than the function, which is a func(str": {Stubs: map[string]any{"find": func(int) {}}},
		"Stubs: find: string takes":                    {Stubs: map[string]any{"find": "x"}},
		`Answers: there is no function "sort"`:         {Answers: []dryrun.Answer{{Member: "sort"}}},
		"Answers: answer 1 of find: it has no Result":  {Answers: []dryrun.Answer{{Member: "find"}}},
		"Answers: answer 1 of find: result 1 of find:": {Answers: []dryrun.Answer{{Member: "find", Result: json.RawMessage("1")}}},
		"Answers: answer 1 of find: Args: want":        {Answers: []dryrun.Answer{{Member: "find", Args: json.RawMessage("1"), Result: json.RawMessage(`"a"`)}}},
		"results of each cannot be read from JSON":     {Answers: []dryrun.Answer{{Member: "each"}}},
		"Journal: not a journal":                       {Journal: strings.NewReader("x\n")},
	} {
		rep, err := dryrun.Run(t.Context(), p, sandtrap.Script{Text: `1`}, o)
		if err == nil || !strings.Contains(err.Error(), want) || rep.Result == nil {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A Client is a type of a host with a method.
type Client struct{ sent *int }

// Send does something.
func (c Client) Send() { *c.sent++ }

// A Hook has a function of the host in it.
type Hook struct{ Do func() }

// TestRefused: a policy that gives scripts what they use without calling a function has no dry run.
func TestRefused(t *testing.T) {
	n := 0
	for want, change := range map[string]func(p *sandtrap.Policy){
		"Funcs: Client: methods of a type of the host": func(p *sandtrap.Policy) { p.Funcs["Client"] = (*Client)(nil) },
		"Funcs: n: a variable of the host":             func(p *sandtrap.Policy) { p.Funcs["n"] = builtins.Variable{Pointer: &n} },
		"Funcs: list: memory of the host":              func(p *sandtrap.Policy) { p.Funcs["list"] = []int{1} },
		"Funcs: hook: memory of the host":              func(p *sandtrap.Policy) { p.Funcs["hook"] = Hook{func() { n++ }} },
		"Packages: x.org/a.C: memory of the host": func(p *sandtrap.Policy) {
			p.Packages = []sandtrap.Package{{Path: "x.org/a", Members: map[string]any{"C": &Client{&n}}}}
		},
		"Wrappers: ": func(p *sandtrap.Policy) { p.Wrappers = []any{func(v sandtrap.Value) fmt.Stringer { return nil }} },
		"Guard: a *dryruntest.other cannot decide without effects": func(p *sandtrap.Policy) { p.Guard = &other{} },
		"Files.Paths: ": func(p *sandtrap.Policy) { p.Files = &sandtrap.Files{Paths: []string{"/there/is/none"}} },
	} {
		p := rig.Pure()
		p.Funcs = map[string]any{"find": find(t)}
		change(&p)
		_, err := dryrun.Run(t.Context(), p, sandtrap.Script{Text: `1`}, dryrun.Options{})
		if !errors.Is(err, sandtrap.ErrPolicy) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	p := rig.Pure()
	p.Funcs = map[string]any{"Client": (*fmt.Stringer)(nil), "at": rig.Limits.Timeout, "eof": io.EOF, "pi": builtins.Literal("3.14")}
	if _, err := dryrun.Run(t.Context(), p, sandtrap.Script{Text: `fmt.Println(at, eof, pi)`}, dryrun.Options{}); err != nil {
		t.Error(err)
	}
	if _, err := dryrun.Run(t.Context(), p, sandtrap.Script{Text: `func F() {}`, Funcs: []string{"F"}}, dryrun.Options{}); err == nil || !strings.Contains(err.Error(), "no Funcs") {
		t.Error(err)
	}
	for name, input := range map[string]any{"function": func() { n++ }, "client": Client{&n}} {
		rep, err := dryrun.Run(t.Context(), rig.Pure(), sandtrap.Script{Text: `x.Send(); x()`, Inputs: map[string]any{"x": input}}, dryrun.Options{})
		if err == nil || n > 0 {
			t.Errorf("%s: %q", name, rep.Result.Stdout)
		}
	}
}

// TestInputs: a script changes a copy of what it is given.
func TestInputs(t *testing.T) {
	given := map[string]int{"a": 1}
	rep, err := dryrun.Run(t.Context(), rig.Pure(), sandtrap.Script{Text: `given["a"] = 2; fmt.Print(given["a"])`, Inputs: map[string]any{"given": given}}, dryrun.Options{})
	if err != nil || rep.Result.Stdout != "2" || given["a"] != 1 {
		t.Error(rep.Result.Stdout, given, err)
	}
}

// An other is a guard of a host's own.
type other struct{ decide.Guard }

// A sink takes events.
type sink func(record.Event)

func (s sink) Write(e record.Event) error { s(e); return nil }

// TestNothingLive: a dry run writes to no record of the policy, and spends nothing: a second one has the same budget, and one after
// a run has what that has left.
func TestNothingLive(t *testing.T) {
	events, budget := 0, guard.NewBudget(3)
	p := rig.Pure()
	p.Funcs = map[string]any{"charge": sandtrap.Member{Value: func() error { return nil }, Cost: 1}}
	p.Guard = &guard.Policy{Budget: budget, Record: sink(func(record.Event) { events++ })}
	script := sandtrap.Script{Text: `for charge() == nil {}`}
	for spent := range int64(3) {
		for range 2 {
			rep, err := dryrun.Run(t.Context(), p, script, dryrun.Options{})
			if n := len(rep.Calls); err != nil || int64(n) != 4-spent || rep.Calls[n-1].Code != decide.BudgetSpent || budget.Spent() != spent || events > 0 {
				t.Errorf("%d calls, %d spent, %d events, %v", n, budget.Spent(), events, err)
			}
		}
		if _, err := rig.RunOnce(t, p, `charge()`); err != nil {
			t.Fatal(err)
		}
		events = 0
	}
}

// TestManyCalls: a report is bounded, and says how many calls there were.
func TestManyCalls(t *testing.T) {
	p := rig.Pure()
	p.Funcs = map[string]any{"find": find(t)}
	for src, want := range map[string][2]int{
		`for range 12_000 { find("a") }`:                                   {10_000, 2_000},
		`s := strings.Repeat("a", 1<<20); for range 20 { find(s) }`:        {15, 5},
		`s := strings.Repeat("a", 1<<20); for range 30 { go find(s[1:]) }`: {15, 15},
	} {
		if strings.Contains(src, "go find") {
			src = "var wg sync.WaitGroup; " + strings.ReplaceAll(src, "go find(s[1:])", "wg.Go(func() { find(s[1:]) })") + "; wg.Wait()"
		}
		rep, err := dryrun.Run(t.Context(), p, sandtrap.Script{Text: src}, dryrun.Options{})
		if err != nil || len(rep.Calls) != want[0] || rep.MoreCalls != want[1] {
			t.Errorf("%s: %d and %d, %v", src, len(rep.Calls), rep.MoreCalls, err)
		}
		if !strings.HasPrefix(rep.String(), fmt.Sprintf("calls: %d, of which the first %d are listed\n", want[0]+want[1], want[0])) {
			t.Errorf("%.60s", rep)
		}
	}
}

// TestManyFiles: likewise for files, whose lines are bounded too.
func TestManyFiles(t *testing.T) {
	p := rig.Pure()
	p.Files = &sandtrap.Files{}
	p.Files.Quota.Files = 20_000
	rep, err := dryrun.Run(t.Context(), p, sandtrap.Script{Text: `for i := range 10_005 { os.WriteFile(fmt.Sprintf("/f%05d", i), nil, 0o600) }`}, dryrun.Options{})
	if err != nil || len(rep.Files) != 10_000 || rep.MoreFiles != 5 {
		t.Errorf("%d and %d, %v", len(rep.Files), rep.MoreFiles, err)
	}
	rep, err = dryrun.Run(t.Context(), p, sandtrap.Script{Text: `for i := range 40 { os.WriteFile(fmt.Sprintf("/f%02d", i), bytes.Repeat([]byte("line\n"), 12_000), 0o600) }`}, dryrun.Options{})
	lines, hashes := 0, 0
	for _, c := range rep.Files {
		lines += len(c.Diff)
		if c.Diff == "" && len(c.After.SHA256) == 64 {
			hashes++
		}
	}
	if err != nil || lines > 1<<20 || hashes < 20 {
		t.Errorf("%d bytes of lines, %d hashes, %v", lines, hashes, err)
	}
}

// TestManyLines: files whose lines take long to compare do not keep the host busy.
func TestManyLines(t *testing.T) {
	p := rig.Pure()
	dir := t.TempDir()
	for i := range 500 {
		rig.WriteFile(t, filepath.Join(dir, fmt.Sprint(i)), strings.Repeat("\n", 30_000))
	}
	p.Files = &sandtrap.Files{Paths: []string{dir + ":rw"}}
	script := sandtrap.Script{Text: `for i := range 500 { f, _ := os.OpenFile(fmt.Sprint(dir, "/", i), os.O_WRONLY, 0); f.Write([]byte("x")); f.Close() }`, Inputs: map[string]any{"dir": dir}}
	rep, err := dryrun.Run(t.Context(), p, script, dryrun.Options{})
	diffs := 0
	for _, c := range rep.Files {
		if c.Diff != "" {
			diffs++
		}
	}
	if err != nil || len(rep.Files) != 500 || diffs == 0 || diffs*60_000 > 4<<20 {
		t.Errorf("%d files, of which %d were compared, %v", len(rep.Files), diffs, err)
	}
}

// TestSpoof: no line of a report that a script has a part in looks like one of its own.
func TestSpoof(t *testing.T) {
	p := rig.Pure()
	p.Funcs, p.Files = map[string]any{"find": find(t)}, &sandtrap.Files{}
	rep, err := dryrun.Run(t.Context(), p, sandtrap.Script{Text: `find("a\ncalls: 0\x1b[2J\u202e"); os.WriteFile("/f\nfiles: 0", []byte("x\nfiles: 0\r\x1b[2J\n"), 0o600)`}, dryrun.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(rep.String()) {
		if !strings.HasPrefix(line, "  ") && line != "calls: 1\n" && line != "files: 1\n" || strings.ContainsAny(line, "\x1b\u202e\r") {
			t.Errorf("%q", line)
		}
	}
}
