package isolate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// stoppedPool is a pool whose clock does not go on, so that runs alone count.
func stoppedPool(t *testing.T, most int, tenants ...string) (*Pool[*fake], *fakes, *atomic.Int64) {
	t.Helper()
	p, f := fakePool(t, PoolLimits{Max: most})
	clock := new(atomic.Int64)
	clock.Store(int64(time.Hour))
	p.now = func() time.Time { return time.Unix(0, clock.Load()) }
	for _, tenant := range tenants {
		p.Join(tenant)
	}
	return p, f, clock
}

func names(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprint("tenant ", i))
	}
	return list
}

// use is one run of a tenant.
func (p *Pool[W]) use(t *testing.T, tenant string) {
	if err := p.useWith(t.Context(), tenant); err != nil {
		t.Error(err)
	}
}

func (p *Pool[W]) useWith(ctx context.Context, tenant string) error {
	w, err := p.Hire(ctx, tenant)
	if err == nil {
		p.Release(w, false)
	}
	return err
}

// TestPoolKeepsTenants: tenants who come again at once keep their places, whether they are as many as there
// are, or more: of so many runs one costs the start of a worker.
func TestPoolKeepsTenants(t *testing.T) {
	const places, runs = 8, 2000
	for _, tc := range []struct{ tenants, atOnce int }{{places, 1}, {places, 2}, {places, 5}, {2 * places, 1}, {3 * places, 2}} {
		t.Run(fmt.Sprint(tc.tenants, " tenants, ", tc.atOnce, " runs at once"), func(t *testing.T) {
			tenants := names(tc.tenants)
			p, f, _ := stoppedPool(t, places, tenants...)
			var left atomic.Int64
			left.Store(runs)
			var all sync.WaitGroup
			for _, tenant := range tenants {
				var own sync.WaitGroup
				for range tc.atOnce {
					own.Go(func() {
						for left.Add(-1) >= 0 {
							p.use(t, tenant)
						}
					})
				}
				all.Go(func() { own.Wait(); p.Leave(tenant) }) // its worker would not pause: the clock stands still
			}
			all.Wait()
			// One for each place, one for each share of the runs, and in the end one for each who gets there late.
			if started, most := f.all.Load(), int64(places+tc.tenants+runs/share); started > most {
				t.Errorf("%d workers were started, want at most %d", started, most)
			}
		})
	}
}

// TestPoolIsFair: tenants who have no worker get one after a bounded number of runs of others, also if
// those never pause.
func TestPoolIsFair(t *testing.T) {
	for _, places := range []int{1, 4} {
		hogs, poor := names(places), []string{"a", "b", "c"}
		p, f, _ := stoppedPool(t, places, append(hogs, poor...)...)
		held := map[string]*fake{}
		for _, hog := range hogs {
			held[hog], _ = p.Hire(t.Context(), hog)
		}
		var all sync.WaitGroup
		for i, tenant := range poor {
			all.Go(func() {
				p.use(t, tenant)
				p.Leave(tenant) // as if it paused: the clock stands still
			})
			until(t, "it waits", func() bool { p.mu.Lock(); defer p.mu.Unlock(); return len(p.queue) == i+1 })
		}
		runs := 0
		for lost := false; !lost && runs < 10*share; {
			for _, hog := range hogs {
				p.Release(held[hog], false)
				if lost = !p.waitsFor(hog); lost {
					delete(held, hog)
					break
				}
				held[hog], _ = p.Hire(t.Context(), hog)
				runs++
			}
		}
		if runs > share {
			t.Errorf("%d places: none was free after %d runs", places, runs)
		}
		for _, w := range held {
			p.Release(w, false)
		}
		for _, hog := range hogs {
			p.Leave(hog)
		}
		all.Wait()
		if n := f.all.Load(); n > int64(places+len(poor)) {
			t.Errorf("%d places: %d workers were started", places, n)
		}
	}
}

// TestPoolSecondRun: one whose tenant has a worker that is never free gets another after a bounded number of runs
// of others, also if there is always one of those who has none.
func TestPoolSecondRun(t *testing.T) {
	p, _, _ := stoppedPool(t, 2, "a", "b", "c")
	long, err := p.Hire(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	other, err := p.Hire(t.Context(), "b")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan *fake)
	go func() {
		w, _ := p.Hire(t.Context(), "a")
		served <- w
	}()
	until(t, "it waits", func() bool { p.mu.Lock(); defer p.mu.Unlock(); return len(p.queue) == 1 })
	var others sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	for _, tenant := range []string{"b", "b", "c", "c"} {
		others.Go(func() {
			for runs := 0; runs < 2*stuck*share && p.useWith(ctx, tenant) == nil; runs++ {
			}
			cancel()
		})
	}
	p.Release(other, false)
	select {
	case w := <-served:
		p.Release(w, false)
	case <-ctx.Done():
		t.Error("others have had all runs")
		p.Leave("b")
		p.Leave("c")
		p.Release(<-served, false)
	}
	cancel()
	others.Wait()
	p.Release(long, false)
}

// waitsFor reports that a worker of a tenant waits for it.
func (p *Pool[W]) waitsFor(tenant string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.find(tainted, tenant) != nil
}

// TestPoolLingers: a worker that does nothing is its tenant's for a moment, and then goes for another. One who
// waits for those that are never free for that long gets a place after some time.
func TestPoolLingers(t *testing.T) {
	p, f, clock := stoppedPool(t, 1, "a", "b")
	pass := func(d time.Duration) {
		clock.Add(int64(d))
		p.mu.Lock()
		defer p.mu.Unlock()
		p.expire()
	}
	var all sync.WaitGroup
	waits := func(tenant string) {
		all.Go(func() { p.use(t, tenant) })
		until(t, "it waits", p.awaited)
	}
	p.use(t, "a")
	waits("b")
	pass(linger - 1)
	if p.is(tainted, 1)() && f.all.Load() != 1 {
		t.Error("a worker was taken from its tenant at once")
	}
	p.use(t, "a") // as if nobody waited
	pass(linger - 1)
	if !p.is(tainted, 1)() || f.all.Load() != 1 {
		t.Error("a worker was taken from its tenant who had just used it")
	}
	pass(1)
	until(t, "the end of it", func() bool { return f.all.Load() == 2 && !p.awaited() })
	w, err := p.Hire(t.Context(), "b")
	if err != nil {
		t.Fatal(err)
	}
	waits("a")
	pass(unfair)
	p.Release(w, false) // and wants it again
	all.Go(func() { p.use(t, "b") })
	until(t, "its turn", func() bool { return f.all.Load() >= 3 })
	var ended atomic.Bool
	go func() { all.Wait(); ended.Store(true) }()
	until(t, "the end of all", func() bool { pass(linger); return ended.Load() })
}

// TestTryHire: who must not wait for a run takes the worker of a tenant that has just used it, comes before
// those that wait, and is refused when all places are of runs, or wanted.
func TestTryHire(t *testing.T) {
	p, _, _ := stoppedPool(t, 2, "a", "b", "c")
	p.use(t, "a")
	held, err := p.Hire(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	p.use(t, "b")
	w, err := p.TryHire(t.Context(), "c")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.TryHire(t.Context(), "c"); !errors.Is(err, ErrPoolFull) {
		t.Errorf("with no place: %v", err)
	}
	p.Release(w, false)
	got := make(chan error)
	go func() { got <- p.useWith(t.Context(), "b") }()
	until(t, "it waits", p.awaited)
	if _, err := p.TryHire(t.Context(), "c"); !errors.Is(err, ErrPoolFull) {
		t.Errorf("with a place that another waits for: %v", err)
	}
	p.Release(held, true)
	if err := <-got; err != nil {
		t.Error(err)
	}
}

// TestHireReady: who takes what is there takes nothing from others, and waits for nothing.
func TestHireReady(t *testing.T) {
	p, f, _ := stoppedPool(t, 2, "a", "b", "c")
	for _, tenant := range []string{"a", "b"} {
		p.use(t, tenant)
	}
	if _, err := p.HireReady("c"); !errors.Is(err, ErrPoolFull) {
		t.Errorf("a tenant without a worker: %v", err)
	}
	own, err := p.HireReady("a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.HireReady("a"); !errors.Is(err, ErrPoolFull) {
		t.Errorf("a second worker: %v", err)
	}
	p.Release(own, false)
	p.Leave("b")
	until(t, "its worker is gone", func() bool { return p.is(tainted, 1)() && p.is(dead, 0)() })
	if _, err := p.HireReady("c"); !errors.Is(err, ErrPoolFull) || f.all.Load() != 2 {
		t.Errorf("%v; %d workers were started", err, f.all.Load())
	}
	p.Close(t.Context())
	if _, err := p.HireReady("a"); !errors.Is(err, ErrPoolClosed) {
		t.Errorf("a closed pool: %v", err)
	}
}
