package vm

import (
	"bytes"
	"reflect"
	"runtime"
	"strconv"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// Code of the host may keep what the script gave it, and call it from another goroutine
// than that of the tasks. Such a call is a visit: the caller waits while a task does it.

// visit does f on the driver at work: at once if that calls it.
func (m *machine) visit(f func()) {
	if m.over.Load() {
		panic(engine.ErrOver)
	}
	if !m.foreign() {
		f()
		return
	}
	v := &visitor{m, f, make(chan struct{})}
	end, left := m.outside.post(v)
	if !left {
		panic(engine.ErrOver)
	}
	select {
	case <-v.done:
	case <-end:
		panic(engine.ErrOver)
	}
}

// A visitor is a goroutine of the host that waits until f is done.
type visitor struct {
	m    *machine
	f    func()
	done chan struct{}
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
	if s.f(); s.m.stop == nil { // it may have been stopped without a panic
		close(s.done)
	}
}

// visiting is visit for a function with a result.
func visiting[T any](m *machine, f func() T) (out T) {
	m.visit(func() { out = f() })
	return out
}

// tellOver makes of the panic of a visit after the run the result of a function that has
// an error for its last.
func (m *machine) tellOver(rt reflect.Type, out *[]reflect.Value) {
	n := rt.NumOut()
	if n == 0 || rt.Out(n-1) != reflect.TypeFor[error]() || !m.visited && !m.over.Load() {
		return
	}
	r := recover()
	if r == nil {
		return
	}
	if r != engine.ErrOver {
		panic(r)
	}
	*out = make([]reflect.Value, n)
	for i := range n {
		(*out)[i] = reflect.New(rt.Out(i)).Elem()
	}
	(*out)[n-1].Set(reflect.ValueOf(engine.ErrOver))
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
// it starts is short, and tells who did.
func goroutine() int64 {
	number := make(chan int64)
	go func() { number <- creator() }()
	return <-number
}

// creator is the number of the goroutine that started the calling one.
func creator() int64 {
	for size := 1 << 10; ; size *= 2 {
		text := make([]byte, size)
		n := runtime.Stack(text, false)
		if n == size {
			continue // there is more
		}
		_, after, _ := bytes.Cut(text[:n], []byte("in goroutine "))
		line, _, _ := bytes.Cut(after, []byte("\n"))
		id, err := strconv.ParseInt(string(line), 10, 64)
		if err != nil {
			return nobody
		}
		return id
	}
}

// nobody is the number where a trace does not tell. Who has it is not the driver at work.
const nobody = -1
