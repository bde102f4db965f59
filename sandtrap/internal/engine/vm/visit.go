package vm

import (
	"bytes"
	"reflect"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"

	gostack "github.com/sandtrap-go/sandtrap/internal/stack"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// Code of the host may keep what the script gave it, and call it from another goroutine
// than that of the tasks. Such a call is a visit: the caller waits while a task does it.

// visit does f on the driver at work: at once if that calls it. It reports false where the run, or
// turn, is over before f has ended; then late says what the caller is given.
func (m *machine) visit(f func()) bool {
	if m.here() {
		f()
		return true
	}
	return m.admit(f)
}

// here reports that the driver at work calls, in a turn that is not over: it needs nobody to do for it
// what it wants of the script.
func (m *machine) here() bool { return !m.over.Load() && !m.foreign() }

// admit is visit for any other goroutine.
func (m *machine) admit(f func()) bool {
	if m.over.Load() {
		return false
	}
	v := &visitor{m: m, f: f, done: make(chan struct{})}
	end, left := m.outside.post(v)
	return left && v.wait(end)
}

// late is what code of the host is given that calls name, with results of these types, too late. The
// host is told where they do not say so. A call that the script has made ends with the run: it panics,
// since it may go on for ever otherwise, and beside gets that.
func (m *machine) late(name string, types []reflect.Type) []reflect.Value {
	if !engine.LastIsError(types) {
		if gostack.Beneath(besideFrame) {
			panic(engine.ErrOver)
		}
		if tell := m.tellLate.Load(); tell != nil {
			(*tell)(name)
		}
	}
	return engine.OverResults(types)
}

// A visitor is a goroutine of the host that waits until f is done.
type visitor struct {
	m     *machine
	f     func()
	done  chan struct{}
	taken atomic.Bool // by the task that does it, or by its goroutine, which does not wait any more
}

// wait reports that f is done. When the run has to end and f has not begun it does not wait for the
// end: the driver at work may be in a function of the host that waits for this goroutine.
func (v *visitor) wait(end <-chan struct{}) bool {
	meter := v.m.outside.metered()
	for meter.Check() == nil {
		select {
		case <-v.done:
			return true
		case <-end:
			return false
		case <-meter.Over():
		case <-meter.Context().Done():
		case <-engine.After(meter.Deadline()): // which may have moved
		}
	}
	if v.taken.CompareAndSwap(false, true) {
		return false
	}
	select {
	case <-v.done:
		return true
	case <-end:
		return false
	}
}

// Do starts the task for it.
func (v *visitor) Do() {
	t := v.m.newTask()
	t.start = (*served)(v)
	v.m.runq.push(t)
}

// served is what that task does.
type served visitor

func (s *served) Do() {
	if !s.taken.CompareAndSwap(false, true) {
		return
	}
	if s.f(); s.m.stop == nil { // it may have been stopped without a panic
		close(s.done)
	}
}

// foreign reports that the calling goroutine is not that of the driver at work. It asks
// the runtime, which takes some microseconds, and only where it can be so.
func (m *machine) foreign() bool {
	if !m.visited {
		return false
	}
	id := goroutine()
	return id == nobody || id != m.at.Load()
}

// goroutine is the number of the calling goroutine. Only a trace tells, and that of the caller
// may have any number of frames, which the runtime goes through all. The one of a goroutine that
// it starts has one, and tells who did.
func goroutine() int64 {
	c := children.Get().(*child)
	go c.tell()
	<-c.told
	id := creator(c.trace[:c.size])
	children.Put(c)
	return id
}

// A child is a goroutine that tells its trace.
type child struct {
	trace []byte
	size  int
	told  chan struct{}
}

var children = sync.Pool{New: func() any { return &child{make([]byte, 1<<10), 0, make(chan struct{}, 1)} }}

func (c *child) tell() {
	for c.size = runtime.Stack(c.trace, false); c.size == len(c.trace); c.size = runtime.Stack(c.trace, false) {
		c.trace = make([]byte, 2*len(c.trace)) // there is more
	}
	c.told <- struct{}{}
}

// creator is the number of the goroutine that started the one with this trace. A line of it is "created by F in
// goroutine N"; those of who started that goroutine may follow.
func creator(trace []byte) int64 {
	_, created, _ := bytes.Cut(trace, []byte("\ncreated by "))
	line, _, _ := bytes.Cut(created, []byte("\n"))
	id, err := strconv.ParseInt(string(line[bytes.LastIndexByte(line, ' ')+1:]), 10, 64)
	if err != nil {
		return nobody
	}
	return id
}

// nobody is the number where a trace does not tell. Who has it is not the driver at work.
const nobody = -1
