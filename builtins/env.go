package builtins

import (
	"context"
	"io"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// An Env is what the shims of a table need of the run they serve. Nil Gates mean that
// there is nothing to ask; a nil reader is empty, a nil writer drops. An Env belongs to
// one run.
type Env struct {
	Context        context.Context // of the run, for host functions that take one
	Until          time.Time       // when the run has to end; zero means never
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Args           []string // as os.Args is; may be changed by the script
	Clock          Clock    // nil for the time of the machine
	Gates          Gates
	FS             *vfs.FS           // the script's files; nil if it has none
	Environ        map[string]string // the script's environment; changed by it
	Seed           uint64            // of math/rand's own source; 0 for a random one
	Tasks          script.Tasks      // nil if the script has but one goroutine
	Values         script.Values     // nil if those of the script are Go's own

	// Called is told of each call of a member of the host's own, if it is there when that is
	// bound.
	Called func(name string)

	Notes Notes // of what is printed; nil for none

	Rules Rules // what scripts see of values of the host's; nil for little, and then they may write to none

	addrs addresses // that scripts see

	run     context.Context // what context has made
	end     func()
	streams *streams
	owed    int64                   // ticks that Work has not heard of
	steps   int                     // of comparing, since the last look for a stop
	nested  atomic.Int32            // see enter
	known   map[reflect.Type]Rights // of types that the run has asked for
	states  map[reflect.Type]any    // see State
}

// A Clock tells the time of a run.
type Clock interface{ Now() time.Time }

// Gates are what functions of the host ask of a run. They do not return if the run has to
// stop.
type Gates interface {
	Charge(bytes int64)  // before an allocation
	Check()              // now and then in long loops
	Work(ticks int64)    // before work that cannot be interrupted
	Sleep(time.Duration) // while the run goes on
	Wait(what string)    // without Tasks, for ever; it never returns
	Exit(code int)       // never returns

	// Memory is how many bytes the run holds and has ever charged, as far as that is
	// counted.
	Memory() (held, total int64)
}

// State is what shims keep for the run: one T, which is made when it is first asked for.
func State[T any](e *Env) *T {
	key := reflect.TypeFor[T]()
	s, ok := e.states[key].(*T)
	if !ok {
		if e.states == nil {
			e.states = map[reflect.Type]any{}
		}
		s = new(T)
		e.states[key] = s
	}
	return s
}

// charge asks for n bytes before they are allocated.
func (e *Env) charge(n int64) {
	if e != nil && e.Gates != nil && n > 0 {
		e.Gates.Charge(n)
	}
}

// check lets a stop through.
func (e *Env) check() {
	if e != nil && e.Gates != nil {
		e.Gates.Check()
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
	if e.Gates != nil {
		e.Gates.Work(n)
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

// park is Tasks.Park; a script with but one goroutine has nobody who would ready it.
func (e *Env) park(why string, turn script.Turn) script.Parked {
	if e.Tasks != nil {
		return e.Tasks.Park(why, turn)
	}
	if e.Gates != nil {
		e.Gates.Wait(why)
	}
	panic(runtimeError("all goroutines are asleep - deadlock! (" + why + ")"))
}

// block is Tasks.Block, after a park.
func (e *Env) block() { e.Tasks.Block() }

// body is Tasks.Body. It comes first in a function that is given f.
func (e *Env) body(f func()) script.Act {
	if e.Tasks == nil {
		panic(runtimeError("this engine has no goroutines"))
	}
	return e.Tasks.Body(f)
}

// A start is Tasks.Go, left for later.
type start struct {
	env  *Env
	body script.Act
}

func (s *start) Do() { s.env.Tasks.Go(s.body, nil) }

// own is Tasks.Own, look is Tasks.Look.
func (e *Env) own(ch any) (keep any) {
	if e.Tasks == nil {
		return nil
	}
	return e.Tasks.Own(ch)
}

func (e *Env) look(ch any) {
	if e.Tasks != nil {
		e.Tasks.Look(ch)
	}
}

// do is Tasks.Do.
func (e *Env) do(f func()) {
	if e.Tasks == nil {
		f()
		return
	}
	e.Tasks.Do(f)
}

// fatal ends the run for a misuse that Go does not let a program recover from.
func (e *Env) fatal(text string) {
	if e.Tasks != nil {
		e.Tasks.Fatal(text)
	}
	panic(runtimeError("fatal error: " + text))
}

// context is what host functions get: it ends with the run.
func (e *Env) context() context.Context {
	if e.run == nil {
		ctx := e.Context
		if ctx == nil {
			ctx = context.Background()
		}
		if e.Until.IsZero() {
			e.run, e.end = context.WithCancel(ctx)
		} else {
			e.run, e.end = context.WithDeadline(ctx, e.Until)
		}
	}
	return e.run
}

// Begin readies e for the next run of a session, which shares all that is not said here.
func (e *Env) Begin(ctx context.Context, until time.Time) {
	e.Context, e.Until, e.run, e.end, e.owed = ctx, until, nil, nil, 0
}

// Close says that the run is over.
func (e *Env) Close() {
	if e.end != nil {
		e.end()
		e.run, e.end = nil, nil
	}
}

func (e *Env) now() time.Time {
	if e.Clock != nil {
		return e.Clock.Now()
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

// foreign reports a value of the engine's, which shows no more than the script gave it.
func (e *Env) foreign(v any) bool { return e.Values != nil && e.Values.TypeName(v) != "" }
