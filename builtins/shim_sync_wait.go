package builtins

import (
	"reflect"
	"sync"

	"github.com/sandtrap-go/sandtrap/internal/script"
)

// WaitGroup is what a script sees as sync.WaitGroup.
type WaitGroup struct {
	n       int
	waiting *taskQueue
}

// Add adds to the counter.
func (w *WaitGroup) Add(delta int) {
	switch w.n += delta; {
	case w.n < 0:
		panic("sync: negative WaitGroup counter")
	case w.n == 0:
		w.waiting.all()
	}
}

// Done takes one from the counter.
func (w *WaitGroup) Done() { w.Add(-1) }

func waitGroupWait(e *Env) func(*WaitGroup) {
	return func(w *WaitGroup) {
		if w.n > 0 {
			w.waiting.add(&w.waiting, e.park("sync.WaitGroup.Wait", nil))
		}
	}
}

// waitGroupGo counts f off when its task has ended, which a panic keeps it from.
func waitGroupGo(e *Env) func(*WaitGroup, func()) {
	return func(w *WaitGroup, f func()) {
		body := e.body(f)
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
	waiting *taskQueue
}

// Signal readies one task that waits.
func (c *Cond) Signal() {
	if !c.waiting.empty() {
		c.waiting.first()
	}
}

// Broadcast readies all of them.
func (c *Cond) Broadcast() { c.waiting.all() }

func syncNewCond(l sync.Locker) *Cond { return &Cond{L: l} }

func condWait(e *Env) func(*Cond) {
	return func(c *Cond) {
		m, ok := c.L.(*Mutex)
		if !ok {
			condWaitOther(e, c)
			return
		}
		mutexUnlock(e)(m)
		c.waiting.add(&c.waiting, m.wait(e, "sync.Cond.Wait"))
	}
}

// condWaitOther is Wait with a Locker that may call the script. A signal may come
// while it is being unlocked.
func condWaitOther(e *Env, c *Cond) {
	w := &condWaiter{}
	c.waiting.add(&c.waiting, w)
	lockerUnlock(e)(c.L)
	if !w.signalled {
		w.task = e.park("sync.Cond.Wait", nil)
		e.block()
	}
	lockerLock(e)(c.L)
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
	waiting       *taskQueue
}

func onceDo(e *Env) func(*Once, func()) {
	return func(o *Once, f func()) {
		switch {
		case o.done:
		case o.running:
			o.waiting.add(&o.waiting, e.park("sync.Mutex.Lock", nil))
		default:
			o.run(f)
		}
	}
}

func (o *Once) run(f func()) {
	o.running = true
	defer func() {
		o.done, o.running = true, false
		o.waiting.all()
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

func poolPut(e *Env) func(*Pool, any) {
	return func(p *Pool, x any) {
		e.charge(16)
		p.Put(x)
	}
}

// syncOnceFunc is sync.OnceFunc: f's panic comes again at each call.
func syncOnceFunc(e *Env) func(func()) func() {
	return func(f func()) func() {
		var once Once
		var failed any
		var ok bool
		return func() {
			onceDo(e)(&once, func() {
				defer func() {
					if failed = recover(); failed != nil {
						panic(failed)
					}
				}()
				f()
				ok = true
			})
			if once.running {
				e.block()
			}
			if !ok {
				panic(failed)
			}
		}
	}
}

// syncOnceValue is sync.OnceValue and OnceValues for results of any type.
func syncOnceValue(e *Env, ft reflect.Type, args []reflect.Value) []reflect.Value {
	var results []reflect.Value
	once := syncOnceFunc(e)(func() { results = args[0].Call(nil) })
	return []reflect.Value{reflect.MakeFunc(ft.Out(0), func([]reflect.Value) []reflect.Value {
		once()
		return results
	})}
}
