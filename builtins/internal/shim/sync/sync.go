package sync

import (
	"reflect"
	"slices"
	"sync"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/internal/script"
)

// What a script sees of sync is made of types of our own: Go's would block the
// host's goroutine, for ever if the script has but one task. All tasks of a script
// run on one goroutine at a time, so plain fields do; where Go would block, the task
// is parked, and whoever ends the wait readies it.

// Scripts call these methods with the Env of their run. Host code that has one of
// the types, as a sync.Locker for one, has none, so it cannot wait.

// Lock locks m.
func (m *Mutex) Lock() { MutexLock(&shim.Env{})(m) }

// Unlock unlocks m.
func (m *Mutex) Unlock() { MutexUnlock(&shim.Env{})(m) }

// Lock locks m for writing.
func (m *RWMutex) Lock() { RwMutexLock(&shim.Env{})(m) }

// Unlock undoes Lock.
func (m *RWMutex) Unlock() { RwMutexUnlock(&shim.Env{})(m) }

// RLock locks m for reading.
func (m *RWMutex) RLock() { RwMutexRLock(&shim.Env{})(m) }

// RUnlock undoes RLock.
func (m *RWMutex) RUnlock() { RwMutexRUnlock(&shim.Env{})(m) }

// RLocker gives m as a Locker for reading.
func (m *RWMutex) RLocker() sync.Locker { return RwMutexRLocker(&shim.Env{})(m) }

// Wait waits until the counter is zero.
func (w *WaitGroup) Wait() { WaitGroupWait(&shim.Env{})(w) }

// Go starts a task that counts itself off.
func (w *WaitGroup) Go(f func()) { WaitGroupGo(&shim.Env{})(w, f) }

// Wait waits for a signal.
func (c *Cond) Wait() { CondWait(&shim.Env{})(c) }

// Do calls f, once.
func (o *Once) Do(f func()) { OnceDo(&shim.Env{})(o, f) }

// A TaskQueue holds the tasks that wait for one thing.
type TaskQueue struct{ tasks []script.Parked }

// Empty says that nobody is in the queue, apart from tasks that ended with a run.
func (q *TaskQueue) Empty() bool {
	for q != nil && len(q.tasks) > 0 && q.tasks[0].Gone() {
		q.tasks[0], q.tasks = nil, q.tasks[1:]
	}
	return q == nil || len(q.tasks) == 0
}

// First readies the task that has waited longest.
func (q *TaskQueue) First() {
	t := q.tasks[0]
	q.tasks[0] = nil
	q.tasks = q.tasks[1:]
	t.Ready()
}

// All readies all of them, and says how many they are.
func (q *TaskQueue) All() int {
	if q.Empty() {
		return 0
	}
	list := slices.DeleteFunc(q.tasks, script.Parked.Gone)
	q.tasks = nil
	for _, t := range list {
		t.Ready()
	}
	return len(list)
}

// Add puts a task into the queue at *q, which is made when it is needed: copies of the
// zero value of what it belongs to are equal then.
func (q *TaskQueue) Add(at **TaskQueue, t script.Parked) {
	if *at == nil {
		*at = &TaskQueue{}
	}
	(*at).tasks = append((*at).tasks, t)
}

// Mutex is what a script sees as sync.Mutex.
type Mutex struct {
	locked bool
	woken  script.Parked // a task that waited, which has its turn soon
	hungry *lockTry      // had its turn in vain, and is next
	queue  *TaskQueue
}

// A lockTry is a task that waits for a Mutex.
type lockTry struct {
	m     *Mutex
	task  script.Parked
	given bool // the lock is its own already
}

// wait parks the task until it has locked m.
func (m *Mutex) wait(e *shim.Env, why string) script.Parked {
	w := &lockTry{m: m}
	w.task = e.Park(why, w)
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

func MutexLock(e *shim.Env) func(*Mutex) {
	return func(m *Mutex) {
		if !m.TryLock() {
			m.queue.Add(&m.queue, m.wait(e, "sync.Mutex.Lock"))
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
		m.queue.Add(&m.queue, w.task)
	}
	return false
}

func MutexUnlock(e *shim.Env) func(*Mutex) {
	return func(m *Mutex) {
		if !m.locked {
			e.Fatal("sync: unlock of unlocked mutex")
		}
		m.locked = false
		switch w := m.hungry; {
		case m.woken != nil && !m.woken.Gone():
		case w != nil && !w.task.Gone():
			m.hungry, m.woken = nil, w.task
			w.given, m.locked = true, true
			w.task.Ready()
		case !m.queue.Empty():
			m.hungry, m.woken = nil, m.queue.tasks[0]
			m.queue.First()
		}
	}
}

// RWMutex is what a script sees as sync.RWMutex. As with Go's, readers wait for a
// writer that waits, and go before the next one.
type RWMutex struct {
	reading int
	writing bool
	readers *TaskQueue
	writers *TaskQueue
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
	if m.writing || !m.writers.Empty() {
		return false
	}
	m.reading++
	return true
}

func RwMutexLock(e *shim.Env) func(*RWMutex) {
	return func(m *RWMutex) {
		if !m.TryLock() {
			m.writers.Add(&m.writers, e.Park("sync.RWMutex.Lock", nil))
		}
	}
}

func RwMutexRLock(e *shim.Env) func(*RWMutex) {
	return func(m *RWMutex) {
		if !m.TryRLock() {
			m.readers.Add(&m.readers, e.Park("sync.RWMutex.RLock", nil))
		}
	}
}

func RwMutexUnlock(e *shim.Env) func(*RWMutex) {
	return func(m *RWMutex) {
		if !m.writing {
			e.Fatal("sync: Unlock of unlocked RWMutex")
		}
		m.writing = false
		m.reading = m.readers.All()
		m.write()
	}
}

func RwMutexRUnlock(e *shim.Env) func(*RWMutex) {
	return func(m *RWMutex) {
		if m.reading == 0 {
			e.Fatal("sync: RUnlock of unlocked RWMutex")
		}
		m.reading--
		m.write()
	}
}

// write hands m to the next writer.
func (m *RWMutex) write() {
	if m.reading == 0 && !m.writers.Empty() {
		m.writing = true
		m.writers.First()
	}
}

// A readLocker is what RWMutex.RLocker gives.
type readLocker struct {
	env *shim.Env
	m   *RWMutex
}

func (l *readLocker) Lock()   { RwMutexRLock(l.env)(l.m) }
func (l *readLocker) Unlock() { RwMutexRUnlock(l.env)(l.m) }

func RwMutexRLocker(e *shim.Env) func(*RWMutex) sync.Locker {
	return func(m *RWMutex) sync.Locker { return &readLocker{e, m} }
}

// LockerLock and LockerUnlock find the way to ours, which can wait; a script's own
// Locker is called.
func LockerLock(e *shim.Env) func(sync.Locker) {
	return func(l sync.Locker) {
		switch l := l.(type) {
		case *Mutex:
			MutexLock(e)(l)
		case *RWMutex:
			RwMutexLock(e)(l)
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
	if slices.ContainsFunc(append(shim.Embedded(rt, nil), rt), shim.IsGoSync) {
		panic(shim.RuntimeError("sync.Locker: a mutex of the host's is not for scripts"))
	}
}

func LockerUnlock(e *shim.Env) func(sync.Locker) {
	return func(l sync.Locker) {
		switch l := l.(type) {
		case *Mutex:
			MutexUnlock(e)(l)
		case *RWMutex:
			RwMutexUnlock(e)(l)
		default:
			mustBeOurs(l)
			l.Unlock()
		}
	}
}
