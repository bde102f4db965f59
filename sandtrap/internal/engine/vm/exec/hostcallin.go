package exec

import (
	"reflect"
	"sync/atomic"

	"github.com/sandtrap-go/sandtrap/internal/goroutine"
	gostack "github.com/sandtrap-go/sandtrap/internal/stack"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// Code of the host may keep what the script gave it, and call it from another goroutine
// than that of the tasks. Such a call is a visit: the caller waits while a task does it.

// CallIn does f on the driver at work: at once if that calls it. It reports false where the run, or
// turn, is over before f has ended; then late says what the caller is given.
func (m *Machine) CallIn(f func()) bool {
	if m.Here() {
		f()
		return true
	}
	return m.AdmitCallIn(f)
}

// Here reports that the driver at work calls, in a turn that is not over: it needs nobody to do for it
// what it wants of the script.
func (m *Machine) Here() bool { return !m.over.Load() && !m.Foreign() }

// AdmitCallIn is visit for any other goroutine.
func (m *Machine) AdmitCallIn(f func()) bool {
	if m.over.Load() {
		return false
	}
	v := &callIn{m: m, f: f, done: make(chan struct{})}
	end, left := m.Outside.Post(v)
	return left && v.wait(end)
}

// Late is what code of the host is given that calls name, with results of these types, too late. The
// host is told where they do not say so. A call that the script has made ends with the run: it panics,
// since it may go on for ever otherwise, and Beside gets that.
func (m *Machine) Late(name string, types []reflect.Type) []reflect.Value {
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

// A callIn is a goroutine of the host that waits until f is done.
type callIn struct {
	m     *Machine
	f     func()
	done  chan struct{}
	taken atomic.Bool // by the task that does it, or by its goroutine, which does not wait any more
}

// wait reports that f is done. When the run has to end and f has not begun it does not wait for the
// end: the driver at work may be in a function of the host that waits for this goroutine.
func (v *callIn) wait(end <-chan struct{}) bool {
	meter := v.m.Outside.metered()
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
func (v *callIn) Do() {
	t := v.m.NewTask()
	t.Start = (*served)(v)
	v.m.Runq.Push(t)
}

// served is what that task does.
type served callIn

func (s *served) Do() {
	if !s.taken.CompareAndSwap(false, true) {
		return
	}
	if s.f(); s.m.Stop == nil { // it may have been stopped without a panic
		close(s.done)
	}
}

// Foreign reports that the calling goroutine is not that of the driver at work, where that can be so.
func (m *Machine) Foreign() bool {
	if !m.calledIn {
		return false
	}
	id := goroutine.Number()
	return id == goroutine.Nobody || id != m.at.Load()
}
