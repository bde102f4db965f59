package sandtrap

import (
	"time"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/isolate/audit"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// Blocking marks a function of the host, in Policy.Funcs or Package.Members, that waits
// for something: a network, a user, a disk. A call of it runs on a goroutine of its own
// while the other goroutines of the script go on, so ten calls that take 100 ms each take
// 100 ms together. It is given copies of the script's data. When the run ends before it
// returns it is given up: its context, if its first parameter is one, is cancelled, and
// what it returns later is dropped.
//
// The script's functions among its arguments may be called from any goroutine, as long
// as the run goes on; see [ErrRunOver]. Functions whose first parameter is a
// context.Context are not blocking by that: a call that is over soon is cheaper on the
// goroutine of the script.
//
// fn is a function, or a builtins.Function with one.
func Blocking(fn any) any {
	f, ok := fn.(builtins.Function)
	if !ok {
		f = builtins.Function{Fn: fn}
	}
	f.Blocking = true
	return f
}

// ErrRunOver is what a function of a script gives the host that calls it after its run, or that the
// end of the run comes before: as its last result, if that is an error. Else its results are zero
// values, and Policy.Uncalled is told. It panics in one place alone, where nothing but the sandbox gets
// that: in a function of the host that the script has called, on the goroutine of that call and without
// an error to give. The end of the run so ends that function too, which may call it in a loop. A text that
// a method Error or String gives is that of ErrRunOver. During the run the host may call such functions from any goroutine; such a
// call waits until the script's goroutines let it in, which they do while they wait and from time
// to time, but not during another call of the host that is not Blocking. If it panics, the run ends
// with that.
//
// Engine yaegi runs functions on the goroutine that calls them, at the same time as the script: one
// that panics on a goroutine of the host's gives what it gives after the run, and the run goes on. Of
// methods of the script's it promises nothing there.
var ErrRunOver = engine.ErrOver

// An Uncalled is a call of a function of a script, by code of the host, that did not reach it.
type Uncalled struct {
	Name string // of a method; of a function its type, as "func(int) string"
	Err  error  // ErrRunOver, or why its arguments or results cannot cross between processes
}

// uncalled tells the host of a call; nil if it does not want to know.
func (p *Plan) uncalled() func(name string, err error) {
	tell := p.policy.Uncalled
	if tell == nil {
		return nil
	}
	return func(name string, err error) { tell(Uncalled{name, err}) }
}

// tellLate is uncalled for what is too late.
func (p *Plan) tellLate() func(name string) {
	tell := p.uncalled()
	if tell == nil {
		return nil
	}
	return func(name string) { tell(name, ErrRunOver) }
}

// bareFunction is a value of Policy.Funcs without what Member and Blocking say of it.
func bareFunction(value any) (fn any, blocking bool) {
	if m, ok := value.(Member); ok {
		value = m.Value
	}
	if f, ok := value.(builtins.Function); ok {
		return f.Fn, f.Blocking
	}
	return value, false
}

// A SystemCall is one that a worker was refused: see Policy.Audit.
type SystemCall struct {
	Time   time.Time
	Name   string // empty for a number that has none, or is of another system call interface
	Number int
	Args   [6]uint64
	Path   string // that it names, if it is about one; the worker may have put it there to mislead
	Thread int    // of the worker, as the host sees it
}

func auditor(tell func(SystemCall)) func(audit.Refusal) {
	if tell == nil {
		return nil
	}
	return func(r audit.Refusal) {
		tell(SystemCall{Time: time.Now(), Name: r.Call, Number: r.Number, Args: r.Args, Path: r.Path, Thread: r.Thread})
	}
}
