package builtins

import (
	"context"
	"io"
	"math/rand"
	randv2 "math/rand/v2"
	"time"

	"github.com/sandtrap-go/sandtrap/vfs"
)

// An Env is what the shims of a table need of the run they serve. A nil func
// means that there is nothing to ask; a nil reader is empty, a nil writer drops.
// An Env belongs to one run.
type Env struct {
	Context        context.Context // for host functions whose first parameter is one
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Args           []string // as os.Args is; may be changed by the script
	Now            func() time.Time
	Sleep          func(time.Duration) // does not return if the run is stopped meanwhile
	Charge         func(bytes int64)   // before an allocation; does not return if it is refused
	Check          func()              // now and then in long loops; does not return if the run is stopped
	Work           func(ticks int64)   // before work that cannot be interrupted; does not return if it would take too long
	Wait           func(what string)   // blocks the task until another has run; does not return if none can
	Exit           func(code int)      // does not return
	FS             *vfs.FS             // the script's files; nil if it has none
	Environ        map[string]string   // the script's environment; changed by it
	Seed           uint64              // of math/rand's own source; 0 for a random one

	streams *streams
	owed    int64 // ticks that Work has not heard of
	log     *Logger
	secret  io.Reader // random numbers that nobody is to foresee
	rand1   *rand.Rand
	rand2   *randv2.Rand
}

// charge asks for n bytes before they are allocated.
func (e *Env) charge(n int64) {
	if e != nil && e.Charge != nil && n > 0 {
		e.Charge(n)
	}
}

// check lets a stop through.
func (e *Env) check() {
	if e != nil && e.Check != nil {
		e.Check()
	}
}

// workStep is how many ticks of work are counted before the run hears of them.
const workStep = 1 << 12

// work asks for n ticks of work, some 10 ns each, that cannot be interrupted. The
// figure is the most that it can be, not what it most likely is.
func (e *Env) work(n int64) {
	if e == nil || n <= 0 {
		return
	}
	if e.owed += min(n, huge); e.owed < workStep {
		return
	}
	n, e.owed = e.owed, 0
	if e.Work != nil {
		e.Work(n)
	}
}

// workProduct is work for n times m steps, which may overflow.
func (e *Env) workProduct(n, m int64) {
	if n > 0 && m > huge/n {
		e.work(huge)
		return
	}
	e.work(n * m)
}

// wait blocks where Go would.
func (e *Env) wait(what string) {
	if e.Wait == nil {
		panic(runtimeError("all goroutines are asleep - deadlock! (" + what + ")"))
	}
	e.Wait(what)
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
