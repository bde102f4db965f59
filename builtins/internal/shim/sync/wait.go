package sync

import (
	"reflect"
	"sync"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/internal/script"
)

// WaitGroup is what a script sees as sync.WaitGroup.
type WaitGroup struct {
	n       int
	waiting *TaskQueue
}

// Add adds to the counter.
func (w *WaitGroup) Add(delta int) {
	switch w.n += delta; {
	case w.n < 0:
		panic("sync: negative WaitGroup counter")
	case w.n == 0:
		w.waiting.All()
	}
}

// Done takes one from the counter.
func (w *WaitGroup) Done() { w.Add(-1) }

func WaitGroupWait(e *shim.Env) func(*WaitGroup) {
	return func(w *WaitGroup) {
		if w.n > 0 {
			w.waiting.Add(&w.waiting, e.Park("sync.WaitGroup.Wait", nil))
		}
	}
}

// WaitGroupGo counts f off when its task has ended, which a panic keeps it from.
func WaitGroupGo(e *shim.Env) func(*WaitGroup, func()) {
	return func(w *WaitGroup, f func()) {
		body := e.Body(f)
		w.Add(1)
		e.Tasks.Go(body, groupDone{w})
	}
}

// groupDone is WaitGroup.Done, left for later.
type groupDone struct{ w *WaitGroup }

func (d groupDone) Do() { d.w.Done() }

// Cond is what a script sees as sync.Cond.
type Cond struct {
	L       sync.Locker
	waiting *TaskQueue
}

// Signal readies one task that waits.
func (c *Cond) Signal() {
	if !c.waiting.Empty() {
		c.waiting.First()
	}
}

// Broadcast readies all of them.
func (c *Cond) Broadcast() { c.waiting.All() }

func SyncNewCond(l sync.Locker) *Cond { return &Cond{L: l} }

func CondWait(e *shim.Env) func(*Cond) {
	return func(c *Cond) {
		m, ok := c.L.(*Mutex)
		if !ok {
			condWaitOther(e, c)
			return
		}
		MutexUnlock(e)(m)
		c.waiting.Add(&c.waiting, m.wait(e, "sync.Cond.Wait"))
	}
}

// condWaitOther is Wait with a Locker that may call the script. A signal may come
// while it is being unlocked.
func condWaitOther(e *shim.Env, c *Cond) {
	w := &condWaiter{}
	c.waiting.Add(&c.waiting, w)
	LockerUnlock(e)(c.L)
	if !w.signalled {
		w.task = e.Park("sync.Cond.Wait", nil)
		e.Block()
	}
	LockerLock(e)(c.L)
}

// A condWaiter is a task that waits for a signal, or is about to.
type condWaiter struct {
	signalled bool
	task      script.Parked // nil until it does
}

func (w *condWaiter) Ready() {
	if w.signalled = true; w.task != nil {
		w.task.Ready()
	}
}

// Gone reports a task that ended before it was signalled.
func (w *condWaiter) Gone() bool { return w.task != nil && w.task.Gone() }

// Once is what a script sees as sync.Once.
type Once struct {
	done, running bool
	waiting       *TaskQueue
}

func OnceDo(e *shim.Env) func(*Once, func()) {
	return func(o *Once, f func()) {
		switch {
		case o.done:
		case o.running:
			o.waiting.Add(&o.waiting, e.Park("sync.Mutex.Lock", nil))
		default:
			o.run(f)
		}
	}
}

func (o *Once) run(f func()) {
	o.running = true
	defer func() {
		o.done, o.running = true, false
		o.waiting.All()
	}()
	f()
}

// Pool is what a script sees as sync.Pool: the same puts and gets give the same
// values in each run, those of Go on one processor.
type Pool struct {
	New   func() any
	first any
	rest  []any
}

// Get takes a value out of the pool, or a new one.
func (p *Pool) Get() any {
	x := p.first
	p.first = nil
	if n := len(p.rest); x == nil && n > 0 {
		x, p.rest = p.rest[n-1], p.rest[:n-1]
		p.rest[:n][n-1] = nil
	}
	if x == nil && p.New != nil {
		x = p.New()
	}
	return x
}

// Put adds a value.
func (p *Pool) Put(x any) {
	switch {
	case x == nil:
	case p.first == nil:
		p.first = x
	default:
		p.rest = append(p.rest, x)
	}
}

func PoolPut(e *shim.Env) func(*Pool, any) {
	return func(p *Pool, x any) {
		e.Charge(16)
		p.Put(x)
	}
}

// SyncOnceFunc is sync.OnceFunc: f's panic comes again at each call.
func SyncOnceFunc(e *shim.Env) func(func()) func() {
	return func(f func()) func() {
		var once Once
		var failed any
		var ok bool
		return func() {
			OnceDo(e)(&once, func() {
				defer func() {
					if failed = recover(); failed != nil {
						panic(failed)
					}
				}()
				f()
				ok = true
			})
			if once.running {
				e.Block()
			}
			if !ok {
				panic(failed)
			}
		}
	}
}

// SyncOnceValue is sync.OnceValue and OnceValues for results of any type.
func SyncOnceValue(e *shim.Env, ft reflect.Type, args []reflect.Value) []reflect.Value {
	var results []reflect.Value
	once := SyncOnceFunc(e)(func() { results = args[0].Call(nil) })
	return []reflect.Value{reflect.MakeFunc(ft.Out(0), func([]reflect.Value) []reflect.Value {
		once()
		return results
	})}
}
