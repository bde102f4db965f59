package sandtraptest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestLateCalls: a run ends while arguments of its calls are still being written, and others have not begun to be.
// None of them comes with the context of the run that is next.
func TestLateCalls(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	type user struct{}
	eachMode(t, func(b bench) {
		var mu sync.Mutex
		with := map[any]int{}
		box := b.Box(sandtrap.Policy{
			Std: []string{"time"},
			Funcs: map[string]any{
				"tool": sandtrap.Member{Value: func(ctx context.Context, _ []map[string]int) {
					mu.Lock()
					defer mu.Unlock()
					with[ctx.Value(user{})]++
				}, Blocking: true},
				"nap": func() { time.Sleep(30 * time.Millisecond) },
			},
		})
		for range 5 {
			for name, text := range map[string]string{
				"one": `package main
import "time"
func main() {
	x := make([]map[string]int, 10000)
	for i := range x { x[i] = map[string]int{"a": 1} }
	for range 15 { go tool(x) }
	time.Sleep(5 * time.Millisecond)
}`,
				"other": "nap()",
			} {
				res, err := box.Run(context.WithValue(b.Context(), user{}, name), sandtrap.Script{Text: text})
				if engineRefused(res) {
					b.Skip(err)
				}
				if err != nil {
					b.Error(err)
				}
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if with["one"] == 0 || len(with) != 1 {
			b.Errorf("calls of the one have the contexts of %v", with)
		}
	})
}
