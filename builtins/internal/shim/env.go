package shim

import (
	"context"
	"io"
	"net/http"
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

	// Network is the way of a run with this context to the network; it is called when that is first used. Nil if there is none.
	Network func(context.Context) Transport

	// Called is told of each call of a member of the host's own, if it is there when that is bound, and
	// whether the script waits for it; it returns what to call when the member has returned.
	Called func(name string, waits bool) (returned func())

	// Ordered: the calls of blocking functions have a script.Call in their context, for who decides about them, or when they return.
	Ordered bool

	Notes Notes // of what is printed; nil for none

	Rules Rules // what scripts see of values of the host's; nil for little, and then they may write to none

	addrs addresses // that scripts see

	transport Transport // what Network has made for the run

	run     context.Context          // what HostContext has made
	granted map[string]reflect.Value // what HostArgument has made, by grants
	end     func()
	streams *streams
	Owed    int64                   // ticks that Work has not heard of
	steps   int                     // of comparing, since the last look for a stop
	nested  atomic.Int32            // see enter
	known   map[reflect.Type]Rights // of types that the run has asked for
	states  map[reflect.Type]any    // see State
}

// A Transport makes the requests of one run. Close ends those that go on.
type Transport = interface {
	http.RoundTripper
	io.Closer
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

// Charge asks for n bytes before they are allocated.
func (e *Env) Charge(n int64) {
	if e != nil && e.Gates != nil && n > 0 {
		e.Gates.Charge(n)
	}
}

// Check lets a stop through.
func (e *Env) Check() {
	if e != nil && e.Gates != nil {
		e.Gates.Check()
	}
}

// WorkStep is how many ticks of work are counted before the run hears of them.
const WorkStep = 1 << 12

// Work asks for n ticks of work, some 10 ns each, that cannot be interrupted. The
// figure is the most that it can be, not what it most likely is.
func (e *Env) Work(n int64) {
	if e == nil || n <= 0 {
		return
	}
	if e.Owed += min(n, Huge); e.Owed < WorkStep {
		return
	}
	n, e.Owed = e.Owed, 0
	if e.Gates != nil {
		e.Gates.Work(n)
	}
}

// WorkProduct is work for n times m steps, which may overflow.
func (e *Env) WorkProduct(n, m int64) {
	if n > 0 && m > Huge/n {
		e.Work(Huge)
		return
	}
	e.Work(n * m)
}

// Park is Tasks.Park; a script with but one goroutine has nobody who would ready it.
func (e *Env) Park(why string, turn script.Turn) script.Parked {
	if e.Tasks != nil {
		return e.Tasks.Park(why, turn)
	}
	if e.Gates != nil {
		e.Gates.Wait(why)
	}
	panic(RuntimeError("all goroutines are asleep - deadlock! (" + why + ")"))
}

// Block is Tasks.Block, after a park.
func (e *Env) Block() { e.Tasks.Block() }

// Body is Tasks.Body. It comes first in a function that is given f.
func (e *Env) Body(f func()) script.Act {
	if e.Tasks == nil {
		panic(RuntimeError("this engine has no goroutines"))
	}
	return e.Tasks.Body(f)
}

// A Start is Tasks.Go, left for later.
type Start struct {
	Env  *Env
	Body script.Act
}

func (s *Start) Do() { s.Env.Tasks.Go(s.Body, nil) }

// Own is Tasks.Own, look is Tasks.Look.
func (e *Env) Own(ch any) (keep any) {
	if e.Tasks == nil {
		return nil
	}
	return e.Tasks.Own(ch)
}

func (e *Env) Look(ch any) {
	if e.Tasks != nil {
		e.Tasks.Look(ch)
	}
}

// Do is Tasks.Do.
func (e *Env) Do(f func()) {
	if e.Tasks == nil {
		f()
		return
	}
	e.Tasks.Do(f)
}

// Fatal ends the run for a misuse that Go does not let a program recover from.
func (e *Env) Fatal(text string) {
	if e.Tasks != nil {
		e.Tasks.Fatal(text)
	}
	panic(RuntimeError("fatal error: " + text))
}

// HostContext is what host functions get: it ends with the run.
func (e *Env) HostContext() context.Context {
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

// HostArgument is what grant makes of HostContext for these grants, as an argument of a call by reflection: of the
// interface's type, so that no method is looked up. It is made once in a run.
func (e *Env) HostArgument(grants string, grant func(context.Context, string) context.Context) reflect.Value {
	v, ok := e.granted[grants]
	if !ok {
		ctx := grant(e.HostContext(), grants)
		v = reflect.ValueOf(&ctx).Elem()
		if e.granted == nil {
			e.granted = map[string]reflect.Value{}
		}
		e.granted[grants] = v
	}
	return v
}

// Transport is that of the run, nil if it has no network.
func (e *Env) Transport() Transport {
	if e.transport == nil && e.Network != nil {
		e.transport = e.Network(e.HostContext())
	}
	return e.transport
}

// Begin readies e for the next run of a session, which shares all that is not said here.
func (e *Env) Begin(ctx context.Context, until time.Time) {
	e.Context, e.Until, e.run, e.granted, e.end, e.Owed = ctx, until, nil, nil, nil, 0
}

// Close says that the run is over.
func (e *Env) Close() {
	if e.end != nil {
		e.end()
		e.run, e.granted, e.end = nil, nil, nil
	}
	if e.transport != nil {
		e.transport.Close()
		e.transport = nil
	}
}

func (e *Env) Now() time.Time {
	if e.Clock != nil {
		return e.Clock.Now()
	}
	return time.Now()
}

// ChargeProduct charges for n times size bytes, which may overflow.
func (e *Env) ChargeProduct(n, size int64) {
	if n <= 0 || size <= 0 {
		return
	}
	if n > Huge/size {
		e.Charge(Huge)
		return
	}
	e.Charge(n * size)
}

// Huge is more than any limit, and far enough from overflow to be added to.
const Huge = 1 << 62

// Foreign reports a value of the engine's, which shows no more than the script gave it.
func (e *Env) Foreign(v any) bool { return e.Values != nil && e.Values.TypeName(v) != "" }
