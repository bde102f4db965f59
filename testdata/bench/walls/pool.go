package walls

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A crowd is short runs of the tenants of a pool: so many at a time of each, or if that is 0 sixteen at a time that
// are of one tenant after the other.
type crowd struct{ tenants, places, each int }

// crowds are the rows of the table; the first is what others are compared with.
var crowds = []crowd{{1, 8, 16}, {8, 8, 1}, {8, 8, 2}, {8, 8, 0}, {8, 16, 0}, {16, 8, 1}}

const (
	crowdRounds = 3
	crowdWarm   = 1000 // runs before those that count
	crowdRuns   = 5000
)

const poolIntro = `
### Tenants of a pool

Runs of one line in a second, isolation kernel: the median of %d times %d runs, after %d others. Load %s when it began.

| tenants | places | runs at a time | runs in a second | of one tenant's |
|---:|---:|---|---:|---:|
`

// pools measures how many runs tenants have who share a pool.
func (b *bench) pools() error {
	rates := make([][]float64, len(crowds))
	began := load()
	for range crowdRounds {
		for i, c := range crowds {
			rate, err := b.crowd(c)
			if err != nil {
				return fmt.Errorf("%d tenants on %d places: %w", c.tenants, c.places, err)
			}
			rates[i] = append(rates[i], rate)
		}
	}
	s := &strings.Builder{}
	fmt.Fprintf(s, poolIntro, crowdRounds, crowdRuns, crowdWarm, began)
	for i, c := range crowds {
		slices.Sort(rates[i])
		half := rates[i][crowdRounds/2]
		fmt.Fprintf(s, "| %d | %d | %s | %.0f | %.2f |\n", c.tenants, c.places, c.text(), half, half/rates[0][crowdRounds/2])
	}
	b.tenants = s.String()
	return nil
}

func (c crowd) text() string {
	if c.each == 0 {
		return "16, of one tenant after the other"
	}
	return fmt.Sprintf("%d of each", c.each)
}

// crowd is how many runs there are in a second.
func (b *bench) crowd(c crowd) (float64, error) {
	ctx := context.Background()
	plan, err := sandtrap.Compile(b.policy(sandtrap.Kernel))
	if err != nil {
		return 0, err
	}
	pool, err := plan.Pool(ctx, sandtrap.PoolLimits{Max: c.places})
	if err != nil {
		return 0, err
	}
	defer pool.Close(ctx)
	boxes := make([]*sandtrap.Sandbox, c.tenants)
	for i := range boxes {
		if boxes[i], err = pool.Sandbox(ctx, fmt.Sprint(i)); err != nil {
			return 0, err
		}
		defer boxes[i].Close()
	}
	if err := c.runs(boxes, crowdWarm); err != nil {
		return 0, err
	}
	began := time.Now()
	err = c.runs(boxes, crowdRuns)
	return crowdRuns / time.Since(began).Seconds(), err
}

// runs makes n runs.
func (c crowd) runs(boxes []*sandtrap.Sandbox, n int64) error {
	var left atomic.Int64
	left.Store(n)
	var all sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	each := c.each
	if c.each == 0 {
		each = 16 / len(boxes)
	}
	for _, box := range boxes {
		for range each {
			all.Go(func() {
				for i := left.Add(-1); i >= 0; i = left.Add(-1) {
					if c.each == 0 {
						box = boxes[i%int64(len(boxes))]
					}
					if err := run(box, "x := 1")(); err != nil {
						mu.Lock()
						defer mu.Unlock()
						errs = append(errs, err)
						return
					}
				}
			})
		}
	}
	all.Wait()
	return errors.Join(errs...)
}
