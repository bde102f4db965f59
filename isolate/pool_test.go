package isolate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A fake is a worker that notes what is done with it.
type fake struct {
	mu     sync.Mutex
	of     *fakes
	tenant string
	busy   bool
	ended  bool
}

// fakes are those of a test.
type fakes struct {
	living, most, all atomic.Int64
	warmed            atomic.Int64
	broken            atomic.Bool   // none start any more
	held              chan struct{} // if not nil, each waits for one before it starts
	cold              atomic.Bool   // none can be warmed any more
}

func (f *fakes) start(ctx context.Context) (*fake, error) {
	if f.broken.Load() || ctx.Err() != nil {
		return nil, errors.New("it does not start")
	}
	if f.held != nil {
		<-f.held
	}
	f.all.Add(1)
	f.most.Store(max(f.most.Load(), f.living.Add(1)))
	return &fake{of: f}, nil
}

func (f *fakes) warm(context.Context, *fake) error {
	if f.cold.Load() {
		return errors.New("it does not run")
	}
	f.warmed.Add(1)
	return nil
}

func (w *fake) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.ended {
		w.ended = true
		w.of.living.Add(-1)
	}
	return nil
}

// begin is what a tenant does with a worker that it got.
func (w *fake) begin(tenant string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	had := w.tenant
	w.tenant = tenant
	switch {
	case w.ended:
		return errors.New("it has ended")
	case w.busy:
		return errors.New("it is busy")
	case had != "" && had != tenant:
		return fmt.Errorf("it has served %s, and is given to %s", had, tenant)
	}
	w.busy = true
	return nil
}

func (w *fake) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy = false
}

func fakePool(t *testing.T, limits PoolLimits) (*Pool[*fake], *fakes) {
	t.Helper()
	return poolOf(t, limits, new(fakes))
}

func poolOf(t *testing.T, limits PoolLimits, f *fakes) (*Pool[*fake], *fakes) {
	t.Helper()
	p, err := NewPool(limits, f.start, f.warm)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second) // for what a test that fails has not given back
		defer cancel()
		p.Close(ctx)
	})
	return p, f
}

// until waits for what other goroutines do.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !is(); time.Sleep(100 * time.Microsecond) {
		if time.Now().After(end) {
			t.Fatal("it does not come to be: ", what)
		}
	}
}

func (p *Pool[W]) is(s state, n int) func() bool {
	return func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.count(s) == n
	}
}

// TestTransitions: no way leads back to warm, none from dead, and each state ends.
func TestTransitions(t *testing.T) {
	for _, row := range transitions {
		if row.to == warm && row.from != spawning || row.from == dead || row.why == "" {
			t.Errorf("%+v", row)
		}
	}
	for _, s := range []state{spawning, warm, busy, tainted} {
		if s.next(failing) != dead && s.next(drained) != dead {
			t.Errorf("nothing ends what is %s", s)
		}
	}
}

// TestPoolProperties: 10,000 events, and never does a worker serve two tenants, or two at a time,
// or after its end, nor are there more than there may be.
func TestPoolProperties(t *testing.T) {
	const most = 6
	p, f := fakePool(t, PoolLimits{Size: 2, Max: most, Idle: 30 * time.Second, Session: time.Minute})
	var clock atomic.Int64
	p.now = func() time.Time { return time.Unix(0, clock.Load()) }
	r := rand.New(rand.NewPCG(1, 2))
	tenants := []string{"a", "b", "c", "d"}
	for _, name := range tenants[:3] {
		p.Join(name)
	}
	type lease struct {
		worker *fake
		tenant string
	}
	held := []lease{}
	served := 0
	for i := range 10_000 {
		switch n := r.IntN(100); {
		case n < 45:
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			tenant := tenants[r.IntN(len(tenants))]
			w, err := p.Hire(ctx, tenant)
			cancel()
			if err != nil {
				break
			}
			served++
			if err := w.begin(tenant); err != nil {
				t.Fatalf("event %d: %v", i, err)
			}
			held = append(held, lease{w, tenant})
		case n < 88 && len(held) > 0:
			at := r.IntN(len(held))
			held[at].worker.end()
			p.Release(held[at].worker, r.IntN(5) == 0)
			held = append(held[:at], held[at+1:]...)
		case n < 92:
			clock.Add(int64(r.IntN(40)) * int64(time.Second))
			p.mu.Lock()
			p.expire()
			p.mu.Unlock()
		case n < 96:
			name := tenants[r.IntN(3)]
			p.Leave(name)
			p.Join(name)
		default:
			f.broken.Store(r.IntN(4) == 0)
		}
	}
	if f.most.Load() > most {
		t.Errorf("%d workers at a time", f.most.Load())
	}
	if served < 1000 || f.all.Load() < 100 {
		t.Errorf("%d were served by %d workers", served, f.all.Load())
	}
	for _, l := range held {
		p.Release(l.worker, false)
	}
	if err := p.Close(t.Context()); err != nil || f.living.Load() != 0 {
		t.Errorf("%d workers are left, %v", f.living.Load(), err)
	}
}

// TestPoolQueue: a hundred want a worker, eight at a time get one, the others wait.
func TestPoolQueue(t *testing.T) {
	p, f := fakePool(t, PoolLimits{Size: 2, Max: 8})
	var wg sync.WaitGroup
	var now, most atomic.Int64
	for i := range 100 {
		wg.Go(func() {
			w, err := p.Hire(t.Context(), fmt.Sprint("tenant ", i%10))
			if err != nil {
				t.Error(err)
				return
			}
			most.Store(max(most.Load(), now.Add(1)))
			time.Sleep(time.Millisecond)
			now.Add(-1)
			p.Release(w, false)
		})
	}
	wg.Wait()
	if most.Load() > 8 || f.most.Load() > 8 {
		t.Errorf("%d at a time, of %d workers", most.Load(), f.most.Load())
	}
}

// TestPoolWaits: who waits stops when his context ends, and is told when the pool closes.
func TestPoolWaits(t *testing.T) {
	p, _ := fakePool(t, PoolLimits{Max: 1})
	p.Join("a")
	w, err := p.Hire(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := p.Hire(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("with a context that ends: %v", err)
	}
	told := make(chan error)
	go func() {
		_, err := p.Hire(t.Context(), "b")
		told <- err
	}()
	until(t, "the queue", func() bool { p.mu.Lock(); defer p.mu.Unlock(); return len(p.queue) == 1 })
	closed := make(chan error)
	go func() { closed <- p.Close(t.Context()) }()
	if err := <-told; !errors.Is(err, ErrPoolClosed) {
		t.Errorf("with a pool that closes: %v", err)
	}
	select {
	case err := <-closed:
		t.Errorf("it closed during a job: %v", err)
	case <-time.After(10 * time.Millisecond):
	}
	p.Release(w, false)
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if _, err := p.Hire(t.Context(), "a"); !errors.Is(err, ErrPoolClosed) {
		t.Errorf("afterwards: %v", err)
	}
}

// TestPoolTenants: a tenant gets the worker back that it had; the worker ends with the last who
// uses the tenant's name, and for another tenant who finds no place.
func TestPoolTenants(t *testing.T) {
	p, f := fakePool(t, PoolLimits{Max: 1})
	use := func(tenant string) *fake {
		w, err := p.Hire(t.Context(), tenant)
		if err != nil {
			t.Fatal(err)
		}
		p.Release(w, false)
		return w
	}
	p.Join("a")
	p.Join("a")
	first := use("a")
	p.Leave("a")
	if use("a") != first {
		t.Error("the same tenant has another worker")
	}
	w, err := p.Hire(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	p.Release(w, true)
	if use("a") == w {
		t.Error("a worker that failed is used again")
	}
	p.Leave("a")
	until(t, "its end", func() bool { return f.living.Load() == 0 })
	p.Join("a")
	p.Join("b")
	if use("a") == use("b") {
		t.Error("two tenants have the same worker")
	}
	if once := use("nobody"); once == use("nobody") {
		t.Error("a tenant that has not joined has a worker twice")
	}
}

// TestPoolTimes: workers end at the time that the limits give, not before.
func TestPoolTimes(t *testing.T) {
	p, f := fakePool(t, PoolLimits{Size: 1, Max: 4, Idle: 30 * time.Second, Session: time.Minute})
	var clock atomic.Int64
	clock.Store(int64(time.Hour))
	p.now = func() time.Time { return time.Unix(0, clock.Load()) }
	pass := func(d time.Duration) {
		clock.Add(int64(d))
		p.mu.Lock()
		p.expire()
		p.mu.Unlock()
	}
	p.Join("a")
	use := func() *fake {
		w, err := p.Hire(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	w := use()
	p.Release(w, false)
	until(t, "one kept ready", p.is(warm, 1))
	pass(30*time.Second - 1)
	if w.ended {
		t.Error("idle: it ended early")
	}
	pass(1)
	until(t, "the end of the idle one", p.is(tainted, 0))
	w = use()
	for range 3 {
		pass(20*time.Second - 1)
		p.Release(w, false)
		if got := use(); got != w {
			t.Error("session: it ended early")
		}
	}
	pass(3)
	p.Release(w, false)
	until(t, "the end of the session", func() bool { w.mu.Lock(); defer w.mu.Unlock(); return w.ended })
	until(t, "one kept ready", p.is(warm, 1))
	pass(time.Hour)
	if !p.is(warm, 1)() || f.living.Load() != 1 {
		t.Error("what is kept ready has ended")
	}
}

// TestWarm: a worker that nobody waits for is warmed; one that somebody does is his at once. One that
// cannot be warmed is ended.
func TestWarm(t *testing.T) {
	f := &fakes{held: make(chan struct{})}
	p, _ := poolOf(t, PoolLimits{Size: 1, Max: 2}, f)
	p.Join("a")
	got := make(chan *fake, 1)
	go func() {
		w, err := p.Hire(context.Background(), "a")
		if err != nil {
			t.Error(err)
		}
		got <- w
	}()
	until(t, "somebody waits", p.awaited)
	f.held <- struct{}{}
	p.Release(<-got, false)
	if n := f.warmed.Load(); n != 0 {
		t.Errorf("somebody waits: %d were warmed", n)
	}
	f.held <- struct{}{}
	until(t, "one kept ready", p.is(warm, 1))
	if n := f.warmed.Load(); n != 1 {
		t.Errorf("one kept ready: %d were warmed", n)
	}
	close(f.held)
	f = new(fakes)
	f.cold.Store(true)
	p, _ = poolOf(t, PoolLimits{Size: 1, Max: 2}, f)
	until(t, "the end of what cannot be warmed", func() bool { return f.all.Load() == 1 && p.is(spawning, 0)() })
	if f.living.Load() != 0 || !p.is(warm, 0)() {
		t.Error("a worker that cannot be warmed is kept")
	}
}
