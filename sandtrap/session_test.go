package sandtrap_test

import (
	"context"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// newSession is a session with the whole standard library that echoes the last value.
func newSession(t testing.TB, change func(*sandtrap.Policy)) *sandtrap.Session {
	t.Helper()
	p := sandtrap.Policy{Std: sandtrap.StdDefault(), Echo: sandtrap.EchoLast}
	if change != nil {
		change(&p)
	}
	box, err := sandtrap.New(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	s, err := box.Session()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// A step is a cell and what it is to print: its output, its echo after "= ", and the kind
// and message of its error after "! ".
type step struct{ cell, want string }

// shown is what a cell did.
func shown(res *sandtrap.Result) string {
	out := res.Stdout
	for _, e := range res.Echo {
		out += "= " + e.Text + "\n"
	}
	if res.Error != nil {
		out += "! " + string(res.Error.Kind) + " " + res.Error.Message + "\n"
	}
	return strings.TrimRight(out, "\n")
}

func runSteps(t *testing.T, s *sandtrap.Session, steps []step) {
	t.Helper()
	runStepsAnd(t, s, steps, func() {})
}

// runTwice runs steps in two sessions, one of which lets go of what it does not need after
// each cell.
func runTwice(t *testing.T, change func(*sandtrap.Policy), steps []step) {
	t.Helper()
	runSteps(t, newSession(t, change), steps)
	tidied := newSession(t, change)
	runStepsAnd(t, tidied, steps, tidied.Tidy)
}

func runStepsAnd(t *testing.T, s *sandtrap.Session, steps []step, and func()) {
	t.Helper()
	for i, st := range steps {
		and()
		res, _ := s.Run(context.Background(), sandtrap.Script{Text: st.cell})
		got := shown(res)
		if got != st.want && !(strings.HasSuffix(st.want, "...") && strings.HasPrefix(got, strings.TrimSuffix(st.want, "..."))) {
			t.Fatalf("cell %d:\n%s\ngot\n%s\nwant\n%s", i+1, st.cell, got, st.want)
		}
	}
}

func TestSessionCells(t *testing.T) {
	for _, tc := range []struct {
		name  string
		steps []step
	}{
		{"variables", []step{{"x := 1", ""}, {"x++\nx", "= 2"}, {"var y = x * 2", ""}, {"x + y", "= 6"}}},
		{"functions", []step{{"func f(n int) int { return n * 2 }", ""}, {"f(21)", "= 42"}, {"g := f\ng(4)", "= 8"}}},
		{"types", []step{
			{"type P struct{ x, y int }\nfunc (p P) Sum() int { return p.x + p.y }\nfunc (p *P) Add(n int) { p.x += n }", ""},
			{"p := P{1, 2}\np.Add(3)", ""}, {"p.Sum()", "= 6"}, {"q := []P{{3, 4}}\nfmt.Println(q[0].y, p)", "4 {4 2}"},
			{"fmt.Printf(\"%T %+v\\n\", p, p)", "main.P {x:4 y:2}"},
		}},
		{"imports", []step{{"import str \"strings\"", ""}, {"str.ToUpper(\"a\")", "= \"A\""}, {"import \"fmt\"", ""}, {"fmt.Println(1)", "1"}}},
		{"constants", []step{{"const n = 3\nconst k int8 = 4", ""}, {"var a [n]int\nlen(a)", "= 3"}, {"k", "= 4"}}},
		{"closures", []step{{"n := 0\ninc := func() int { n++; return n }", ""}, {"inc()\ninc()", "= 2"}, {"n", "= 2"}}},
		{"interfaces", []step{
			{"type S interface{ Area() int }\ntype Q int\nfunc (q Q) Area() int { return int(q * q) }", ""},
			{"var s S = Q(3)\ns.Area()", "= 9"}, {"_, ok := s.(Q)\nok", "= true"},
			{"type T struct{ Q }", ""}, {"s = T{5}\ns.Area()", "= 25"},
			{"type N interface{ Area() int; Name() string }", ""}, {"_, ok := s.(N)\nok", "= false"},
		}},
		{"generics", []step{
			{"func Map[T, U any](s []T, f func(T) U) []U { var r []U; for _, x := range s { r = append(r, f(x)) }; return r }", ""},
			{"Map([]int{1, 2}, func(n int) string { return fmt.Sprint(n) })", "= []string{\"1\", \"2\"}"},
			{"type L[T any] struct{ v []T }\nfunc (l *L[T]) Push(x T) { l.v = append(l.v, x) }\nfunc (l L[T]) Len() int { return len(l.v) }", ""},
			{"var l L[string]", ""}, {"l.Push(\"a\")\nl.Push(\"b\")", ""}, {"l.Len()", "= 2"},
			{"type M struct{ L[int] }\nvar m M", ""}, {"m.Push(4)\nm.Len()", "= 1"},
		}},
		{"generics call what was there", []step{
			{"func h() int { return 1 }", ""}, {"func G[T any](x T) int { return h() }", ""},
			{"func h() string { return \"new\" }", ""}, {"G(1)", "= 1"}, {"h()", "= \"new\""},
		}},
		{"generics of the library with own types", []step{
			{"type T struct{ A int }\nreflect.TypeFor[T]().Name()", "= \"T\""}, {"reflect.TypeFor[[]T]().String()", "= \"[]main.T\""},
			{"x, ok := reflect.TypeAssert[T](reflect.ValueOf(T{3}))\nfmt.Println(x, ok)", "{3} true"},
			{"var p atomic.Pointer[T]\np.Store(&T{1})", ""}, {"p.Load().A", "= 1"}, {"reflect.TypeFor[T]().Name()", "= \"T\""},
		}},
		{"struct and array variables", []step{
			{"type W struct{ a, b, c, d, e, f, g, h, i, j, k, l int }\nvar w W\nvar a [3]int\nvar s struct{ n float64 }", ""},
			{"w.l = 4\na[1] = 5\ns.n += 1.5", ""}, {"fmt.Println(w.l, a, s)", "4 [0 5 0] {1.5}"},
			{"pa := &a\npa[2] = 7\npw := &w\npw.a = 1", ""}, {"fmt.Println(a, w.a)", "[0 5 7] 1"},
		}},
		{"panic in a function of another cell", []step{{"func f() { panic(\"no\") }", ""}, {"f()", "! panic no..."}, {"1", "= 1"}}},
		{"sorting", []step{{"type A []int\nfunc (a A) Len() int { return len(a) }\nfunc (a A) Less(i, j int) bool { return a[i] < a[j] }\nfunc (a A) Swap(i, j int) { a[i], a[j] = a[j], a[i] }", ""}, {"a := A{3, 1, 2}\nsort.Sort(a)\na", "= main.A{1, 2, 3}"}, {"slices.SortFunc(a, func(x, y int) int { return y - x })\na", "= main.A{3, 2, 1}"}}},
	} {
		t.Run(tc.name, func(t *testing.T) { runTwice(t, nil, tc.steps) })
	}
}

func TestSessionRules(t *testing.T) {
	for _, tc := range []struct {
		name  string
		steps []step
	}{
		{"a variable again, with another type", []step{{"x := 1\nf := func() int { x++; return x }", ""}, {"x := \"a\"", ""}, {"x", "= \"a\""}, {"f()", "= 2"}, {"x", "= \"a\""}}},
		{"a function again", []step{{"func f() int { return 1 }\nfunc g() int { return f() }", ""}, {"func f() int { return 2 }", ""}, {"f()", "= 2"}, {"g()", "= 1"}}},
		{"a type again", []step{
			{"type T struct{ A int }\nvar old = T{1}\nvar any1 any = old", ""}, {"type T struct{ A, B int }\nt := T{1, 2}", ""},
			{"fmt.Printf(\"%T %v %T %v\\n\", old, old, t, t)", "main.T {1} main.T {1 2}"},
			{"_, ok := any1.(T)\nok", "= false"}, {"t = old", "! type ..."}, {"old.A", "= 1"},
		}},
		{"a method for a type of an earlier cell", []step{{"type T int", ""}, {"func (t T) M() {}", "! type ..."}, {"T(1)", "= 1"}}},
		{"refused cells change nothing", []step{{"x := 1", ""}, {"x = 2\ny := undefined", "! type undefined: undefined"}, {"x", "= 1"}, {"y", "! type undefined: y"}, {"x := \"a\"\nz := x + 1", "! type ..."}, {"x", "= 1"}}},
		{"stopped cells leave what they did", []step{{"x := 1", ""}, {"x = 2\ny := 3\npanic(\"no\")", "! panic no..."}, {"x + y", "= 5"}}},
		{"limits", []step{{"n := 0", ""}, {"for { n++ }", "! ticks ..."}, {"n > 100", "= true"}}},
		{"exit", []step{{"x := 1\nos.Exit(3)", "! exit exit status 3"}, {"x", "= 1"}}},
		{"goroutines end with their cell", []step{
			{"ch := make(chan int)\ngo func() { fmt.Println(\"got\", <-ch) }()\nruntime.Gosched()", ""},
			{"select { case ch <- 1: fmt.Println(\"sent\"); default: fmt.Println(\"nobody\") }", "nobody"},
			{"ch <- 1", "! deadlock ..."},
		}},
		{"what a goroutine that ended waited for", []step{
			{"var mu sync.Mutex\nmu.Lock()\ngo func() { mu.Lock(); fmt.Println(\"never\") }()\nruntime.Gosched()", ""},
			{"go func() { mu.Lock(); fmt.Println(\"locked\"); mu.Unlock() }()\nruntime.Gosched()\nmu.Unlock()\nruntime.Gosched()\nruntime.Gosched()", "locked"},
		}},
		{"host values go on", []step{
			{"w := bufio.NewWriter(os.Stdout)\nfmt.Fprint(w, \"one \")", ""}, {"fmt.Fprintln(w, \"two\")\n_ = w.Flush()", "one two"},
			{"sc := bufio.NewScanner(strings.NewReader(\"a\\nb\\n\"))\nsc.Scan()\nsc.Text()", "= \"a\""}, {"sc.Scan()\nsc.Text()", "= \"b\""},
			{"type R struct{ n int }\nfunc (r *R) Read(p []byte) (int, error) { r.n++; p[0] = byte('0' + r.n); return 1, nil }\nbr := bufio.NewReaderSize(&R{}, 16)", ""},
			{"b, _ := br.ReadByte()\nstring(b)", "= \"1\""}, {"c, _ := br.ReadByte()\nstring(c)", "= \"2\""},
			{"var m sync.Map\nm.Store(\"a\", R{4})", ""}, {"v, _ := m.Load(\"a\")\nv.(R).n", "= 4"},
		}},
		{"a whole program is a cell too", []step{{"package main\nimport \"fmt\"\nvar n = 3\nfunc main() { fmt.Println(\"hi\", n) }", "hi 3"}, {"n", "= 3"}, {"func main() { fmt.Println(\"again\") }", "again"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			runTwice(t, func(p *sandtrap.Policy) { p.Limits.Ticks = 100_000 }, tc.steps)
		})
	}
}

// TestSessionInputs: each cell has its own, whatever those of earlier ones were called.
func TestSessionInputs(t *testing.T) {
	s := newSession(t, nil)
	for i, tc := range []struct {
		in   map[string]any
		cell string
		want string
	}{
		{map[string]any{"n": 1, "s": "a"}, "n + len(s)", "= 2"},
		{map[string]any{"n": "x"}, "n + s", "= \"xa\""},
		{nil, "n + s", "= \"xa\""},
		{map[string]any{"a": []int{1}, "b": 2.5, "s": "c"}, "fmt.Sprint(a, b, s, n)", "= \"[1] 2.5cx\""},
	} {
		res, _ := s.Run(context.Background(), sandtrap.Script{Text: tc.cell, Inputs: tc.in})
		if got := shown(res); got != tc.want {
			t.Errorf("cell %d: got %s, want %s", i+1, got, tc.want)
		}
	}
}

// TestSessionRefusedByEngine: what a cell that the engine does not take has brought is
// taken back.
func TestSessionRefusedByEngine(t *testing.T) {
	wide := "func wide(" + strings.Repeat("int,", 400) + ") string { return strings.ToUpper(strings.Repeat(\"a\", 2)) }\n"
	runTwice(t, nil, []step{
		{"type T int\nfunc (T) String() string { return \"t\" }\nx := 1", ""},
		{wide + "y := 2\nfmt.Println(T(1), strings.Title(\"a\"))", "! rejected ..."},
		{"strings.ToLower(\"AB\") + strings.Repeat(\"x\", 2)", "= \"abxx\""},
		{"fmt.Println(T(1), x)", "t 1"}, {"y", "! type undefined: y"}, {"strings.ToUpper(\"ab\")", "= \"AB\""},
	})
}
