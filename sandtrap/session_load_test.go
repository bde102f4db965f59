package sandtrap_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fxamacker/cbor/v2"

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
	if _, err := s.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// richCells have something of all that is saved.
var richCells = []string{
	"type T struct{ A int; next *T; f func() int }\nfunc (t *T) M() int { return t.A }\nn := 0\nx := &T{A: 1, f: func() int { n++; return n }}\nx.next = x",
	"m := map[any]any{1: \"a\", \"b\": x, T2{1}: []int{1}}\ntype T2 struct{ k int8 }\nch := make(chan T2, 2)\nch <- T2{3}\nmv := x.M",
	"we := fmt.Errorf(\"a %w %w\", io.EOF, errors.Join(fs.ErrExist))\n_, ne := strconv.Atoi(\"x\")\nre := []any{regexp.MustCompile(\"a|b\")}\nvar sb strings.Builder\nsb.WriteString(\"b\")",
	"var sm sync.Map\nsm.Store(\"k\", x)\nli := list.New()\nli.PushBack([]int{1})\nma := map[string]*mail.Address{\"a\": {Name: \"n\"}}\nas := []mail.Address{{}, {Name: \"o\"}}\nuv := any(url.Values{\"a\": {\"b\"}})",
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

// TestSaveSkips: what cannot be saved is left out and named, with the reason; the rest is there again.
func TestSaveSkips(t *testing.T) {
	s := newSession(t, nil)
	for _, text := range []string{
		"w := bufio.NewWriter(os.Stdout)",
		"re := []any{1, rand.New(rand.NewSource(1))}",
		"var mu sync.Mutex\nmu.Lock()",
		"tm := time.NewTimer(time.Hour)",
		"c := struct{ f any }{func() any { type inner int; return inner(1) }()}",
		"in := &mu\nup := map[string]any{\"a\": 1, \"b\": []any{&tm}}",
		"good := []any{1, \"a\"}\nboth := map[string]any{\"good\": &good}\nfunc twice(n int) int { return 2 * n }",
	} {
		runCell(t, s, text)
	}
	var b bytes.Buffer
	skipped, err := s.Save(&b)
	if err != nil {
		t.Fatal(err)
	}
	names := slices.Sorted(maps.Keys(skipped))
	if got := strings.Join(names, " "); got != "c in mu re tm up w" {
		t.Errorf("skipped %s", got)
	}
	for name, part := range map[string]string{"w": "*bufio.Writer", "re": "*rand.Rand", "mu": "*sync.Mutex", "in": "*sync.Mutex", "tm": "*time.Timer", "up": "*time.Timer", "c": "the type inner is declared in a function"} {
		if !strings.Contains(skipped[name], part) {
			t.Errorf("%s: %s, want %s", name, skipped[name], part)
		}
	}
	runSteps(t, s, []step{{"1 + 1", "= 2"}})
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Echo: sandtrap.EchoLast})
	if err != nil {
		t.Fatal(err)
	}
	l, err := box.LoadSession(&b)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	runSteps(t, l, []step{
		{"twice(len(good))", "= 4"}, {"both[\"good\"] == &good", "= true"},
		{"in == nil && up == nil && tm == nil && w == nil && re == nil && c.f == nil && mu.TryLock()", "= true"},
	})
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
	const tries = 2000
	for range tries {
		b := bytes.Clone(good)
		for range 1 + rnd.IntN(3) {
			b[rnd.IntN(len(b))] = byte(rnd.Uint32())
		}
		loaded += useLoaded(t, box, b)
	}
	if loaded == 0 || loaded == tries {
		t.Errorf("%d of %d were loaded", loaded, tries)
	}
}

// mutated is a saved session with an object of each kind changed.
func mutated(t *testing.T, saved []byte, change func(object map[any]any)) []byte {
	t.Helper()
	var m map[string]any
	if err := cbor.Unmarshal(saved, &m); err != nil {
		t.Fatal(err)
	}
	for _, o := range m["state"].(map[any]any)["objects"].([]any) {
		change(o.(map[any]any))
	}
	out, err := cbor.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestLoadErrorBomb: an error of a file that holds another one any number of times ends the loading by its time or
// memory before its text is made.
func TestLoadErrorBomb(t *testing.T) {
	for _, kind := range []string{"errors.joinError", "fmt.wrapErrors"} {
		good := savedBytes(t, "base := errors.New(\"b\")\nj := errors.Join(base, base)\ne := fmt.Errorf(\"%w %w\", j, j)")
		bomb := mutated(t, good, func(o map[any]any) {
			switch {
			case o["k"] == "error":
				o["s"] = []string{strings.Repeat("x", 1<<20)}
			case o["k"] == "wrapped" && (o["n"] == "errors.joinError" || o["n"] == kind):
				o["r"] = slices.Repeat(o["r"].([]any)[:1], 2000)
			}
		})
		box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Memory: 64 << 20, Timeout: time.Minute}})
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s, err := box.LoadSession(bytes.NewReader(bomb))
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 256<<20 {
			t.Errorf("%s: %d MiB were allocated", kind, grown>>20)
		}
		if err == nil { // the text is made by nobody yet
			s.Close()
		}
		box.Close()
	}
}

// TestLoadOtherVersions: a file of another version is refused with both numbers, also if it has fields that this
// program does not know.
func TestLoadOtherVersions(t *testing.T) {
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault()})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	for _, version := range []int{0, 1, 4, 999} {
		for _, more := range []bool{false, true} {
			var file map[string]any
			if err := cbor.Unmarshal(savedBytes(t, "x := 1"), &file); err != nil {
				t.Fatal(err)
			}
			file["version"] = version
			if more {
				file["state"], file["later"] = []any{1, "a"}, true
			}
			text, err := cbor.Marshal(file)
			if err != nil {
				t.Fatal(err)
			}
			_, err = box.LoadSession(bytes.NewReader(text))
			if want := fmt.Sprintf("version %d; this program knows version ", version); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%t: %v, want %s", more, err, want)
			}
		}
	}
}

// TestLoadBomb: a file of short items that stand for long ones is refused before they are made.
func TestLoadBomb(t *testing.T) {
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Memory: 64 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	const n = 4 << 20
	empty, values := slices.Repeat([]any{map[string]any{}}, n), map[string]any{"k": "list", "r": slices.Repeat([]any{map[string]any{}}, n)}
	for name, objects := range map[string]any{"objects": empty, "values": []any{values}, "numbers": []any{map[string]any{"k": "ints", "i": make([]int, n)}}} {
		var file map[string]any
		if err := cbor.Unmarshal(savedBytes(t, "x := 1"), &file); err != nil {
			t.Fatal(err)
		}
		file["state"].(map[any]any)["objects"] = objects
		text, err := cbor.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = box.LoadSession(bytes.NewReader(text))
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; err == nil || grown > 128<<20 {
			t.Errorf("%s: %d bytes became %d MiB: %v", name, len(text), grown>>20, err)
		}
	}
}

// A Key is a struct of a host that only the host makes, or anybody.
type Key struct{ ID int }

// TestLoadMakesNone: a file has no values of a type that scripts may not make, whatever it says of them.
func TestLoadMakesNone(t *testing.T) {
	open := sandtrap.Policy{Funcs: map[string]any{"Key": (*Key)(nil)}}
	closed := sandtrap.Policy{Funcs: map[string]any{"Key": sandtrap.Member{Value: (*Key)(nil), Opaque: true}}}
	for _, cell := range []string{"xs := []Key{{7}}", "var x any = []Key{{7}}", "var x any = [2]Key{{7}}", "var x any = map[string]Key{\"a\": {7}}", "x := Key{7}", "x := &Key{7}", "var x any = Key{7}"} {
		box, err := sandtrap.New(t.Context(), open)
		if err != nil {
			t.Fatal(err)
		}
		s, err := box.Session()
		if err != nil {
			t.Fatal(err)
		}
		runCell(t, s, cell)
		var saved bytes.Buffer
		if skipped, err := s.Save(&saved); err != nil || skipped != nil {
			t.Fatal(skipped, err)
		}
		other, err := sandtrap.New(t.Context(), closed)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range [][]byte{saved.Bytes(), mutated(t, saved.Bytes(), func(o map[any]any) {
			list, _ := o["r"].([]any)
			for i := range list {
				if v := list[i].(map[any]any); v["k"] == "object" && o["k"] != "cells" && o["k"] != "iface" {
					list[i] = map[any]any{}
				}
			}
		})} {
			if l, err := other.LoadSession(bytes.NewReader(text)); err == nil {
				t.Errorf("%s was loaded", cell)
				l.Close()
			}
		}
		s.Close()
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

// A safe is a struct that scripts may hold behind a pointer only, under a policy that says so.
type safe struct{ Open bool }

// TestLoadOpaque: a saved session, which anybody may have written, makes no value that scripts cannot make.
func TestLoadOpaque(t *testing.T) {
	policy := func(opaque bool) sandtrap.Policy {
		members := map[string]any{"Safe": sandtrap.Member{Value: (*safe)(nil), Opaque: opaque}, "Give": func() *safe { return &safe{} }}
		return sandtrap.Policy{Std: sandtrap.StdDefault(), Packages: []sandtrap.Package{{Path: "vault", Members: members}}}
	}
	open, err := sandtrap.New(t.Context(), policy(false))
	if err != nil {
		t.Fatal(err)
	}
	closed, err := sandtrap.New(t.Context(), policy(true))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"s := vault.Give()\ns.Open = true", "s := vault.Give()", "var s any = vault.Give()", "s := []*vault.Safe{vault.Give()}"} {
		session, err := open.Session()
		if err != nil {
			t.Fatal(err)
		}
		runCell(t, session, "import \"vault\"\n"+text)
		var b bytes.Buffer
		if skipped, err := session.Save(&b); err != nil || skipped != nil {
			t.Fatalf("%s: %v, %v", text, skipped, err)
		}
		if _, err := open.LoadSession(bytes.NewReader(b.Bytes())); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if _, err := closed.LoadSession(bytes.NewReader(b.Bytes())); err == nil || !strings.Contains(err.Error(), "a struct that scripts cannot make") {
			t.Errorf("%s: where scripts cannot make one: %v", text, err)
		}
		if session, err = closed.Session(); err != nil {
			t.Fatal(err)
		}
		runCell(t, session, "import \"vault\"\ns := vault.Give()")
		if skipped, err := session.Save(&b); err != nil || !strings.Contains(skipped["s"], "vault.Safe") {
			t.Errorf("saved where scripts cannot make one: %v, %v", skipped, err)
		}
	}
}
