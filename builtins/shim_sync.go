package builtins

import (
	"reflect"
	"sync"
)

// What a script sees of sync is made of types of our own: Go's would block the
// host's goroutine, for ever if the script has but one task. All tasks of a script
// run on one goroutine at a time, so plain fields do; where Go would block, the
// run's Wait lets other tasks run, or stops the run if there are none.

// Mutex is what a script sees as sync.Mutex.
type Mutex struct{ locked bool }

// Lock is for host code that holds the mutex as a sync.Locker; it cannot wait.
func (m *Mutex) Lock() { mutexLock(&Env{})(m) }

// TryLock locks m if nobody has it.
func (m *Mutex) TryLock() bool {
	if m.locked {
		return false
	}
	m.locked = true
	return true
}

// Unlock unlocks m.
func (m *Mutex) Unlock() {
	if !m.locked {
		panic(runtimeError("sync: unlock of unlocked mutex"))
	}
	m.locked = false
}

func mutexLock(e *Env) func(*Mutex) {
	return func(m *Mutex) {
		for !m.TryLock() {
			e.wait("sync.Mutex.Lock")
		}
	}
}

// RWMutex is what a script sees as sync.RWMutex.
type RWMutex struct {
	readers int
	writer  bool
}

// Lock is for host code that holds the mutex as a sync.Locker; it cannot wait.
func (m *RWMutex) Lock() { rwMutexLock(&Env{})(m) }

// RLock is Lock for reading.
func (m *RWMutex) RLock() { rwMutexRLock(&Env{})(m) }

// TryLock locks m if nobody has it.
func (m *RWMutex) TryLock() bool {
	if m.writer || m.readers > 0 {
		return false
	}
	m.writer = true
	return true
}

// TryRLock locks m for reading if nobody writes.
func (m *RWMutex) TryRLock() bool {
	if m.writer {
		return false
	}
	m.readers++
	return true
}

// Unlock unlocks m.
func (m *RWMutex) Unlock() {
	if !m.writer {
		panic(runtimeError("sync: Unlock of unlocked RWMutex"))
	}
	m.writer = false
}

// RUnlock undoes one RLock.
func (m *RWMutex) RUnlock() {
	if m.readers == 0 {
		panic(runtimeError("sync: RUnlock of unlocked RWMutex"))
	}
	m.readers--
}

func rwMutexLock(e *Env) func(*RWMutex) {
	return func(m *RWMutex) {
		for !m.TryLock() {
			e.wait("sync.RWMutex.Lock")
		}
	}
}

func rwMutexRLock(e *Env) func(*RWMutex) {
	return func(m *RWMutex) {
		for !m.TryRLock() {
			e.wait("sync.RWMutex.RLock")
		}
	}
}

// lockerLock locks ours where it can wait, and whatever the script made itself.
func lockerLock(e *Env) func(sync.Locker) {
	return func(l sync.Locker) {
		switch l := l.(type) {
		case *Mutex:
			mutexLock(e)(l)
		case *RWMutex:
			rwMutexLock(e)(l)
		default:
			l.Lock()
		}
	}
}

// Once is what a script sees as sync.Once.
type Once struct{ done, running bool }

// Do is for host code; it cannot wait.
func (o *Once) Do(f func()) { onceDo(&Env{})(o, f) }

func onceDo(e *Env) func(*Once, func()) {
	return func(o *Once, f func()) {
		for o.running {
			e.wait("sync.Once.Do")
		}
		if o.done {
			return
		}
		o.running = true
		defer func() { o.done, o.running = true, false }()
		f()
	}
}

// WaitGroup is what a script sees as sync.WaitGroup.
type WaitGroup struct{ n int }

// Add adds to the counter.
func (w *WaitGroup) Add(delta int) {
	if w.n += delta; w.n < 0 {
		panic(runtimeError("sync: negative WaitGroup counter"))
	}
}

// Done takes one from the counter.
func (w *WaitGroup) Done() { w.Add(-1) }

// Wait is for host code; it cannot wait.
func (w *WaitGroup) Wait() { waitGroupWait(&Env{})(w) }

func waitGroupWait(e *Env) func(*WaitGroup) {
	return func(w *WaitGroup) {
		for w.n > 0 {
			e.wait("sync.WaitGroup.Wait")
		}
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
