package sandtrap_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// savedSeeds are saved sessions that have, all in all, something of each kind.
func savedSeeds(t testing.TB) [][]byte {
	t.Helper()
	return [][]byte{
		savedBytes(t, richCells...), savedBytes(t, "x := 1"),
		savedBytes(t, "type T struct{ A int }\nfunc (t T) M() int { return t.A }\nx := T{1}\nm := map[string]T{\"a\": x}", "mv := x.M\nb := x.A", "type T int\ny := T(1)\nvar e any = x"),
		savedBytes(t, "type L[P any] struct{ v []P }\nfunc (l *L[P]) Push(p P) { l.v = append(l.v, p) }\nfunc Map[P, Q any](s []P, f func(P) Q) (r []Q) { for _, x := range s { r = append(r, f(x)) }; return }",
			"var m L[string]\nm.Push(\"a\")\nsl := Map([]int{1}, func(n int) any { return n })\nvar e any = m\na := Map[int, int]"),
		savedBytes(t, "t := time.Unix(1, 2)\nb := big.NewInt(5)\nds := []time.Duration{1}\nvar e any = time.Second\nerr := io.EOF\nvar mu sync.Mutex\nup := strings.ToUpper\nc := complex(1, 2)\nby := []byte(\"ab\")\nfl := []float32{1}"),
		savedBytes(t, "type W struct{ a, b, c, d, e, f, g, h, i, j, k, l int; s []string }\nw := W{l: 1, s: []string{\"z\"}}\na := [2]W{{a: 1}}\np := &a[1].s\nch := make(chan W, 2)\nch <- w\nm := map[W2]*W{{1, \"x\"}: &w}\ntype W2 struct { n int8; s string }"),
	}
}

// loadBox loads what may be anything: it gives little to each run.
func loadBox(t testing.TB) *sandtrap.Sandbox {
	t.Helper()
	box, err := sandtrap.New(context.Background(), sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Ticks: 100_000, Memory: 64 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	return box
}

func FuzzLoad(f *testing.F) {
	for _, b := range savedSeeds(f) {
		f.Add(b)
	}
	box := loadBox(f)
	f.Fuzz(func(t *testing.T, b []byte) { useLoaded(t, box, b) })
}

// FuzzLoadParts loads sessions whose parts have been changed, so that the encoding is right.
func FuzzLoadParts(f *testing.F) {
	seeds := savedSeeds(f)
	for i := range seeds {
		for k := range 8 {
			f.Add(uint8(i), uint64(k), uint8(1+k%3))
		}
	}
	box := loadBox(f)
	f.Fuzz(func(t *testing.T, which uint8, seed uint64, changes uint8) {
		useLoaded(t, box, changedParts(t, seeds[int(which)%len(seeds)], seed, changes))
	})
}

// TestLoadChangedParts is FuzzLoadParts for some that are the same each time.
func TestLoadChangedParts(t *testing.T) {
	box := loadBox(t)
	loaded, tried := 0, 0
	for _, b := range savedSeeds(t) {
		for seed := range uint64(40) {
			loaded += useLoaded(t, box, changedParts(t, b, seed, 1))
			tried++
		}
	}
	if loaded < tried/20 || loaded > tried*19/20 {
		t.Errorf("%d of %d were loaded", loaded, tried)
	}
}

// changedParts is the session with some parts changed.
func changedParts(t testing.TB, session []byte, seed uint64, changes uint8) []byte {
	t.Helper()
	var tree any
	if err := cbor.Unmarshal(session, &tree); err != nil {
		t.Fatal(err)
	}
	c := &changer{rnd: rand.New(rand.NewPCG(seed, 7))}
	c.note(tree)
	for range changes%8 + 1 {
		c.change(tree)
	}
	b, err := cbor.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A changer changes a tree of values at random, mostly to what is elsewhere in it.
type changer struct {
	rnd    *rand.Rand
	places []func(func(any) any)
	leaves []any
}

func (c *changer) note(v any) {
	switch v := v.(type) {
	case map[any]any:
		keys := slices.SortedFunc(maps.Keys(v), func(a, b any) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for _, k := range keys {
			c.places = append(c.places, func(f func(any) any) { v[k] = f(v[k]) })
			c.note(v[k])
		}
	case []any:
		for i := range v {
			c.places = append(c.places, func(f func(any) any) { v[i] = f(v[i]) })
			c.note(v[i])
		}
	default:
		c.leaves = append(c.leaves, v)
	}
}

func (c *changer) change(tree any) {
	c.places[c.rnd.IntN(len(c.places))](func(old any) any {
		switch old := old.(type) {
		case []any:
			switch n := len(old); c.rnd.IntN(3) {
			case 0:
				return old[:c.rnd.IntN(n+1)]
			case 1:
				return append(slices.Clone(old), old...)
			default:
				old = slices.Clone(old)
				c.rnd.Shuffle(n, func(i, j int) { old[i], old[j] = old[j], old[i] })
				return old
			}
		case uint64:
			return []any{old + 1, old - 1, uint64(0), c.rnd.Uint64() >> c.rnd.IntN(64), c.leaf(old)}[c.rnd.IntN(5)]
		case string:
			return c.leaf(old)
		case nil:
			return nil
		}
		return c.leaf(old)
	})
}

// leaf is another leaf of the same type.
func (c *changer) leaf(like any) any {
	for range 50 {
		if v := c.leaves[c.rnd.IntN(len(c.leaves))]; fmt.Sprintf("%T", v) == fmt.Sprintf("%T", like) && fmt.Sprint(v) != fmt.Sprint(like) {
			return v
		}
	}
	return like
}
