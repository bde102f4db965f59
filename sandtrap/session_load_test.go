package sandtrap_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

func savedBytes(t testing.TB, cells ...string) []byte {
	t.Helper()
	s := newSession(t, nil)
	for _, c := range cells {
		if res, err := s.Run(context.Background(), sandtrap.Script{Text: c}); err != nil {
			t.Fatal(shown(res))
		}
	}
	var b bytes.Buffer
	if err := s.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// richCells have something of all that is saved.
var richCells = []string{
	"type T struct{ A int; next *T; f func() int }\nfunc (t *T) M() int { return t.A }\nn := 0\nx := &T{A: 1, f: func() int { n++; return n }}\nx.next = x",
	"m := map[any]any{1: \"a\", \"b\": x, T2{1}: []int{1}}\ntype T2 struct{ k int8 }\nch := make(chan T2, 2)\nch <- T2{3}\nmv := x.M",
	"var e error = errors.New(\"e\")\nt := time.Unix(1, 2)\na := [2]struct{ s string; v any }{{\"q\", 1.5}, {}}\np := &a[1].s\nsl := []*T{x, nil}",
}

// TestLoadTighterPolicy: what was allowed when a session was saved is not when it is
// loaded under a policy that denies it.
func TestLoadTighterPolicy(t *testing.T) {
	b := savedBytes(t, "func f() string { return strings.ToUpper(\"a\") }")
	box, err := sandtrap.New(context.Background(), sandtrap.Policy{Std: []string{"fmt"}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := box.LoadSession(bytes.NewReader(b))
	var e *sandtrap.Error
	if s != nil || !errors.As(err, &e) || !strings.Contains(e.Message, "strings") {
		t.Fatalf("loaded under a policy without package strings: %v", err)
	}
}

// TestSaveRefuses: what cannot be saved is an error that names the variable.
func TestSaveRefuses(t *testing.T) {
	for name, cell := range map[string]string{
		"w":  "w := bufio.NewWriter(os.Stdout)",
		"re": "re := []any{1, regexp.MustCompile(\"a\")}",
		"mu": "var mu sync.Mutex\nmu.Lock()",
		"tm": "tm := time.NewTimer(time.Hour)",
		"c":  "type local struct{ a any }\nc := struct{ f any }{func() any { type inner int; return inner(1) }()}",
	} {
		s := newSession(t, nil)
		runCell(t, s, cell)
		var b bytes.Buffer
		if err := s.Save(&b); err == nil || !strings.Contains(err.Error(), "variable "+name+":") {
			t.Errorf("%s: the error is %v", cell, err)
		}
		runSteps(t, s, []step{{"1 + 1", "= 2"}})
	}
}

// TestLoadDamaged: bytes that somebody has changed make an error or a session, and neither
// a panic nor one that fails with a fault of ours.
func TestLoadDamaged(t *testing.T) {
	good := savedBytes(t, richCells...)
	box, err := sandtrap.New(context.Background(), sandtrap.Policy{Std: sandtrap.StdDefault()})
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	loaded := 0
	for range 300 {
		b := bytes.Clone(good)
		for range 1 + rnd.IntN(3) {
			b[rnd.IntN(len(b))] = byte(rnd.Uint32())
		}
		loaded += useLoaded(t, box, b)
	}
	if loaded == 0 || loaded == 300 {
		t.Errorf("%d of 300 were loaded", loaded)
	}
}

// useLoaded loads b and uses what is there. It gives 1 if it could be loaded.
func useLoaded(t testing.TB, box *sandtrap.Sandbox, b []byte) int {
	s, err := box.LoadSession(bytes.NewReader(b))
	if err != nil {
		if s != nil {
			t.Fatal("a session and an error")
		}
		return 0
	}
	defer s.Close()
	for _, cell := range []string{
		"fmt.Sprint(m, e, t, a, *p, len(sl), x.A)", "x.f() + mv() + x.next.M()", "v := <-ch\nfmt.Sprint(v)",
		"for k, v := range m { fmt.Sprint(k, v); m[k] = 1 }", "for k, v := range m { fmt.Sprint(k, v); delete(m, k) }",
		"fmt.Sprint(x, b, y, e, m.v, sl, a)", "a(1)", "m.Push(\"b\")\nlen(m.v)", "mu.Lock()\nmu.Unlock()\nup(\"a\")", "ds[0]++\nby[0]++\nfl[0]++\nb.Add(b, b)\nfmt.Sprint(t, err, e, c, ds, by, fl)",
		"w.s = append(w.s, \"q\")\na[1] = w\n*p = append(*p, \"r\")\nfmt.Sprint(a, w, len(ch))",
	} {
		res, _ := s.Run(context.Background(), sandtrap.Script{Text: cell})
		if res.Error != nil && res.Error.Kind == sandtrap.KindInternal {
			t.Fatalf("%s: %v", cell, res.Error)
		}
	}
	return 1
}

// generated is a sequence of cells by rules, from a few variables, types and functions:
// one that declares them, and n that use them.
func generated(rnd *rand.Rand, n int) []string {
	kinds := []func(i int) string{
		func(i int) string { return fmt.Sprintf("a = append(a, %d)\nfmt.Println(a, len(m))", i) },
		func(i int) string { return fmt.Sprintf("m[\"k%d\"] = P{%d, a}\nfmt.Println(m)", i%4, i) },
		func(i int) string { return "fmt.Println(inc(), count)" },
		func(i int) string {
			return fmt.Sprintf("func f%d(n int) int { return n*%d + count }\nfmt.Println(f%d(2))", i%3, i, i%3)
		},
		func(i int) string { return "b := a[:len(a)/2]\nif len(b) > 0 { b[0]++ }\nfmt.Println(a, b)" },
		func(i int) string { return fmt.Sprintf("head = &N{%d, head}\nfmt.Println(head.sum())", i) },
		func(i int) string { return fmt.Sprintf("s = P{%d, nil}\nfmt.Println(s)", i) },
		func(i int) string { return "s = head\nfmt.Println(s.(*N).sum())" },
		func(i int) string {
			return fmt.Sprintf("type Q%d struct{ P; n *N }\nvar q any = Q%d{P{%d, a}, head}\nfmt.Println(q != nil)", i%2, i%2, i)
		},
		func(i int) string { return "count := count2()\nfmt.Println(count)" },
	}
	cells := []string{
		"type P struct{ x int; s []int }\nfunc (p P) String() string { return fmt.Sprint(p.x, p.s) }\ntype N struct{ v int; next *N }\n" +
			"func (n *N) sum() int { if n == nil { return 0 }; return n.v + n.next.sum() }\n" +
			"a := []int{1}\nm := map[string]P{}\ncount := 0\ninc := func() int { count += 2; return count }\nfunc count2() int { return count * 2 }\nvar head *N\nvar s any",
	}
	for i := range n {
		cells = append(cells, kinds[rnd.IntN(len(kinds))](i))
	}
	return cells
}

// TestSaveLoadDifferential: a session that is saved and loaded after each cell does what
// one does that is not. SESSION_SEQUENCES is how many sequences to try.
func TestSaveLoadDifferential(t *testing.T) {
	for seed := range count(t, "SESSION_SEQUENCES", 10) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { saveLoadSequence(t, seed) })
	}
}

func saveLoadSequence(t *testing.T, seed int) {
	cells := generated(rand.New(rand.NewPCG(uint64(seed), 3)), 8)
	plain, again := newSession(t, nil), newSession(t, nil)
	for i, cell := range cells {
		want, _ := plain.Run(context.Background(), sandtrap.Script{Text: cell})
		got, _ := again.Run(context.Background(), sandtrap.Script{Text: cell})
		if shown(got) != shown(want) {
			t.Fatalf("cell %d:\n%s\ngot\n%s\nwant\n%s", i, strings.Join(cells[:i+1], "\n---\n"), shown(got), shown(want))
		}
		next := reloaded(t, again, nil)
		again.Close()
		again = next
	}
}
