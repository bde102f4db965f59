package rules_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// TestState: counters, flags and sets, with what resets them, and as others of the list see them.
func TestState(t *testing.T) {
	s := newSession(t,
		rules.Rule{Name: "track", Track: []rules.Track{
			{On: []string{"send"}, When: []rules.Condition{{Param: "to", Equals: "boss"}}, Count: "mails", Raise: "mails"},
			{On: []string{"send"}, Add: &rules.Add{Set: "files", Param: "files[]", As: "path"}},
			{On: []string{"search"}, When: []rules.Condition{{Param: "text", Equals: "reset"}}, Reset: []string{"mails", "files"}},
		}},
		rules.Rule{Name: "count", On: []string{"fetch"}, When: []rules.Condition{{Count: &rules.Count{Of: "mails", Min: ptr(int64(1)), Max: ptr(int64(2))}}}, Do: rules.Warn},
		rules.Rule{Name: "flag", On: []string{"fetch"}, When: []rules.Condition{{Flag: "mails"}}, Do: rules.Remind},
		rules.Rule{Name: "seen", On: []string{"file.read"}, When: []rules.Condition{{Param: "path", Seen: "files"}}, Do: rules.Warn},
	)
	names := func(hits []rules.Hit) (list string) {
		for _, h := range hits {
			list += h.Rule + " "
		}
		return list
	}
	for i, step := range []struct {
		want string
		call []any
	}{
		{"", []any{"fetch", "x"}},
		{"", []any{"send", "x", []string{"/a/b", "/c"}}},
		{"", []any{"fetch", "x"}},
		{"seen ", []any{"file.read", "/a//b"}},
		{"seen ", []any{"file.read", "c"}},
		{"", []any{"file.read", "/d"}},
		{"", []any{"send", "boss", []string{}}},
		{"count flag ", []any{"fetch", "x"}},
		{"", []any{"send", "boss", []string{}}},
		{"count flag ", []any{"fetch", "x"}},
		{"", []any{"send", "boss", []string{}}},
		{"flag ", []any{"fetch", "x"}},
		{"", []any{"search", "x"}},
		{"flag ", []any{"fetch", "x"}},
		{"", []any{"search", "reset"}},
		{"", []any{"fetch", "x"}},
		{"", []any{"file.read", "/c"}},
		{"", []any{"send", "x", []string{"../e"}}},
		{"seen ", []any{"file.read", "/f"}}, // ../e may be this file
	} {
		if got := names(s.call(nil, step.call[0].(string), step.call[1:]...)); got != step.want {
			t.Errorf("step %d, %v: %q, want %q", i+1, step.call, got, step.want)
		}
	}
}

// TestDoubtInState: what may have been counted, raised, added or reset leaves the state in doubt.
func TestDoubtInState(t *testing.T) {
	maybe := memberOf("maybe", func(any) {}, "x")
	when := []rules.Condition{{Param: "x", Equals: "a"}}
	f := memberOf("f", func(string) {}, "x")
	for name, tc := range map[string]struct {
		track rules.Track
		when  rules.Condition
		first bool // the state is changed before, which is known
	}{
		"count":       {rules.Track{Count: "n"}, rules.Condition{Count: &rules.Count{Of: "n", Min: ptr(int64(1))}}, false},
		"flag":        {rules.Track{Raise: "n"}, rules.Condition{Flag: "n"}, false},
		"set":         {rules.Track{Add: &rules.Add{Set: "n", Param: "x"}}, rules.Condition{Param: "x", Seen: "n"}, false},
		"no count":    {rules.Track{Count: "n"}, rules.Condition{Count: &rules.Count{Of: "n", Max: ptr(int64(0))}}, false},
		"no flag":     {rules.Track{Raise: "n"}, rules.Condition{Not: &rules.Condition{Flag: "n"}}, false},
		"no set":      {rules.Track{Add: &rules.Add{Set: "n", Param: "x"}}, rules.Condition{Param: "x", NotSeen: "n"}, false},
		"reset count": {rules.Track{Reset: []string{"n"}}, rules.Condition{Count: &rules.Count{Of: "n", Max: ptr(int64(0))}}, true},
		"reset flag":  {rules.Track{Reset: []string{"n"}}, rules.Condition{Not: &rules.Condition{Flag: "n"}}, true},
		"reset set":   {rules.Track{Reset: []string{"n"}}, rules.Condition{Param: "x", NotSeen: "n"}, true},
	} {
		tc.track.On, tc.track.When = []string{"maybe"}, when
		own := rules.Track{On: []string{"g"}, Count: "n", Raise: "n", Add: &rules.Add{Set: "n", Param: "x"}}
		list := []rules.Rule{{Name: "r", On: []string{"f"}, When: []rules.Condition{tc.when}, Do: rules.Block, Track: []rules.Track{tc.track}}}
		if tc.first {
			list[0].Track = append(list[0].Track, own)
		}
		s, err := rules.Compile(list, []rules.Member{maybe, f, memberOf("g", func(string) {}, "x")})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		st := s.NewState()
		if tc.first {
			s.For("g").Before(values("b"), st)
		}
		before := s.For("f").Before(values("b"), st) != nil
		if s.For("maybe").Before(values("other"), st); (s.For("f").Before(values("b"), st) != nil) != before {
			t.Errorf("%s: a call that the track is not about changes the state", name)
		}
		if s.For("maybe").Before(values(1), st); s.For("f").Before(values("b"), st) == nil {
			t.Errorf("%s: it does not fire in doubt", name)
		}
	}
}

// TestBlockedIsNotTracked: a call that a rule blocks, wherever it is in the list, is not counted.
func TestBlockedIsNotTracked(t *testing.T) {
	s := newSession(t, rules.MaxCalls(1, "fetch"), rules.Rule{Name: "bad", On: []string{"fetch"}, Do: rules.Block, When: []rules.Condition{{Param: "url", Equals: "bad"}}})
	for range 3 {
		if hits := s.call(nil, "fetch", "bad"); len(hits) != 1 || hits[0].Rule != "bad" {
			t.Error(hits)
		}
	}
	if s.call(nil, "fetch", "good") != nil || s.call(nil, "fetch", "good") == nil {
		t.Error("calls that were blocked are counted, or those that were made are not")
	}
}

// TestSetsAreBounded: of a set that is full it is not known whether it has others.
func TestSetsAreBounded(t *testing.T) {
	s := newSession(t, rules.OncePerValue("to", "send"), rules.Rule{
		Name: "new", On: []string{"fetch"}, Do: rules.Block, When: []rules.Condition{{Param: "url", NotSeen: "urls"}},
		Track: []rules.Track{{On: []string{"search"}, Add: &rules.Add{Set: "urls", Param: "text"}}},
	})
	for i := range 1 << 16 {
		if s.call(nil, "send", fmt.Sprint(i), []string{}) != nil {
			t.Fatal("it fires for a new value")
		}
		s.call(nil, "search", fmt.Sprint(i))
	}
	if s.call(nil, "send", "new", []string{}); s.call(nil, "send", "newer", []string{}) == nil {
		t.Error("it does not fire for a full set")
	}
	if s.call(nil, "search", "new"); s.call(nil, "fetch", "new") == nil || s.call(nil, "fetch", "7") != nil {
		t.Error("a value that had no room is in the set, or one that had is not")
	}
}

// TestLongValues: values that are too long for a set are told apart, and from texts that look like their hashes.
func TestLongValues(t *testing.T) {
	s := newSession(t, rules.OncePerValue("to", "send"))
	long := strings.Repeat("x", 1000)
	for _, to := range []string{long, long + "y", strings.Repeat("x", 257), strings.Repeat("x", 255), "x"} {
		if s.call(nil, "send", to, []string{}) != nil || s.call(nil, "send", to, []string{}) == nil {
			t.Errorf("%d bytes", len(to))
		}
	}
}

// TestSessionsAreApart: what one session does is not seen in another.
func TestSessionsAreApart(t *testing.T) {
	a := newSession(t, rules.ReadBeforeWrite(), rules.MaxCalls(1, "fetch"))
	b := &session{a.set, a.set.NewState()}
	a.call(nil, "file.read", "/x")
	a.call(nil, "fetch", "x")
	if a.call(nil, "file.write", "/x") != nil || a.call(nil, "fetch", "x") == nil {
		t.Error("the session does not see what it did")
	}
	if b.call(nil, "file.write", "/x") == nil || b.call(nil, "fetch", "x") != nil {
		t.Error("a session sees what another did")
	}
}

// TestAtOnce: of calls from many goroutines as many are made as the rule says.
func TestAtOnce(t *testing.T) {
	const n = 100
	s := newSession(t, rules.MaxCalls(n, "fetch"), rules.OncePerValue("to", "send"), rules.ReadBeforeWrite())
	var made, sent sync.Map
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 50 {
				if s.call(nil, "fetch", "x") == nil {
					made.Store([2]int{g, i}, true)
				}
				if s.call(nil, "send", fmt.Sprint(i), []string{}) == nil {
					if _, twice := sent.LoadOrStore(i, true); twice {
						t.Errorf("%d is sent twice", i)
					}
				}
				s.call(nil, "file.read", fmt.Sprint("/", i))
				if s.call(nil, "file.write", fmt.Sprint("/", i)) != nil {
					t.Error("a file that was read is not")
				}
			}
		})
	}
	wg.Wait()
	count := 0
	made.Range(func(any, any) bool { count++; return true })
	if count != n {
		t.Errorf("%d calls were made, want %d", count, n)
	}
}

// TestCountedAtOnce: of calls whose rules take long, made at the same time, as many pass as the rule says.
func TestCountedAtOnce(t *testing.T) {
	const n = 20
	s := newSession(t, rules.MaxCalls(n, "fetch"), rules.Rule{Name: "slow", On: []string{"fetch"}, Do: rules.Warn, When: []rules.Condition{{Param: "url", Regexp: "(a|aa)*b"}}})
	args := values(strings.Repeat("a", 20000))
	var made atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range n {
				if s.set.For("fetch").Before(args, s.state) == nil {
					made.Add(1)
				}
			}
		})
	}
	if wg.Wait(); made.Load() != n {
		t.Errorf("%d calls were made, want %d", made.Load(), n)
	}
}
