// A host that runs 1,000 snippets at once and says what became of them.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
)

func main() {
	worker.Init() // with isolation process or kernel, workers are processes of this program
	isolation := flag.String("isolation", "none", "none, process or kernel")
	flag.Parse()
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{Isolation: sandtrap.Isolation(*isolation), Std: sandtrap.StdPure(), Limits: sandtrap.Limits{Ticks: 10_000, Memory: 16 << 20}})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	kinds := []string{
		`result := strings.Repeat("a", n)`,
		`result := []int{1}[n]`,
		`for { n++ }`,
		`result := undefined(n)`,
		`result := n * n`,
	}
	var mu sync.Mutex
	ends := map[string]int{}
	var wg sync.WaitGroup
	for i := range 1000 {
		wg.Go(func() {
			_, err := box.Run(ctx, sandtrap.Script{Text: kinds[i%len(kinds)], Inputs: map[string]any{"n": i + 1}})
			end := "fine"
			if e, ok := errors.AsType[*sandtrap.Error](err); ok {
				end = string(e.Kind)
			}
			mu.Lock()
			defer mu.Unlock()
			ends[end]++
		})
	}
	wg.Wait()
	for _, end := range slices.Sorted(maps.Keys(ends)) {
		fmt.Println(end, ends[end])
	}
}
