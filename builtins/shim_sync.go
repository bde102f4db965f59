package builtins

import (
	"reflect"
	"slices"
	"sync"

	"github.com/sandtrap-go/sandtrap/internal/script"
)

// What a script sees of sync is made of types of our own: Go's would block the
// host's goroutine, for ever if the script has but one task. All tasks of a script
// run on one goroutine at a time, so plain fields do; where Go would block, the task
// is parked, and whoever ends the wait readies it.

// Scripts call these methods with the Env of their run. Host code that has one of
// the types, as a sync.Locker for one, has none, so it cannot wait.

// Lock locks m.
func (m *Mutex) Lock() { mutexLock(&Env{})(m) }

// Unlock unlocks m.
func (m *Mutex) Unlock() { mutexUnlock(&Env{})(m) }

// Lock locks m for writing.
func (m *RWMutex) Lock() { rwMutexLock(&Env{})(m) }

// Unlock undoes Lock.
func (m *RWMutex) Unlock() { rwMutexUnlock(&Env{})(m) }

// RLock locks m for reading.
func (m *RWMutex) RLock() { rwMutexRLock(&Env{})(m) }

// RUnlock undoes RLock.
func (m *RWMutex) RUnlock() { rwMutexRUnlock(&Env{})(m) }

// RLocker gives m as a Locker for reading.
func (m *RWMutex) RLocker() sync.Locker { return rwMutexRLocker(&Env{})(m) }

// Wait waits until the counter is zero.
func (w *WaitGroup) Wait() { waitGroupWait(&Env{})(w) }

// Go starts a task that counts itself off.
func (w *WaitGroup) Go(f func()) { waitGroupGo(&Env{})(w, f) }

// Wait waits for a signal.
func (c *Cond) Wait() { condWait(&Env{})(c) }

// Do calls f, once.
func (o *Once) Do(f func()) { onceDo(&Env{})(o, f) }

// A taskQueue holds the tasks that wait for one thing.
type taskQueue struct{ tasks []script.Parked }

// empty says that nobody is in the queue, apart from tasks that ended with a run.
func (q *taskQueue) empty() bool {
	for q != nil && len(q.tasks) > 0 && q.tasks[0].Gone() {
		q.tasks[0], q.tasks = nil, q.tasks[1:]
	}
	return q == nil || len(q.tasks) == 0
}

// first readies the task that has waited longest.
func (q *taskQueue) first() {
	t := q.tasks[0]
	q.tasks[0] = nil
	q.tasks = q.tasks[1:]
	t.Ready()
}

// all readies all of them, and says how many they are.
func (q *taskQueue) all() int {
	if q.empty() {
		return 0
	}
	list := slices.DeleteFunc(q.tasks, script.Parked.Gone)
	q.tasks = nil
	for _, t := range list {
		t.Ready()
	}
	return len(list)
}

// add puts a task into the queue at *q, which is made when it is needed: copies of the
// zero value of what it belongs to are equal then.
func (q *taskQueue) add(at **taskQueue, t script.Parked) {
	if *at == nil {
		*at = &taskQueue{}
	}
	(*at).tasks = append((*at).tasks, t)
}

// Mutex is what a script sees as sync.Mutex.
type Mutex struct {
	locked bool
	woken  script.Parked // a task that waited, which has its turn soon
	hungry *lockTry      // had its turn in vain, and is next
	queue  *taskQueue
}

// A lockTry is a task that waits for a Mutex.
type lockTry struct {
	m     *Mutex
	task  script.Parked
	given bool // the lock is its own already
}

// wait parks the task until it has locked m.
func (m *Mutex) wait(e *Env, why string) script.Parked {
	w := &lockTry{m: m}
	w.task = e.park(why, w)
	return w.task
}

// TryLock locks m if nobody has it.
func (m *Mutex) TryLock() bool {
	if m.locked {
		return false
	}
	m.locked = true
	return true
}

func mutexLock(e *Env) func(*Mutex) {
	return func(m *Mutex) {
		if !m.TryLock() {
			m.queue.add(&m.queue, m.wait(e, "sync.Mutex.Lock"))
		}
	}
}

// Take is w's turn. Like Go's, a mutex may be locked by whoever comes just then: a
// task that locks and unlocks in a loop would else wait for a turn each time. Who came
// in vain is next, and gets the lock as it is unlocked.
func (w *lockTry) Take() bool {
	m := w.m
	m.woken = nil
	switch {
	case w.given || m.TryLock():
		return true
	case m.hungry == nil:
		m.hungry = w
	default:
		m.queue.add(&m.queue, w.task)
	}
	return false
}

func mutexUnlock(e *Env) func(*Mutex) {
	return func(m *Mutex) {
		if !m.locked {
			e.fatal("sync: unlock of unlocked mutex")
		}
		m.locked = false
		switch w := m.hungry; {
		case m.woken != nil && !m.woken.Gone():
		case w != nil && !w.task.Gone():
			m.hungry, m.woken = nil, w.task
			w.given, m.locked = true, true
			w.task.Ready()
		case !m.queue.empty():
			m.hungry, m.woken = nil, m.queue.tasks[0]
			m.queue.first()
		}
	}
}

// RWMutex is what a script sees as sync.RWMutex. As with Go's, readers wait for a
// writer that waits, and go before the next one.
type RWMutex struct {
	reading int
	writing bool
	readers *taskQueue
	writers *taskQueue
}

// TryLock locks m if nobody has it.
func (m *RWMutex) TryLock() bool {
	if m.writing || m.reading > 0 {
		return false
	}
	m.writing = true
	return true
}

// TryRLock locks m for reading if nobody writes or waits to.
func (m *RWMutex) TryRLock() bool {
	if m.writing || !m.writers.empty() {
		return false
	}
	m.reading++
	return true
}

func rwMutexLock(e *Env) func(*RWMutex) {
	return func(m *RWMutex) {
		if !m.TryLock() {
			m.writers.add(&m.writers, e.park("sync.RWMutex.Lock", nil))
		}
	}
}

func rwMutexRLock(e *Env) func(*RWMutex) {
	return func(m *RWMutex) {
		if !m.TryRLock() {
			m.readers.add(&m.readers, e.park("sync.RWMutex.RLock", nil))
		}
	}
}

func rwMutexUnlock(e *Env) func(*RWMutex) {
	return func(m *RWMutex) {
		if !m.writing {
			e.fatal("sync: Unlock of unlocked RWMutex")
		}
		m.writing = false
		m.reading = m.readers.all()
		m.write()
	}
}

func rwMutexRUnlock(e *Env) func(*RWMutex) {
	return func(m *RWMutex) {
		if m.reading == 0 {
			e.fatal("sync: RUnlock of unlocked RWMutex")
		}
		m.reading--
		m.write()
	}
}

// write hands m to the next writer.
func (m *RWMutex) write() {
	if m.reading == 0 && !m.writers.empty() {
		m.writing = true
		m.writers.first()
	}
}

// A readLocker is what RWMutex.RLocker gives.
type readLocker struct {
	env *Env
	m   *RWMutex
}

func (l *readLocker) Lock()   { rwMutexRLock(l.env)(l.m) }
func (l *readLocker) Unlock() { rwMutexRUnlock(l.env)(l.m) }

func rwMutexRLocker(e *Env) func(*RWMutex) sync.Locker {
	return func(m *RWMutex) sync.Locker { return &readLocker{e, m} }
}

// lockerLock and lockerUnlock find the way to ours, which can wait; a script's own
// Locker is called.
func lockerLock(e *Env) func(sync.Locker) {
	return func(l sync.Locker) {
		switch l := l.(type) {
		case *Mutex:
			mutexLock(e)(l)
		case *RWMutex:
			rwMutexLock(e)(l)
		default:
			mustBeOurs(l)
			l.Lock()
		}
	}
}

// mustBeOurs panics for a mutex of Go's, and for what embeds one: an Unlock too many ends the process, and a Lock
// waits on the host.
func mustBeOurs(l sync.Locker) {
	rt := reflect.TypeOf(l)
	if rt == nil {
		return
	}
	if rt.Kind() == reflect.Pointer {
		rt = rt.Elem()
	}
	if slices.ContainsFunc(append(embedded(rt, nil), rt), isGoSync) {
		panic(runtimeError("sync.Locker: a mutex of the host's is not for scripts"))
	}
}

func lockerUnlock(e *Env) func(sync.Locker) {
	return func(l sync.Locker) {
		switch l := l.(type) {
		case *Mutex:
			mutexUnlock(e)(l)
		case *RWMutex:
			rwMutexUnlock(e)(l)
		default:
			mustBeOurs(l)
			l.Unlock()
		}
	}
}
