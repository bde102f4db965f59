package sandtrap_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// reloaded is s, saved and loaded into another sandbox of the same policy.
func reloaded(t testing.TB, s *sandtrap.Session, change func(*sandtrap.Policy)) *sandtrap.Session {
	t.Helper()
	var b bytes.Buffer
	if _, err := s.Save(&b); err != nil {
		t.Fatal(err)
	}
	p := sandtrap.Policy{Std: sandtrap.StdDefault(), Echo: sandtrap.EchoLast}
	if change != nil {
		change(&p)
	}
	box, err := sandtrap.New(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	out, err := box.LoadSession(&b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { out.Close() })
	return out
}

func TestSaveLoad(t *testing.T) {
	for _, tc := range []struct {
		name  string
		steps []step
	}{
		{"basic values", []step{
			{"a, b, c := 1, \"x\", 2.5\nd := []int{1, 2}\ne := map[string]bool{\"k\": true}\nvar f any = int8(3)\ng := [3]byte{1}\nh := complex(1, 2)", ""},
			{"fmt.Printf(\"%v %v %v %v %v %T %v %v %v\\n\", a, b, c, d, e, f, f, g, h)", "1 x 2.5 [1 2] map[k:true] int8 3 [1 0 0] (1+2i)"},
		}},
		{"functions and what they call", []step{{"func dep(n int) int { return n + 1 }", ""}, {"func f(n int) int { return dep(n) }", ""}, {"func dep(n int) int { return 0 }", ""}, {"f(5)", "= 6"}}},
		{"closures share what they captured", []step{{"n := 0\nfunc pair() (func(), func() int) { k := 10; return func() { k++ }, func() int { return k } }\ninc, get := pair()\ntop := func() int { n++; return n }", ""}, {"inc()\ninc()\nget()", "= 12"}, {"top()\nn", "= 1"}}},
		{"cycles and pointers into things", []step{
			{"type N struct{ v int; next *N }\na := &N{v: 1}\na.next = &N{2, a}\ns := []int{1, 2, 3, 4}\nt := s[1:3]\np := &s[2]\nst := struct{ x, y int }{1, 2}\nq := &st.y", ""},
			{"*p = 30\n*q = 20\nt = append(t, 40)\nfmt.Println(a.next.next.v, a.next.next == a, s, t, st)", "1 true [1 2 30 40] [2 30 40] {1 20}"},
			{"var i, j any = a, a\nm := map[*N]int{a: 5}", ""}, {"fmt.Println(i == j, m[a], i.(*N) == a)", "true 5 true"},
		}},
		{"types with methods", []step{
			{"type T struct{ A int; b string }\nfunc (t T) String() string { return t.b }\nfunc (t *T) Set(s string) { t.b = s }\nvar sh fmt.Stringer = T{1, \"one\"}\nx := &T{}\nset := x.Set", ""},
			{"fmt.Println(sh)\nset(\"two\")\nfmt.Println(x)", "one\ntwo"}, {"type U struct{ T; n int }\nvar any1 any = U{T{2, \"u\"}, 3}", ""}, {"fmt.Println(any1)\nany1.(U).A", "u\n= 2"},
			{"type W struct{ a, b, c, d, e, f, g, h, i, j, k, l int; s []string }\nw := W{l: 3, s: []string{\"z\"}}\nar := [2]W{{a: 1}, {b: 2}}", ""}, {"fmt.Println(w, ar[1].b)", "{0 0 0 0 0 0 0 0 0 0 0 3 [z]} 2"},
		}},
		{"old types", []step{{"type T int\nfunc (T) String() string { return \"old\" }\nvar v any = T(1)\nw := T(2)", ""}, {"type T string", ""}, {"fmt.Println(v, w)\n_, ok := v.(T)\nok", "old old\n= false"}}},
		{"generics", []step{
			{"type L[T any] struct{ v []T }\nfunc (l *L[T]) Push(x T) { l.v = append(l.v, x) }\nfunc Map[T, U any](s []T, f func(T) U) (r []U) { for _, x := range s { r = append(r, f(x)) }; return }", ""},
			{"var l L[string]\nl.Push(\"a\")\nvar i any = L[int]{[]int{7}}\nmf := Map[int, string]", ""},
			{"l.Push(\"b\")\nfmt.Println(l, i, mf([]int{1}, func(n int) string { return fmt.Sprint(n, \"!\") }))", "{[a b]} {[7]} [1!]"},
		}},
		{"host values", []step{
			{"t0 := time.Date(2020, 1, 2, 3, 4, 5, 6, time.UTC)\nb := big.NewInt(12345)\nvar d any = time.Second\nerr := io.EOF\ne2 := errors.New(\"x\")\nvar mu sync.Mutex\nds := []time.Duration{1, 2}\nup := strings.ToUpper\ntype G struct{ mu sync.Mutex; n int }\ng := &G{n: 4}", ""},
			{"fmt.Println(t0, b, d, err == io.EOF, e2, ds, up(\"a\"))\nmu.Lock()\ng.mu.Lock()\nmu.Unlock()\ng.mu.Unlock()\ng.n", "2020-01-02 03:04:05.000000006 +0000 UTC 12345 1s true x [1ns 2ns] A\n= 4"},
		}},
		{"generics of the library with own types", []step{
			{"type T struct{ A int }\nfunc name() string { return reflect.TypeFor[T]().Name() }\ntop := func() any { return reflect.TypeFor[*T]() }", ""}, {"fmt.Println(name(), top())", "T *main.T"},
		}},
		{"channels", []step{{"ch := make(chan string, 3)\nch <- \"a\"\nch <- \"b\"\ncl := make(chan int)\nclose(cl)", ""}, {"fmt.Println(<-ch, len(ch), cap(ch))\n_, ok := <-cl\nok", "a 1 3\n= false"}}},
		{"imports and constants", []step{{"import str \"strings\"\nconst k = 3", ""}, {"str.Repeat(\"a\", k)", "= \"aaa\""}}},
		{"declarations of cells whose statements are over", []step{
			{"Here it is:\n```go\nimport m \"math\"\nk := 2; type T struct{ A int }; func area(r float64) float64 { return m.Floor(m.Pi*r) * float64(k) }; x := T{k}\nfunc (t T) Twice() int { return 2 * t.A }\n```\nDone.", ""},
			{"fmt.Println(area(1), x.Twice())", "6 4"}, {"type T string\nx := []T{\"a\"}", ""}, {"fmt.Println(area(2), x)", "12 [a]"},
			{"package main\nimport \"fmt\"\nvar n = 3\nfunc init() { n++ }\nfunc show() { fmt.Println(n) }\nfunc main() { n *= 2; show() }", "8"}, {"show()", "8"},
			{"var grid [3]int\nfunc G[P any](p P) [len(grid)]P { return [len(grid)]P{p} }\nvar y = x", ""}, {"grid := 1\ntype T int", ""}, {"fmt.Println(G(\"q\"), y, grid)", "[q  ] [a] 1"},
			{"s := struct{ t []T; f func(T) T }{[]T{1}, func(t T) T { return t + 1 }}", ""}, {"s.f(s.t[0])", "= 2"},
			{"fs := []func() int{}\nfor i := range 3 { fs = append(fs, func() int { n += i; return n }) }", ""}, {"fs = fs[:1]\nfs[0]()", "= 8"}, {"fs = nil", ""}, {"fs == nil", "= true"},
		}},
		{"struct keys", []step{{"type P struct{ x, y int }\nm := map[P]string{{1, 2}: \"a\", {3, 4}: \"b\"}\nmi := map[any]int{P{1, 2}: 1, \"s\": 2, 3: 3}", ""}, {"fmt.Println(m[P{3, 4}], mi[P{1, 2}], mi[\"s\"], mi[3])", "b 1 2 3"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newSession(t, nil)
			for _, st := range tc.steps {
				runSteps(t, s, []step{st})
				s = reloaded(t, s, nil)
			}
		})
	}
}

// TestSaveForgets: what is saved does not grow with the cells if what they leave does not.
func TestSaveForgets(t *testing.T) {
	size := func(n int) int {
		s := newSession(t, nil)
		runCell(t, s, "type T struct{ n int }\nfunc (t T) Next() T { return T{t.n + 1} }\na := T{}")
		for range n {
			runCell(t, s, "b := a.Next()\nkeep := func() T { return b }\n_ = keep")
			runCell(t, s, "a := b.Next()\nfunc last() T { return a }\nkeep = nil")
		}
		var b bytes.Buffer
		if _, err := s.Save(&b); err != nil {
			t.Fatal(err)
		}
		runSteps(t, reloaded(t, s, nil), []step{{"last().n", fmt.Sprint("= ", 2*n)}})
		return b.Len()
	}
	if few, many := size(3), size(60); many > few+few/5 {
		t.Errorf("%d bytes after 3 rounds, %d after 60", few, many)
	}
}
