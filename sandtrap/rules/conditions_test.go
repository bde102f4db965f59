package rules_test

import (
	"errors"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

type (
	options struct {
		Mode   string `json:"mode"`
		Force  bool
		Wait   time.Duration
		Inner  *options
		Labels map[string]string
		To     []address
		hidden string
	}
	address struct{ Host string }
	kind    string
)

// check reports an error unless a condition holds for some values, and not for others.
func check[T any](t *testing.T, name string, c rules.Condition, holds, fails []T) {
	t.Helper()
	for _, v := range holds {
		if !fires(t, c, v) {
			t.Errorf("%s: does not hold for %#v", name, v)
		}
	}
	for _, v := range fails {
		if fires(t, c, v) {
			t.Errorf("%s: holds for %#v", name, v)
		}
	}
}

func ptr[T any](v T) *T { return &v }

// TestConditions: each condition holds for some values, and not for others.
func TestConditions(t *testing.T) {
	type c = rules.Condition
	check(t, "equals", c{Equals: "a"}, []string{"a"}, []string{"", "A", "a "})
	check(t, "equals of a named type", c{Equals: "a"}, []kind{"a"}, []kind{"b"})
	check(t, "equals", c{Equals: 3.0}, []int{3}, []int{4})
	check(t, "equals", c{Equals: 255}, []uint8{255}, []uint8{254})
	check(t, "equals", c{Equals: "18446744073709551615"}, []uint64{math.MaxUint64}, []uint64{math.MaxUint64 - 1})
	check(t, "equals", c{Equals: "9007199254740993"}, []int64{1<<53 + 1}, []int64{1 << 53})
	check(t, "equals", c{Equals: 0.5}, []float64{0.5, math.NaN()}, []float64{0.25, math.Inf(1)})
	check(t, "equals", c{Equals: 0.1}, []float32{0.1}, []float32{0.2})
	check(t, "equals", c{Equals: "90s"}, []time.Duration{90 * time.Second}, []time.Duration{90})
	check(t, "equals", c{Equals: true}, []bool{true}, []bool{false})
	check(t, "equals false", c{Equals: false}, []bool{false}, []bool{true})
	check(t, "in", c{In: []any{"a", "b"}}, []string{"a", "b"}, []string{"c"})
	check(t, "in", c{In: []any{1, 2.0}}, []float32{1, 2}, []float32{1.5})
	check(t, "not_in", c{NotIn: []any{"a", "b"}}, []string{"c"}, []string{"a", "b"})
	check(t, "range", c{Range: &rules.Range{Min: 1, Max: 3}}, []int{1, 3}, []int{0, 4, -1})
	check(t, "range", c{Range: &rules.Range{Min: 0.5}}, []int{1}, []int{0, -1})
	check(t, "range", c{Range: &rules.Range{Max: -0.5}}, []int{-1}, []int{0, 1})
	check(t, "range", c{Range: &rules.Range{Max: "1e30"}}, []uint64{math.MaxUint64}, nil)
	check(t, "range", c{Range: &rules.Range{Min: "-1e30", Max: "9223372036854775807"}}, []float64{-1e29, 1 << 62}, []float64{1 << 63, -1e31, math.Inf(-1)})
	check(t, "range", c{Range: &rules.Range{Max: "1m"}}, []time.Duration{time.Minute, 0}, []time.Duration{time.Minute + 1})
	check(t, "length", c{Length: &rules.Range{Min: 2, Max: 3}}, []string{"é", "abc"}, []string{"a", "abcd"})
	check(t, "length", c{Length: &rules.Range{Min: 1}}, [][]int{{0}}, [][]int{nil, {}})
	check(t, "length", c{Length: &rules.Range{Max: 1}}, []map[int]int{nil, {1: 1}}, []map[int]int{{1: 1, 2: 2}})
	check(t, "regexp", c{Regexp: "a|b.*"}, []string{"a", "b", "bc", "b\nc"}, []string{"ab", "ca", "a\n", ""})
	check(t, "regexp", c{Regexp: "(?i)drop table .*"}, []string{"Drop TABLE x"}, []string{"x; drop table y"})
	check(t, "regexp of bytes", c{Regexp: "a+"}, [][]byte{[]byte("aa")}, [][]byte{[]byte("b"), nil})
	check(t, "prefix", c{Prefix: []string{"git", "push"}}, [][]string{{"git", "push"}, {"git", "push", "x"}}, [][]string{{"git"}, {"git", "pull"}, nil, {"x", "git", "push"}, {"/bin/git", "push"}})
	check(t, "suffix", c{Suffix: []string{"a", "b"}}, [][]string{{"a", "b"}, {"x", "a", "b"}}, [][]string{{"b"}, {"a", "b", "x"}, nil})
	check(t, "path", c{Path: []string{"/a/*/c", "/b/**/x.[ch]", "/d/?.txt"}},
		[]string{"/a/b/c", "/b/x.c", "/b/1/2/x.h", "/d/a.txt", "/d/é.txt"}, []string{"/a/c", "/a/b/b/c", "/b/x.o", "/d/ab.txt", "/d/.txt"})
	check(t, "path with base", c{Path: []string{"data/**"}, Base: "/srv/app"},
		[]string{"data/x", "/srv/app/data/x", "../app/data", "../../srv/app/data/x"}, []string{"../data/x", "/data/x", "data/../x", "../../data"})
	check(t, "nil", c{Nil: ptr(true)}, []any{nil, (*int)(nil), []int(nil), map[int]int(nil), (func())(nil)}, []any{0, "", []int{}, new(int)})
	check(t, "not nil", c{Nil: ptr(false)}, []*int{new(int)}, []*int{nil})
	check(t, "all", c{All: []c{{Param: "x", Equals: 1}, {Param: "x", Range: &rules.Range{Min: 0}}}}, []int{1}, []int{2})
	check(t, "any", c{Any: []c{{Param: "x", Equals: 1}, {Param: "x", Equals: 2}}}, []int{1, 2}, []int{3})
	check(t, "not", c{Not: &c{Param: "x", Equals: 1}}, []int{2}, []int{1})
	check(t, "two keys", c{Regexp: "a.*", Length: &rules.Range{Max: 2}}, []string{"ab"}, []string{"abc", "bc"})
	check(t, "command", c{Command: &rules.Command{Words: []string{"rm"}, Options: [][]string{{"-r", "-R", "--recursive"}, {"-f", "--force"}}}},
		[][]string{{"rm", "-fr", "x"}, {"rm", "-r", "-f"}, {"rm", "--recursive", "--force"}, {"/bin/rm", "--rec", "-f"}}, [][]string{{"rm", "-r"}, {"rm", "-f"}, {"cp", "-rf"}, nil})
}

// TestParts: conditions are about fields, keys and elements, behind pointers and interfaces.
func TestParts(t *testing.T) {
	type c = rules.Condition
	with := func(f func(*options)) options { var o options; f(&o); return o }
	ro := func(o *options) { o.Mode = "ro" }
	check(t, "field", c{Param: "x.Mode", Equals: "ro"}, []options{with(ro)}, []options{{hidden: "ro"}})
	check(t, "field by its JSON name", c{Param: "x.mode", Equals: "ro"}, []*options{ptr(with(ro))}, []*options{{}})
	check(t, "inner field", c{Param: "x.Inner.Force", Equals: true}, []options{{Inner: &options{Force: true}}}, []options{{Inner: &options{}}})
	check(t, "key", c{Param: "x.Labels.a", Equals: "b"}, []options{{Labels: map[string]string{"a": "b"}}}, []options{{Labels: map[string]string{"a": "c"}}})
	check(t, "any element", c{Param: "x.To[].Host", Each: "any", In: []any{"a"}}, []options{{To: []address{{"b"}, {"a"}}}}, []options{{}, {To: []address{{"b"}}}})
	check(t, "all elements", c{Param: "x[]", Each: "all", Equals: 1}, [][]int{{1, 1}, {}}, [][]int{{1, 2}, {2}})
	check(t, "elements of a map", c{Param: "x[]", Each: "any", Equals: 1}, []map[string]int{{"a": 1}}, []map[string]int{{"a": 2}})
	check(t, "elements of elements", c{Param: "x[][]", Each: "any", Equals: 1}, [][][]int{{{2}, {3, 1}}}, [][][]int{{{2}, {}}})
	check(t, "parts of any", c{Param: "x.a[].b", Each: "any", Equals: 1}, []any{map[string]any{"a": []any{map[string]any{"b": 1.0}}}}, []any{map[string]any{"a": []any{map[string]any{"b": 2.0}}}})
	check(t, "field of any", c{Param: "x.Mode", Equals: "ro"}, []any{with(ro), ptr(with(ro))}, []any{options{}})
	check(t, "command of any", c{Prefix: []string{"a"}}, [][]any{{"a", 1}}, [][]any{{"b"}})
}

// TestInDoubtItFires: a value that is not there, or has not the type that a condition needs, makes a rule fire, whether its
// condition is wanted to hold or not.
func TestInDoubtItFires(t *testing.T) {
	type c = rules.Condition
	for name, cond := range map[string]c{
		"equals": {Equals: "a"}, "equals a number": {Equals: 1}, "equals a bool": {Equals: true}, "in": {In: []any{"a"}}, "not_in": {NotIn: []any{"a"}},
		"range": {Range: &rules.Range{Min: 1}}, "length": {Length: &rules.Range{Min: 1}}, "regexp": {Regexp: "a"}, "path": {Path: []string{"/a/**"}},
		"url": {URL: []string{"https://a/**"}}, "prefix": {Prefix: []string{"a"}}, "suffix": {Suffix: []string{"a"}}, "part": {Param: "x.a.b", Equals: "a"},
		"elements": {Param: "x[]", Each: "all", Equals: "a"}, "any element": {Param: "x[]", Each: "any", Equals: "a"},
	} {
		if cond.Param == "" {
			cond.Param = "x"
		}
		for _, v := range []any{nil, struct{}{}, (*string)(nil), make(chan int), func() {}, 1i, errors.New("x")} {
			if !fires(t, cond, v) || !fires(t, c{Not: &cond}, v) {
				t.Errorf("%s: it does not fire for %T", name, v)
			}
		}
	}
	for _, v := range []any{1, true, []string{"a"}, map[string]any{}} {
		if a := (c{Param: "x", Equals: "a"}); !fires(t, a, v) || !fires(t, c{Not: &a}, v) {
			t.Errorf("a text: it does not fire for %T", v)
		}
	}
	if a := (c{Param: "x.a", Equals: "a"}); !fires(t, a, map[string]string{}) || !fires(t, c{Not: &a}, map[string]string{}) {
		t.Error("a key that is not there: it does not fire")
	}
	if a := (c{Param: "x.Inner.Mode", Equals: "a"}); !fires(t, a, options{}) || fires(t, c{All: []c{a, {Param: "x.Inner", Nil: ptr(false)}}}, options{}) {
		t.Error("a nil pointer: it does not fire, or does where the rule says that it is not nil")
	}
	var self any
	self = &self
	if a := (c{Param: "x", Equals: "a"}); !fires(t, a, self) || !fires(t, c{Not: &a}, self) {
		t.Error("a pointer to itself: it does not fire")
	}
	if a := (c{Param: "x", Prefix: []string{"a"}}); !fires(t, a, []any{1}) || !fires(t, c{Not: &a}, []any{1}) {
		t.Error("a word that is no text: it does not fire")
	}
	s, err := rules.Compile([]rules.Rule{{Name: "r", On: []string{"f"}, When: []c{{Param: "x", Equals: "a"}}, Do: rules.Ask}}, []rules.Member{memberOf("f", func(string) {}, "x")})
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]any{nil, {"b", "c"}} {
		if s.For("f").Before(values(args...), nil) == nil {
			t.Errorf("%d arguments: it does not fire", len(args))
		}
	}
}

// TestNoState: without a state it is not known whether conditions on it hold.
func TestNoState(t *testing.T) {
	s := newSession(t, rules.AskFirst("fetch"), rules.ReadBeforeWrite(), rules.MaxCalls(3, "send"))
	s.state = nil
	if s.call(nil, "fetch", "x") == nil || s.call(nil, "file.write", "/x") == nil || s.call(nil, "send", "x", []string{}) == nil {
		t.Error("a rule does not fire")
	}
}

// TestAfter: conditions after a call are about its results and its error.
func TestAfter(t *testing.T) {
	m := memberOf("f", func(string) (options, int, error) { return options{}, 0, nil }, "x")
	for name, tc := range map[string]struct {
		c    rules.Condition
		want bool
	}{
		"field":         {rules.Condition{Param: "return.Mode", Equals: "ro"}, true},
		"first":         {rules.Condition{Param: "return.0.Mode", Equals: "rw"}, false},
		"second":        {rules.Condition{Param: "return.1", Equals: 7}, true},
		"no error":      {rules.Condition{Error: "none"}, false},
		"error":         {rules.Condition{Error: "any"}, true},
		"another error": {rules.Condition{Error: "not_exist"}, false},
		"argument":      {rules.Condition{Param: "x", Equals: "a"}, true},
	} {
		s, err := rules.Compile([]rules.Rule{{Name: "r", On: []string{"f"}, After: true, When: []rules.Condition{tc.c}, Do: rules.Block}}, []rules.Member{m})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if hits := s.For("f").After(values("a"), values(options{Mode: "ro"}, 7, errors.New("no")), nil); (hits != nil) != tc.want {
			t.Errorf("%s: %v", name, hits)
		}
		if s.For("f").Before(values("a"), nil) != nil {
			t.Errorf("%s: it fires before the call", name)
		}
		if s.For("f").After(values("a"), nil, nil) == nil && name != "argument" {
			t.Errorf("%s: without results it does not fire", name)
		}
	}
	s, err := rules.Compile([]rules.Rule{{Name: "r", On: []string{"f"}, After: true, When: []rules.Condition{{Error: "none"}}, Do: rules.Warn}}, []rules.Member{m})
	if err != nil {
		t.Fatal(err)
	}
	if s.For("f").After(values("a"), []reflect.Value{reflect.ValueOf(options{}), reflect.ValueOf(7), reflect.Zero(reflect.TypeFor[error]())}, nil) == nil {
		t.Error("no error: it does not fire")
	}
}
