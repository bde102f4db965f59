package sandtraptest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Types of a host that are no structs.
type (
	Level  int
	Word   string
	Tags   []string
	Census map[string]int
	Fault  int
)

// Levels that scripts have by name.
const (
	Low Level = iota
	High
)

func (l Level) String() string    { return []string{"low", "high"}[l] }
func (l Level) Over(m Level) bool { return l > m }
func (l *Level) Raise() error {
	if *l == High {
		return errors.New("it is high")
	}
	*l++
	return nil
}
func (w Word) Shout() string           { return strings.ToUpper(string(w)) }
func (w Word) secret() string          { return "secret" }
func (w Word) Hidden() string          { return w.secret() }
func (t Tags) Has(s string) bool       { return slices.Contains(t, s) }
func (t Tags) Sort()                   { slices.Sort(t) }
func (t *Tags) Add(list ...string) int { *t = append(*t, list...); return len(*t) }
func (c Census) Count(words ...string) {
	for _, w := range words {
		c[w]++
	}
}
func (c Census) Drop(w string) { delete(c, w) }
func (f Fault) Error() string  { return fmt.Sprintf("fault %d", int(f)) }

// A Job has fields of these types.
type Job struct {
	Level Level
	Tags  Tags
	By    map[Word]Level
}

func (j *Job) Tag(s string) { j.Tags.Add(s) }

func wordsPolicy() sandtrap.Policy {
	p := pure()
	p.Packages = []sandtrap.Package{{Path: "corp/words", Exclude: []string{"Word.Hidden"}, Members: map[string]any{
		"Level": (*Level)(nil), "Word": (*Word)(nil), "Tags": (*Tags)(nil), "Census": (*Census)(nil), "Fault": (*Fault)(nil), "Job": (*Job)(nil),
		"Low": Low, "High": High, "None": Fault(0),
		"Top":  func() Level { return High },
		"Next": func(l Level) Level { return l + 1 },
		"Fail": func(n int) error { return fmt.Errorf("failed: %w", Fault(n)) },
		"Any":  func(v any) string { return fmt.Sprintf("%T %v", v, v) },
		"Give": func() any { return Tags{"a"} },
		"All":  func() map[Word][]Level { return map[Word][]Level{"w": {Low, High}} },
	}}}
	return p
}

// TestHostNamed: a registered type that is no struct is one like any other for a Go programmer.
func TestHostNamed(t *testing.T) {
	for _, tc := range []struct {
		src   string
		want  string // of x; "" is a refusal
		apart bool   // it takes an engine that tells such types from what they are made of
	}{
		{`x := fmt.Sprint(words.High, words.Low.Over(words.High), words.Level(1).Over(words.Low))`, "high false true", false},
		{`x := fmt.Sprintf("%T %v %d %+v", words.High, words.Top(), words.Next(words.Low), words.Job{Level: 1})`, "words.Level high 1 {Level:high Tags:[] By:map[]}", false},
		{`var l words.Level; err := l.Raise(); again := l.Raise(); x := fmt.Sprint(l, err, again)`, "high <nil> it is high", false},
		{`l := new(words.Level); f := l.Raise; f(); x := fmt.Sprint(*l, (*words.Level).Raise(l))`, "high it is high", false},
		{`const c = words.High + 0; var a [c + 1]int; x := fmt.Sprint(len(a))`, "2", false},
		{`x := words.Word("go").Shout() + string(words.Word("x")+"y")`, "GOxy", false},
		{`x := words.Word("go").Hidden()`, "", false},
		{`type H interface{ Hidden() string }; var v any = words.Word("a"); _, ok := v.(H); x := fmt.Sprint(ok)`, "false", false},
		{`type S interface{ Shout() string }; var v any = words.Word("a"); s, ok := v.(S); x := fmt.Sprint(ok, s.Shout())`, "trueA", false},
		{`var t words.Tags = []string{"b", "a"}; u := t; t.Sort(); n := t.Add("d", "c"); x := fmt.Sprint(t, u, n, t.Has("d"), len(t), t[1:])`, "[a b d c] [a b] 4 true 4 [b d c]", false},
		{`c := words.Census{}; d := c; c.Count("a", "b", "a"); c.Drop("b"); c["z"] = 4; x := fmt.Sprint(d, len(c))`, "map[a:2 z:4] 2", false},
		{`func f() (s string) { defer func() { s = fmt.Sprint(recover() != nil) }(); var c words.Census; c.Count("a"); return "no" }; x := f()`, "true", false},
		{`err := words.Fail(3); var f words.Fault; x := fmt.Sprint(errors.As(err, &f), int(f), errors.Is(err, words.Fault(3)), errors.Is(err, words.Fault(4)), err)`, "true 3 true false failed: fault 3", false},
		{`var err error = words.Fault(7); x := fmt.Sprint(err, err == words.Fault(7), words.None)`, "fault 7 true fault 0", false},
		{`x := words.Any(words.High) + words.Any(words.Tags{"q"})`, "sandtraptest.Level highsandtraptest.Tags [q]", false},
		{`t, ok := words.Give().(words.Tags); _, isText := words.Give().([]string); x := fmt.Sprint(t, ok, isText)`, "[a] true false", true},
		{`switch v := words.Give().(type) { case []string: panic(v); case words.Tags: }; x := fmt.Sprint(words.All()["w"][1])`, "high", true},
		{`j := &words.Job{Tags: words.Tags{"a"}}; j.Tag("b"); j.Level.Raise(); j.By = map[words.Word]words.Level{"k": 1}; x := fmt.Sprint(*j, j.Tags.Has("b"), j.By["k"])`, "{high [a b] map[k:high]} true high", true},
		{`b, err := json.Marshal(words.Job{Level: 1, Tags: words.Tags{"t"}, By: map[words.Word]words.Level{"k": 0}}); x := fmt.Sprint(string(b), err)`, `{"Level":1,"Tags":["t"],"By":{"k":0}}<nil>`, true},
		{`var j words.Job; err := json.Unmarshal([]byte("{\"Level\":1,\"Tags\":[\"t\"],\"By\":{\"k\":1}}"), &j); x := fmt.Sprint(j, err)`, `{high [t] map[k:high]} <nil>`, true},
		{`func most[T ~int](l ...T) T { return slices.Max(l) }; x := fmt.Sprint(most(words.Low, words.High))`, "high", false},
		{`type W struct{ words.Level }; w := W{1}; x := fmt.Sprint(w.Over(words.Low), w)`, "true high", false},
		{`type mine words.Level; x := fmt.Sprint(mine(words.High))`, "1", false},
		{`m := map[words.Level]string{words.High: "h"}; x := m[words.Top()]`, "h", false},
		{`var l words.Level = 1; var n int = l; x := fmt.Sprint(n)`, "", false},
		{`x := fmt.Sprintf("%#v %#v", words.Tags{"a"}, words.Fault(1))`, `words.Tags{"a"} 1`, false},
		{`x := fmt.Sprintf("%d %v %x %5d %+v %T", words.Fault(17), words.Fault(17), words.Fault(17), words.Fault(1), words.Fail(2), words.Fault(1))`, "17 fault 17 6661756c74203137     1 failed: fault 2 words.Fault", false},
	} {
		t.Run(tc.src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				if tc.apart && b.Engine == "yaegi" {
					return
				}
				res, err := b.RunOnce(wordsPolicy(), "import \"corp/words\"\n"+tc.src)
				switch {
				case !b.Dispatches && strings.Contains(tc.src, "interface{") && err != nil: // the modes say what they cannot
				case b.RefusedByEngine(res):
				case tc.want == "" && !errors.Is(err, sandtrap.ErrRefused), tc.want != "" && (err != nil || res.Vars["x"] != tc.want):
					b.Errorf("got %v, %v, want %v", res.Vars["x"], err, tc.want)
				}
			})
		})
	}
}
