package durabletest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// hostileScript has calls that return before the one that waits, in two goroutines.
const hostileScript = `
c := make(chan string)
go func() { c <- ask("a"); c <- quick("b") }()
fmt.Println(quick("c"))
_, err := once("x")
fmt.Println(<-c, <-c, err)
`

// hostileBox is a box for it whose functions count their calls.
func hostileBox(t testing.TB, calls *int) *durable.Box {
	return mustBox(t, sandtrap.Policy{
		Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Timeout: timeout, Ticks: 100_000}, Seed: 1,
		Funcs: map[string]any{
			"ask":   sandtrap.Member{Value: ask, Params: []string{"s"}, Pauses: true},
			"quick": func(s string) string { return s },
			"once":  func(s string) (Found, error) { *calls++; return Found{Name: s}, errors.New("no") },
		},
	})
}

// journalOf is the journal of the script, which waits for its call of ask.
func journalOf(t testing.TB, b *durable.Box) string {
	t.Helper()
	_, pause, err := b.Start(t.Context(), sandtrap.Script{Text: hostileScript}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(saved(t, pause))
}

// TestHostileJournals: a journal that nobody has saved is refused, or the run that it is of goes another way; the
// message says what and where.
func TestHostileJournals(t *testing.T) {
	calls := 0
	b := hostileBox(t, &calls)
	good := journalOf(t, b)
	lines := strings.SplitAfter(strings.TrimSuffix(good, "\n"), "\n")
	if len(lines) < 4 {
		t.Fatal(good)
	}
	swap := func(old, by string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("no %s in %s", old, good)
		}
		return strings.Replace(good, old, by, 1)
	}
	waits := `{"answered":` + regexp.MustCompile(`"waiting":(\d+)`).FindStringSubmatch(good)[1] + `,"result":["x"]}`
	head, rest := lines[0], strings.Join(lines[1:], "")
	for _, row := range []struct {
		name, text string
		is         error
		want       string
	}{
		{"empty", "", durable.ErrJournal, "it is empty"},
		{"a blank line", "\n", durable.ErrJournal, "line 1"},
		{"no JSON", "hello\n", durable.ErrJournal, "line 1"},
		{"null", "null\n", durable.ErrJournal, "line 1"},
		{"deep", strings.Repeat("[", 1<<20), durable.ErrJournal, "line 1"},
		{"deep result", swap(`"result":["c"]`, `"result":`+strings.Repeat("[", 1<<20)+strings.Repeat("]", 1<<20)), durable.ErrJournal, "max depth"},
		{"long line", head + strings.Repeat("x", 65<<20), durable.ErrJournal, "line 2 is longer than"},
		{"another version", strings.Replace(good, `"journal":1`, `"journal":2`, 1), durable.ErrJournal, "version 2"},
		{"huge version", strings.Replace(good, `"journal":1`, `"journal":1e999`, 1), durable.ErrJournal, "line 1"},
		{"cut", strings.Join(lines[:len(lines)-1], ""), durable.ErrJournal, "0 calls wait, and there were 1"},
		{"cut within the first line", good[:100], durable.ErrJournal, "line 1"},
		{"more lines", good + good, durable.ErrJournal, fmt.Sprintf("line %d", len(lines)+1)},
		{"twice", head + lines[1] + rest, durable.ErrJournal, "line 3"},
		{"a call twice", lines[0] + lines[1] + regexp.MustCompile(`"call":\d+`).ReplaceAllString(lines[2], `"call":1`) + lines[3], durable.ErrJournal, "call 1 is there before"},
		{"two objects", strings.Replace(good, "}\n", "}{}\n", 1), durable.ErrJournal, "more than one"},
		{"unknown field", swap(`{"call":`, `{"x":1,"call":`), durable.ErrJournal, "unknown field"},
		{"negative call", swap(`{"call":`, `{"call":-`), durable.ErrJournal, "line 2"},
		{"huge call", swap(`{"call":`, `{"call":9223372036854775807`), durable.ErrJournal, "line 2"},
		{"huge rest", swap(`"rest":1,`, fmt.Sprintf(`"rest":%d,`, 1<<62)), durable.ErrJournal, "line"},
		{"another policy", swap(`"policy":"`, `"policy":"0`), durable.ErrDiverged, "policy"},
		{"no policy", strings.Replace(good, good[strings.Index(good, `"policy":"`):strings.Index(good, `"seed"`)], `"policy":"",`, 1), durable.ErrDiverged, "policy"},
		{"another result", swap(`"result":["c"]`, `"result":[1]`), durable.ErrDiverged, "result 1 of quick"},
		{"more results", swap(`"result":["c"]`, `"result":["c","d"]`), durable.ErrDiverged, "2 values"},
		{"no result", swap(`"result":["c"]`, `"result":null`), durable.ErrDiverged, "0 values"},
		{"an error of a function without", swap(`"result":["c"]`, `"result":["c"],"err":"x"`), durable.ErrDiverged, "returns none"},
		{"another name", swap(`"name":"quick"`, `"name":"once"`), durable.ErrDiverged, "call "},
		{"name of no function", swap(`"name":"quick"`, `"name":"none"`), durable.ErrDiverged, "call "},
		{"another script", swap(`quick(\"c\")`, `quick(\"d\")`), durable.ErrDiverged, "quick"},
		{"a script that ends", swap(`"text":"\n`, `"text":"\nreturn\n`), durable.ErrDiverged, "ends"},
		{"a script that is none", swap(`"text":"\n`, `"text":"\n}`), durable.ErrDiverged, "ends"},
		{"a script that spins", swap(`"text":"\n`, `"text":"\nfor {}\n`), durable.ErrDiverged, "ends"},
		{"another seed", swap(`"seed":1`, `"seed":-1`), durable.ErrJournal, "line 1"},
		{"an answer to no call", good + `{"answered":9,"result":["x"]}` + "\n", durable.ErrJournal, "no answer to call 9"},
		{"an answer to a call that has returned", good + `{"answered":1,"result":["x"]}` + "\n", durable.ErrJournal, "no answer to call 1"},
		{"two answers", good + strings.Repeat(waits+"\n", 2), durable.ErrJournal, "no answer to call"},
		{"a call after an answer", good + waits + "\n" + lines[1], durable.ErrJournal, "something else among the answers"},
		{"an answer before its call", strings.Join(lines[:len(lines)-1], "") + waits + "\n" + lines[len(lines)-1], durable.ErrJournal, "no answer to call"},
		{"limits", swap(`"limits":{`, `"limits":{"Tick":1,`), durable.ErrJournal, "limits"},
	} {
		t.Run(row.name, func(t *testing.T) {
			before := calls
			for name, run := range map[string]func(string) (*sandtrap.Result, *durable.Pause, error){
				"resume": func(s string) (*sandtrap.Result, *durable.Pause, error) {
					return b.Resume(t.Context(), strings.NewReader(s), nil)
				},
				"replay": func(s string) (*sandtrap.Result, *durable.Pause, error) {
					return b.Replay(t.Context(), strings.NewReader(s))
				},
			} {
				_, pause, err := run(row.text)
				if !errors.Is(err, row.is) || !strings.Contains(fmt.Sprint(err), row.want) || pause != nil {
					t.Errorf("%s: %.300v, %v", name, err, pause)
				}
				if name == "resume" {
					t.Logf("%.300v", err)
				}
			}
			if calls != before {
				t.Errorf("%d calls", calls-before)
			}
		})
	}
}

// TestAnswered: a journal with an answer goes on with it, or with the one that it is told then; a replay waits.
func TestAnswered(t *testing.T) {
	b := oneBox(t, sandtrap.None, map[string]any{"ask": sandtrap.Member{Value: func(string) string { return "" }, Pauses: true}})
	_, pause, err := b.Start(t.Context(), sandtrap.Script{Text: "go func() { fmt.Println(ask(`a`)) }()\nruntime.Gosched()\nfmt.Println(ask(`b`))"}, nil)
	if err != nil || len(pause.Pending) != 2 {
		t.Fatal(pause, err)
	}
	file := string(saved(t, pause)) + `{"answered":1,"result":["told"]}` + "\n"
	second := durable.Answer{ID: 2, Result: asJSON(t, "second")}
	for want, answers := range map[string][]durable.Answer{
		"told\n": nil, "told\nsecond\n": {second}, "other\nsecond\n": {{ID: 1, Result: asJSON(t, "other")}, second},
	} {
		res, _, err := b.Resume(t.Context(), strings.NewReader(file), nil, answers...)
		if err != nil || res.Stdout != want {
			t.Errorf("%q, %v, want %q", res.Stdout, err, want)
		}
	}
	if _, same, err := b.Replay(t.Context(), strings.NewReader(file)); err != nil || len(same.Pending) != 2 {
		t.Errorf("%v, %v", same, err)
	}
}

// TestJournalMemory: what a journal of many small parts takes to be read is bounded by its size.
func TestJournalMemory(t *testing.T) {
	calls := 0
	b := hostileBox(t, &calls)
	good := journalOf(t, b)
	many := strings.Replace(good, `"script":{`, `"script":{"args":[`+strings.Repeat(`"",`, 4<<20)+`""],`, 1)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, err := b.Resume(t.Context(), strings.NewReader(many), nil)
	runtime.ReadMemStats(&after)
	if n := int(after.TotalAlloc - before.TotalAlloc); n > 40*len(many) {
		t.Errorf("%d bytes are read with %d, %v", len(many), n, err)
	}
	t.Logf("%.200v", err)
}

// FuzzResume: whatever a journal says, a run with it ends, is refused or waits, and does what a saved one says.
func FuzzResume(f *testing.F) {
	calls := 0
	b := hostileBox(f, &calls)
	good := journalOf(f, b)
	for _, line := range strings.SplitAfter(good, "\n") {
		f.Add([]byte(line), uint16(0), byte(0))
	}
	for i := 0; i < len(good); i += 13 {
		f.Add([]byte(nil), uint16(i), byte('0'+i%10))
	}
	f.Add([]byte(good), uint16(0), byte(0))
	for n := range 6 {
		f.Add(fmt.Appendf(nil, "%s{\"answered\":%d,\"result\":[\"x\"]}\n", good, n), uint16(0), byte(0))
	}
	f.Fuzz(func(t *testing.T, text []byte, at uint16, by byte) {
		if len(text) == 0 { // a saved one with another byte
			text = []byte(good)
			text[int(at)%len(text)] = by
		}
		res, pause, err := b.Resume(t.Context(), bytes.NewReader(text), nil)
		if pause == nil && err == nil && bytes.Contains(text, []byte(`"waiting"`)) && !bytes.Contains(text, []byte(`"answered"`)) {
			t.Fatalf("%s\nends with %q", text, res.Stdout)
		}
		if pause != nil {
			_, same, err := b.Replay(t.Context(), bytes.NewReader(saved(t, pause)))
			if err != nil || same == nil {
				t.Fatal(same, err)
			}
			for _, p := range pause.Pending {
				if !json.Valid(p.Args) {
					t.Fatalf("%s", p.Args)
				}
			}
		}
	})
}

// FuzzLoadSession: whatever the journal of a session says, it is refused, or its cells are repeated, and nothing is called that it has
// the result of.
func FuzzLoadSession(f *testing.F) {
	calls := 0
	b := hostileBox(f, &calls)
	var file bytes.Buffer
	s, err := b.Session(&file)
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{`x, _ := once("a"); go quick("left")`, `undefined`, `fmt.Println(quick("b"), x)`, hostileScript} {
		s.Run(f.Context(), sandtrap.Script{Text: text})
	}
	good := file.String()
	if n := strings.Count(good, `{"cell":`); n != 4 || len(s.Pending()) == 0 {
		f.Fatal(good)
	}
	for i := 0; i < len(good); i += 17 {
		f.Add([]byte(nil), uint16(i), byte('0'+i%10))
	}
	for _, line := range strings.SplitAfter(good, "\n") {
		f.Add([]byte(good+line), uint16(0), byte(0))
		f.Add([]byte(strings.Replace(good, line, "", 1)), uint16(0), byte(0))
		f.Add([]byte(strings.Replace(good, line, line+line, 1)), uint16(0), byte(0))
	}
	f.Add([]byte(good+"{\"resumed\":1}\n"), uint16(0), byte(0))
	f.Fuzz(func(t *testing.T, text []byte, at uint16, by byte) {
		if len(text) == 0 {
			text = []byte(good)
			text[int(at)%len(text)] = by
		}
		s, err := b.LoadSession(bytes.NewReader(text), nil)
		if err != nil {
			return
		}
		defer s.Close()
		before := calls
		list, pause, err := b.ReplaySession(t.Context(), bytes.NewReader(text))
		if calls != before {
			t.Fatalf("%d calls of a replay: %s", calls-before, text)
		}
		if err == nil && pause == nil && len(list) > 0 {
			if _, again, err := s.Run(t.Context(), sandtrap.Script{Text: "1"}); again != nil || errors.Is(err, durable.ErrDiverged) {
				t.Fatalf("%v, %v: %s", again, err, text)
			}
		}
		var out bytes.Buffer
		if err := s.Save(&out); err != nil {
			t.Fatal(err)
		}
		if _, err := b.LoadSession(&out, nil); err != nil {
			t.Fatalf("what it has saved is not read: %v: %s", err, out.String())
		}
	})
}
