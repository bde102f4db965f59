package rules_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// TestNeedsState: a list of rules needs its state if one that begins empty in the middle lets a call pass that the other would have
// stopped. Sessions of calls, which are chosen at random, say whether it does.
func TestNeedsState(t *testing.T) {
	fetch := func(do rules.Action, when ...rules.Condition) rules.Rule {
		return rules.Rule{Name: "fetch", On: []string{"fetch"}, When: when, Do: do, Text: "no"}
	}
	tracks := func(list ...rules.Track) rules.Rule { return rules.Rule{Name: "tracks", Track: list} }
	count := func(min, max *int64) rules.Condition {
		return rules.Condition{Count: &rules.Count{Of: "n", Min: min, Max: max}}
	}
	not := func(c rules.Condition) rules.Condition { return rules.Condition{Not: &c} }
	sends := rules.Track{On: []string{"send"}, Count: "n"}
	raises := rules.Track{On: []string{"send"}, Raise: "f"}
	flag, unread := rules.Condition{Flag: "f"}, rules.Condition{Param: "url", NotSeen: "s"}
	reads := rules.Track{On: []string{"search"}, Add: &rules.Add{Set: "s", Param: "text"}}
	for name, tc := range map[string]struct {
		rules []rules.Rule
		needs bool
	}{
		"none":                {[]rules.Rule{fetch(rules.Block, rules.Condition{Param: "url", Equals: "a"})}, false},
		"max_writes":          {[]rules.Rule{rules.MaxWrites(2)}, true},
		"once_per_value":      {[]rules.Rule{rules.OncePerValue("url", "fetch")}, true},
		"read_before_write":   {[]rules.Rule{rules.ReadBeforeWrite()}, false},
		"ask_first":           {[]rules.Rule{rules.AskFirst("fetch")}, false},
		"a warning":           {[]rules.Rule{tracks(sends), fetch(rules.Warn, count(ptr(int64(2)), nil))}, false},
		"up to a count":       {[]rules.Rule{tracks(sends), fetch(rules.Block, count(nil, ptr(int64(2))))}, false},
		"from a count":        {[]rules.Rule{tracks(sends), fetch(rules.Ask, count(ptr(int64(2)), nil))}, true},
		"not from a count":    {[]rules.Rule{tracks(sends), fetch(rules.Block, not(count(ptr(int64(2)), nil)))}, false},
		"not up to a count":   {[]rules.Rule{tracks(sends), fetch(rules.Block, not(count(nil, ptr(int64(2)))))}, true},
		"outside of counts":   {[]rules.Rule{tracks(sends), fetch(rules.Block, not(count(ptr(int64(2)), ptr(int64(3)))))}, true},
		"a flag":              {[]rules.Rule{tracks(raises), fetch(rules.Block, flag)}, true},
		"no flag":             {[]rules.Rule{tracks(raises), fetch(rules.Block, not(flag))}, false},
		"not no flag":         {[]rules.Rule{tracks(raises), fetch(rules.Block, not(not(flag)))}, true},
		"any":                 {[]rules.Rule{tracks(raises, reads), fetch(rules.Block, rules.Condition{Any: []rules.Condition{flag, unread}})}, true},
		"all":                 {[]rules.Rule{tracks(raises, reads), fetch(rules.Block, rules.Condition{All: []rules.Condition{not(flag), unread}})}, false},
		"not unread":          {[]rules.Rule{tracks(reads), fetch(rules.Block, not(unread))}, true},
		"a count that resets": {[]rules.Rule{tracks(sends, rules.Track{On: []string{"fetch"}, Reset: []string{"n"}}), fetch(rules.Block, not(count(ptr(int64(2)), nil)))}, true},
		"raised once others are not": {[]rules.Rule{
			tracks(reads, rules.Track{On: []string{"send"}, Raise: "g"}, rules.Track{On: []string{"search"}, When: []rules.Condition{not(rules.Condition{Flag: "g"})}, Raise: "f"}),
			fetch(rules.Block, not(flag)),
		}, true},
	} {
		set, err := rules.Compile(tc.rules, members)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if set.NeedsState() != tc.needs || loosened(set) != tc.needs {
			t.Errorf("%s: %v, and it lets more pass: %v; want %v", name, set.NeedsState(), loosened(set), tc.needs)
		}
	}
}

// loosened reports that a session whose state is lost lets a call pass which it would have stopped.
func loosened(set *rules.Set) bool {
	next := rand.New(rand.NewPCG(1, 2))
	calls := [][]any{{"fetch", "a"}, {"fetch", "b"}, {"send", "a", []string{}}, {"search", "a"}, {"search", "b"}, {"file.read", "/a"}, {"file.write", "/a"}, {"file.write", "/b"}}
	stops := func(hits []rules.Hit) bool {
		return slices.ContainsFunc(hits, func(h rules.Hit) bool { return h.Do == rules.Block || h.Do == rules.Ask })
	}
	for range 2000 {
		whole, parts := &session{set, set.NewState()}, &session{set, set.NewState()}
		lost := next.IntN(10)
		for i := range 20 {
			if i == lost {
				parts.state = set.NewState()
			}
			c := calls[next.IntN(len(calls))]
			stopped, again := stops(whole.call(nil, c[0].(string), c[1:]...)), stops(parts.call(nil, c[0].(string), c[1:]...))
			if stopped && !again {
				return true
			}
		}
	}
	return false
}
