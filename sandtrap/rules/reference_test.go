package rules_test

import (
	"fmt"
	"math/rand/v2"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// The reference says 0 for no, 1 for unknown, 2 for yes.
func reference(c rules.Condition, args map[string]any) int {
	result := 2
	for _, one := range c.All {
		result = min(result, reference(one, args))
	}
	if c.Any != nil {
		most := 0
		for _, one := range c.Any {
			most = max(most, reference(one, args))
		}
		result = min(result, most)
	}
	if c.Not != nil {
		result = min(result, 2-reference(*c.Not, args))
	}
	if c.Param == "" {
		return result
	}
	name, each := strings.CutSuffix(c.Param, "[]")
	if !each {
		return min(result, referenceValue(c, args[name]))
	}
	v := reflect.ValueOf(args[name])
	if v.Kind() != reflect.Slice {
		return min(result, 1)
	}
	most, least := 0, 2
	for i := range v.Len() {
		one := referenceValue(c, v.Index(i).Interface())
		most, least = max(most, one), min(least, one)
	}
	if c.Each == "any" {
		return min(result, most)
	}
	return min(result, least)
}

func referenceValue(c rules.Condition, v any) int {
	result := 2
	and := func(given bool, is int) {
		if given {
			result = min(result, is)
		}
	}
	text, isText := v.(string)
	number, isNumber := 0.0, true
	switch n := v.(type) {
	case int:
		number = float64(n)
	case float64:
		number = n
	default:
		isNumber = false
	}
	known := func(is, known bool) int {
		switch {
		case !known:
			return 1
		case is:
			return 2
		}
		return 0
	}
	listed := func(list []any) int {
		alike := slices.ContainsFunc(list, func(x any) bool {
			_, t := x.(string)
			return t && isText || !t && isNumber
		})
		return known(slices.ContainsFunc(list, func(x any) bool {
			if i, ok := x.(int); ok && isNumber {
				return float64(i) == number
			}
			return x == v
		}), alike)
	}
	and(c.Equals != nil, listed([]any{c.Equals}))
	and(c.In != nil, listed(c.In))
	and(c.NotIn != nil, 2-listed(c.NotIn))
	if c.Range != nil {
		and(true, known((c.Range.Min == nil || number >= float64(c.Range.Min.(int))) && (c.Range.Max == nil || number <= float64(c.Range.Max.(int))), isNumber))
	}
	if c.Length != nil {
		size := reflect.ValueOf(v)
		sized := isText || v != nil && size.Kind() == reflect.Slice
		n := 0
		if sized {
			n = size.Len()
		}
		and(true, known(n >= c.Length.Min.(int), sized))
	}
	and(c.Regexp != "", known(isText && regexp.MustCompile(c.Regexp).FindString(text) == text && regexp.MustCompile("^("+c.Regexp+")$").MatchString(text), isText))
	and(c.Path != nil, referencePath(c.Path, text, isText))
	return result
}

func referencePath(patterns []string, text string, isText bool) int {
	if !isText || strings.Contains(text, "\x00") {
		return 1
	}
	clean := path.Clean(text)
	climbs := clean == ".." || strings.HasPrefix(clean, "../")
	for strings.HasPrefix(clean, "../") {
		clean = clean[3:]
	}
	if clean == ".." || clean == "." {
		clean = ""
	}
	result := 0
	if climbs {
		result = 1
	}
	for _, p := range patterns {
		at := path.Clean(p)
		if !globbed(split(at), split(clean)) {
			continue
		}
		switch anywhere := strings.HasPrefix(strings.TrimPrefix(at, "/"), "**"); {
		case anywhere || !climbs && path.IsAbs(p) == path.IsAbs(text):
			return 2
		default:
			result = 1
		}
	}
	return result
}

func split(p string) []string {
	if p = strings.Trim(p, "/"); p == "" {
		return nil
	}
	return strings.Split(p, "/")
}

func globbed(pattern, words []string) bool {
	switch {
	case len(pattern) == 0:
		return len(words) == 0
	case pattern[0] == "**":
		return globbed(pattern[1:], words) || len(words) > 0 && globbed(pattern, words[1:])
	case len(words) == 0:
		return false
	}
	ok, _ := path.Match(pattern[0], words[0])
	return ok && globbed(pattern[1:], words[1:])
}

// A maker makes random conditions and values.
type maker struct{ *rand.Rand }

func pick[T any](m maker, list ...T) T { return list[m.IntN(len(list))] }

func (m maker) path(words ...string) string {
	list := make([]string, 1+m.IntN(4))
	for i := range list {
		list[i] = pick(m, words...)
	}
	return pick(m, "/", "", "") + strings.Join(list, "/")
}

func (m maker) text() string {
	return pick(m, m.path("a", "b", "c", "..", ".", "", "ab"), pick(m, "a", "b", "aa", "", "x\x00"))
}

func (m maker) value() any {
	return pick[any](m, m.text(), m.IntN(5), float64(m.IntN(9))/2, nil, m.IntN(2) == 0)
}

func (m maker) condition(depth int) rules.Condition {
	if depth > 0 && m.IntN(3) == 0 {
		list := []rules.Condition{m.condition(depth - 1), m.condition(depth - 1)}
		return pick(m, rules.Condition{All: list}, rules.Condition{Any: list}, rules.Condition{Not: &list[0]})
	}
	param := pick(m, "s", "n", "any", "list[]", "anys[]")
	var c rules.Condition
	patterns := []string{m.path("a", "b", "*", "**", "a?", "[ab]"), m.path("a", "b", "c")}
	texts := []rules.Condition{{Equals: m.text()}, {In: []any{m.text(), m.text()}}, {NotIn: []any{m.text(), "a"}}, {Regexp: pick(m, "a*", "a|b", "[ab]*/.*")}, {Path: patterns}, {Path: patterns}}
	numbers := []rules.Condition{{Equals: m.IntN(5)}, {In: []any{m.IntN(5), m.IntN(5)}}, {Range: &rules.Range{Min: m.IntN(3), Max: 2 + m.IntN(3)}}}
	switch param {
	case "n":
		c = pick(m, numbers...)
	case "any", "anys[]":
		c = pick(m, append(texts, numbers...)...)
	default:
		c = pick(m, append(texts, rules.Condition{Length: &rules.Range{Min: 1 + m.IntN(3)}})...)
	}
	if c.Param = param; strings.HasSuffix(param, "[]") {
		c.Each = pick(m, "any", "all")
	}
	return c
}

// texts is a condition on the text of a parameter, of the forms that have an index.
func (m maker) texts(param string) rules.Condition {
	patterns := []string{m.path("a", "b", "c", "**", "*"), m.path("a", "b", "c")}
	return pick(m, rules.Condition{Param: param, Path: patterns}, rules.Condition{Param: param, Path: patterns[1:]}, rules.Condition{Param: param, In: []any{m.text(), m.text()}})
}

// TestReference: random rules fire for random arguments where a plain implementation says so, alone and among many, by
// whatever index they are found.
func TestReference(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(1, 2))}
	f := memberOf("f", func(string, int, any, []string, []any) {}, "s", "n", "any", "list", "anys")
	compared, fired := 0, 0
	for round := range 300 {
		var list []rules.Rule
		for i := range 40 {
			r := rules.Rule{Name: fmt.Sprint(i), On: []string{"f"}, Do: rules.Warn, When: []rules.Condition{m.condition(2)}}
			if round%2 == 0 {
				r.When = []rules.Condition{m.texts([]string{"s", "any"}[round/2%2])}
			}
			if m.IntN(3) == 0 {
				r.When = append(r.When, m.condition(1))
			}
			if _, err := rules.Compile([]rules.Rule{r}, []rules.Member{f}); err == nil {
				list = append(list, r)
			}
		}
		s, err := rules.Compile(list, []rules.Member{f})
		if err != nil {
			t.Fatal(err)
		}
		for range 30 {
			args := map[string]any{"s": m.text(), "n": m.IntN(5), "any": m.value(), "list": []string{m.text(), m.text()}[:m.IntN(3)], "anys": []any{m.value(), m.value()}[:m.IntN(3)]}
			var want, got []string
			for _, r := range list {
				compared++
				if reference(rules.Condition{All: r.When}, args) > 0 {
					want = append(want, r.Name)
				}
			}
			a := args["any"]
			in := values(args["s"], args["n"], a, args["list"], args["anys"])
			in[2] = reflect.ValueOf(&a).Elem()
			for _, h := range s.For("f").Before(in, nil) {
				got = append(got, h.Rule)
			}
			fired += len(got)
			if !slices.Equal(got, want) {
				for _, r := range list {
					if slices.Contains(got, r.Name) != slices.Contains(want, r.Name) {
						t.Errorf("%+v: fires %v, want %v, for %q", r.When, slices.Contains(got, r.Name), slices.Contains(want, r.Name), args)
					}
				}
				t.FailNow()
			}
		}
	}
	t.Logf("%d comparisons, of which %d fired", compared, fired)
}
