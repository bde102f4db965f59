package rules_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// BenchmarkState is a call that rules with a state allow: a set of paths, and a counter.
func BenchmarkState(b *testing.B) {
	s, err := rules.Compile([]rules.Rule{rules.ReadBeforeWrite(), rules.MaxWrites(1 << 40)}, members)
	if err != nil {
		b.Fatal(err)
	}
	st, args := s.NewState(), values("/srv/data/reports/2026.csv")
	s.For("file.read").After(args, []reflect.Value{reflect.Zero(reflect.TypeFor[error]())}, st)
	p := s.For("file.write")
	b.ReportAllocs()
	for b.Loop() {
		if p.Before(args, st) != nil {
			b.Fatal("a rule fires")
		}
	}
}

// BenchmarkBefore is calls for which nothing fires.
func BenchmarkBefore(b *testing.B) {
	read := memberOf("read", func(string) {}, "path")
	fetch := memberOf("fetch", func(string) {}, "url")
	on := func(m rules.Member, n int, when func(i int) rules.Condition) *rules.Set {
		var list []rules.Rule
		for i := range n {
			list = append(list, rules.Rule{Name: fmt.Sprint("r", i), On: []string{m.Name}, When: []rules.Condition{when(i)}, Do: rules.Block})
		}
		s, err := rules.Compile(list, []rules.Member{m})
		if err != nil {
			b.Fatal(err)
		}
		return s
	}
	for _, bm := range []struct {
		name   string
		member rules.Member
		n      int
		when   func(i int) rules.Condition
		arg    string
	}{
		{"glob", read, 1, func(int) rules.Condition { return rules.Condition{Param: "path", Path: []string{"/srv/secrets/**"}} }, "/srv/data/reports/2026.csv"},
		{"anywhere", read, 1, func(int) rules.Condition { return rules.Condition{Param: "path", Path: []string{"**/*.pem"}} }, "/srv/data/reports/2026.csv"},
		{"globs1000", read, 1000, func(i int) rules.Condition {
			return rules.Condition{Param: "path", Path: []string{fmt.Sprintf("/srv/t%d/secrets/**", i)}}
		}, "/srv/t500/data/2026.csv"},
		{"equals1000", read, 1000, func(i int) rules.Condition { return rules.Condition{Param: "path", Equals: fmt.Sprint("v", i)} }, "w500"},
		{"url", fetch, 1, func(int) rules.Condition {
			return rules.Condition{Param: "url", URL: []string{"https://internal.example.com/**"}}
		}, "https://api.example.com/v1/items?x=1"},
		{"urls1000", fetch, 1000, func(i int) rules.Condition {
			return rules.Condition{Param: "url", URL: []string{fmt.Sprintf("https://h%d.example.com/admin/**", i)}}
		}, "https://h500.example.com/v1/items?x=1"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			s := on(bm.member, bm.n, bm.when)
			p, st, args := s.For(bm.member.Name), s.NewState(), values(bm.arg)
			b.ReportAllocs()
			for b.Loop() {
				if p.Before(args, st) != nil {
					b.Fatal("a rule fires")
				}
			}
		})
	}
}

// TestNoAllocations: a call for which nothing fires allocates nothing.
func TestNoAllocations(t *testing.T) {
	s := newSession(t,
		rules.ReadBeforeWrite(), rules.NoSecretsPaths(), rules.MaxWrites(1<<40), rules.WritesUnder("/data"),
		rules.OnlyURLs("url", []string{"https://api.example.com/**"}, "fetch"), rules.ConfirmDestructive("args", "run"),
		rules.MaxSize("files", 3, "send"), rules.Rule{Name: "to", On: []string{"send"}, Do: rules.Block, When: []rules.Condition{{Param: "files[]", Each: "any", Regexp: ".*[.]exe"}}},
	)
	s.call(nil, "file.read", "/data/x")
	for _, c := range [][]any{
		{"file.write", "/data/x"}, {"file.write", "/data/../data//x"}, {"fetch", "https://api.example.com/x/../y?z"}, {"run", []string{"rm", "-i", "x"}}, {"send", "x", []string{"a", "b"}},
	} {
		args := values(c[1:]...)
		p := s.set.For(c[0].(string))
		if n := testing.AllocsPerRun(100, func() {
			if hits := p.Before(args, s.state); hits != nil {
				t.Fatal(c, hits)
			}
		}); n > 0 {
			t.Errorf("%v: %v allocations", c, n)
		}
	}
}
