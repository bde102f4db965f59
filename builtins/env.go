package builtins

import (
	"context"
	"io"
	"time"
)

// An Env is what the shims of a table need of the run they serve. A nil func
// means that there is nothing to ask; a nil reader is empty, a nil writer drops.
// An Env belongs to one run.
type Env struct {
	Context        context.Context // for host functions whose first parameter is one
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Args           []string
	Now            func() time.Time
	Sleep          func(time.Duration) // does not return if the run is stopped meanwhile
	Charge         func(bytes int64)   // before an allocation; does not return if it is refused
	Check          func()              // now and then in long loops; does not return if the run is stopped
	Exit           func(code int)      // does not return

	streams *streams
}

// charge asks for n bytes before they are allocated.
func (e *Env) charge(n int64) {
	if e.Charge != nil && n > 0 {
		e.Charge(n)
	}
}

// check lets a stop through.
func (e *Env) check() {
	if e.Check != nil {
		e.Check()
	}
}

func (e *Env) context() context.Context {
	if e.Context != nil {
		return e.Context
	}
	return context.Background()
}

func (e *Env) now() time.Time {
	if e.Now != nil {
		return e.Now()
	}
	return time.Now()
}

// chargeProduct charges for n times size bytes, which may overflow.
func (e *Env) chargeProduct(n, size int64) {
	if n <= 0 || size <= 0 {
		return
	}
	if n > huge/size {
		e.charge(huge)
		return
	}
	e.charge(n * size)
}

// huge is more than any limit, and far enough from overflow to be added to.
const huge = 1 << 62
