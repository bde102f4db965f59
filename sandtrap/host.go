package sandtrap

import (
	"github.com/sandtrap-go/sandtrap/builtins"
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

// ErrRunOver is what a function of a script gives the host that calls it after its run:
// as its last result if that is an error, else as a panic. So a host that keeps such
// functions has to recover where it calls them. During the run it may call them from any
// goroutine; such a call waits until the script's goroutines let it in, which they do
// while they wait and from time to time, but not during another call of the host that is
// not Blocking.
var ErrRunOver = engine.ErrOver

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
