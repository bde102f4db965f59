package sandtraptest

import (
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestUnused: a function that nothing calls may use any generic member of the library. With basic
// types there is a Go type for each argument, but no value that the host could give.
func TestUnused(t *testing.T) {
	for name, use := range map[string]string{
		"reflect.TypeFor":    `_ = reflect.TypeFor[int]()`,
		"reflect.TypeAssert": `_, _ = reflect.TypeAssert[int](reflect.ValueOf(1))`,
		"atomic.Pointer":     `var p atomic.Pointer[int]; p.Store(nil); _ = p.Load(); _ = p.CompareAndSwap(nil, nil)`,
		"a method value":     `var p atomic.Pointer[int]; f := p.Load; _ = f()`,
		"unique.Make":        `_ = unique.Make("x").Value()`,
		"iter.Pull":          `next, stop := iter.Pull(slices.Values([]int{1})); next(); stop()`,
		"iter.Pull2":         `_, stop := iter.Pull2(slices.All([]int{1})); stop()`,
		"slices.Collect":     `_ = slices.Collect(maps.Keys(map[string]int{}))`,
		"slices.Sort":        `slices.Sort([]int{2, 1})`,
		"sync.OnceValue":     `_ = sync.OnceValue(func() int { return 1 })()`,
		"errors.AsType":      `_, _ = errors.AsType[error](nil)`,
		"cmp.Compare":        `_ = cmp.Compare("a", "b")`,
	} {
		t.Run(name, func(t *testing.T) {
			box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault()})
			if err != nil {
				t.Fatal(err)
			}
			defer box.Close()
			if _, err := box.Run(t.Context(), sandtrap.Script{Text: "func f() { " + use + " }\nprintln(1)"}); err != nil {
				t.Error(err)
			}
		})
	}
}
