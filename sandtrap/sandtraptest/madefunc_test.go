package sandtraptest

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestMadeFuncElsewhere: a function that reflection made is called by the host on goroutines of its own, during the run and
// after it.
func TestMadeFuncElsewhere(t *testing.T) {
	const goroutines, calls = 8, 25
	for range 20 {
		var kept func(int) int
		outside := func(f func(int) int) int64 {
			kept = f
			var sum atomic.Int64
			var wg sync.WaitGroup
			for range goroutines {
				wg.Go(func() {
					for i := range calls {
						sum.Add(int64(f(i)))
					}
				})
			}
			wg.Wait()
			return sum.Load()
		}
		var late atomic.Int64
		box, err := sandtrap.New(t.Context(), sandtrap.Policy{
			Std: sandtrap.StdDefault(), Funcs: map[string]any{"outside": sandtrap.Member{Value: outside, Blocking: true}},
			Uncalled: func(string, error) { late.Add(1) },
		})
		if err != nil {
			t.Fatal(err)
		}
		var sum int64
		_, err = box.Run(t.Context(), sandtrap.Script{Result: &sum, Text: `
			n := 0
			f := reflect.MakeFunc(reflect.TypeFor[func(int) int](), func(in []reflect.Value) []reflect.Value {
				n++
				return []reflect.Value{reflect.ValueOf(int(in[0].Int()) + 1)}
			}).Interface().(func(int) int)
			result := outside(f)
			if n != 200 { panic(n) }`})
		if want := int64(goroutines * calls * (calls + 1) / 2); err != nil || sum != want {
			t.Fatalf("%v, sum %d, want %d", err, sum, want)
		}
		if got := kept(1); got != 0 || late.Load() != 1 {
			t.Fatalf("after the run: %d, and %d calls told of; want 0 and 1", got, late.Load())
		}
		box.Close()
	}
}
