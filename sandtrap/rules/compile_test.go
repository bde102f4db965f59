package rules_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// errorsOf compiles rules for some members, and splits the errors.
func errorsOf(list []rules.Rule) []string {
	more := append([]rules.Member{
		memberOf("typed", func(string, int, uint8, time.Duration, options, []string, any, float64, [3]int) {}, "s", "n", "u", "d", "o", "list", "any", "f", "array"),
	}, members...)
	_, err := rules.Compile(list, more)
	if err == nil {
		return nil
	}
	return strings.Split(err.Error(), "\n")
}

// TestCompileErrors: each mistake is an error that names the rule, the mistake, and the nearest name.
func TestCompileErrors(t *testing.T) {
	type c = rules.Condition
	on := []string{"typed"}
	when := func(list ...c) rules.Rule { return rules.Rule{On: on, When: list, Do: rules.Block} }
	for _, tc := range []struct {
		rule rules.Rule
		want string
	}{
		{rules.Rule{Do: rules.Block}, `on names no member`},
		{rules.Rule{On: []string{"file.raed"}, Do: rules.Block}, `on: there is no member "file.raed"; did you mean "file.read"?`},
		{rules.Rule{On: []string{"files.*"}, Do: rules.Block}, `on: there is no member "files.*"`},
		{rules.Rule{On: on}, `it does nothing: it has neither do nor track`},
		{rules.Rule{On: on, Do: "blok"}, `no action "blok"; did you mean "block"?`},
		{rules.Rule{On: on, Do: rules.Ask, After: true}, `after a call there is nothing to ask about`},
		{rules.Rule{On: on, Do: rules.Block, Text: "{pth}"}, `text: typed has no parameter "pth"`},
		{rules.Rule{On: on, Do: rules.Block, Text: "{s"}, `text: a { without }; {{ is a brace`},
		{rules.Rule{On: []string{"file.*"}, Do: rules.Block, When: []c{{Param: "paht", Equals: "a"}}}, `when 1: file.read has no parameter "paht"; did you mean "path"?`},
		{when(c{}), `when 1: it says nothing`},
		{when(c{Equals: "a"}), `when 1: equals needs a param`},
		{when(c{Param: "s"}), `when 1: nothing is said of s`},
		{when(c{Param: "o.Mod", Equals: "a"}), `o.Mod: rules_test.options has no field "Mod"; did you mean "Mode"?`},
		{when(c{Param: "o.hidden", Equals: "a"}), `has no field "hidden"`},
		{when(c{Param: "s.x", Equals: "a"}), `s.x: string has no fields`},
		{when(c{Param: "n[]", Each: "any", Equals: 1}), `n[]: int has no elements`},
		{when(c{Param: "list[]", Equals: "a"}), `list[] is several values: each is any or all, not ""`},
		{when(c{Param: "s", Each: "any", Equals: "a"}), `s is one value, without each; its elements are s[]`},
		{when(c{Param: "n", Equals: "a"}), `equals: "a" is not a number`},
		{when(c{Param: "s", Equals: 1}), `equals: 1 is not a value of string`},
		{when(c{Param: "s", In: []any{"a", nil}}), `in: null is no value to compare with; use nil: true`},
		{when(c{Param: "s", In: []any{}}), `in: an empty list`},
		{when(c{Param: "s", NotIn: []any{}}), `not_in: an empty list`},
		{when(c{Param: "u", Equals: 256}), `equals: uint8 has no value 256`},
		{when(c{Param: "n", In: []any{1, 1.5}}), `in: int has no value 1.5`},
		{when(c{Param: "n", Equals: float64(1 << 60)}), `may have been rounded: write it as a text`},
		{when(c{Param: "d", Range: &rules.Range{Max: 5}}), `range: max: 5 is not a duration, such as "1.5s" or "2m"`},
		{when(c{Param: "s", Range: &rules.Range{Max: 5}}), `range is for numbers, time.Duration; s is string`},
		{when(c{Param: "n", Range: &rules.Range{}}), `range: has neither min nor max`},
		{when(c{Param: "n", Range: &rules.Range{Min: 3, Max: 2}}), `range: no value of int is in it`},
		{when(c{Param: "u", Range: &rules.Range{Min: 256}}), `range: no value of uint8 is in it`},
		{when(c{Param: "u", Range: &rules.Range{Max: -1}}), `range: no value of uint8 is in it`},
		{when(c{Param: "s", Length: &rules.Range{Max: -1}}), `length: no value of uint is in it`},
		{when(c{Param: "array", Length: &rules.Range{Max: 2}}), `length: no value of [3]int has it`},
		{when(c{Param: "s", Regexp: "("}), `regexp: error parsing regexp`},
		{when(c{Param: "s", Regexp: "a)|(?:b"}), `regexp: error parsing regexp`},
		{when(c{Param: "n", Regexp: "a"}), `regexp is for texts, []byte; n is int`},
		{when(c{Param: "s", Path: []string{}}), `path: an empty list`},
		{when(c{Param: "s", Path: []string{"/a**"}}), `** is a whole part between two "/"`},
		{when(c{Param: "s", Path: []string{"/[a"}}), `syntax error in pattern`},
		{when(c{Param: "s", Path: []string{"a/../../b"}}), `leads out of its directory`},
		{when(c{Param: "s", Path: []string{"a"}, Base: "b"}), `base "b" is not an absolute path`},
		{when(c{Param: "s", URL: []string{"https://a"}}), `is not of the form scheme://host/path; /** is every path`},
		{when(c{Param: "s", URL: []string{"a.example/**"}}), `is not of the form scheme://host/path; /** is every path`},
		{when(c{Param: "s", URL: []string{"https://a:b@c/**"}}), `port "b@c" is neither a number nor *`},
		{when(c{Param: "s", URL: []string{"https://a@c/**"}}), `host: not every client reads it alike`},
		{when(c{Param: "s", Prefix: []string{"a"}}), `prefix is for []string; s is string; regexp is for texts`},
		{when(c{Param: "list", Prefix: []string{}}), `prefix: an empty list`},
		{when(c{Param: "list", Command: &rules.Command{}}), `command: it has neither words nor options`},
		{when(c{Param: "list", Command: &rules.Command{Options: [][]string{{"f"}}}}), `command: "f" is no option`},
		{when(c{Not: &c{Param: "list", Command: &rules.Command{Words: []string{"ls"}}}}), `under not, use prefix`},
		{when(c{Param: "s", Seen: "x"}), `seen: nothing adds to a set "x"`},
		{when(c{Count: &rules.Count{Of: "x"}}), `count: nothing counts "x"`},
		{when(c{Flag: "x"}), `flag: nothing raises "x"`},
		{when(c{Error: "any"}), `error: only after a call`},
		{when(c{Param: "return", Nil: ptr(true)}), `"return" is a result: it is there after the call`},
		{when(c{Count: &rules.Count{Of: "n"}}), `count: nothing counts "n"`},
		{rules.Rule{On: on, Do: rules.Warn, When: []c{{Count: &rules.Count{Of: "n"}}}, Track: []rules.Track{{Count: "n"}}}, `count: has neither min nor max`},
		{rules.Rule{On: on, Do: rules.Warn, When: []c{{Count: &rules.Count{Of: "n", Max: ptr(int64(-1))}}}, Track: []rules.Track{{Count: "n"}}}, `count: no number is in it`},
		{rules.Rule{On: on, When: []c{{Param: "s", Equals: "a"}}, Track: []rules.Track{{Count: "n"}}}, `when, text and after are those of do, which it does not have`},
		{when(c{Each: "any", Not: &c{Param: "s", Equals: "a"}}), `each needs a param`},
		{when(c{Param: "s", Equals: "a", Base: "/"}), `base is for path, seen and not_seen`},
		{rules.Rule{On: on, Do: rules.Warn, When: []c{{Param: "s", Seen: "x", Base: "/"}}, Track: []rules.Track{{Add: &rules.Add{Set: "x", Param: "s"}}}}, `base is for sets of paths, which "x" is not`},
		{rules.Rule{On: on, Do: rules.Warn, Track: []rules.Track{{Add: &rules.Add{Set: "x", Param: "s", Base: "/"}}}}, `add: base is for as: path`},
		{when(c{Param: "list", Command: &rules.Command{Words: []string{""}}}), `command: an empty word`},
		{when(c{Any: []c{}}), `an empty list of conditions`},
		{rules.Rule{On: on, After: true, Do: rules.Warn, When: []c{{Error: "any"}}}, `error: typed returns none`},
		{rules.Rule{On: on, After: true, Do: rules.Warn, When: []c{{Param: "return", Equals: 1}}}, `typed has no "return": it has 0 results`},
		{when(c{Param: "s", Equals: "a"}, c{Param: "s", Equals: "b"}), `s: no value that it may have passes the other conditions`},
		{when(c{Param: "s", Equals: "a"}, c{Param: "s", Regexp: "b.*"}), `s: no value that it may have passes the other conditions`},
		{when(c{Param: "s", In: []any{"a", "/b"}, Path: []string{"/c/**"}}), `s: no value that it may have passes the other conditions`},
		{when(c{All: []c{{Param: "n", Range: &rules.Range{Min: 3}}}}, c{Param: "n", Range: &rules.Range{Max: 2}}), `n: no number is in all ranges`},
		{when(c{Param: "s", Nil: ptr(true), Regexp: "a"}), `s: of nil nothing else holds`},
		{when(c{Param: "s", Equals: "a"}, c{Not: &c{Param: "s", Equals: "a"}}), `a condition is wanted to hold, and not to hold`},
		{when(c{Any: []c{{All: []c{{Param: "s", Equals: "a"}, {Param: "s", Equals: "b"}}}}}), `s: no value that it may have passes the other conditions`},
		{rules.Rule{On: on, Do: rules.Block, Track: []rules.Track{{}}}, `track: it changes nothing`},
		{rules.Rule{On: on, Do: rules.Block, Track: []rules.Track{{Reset: []string{"x"}}}}, `track: reset: there is no set, counter or flag "x"`},
		{rules.Rule{On: on, Do: rules.Block, Track: []rules.Track{{Add: &rules.Add{Set: "x", Param: "o"}}}}, `track: add: o is rules_test.options, which sets cannot have`},
		{rules.Rule{On: on, Do: rules.Block, Track: []rules.Track{{Add: &rules.Add{Set: "x", Param: "s", As: "uri"}}}}, `add: as "uri" is neither path nor url`},
		{rules.Rule{Use: "max_write"}, `use: there is no built-in rule "max_write"; did you mean "max_writes"?`},
		{rules.Rule{Use: "max_writes", With: map[string]any{"m": 3}}, `with: n is missing`},
		{rules.Rule{Use: "max_writes", With: map[string]any{"n": 3, "m": 3}}, `with: there is no setting "m"; did you mean "n"?`},
		{rules.Rule{Use: "max_writes", With: map[string]any{"n": -3}}, `with: n is a whole number, not negative`},
		{rules.Rule{Use: "max_calls", With: map[string]any{"n": 3}}, `max_calls needs on`},
		{rules.Rule{On: on, Do: rules.Block, With: map[string]any{"n": 3}}, `with is for built-in rules: there is no use`},
	} {
		tc.rule.Name = "r"
		got := errorsOf([]rules.Rule{tc.rule})
		if len(got) == 0 || !strings.HasPrefix(got[0], `rule "r": `) || !strings.Contains(strings.Join(got, "\n"), tc.want) {
			t.Errorf("%+v: %q, want %s", tc.rule, got, tc.want)
		}
	}
	if got := errorsOf([]rules.Rule{{On: on, Do: rules.Block}}); len(got) != 1 || got[0] != `rule "1": it has no name` {
		t.Errorf("%q", got)
	}
	for _, list := range [][]rules.Member{{members[0], members[0]}, {{Name: "f", Params: []string{"x"}}}} {
		if _, err := rules.Compile(nil, list); err == nil {
			t.Errorf("%v: no error", list)
		}
	}
	got := errorsOf([]rules.Rule{{On: on, Do: rules.Block}, {Name: "a", On: []string{"x"}, Do: rules.Block}, {Name: "b", On: on, Do: "x"}})
	if len(got) != 3 {
		t.Errorf("%d errors of three rules: %q", len(got), got)
	}
}

// TestRulesOfAList: two rules of one name, one that an earlier one shadows, and a set of two forms are errors.
func TestRulesOfAList(t *testing.T) {
	type c = rules.Condition
	block := func(name string, on string, when ...c) rules.Rule {
		return rules.Rule{Name: name, On: []string{on}, When: when, Do: rules.Block}
	}
	a, b := c{Param: "s", Equals: "a"}, c{Param: "n", Range: &rules.Range{Min: 3}}
	const shadowed = `rule "b": it never fires: the earlier rule "a" blocks each call that it is about`
	for i, tc := range []struct {
		list []rules.Rule
		want string
	}{
		{[]rules.Rule{block("a", "typed", a), block("a", "typed", b)}, `rule "a": there are two of this name`},
		{[]rules.Rule{block("a", "typed"), block("b", "typed", a)}, shadowed},
		{[]rules.Rule{block("a", "*"), block("b", "typed", a)}, shadowed},
		{[]rules.Rule{block("a", "typed", a), block("b", "typed", b, a)}, shadowed},
		{[]rules.Rule{block("a", "typed", a), block("b", "typed", c{All: []c{b, a}})}, shadowed},
		{[]rules.Rule{block("a", "typed", c{Param: "s", Path: []string{"/a/**", "/b"}}), block("b", "typed", c{Param: "s", Path: []string{"/b"}})}, shadowed},
		{[]rules.Rule{block("a", "typed", c{Param: "s", In: []any{"a", "b"}}), block("b", "typed", a)}, shadowed},
		{[]rules.Rule{block("a", "typed", b), block("b", "typed", c{Param: "n", Range: &rules.Range{Min: 4, Max: 7}})}, shadowed},
		{[]rules.Rule{block("a", "typed", c{Param: "d", Range: &rules.Range{Min: "1m"}}), block("b", "typed", a, c{Param: "d", Range: &rules.Range{Min: "1m"}})}, shadowed},
		{[]rules.Rule{block("a", "typed", a), {Name: "b", On: []string{"typed"}, After: true, When: []c{a}, Do: rules.Warn}}, shadowed},
		{[]rules.Rule{block("a", "typed", b), block("b", "typed", c{Param: "n", Range: &rules.Range{Min: 2, Max: 7}})}, ""},
		{[]rules.Rule{block("a", "typed", a), block("b", "typed", b)}, ""},
		{[]rules.Rule{block("a", "typed", a, b), block("b", "typed", a)}, ""},
		{[]rules.Rule{{Use: "max_calls", Name: "a", On: []string{"fetch"}, With: map[string]any{"n": 1}}, {Use: "max_calls", Name: "b", On: []string{"fetch"}, With: map[string]any{"n": 1}}}, ""},
		{[]rules.Rule{block("a", "typed"), block("b", "*")}, ""},
		{[]rules.Rule{{Name: "a", On: []string{"typed"}, Do: rules.Ask}, block("b", "typed", a)}, ""},
		{[]rules.Rule{{Name: "a", On: []string{"typed"}, Do: rules.Block, After: true}, block("b", "typed", a)}, ""},
		{[]rules.Rule{block("a", "typed", c{Param: "s", NotIn: []any{"a"}}), block("b", "typed", c{Param: "s", NotIn: []any{"b"}})}, ""},
		{[]rules.Rule{
			{Name: "a", Track: []rules.Track{{On: []string{"typed"}, Add: &rules.Add{Set: "x", Param: "s"}}}},
			{Name: "b", Track: []rules.Track{{On: []string{"typed"}, Add: &rules.Add{Set: "x", Param: "s", As: "path"}}}},
		}, `rule "b": values are added to the set "x" as "path", and elsewhere as ""`},
	} {
		if got := strings.Join(errorsOf(tc.list), "\n"); got != tc.want {
			t.Errorf("%d: %q, want %q", i+1, got, tc.want)
		}
	}
}

// TestExamples: an example that fails is an error of Compile that names it.
func TestExamples(t *testing.T) {
	type c = rules.Condition
	rule := rules.Rule{Name: "r", On: []string{"typed"}, Do: rules.Block, When: []c{{Param: "s", Path: []string{"/a/**"}}, {Param: "d", Range: &rules.Range{Max: "1m"}}}}
	read := rules.ReadBeforeWrite()
	for i, tc := range []struct {
		rule           rules.Rule
		match, nomatch rules.Example
		want           string
	}{
		{rule, rules.Example{Args: map[string]any{"s": "/b/../a/c", "d": "30s"}}, rules.Example{Args: map[string]any{"s": "/a", "d": "61s"}}, ""},
		{rule, rules.Example{Args: map[string]any{"s": "/b"}}, rules.Example{Args: map[string]any{"s": "/c"}}, `rule "r": match 1: it does not fire for typed with {"s":"/b"}`},
		{rule, rules.Example{Args: map[string]any{"s": "/a"}}, rules.Example{Args: map[string]any{"s": "/a"}}, `rule "r": nomatch 1: it fires for typed with {"s":"/a"}`},
		{rule, rules.Example{Args: map[string]any{"s": "/a", "p": 1}}, rules.Example{}, `rule "r": match 1: typed has no parameter "p"`},
		{rule, rules.Example{Args: map[string]any{"s": "/a", "u": 256}}, rules.Example{}, `rule "r": match 1: u: json: cannot unmarshal`},
		{rule, rules.Example{Args: map[string]any{"s": "/a", "o": map[string]any{"mod": "x"}}}, rules.Example{}, `rule "r": match 1: o: json: unknown field "mod"`},
		{rule, rules.Example{Member: "typd"}, rules.Example{}, `rule "r": match 1: the rule is not about a member "typd"; did you mean "typed"?`},
		{read, rules.Example{Args: map[string]any{"path": "/a"}}, rules.Example{Args: map[string]any{"path": "/a"}, Sets: map[string][]any{".read": {"/x/../a"}}}, ""},
		{read, rules.Example{Args: map[string]any{"path": "/a"}, Sets: map[string][]any{".raed": {"/a"}}}, rules.Example{}, `match 1: there is no set ".raed"`},
		{rules.MaxWrites(2), rules.Example{Counts: map[string]int64{".calls": 2}}, rules.Example{Counts: map[string]int64{".calls": 1}}, ""},
		{rules.AskFirst("fetch"), rules.Example{}, rules.Example{Flags: []string{".asked"}}, ""},
		{rules.VerifyAfterWrite(), rules.Example{}, rules.Example{Error: "disk full"}, ""},
		{rules.Rule{Name: "r", On: []string{"file.read"}, After: true, Do: rules.Warn, When: []c{{Error: "not_exist"}}}, rules.Example{Error: "file does not exist"}, rules.Example{Error: "disk full"}, ""},
	} {
		tc.rule.Match, tc.rule.NoMatch = []rules.Example{tc.match}, []rules.Example{tc.nomatch}
		got := strings.Join(errorsOf([]rules.Rule{tc.rule}), "\n")
		if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
			t.Errorf("%d: %q, want %q", i+1, got, tc.want)
		}
	}
}

// TestSchema: rules have one form in Go, JSON and YAML, and a key that is not of it is an error.
func TestSchema(t *testing.T) {
	const text = `{"name":"r","on":["typed"],"when":[{"param":"s","path":["/a/**"]},{"not":{"param":"n","range":{"min":1,"max":"9007199254740993"}}},{"count":{"of":"calls","min":2}}],"do":"ask","text":"x","track":[{"after":true,"count":"calls"}],"match":[{"args":{"s":"/a"},"counts":{"calls":2}}],"nomatch":[{"args":{"s":"/b"}}]}`
	var fromJSON, fromYAML rules.Rule
	for name, err := range map[string]error{"JSON": json.Unmarshal([]byte(text), &fromJSON), "YAML": yaml.Unmarshal([]byte(text), &fromYAML)} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, r := range []rules.Rule{fromJSON, fromYAML} {
		back, err := json.Marshal(r)
		if err != nil || string(back) != text {
			t.Errorf("%v: %s, want %s", err, back, text)
		}
		if errs := errorsOf([]rules.Rule{r}); errs != nil {
			t.Error(errs)
		}
	}
	const bad = `{"name":"r","when":[{"parm":"s"}]}`
	j := json.NewDecoder(strings.NewReader(bad))
	j.DisallowUnknownFields()
	y := yaml.NewDecoder(strings.NewReader(bad))
	y.KnownFields(true)
	if j.Decode(new(rules.Rule)) == nil || y.Decode(new(rules.Rule)) == nil {
		t.Error("a key that is not there is no error")
	}
}

// TestManyRules: a thousand rules compile in a time that allows it.
func TestManyRules(t *testing.T) {
	var list []rules.Rule
	for i := range 1000 {
		list = append(list, rules.Rule{Name: fmt.Sprint(i), On: []string{"file.*"}, Do: rules.Block, When: []rules.Condition{{Param: "path", Path: []string{fmt.Sprintf("/%d/**", i)}}}})
	}
	start := time.Now()
	if errs := errorsOf(list); errs != nil {
		t.Error(errs)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it took %v", took)
	} else {
		t.Log(took)
	}
}

// TestNameOfUse: an error about a rule without a name names the built-in rule that it asks for.
func TestNameOfUse(t *testing.T) {
	_, err := rules.Compile([]rules.Rule{{Use: "max_write"}}, nil)
	if want := `rule "max_write": use: there is no built-in rule "max_write"; did you mean "max_writes"?`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
