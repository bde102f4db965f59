package sandtrap

import (
	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// ErrRunOver is what a function of a script gives the host that calls it after its run, or that the
// end of the run comes before: as its last result, if that is an error. Else its results are zero
// values, and Policy.Uncalled is told. It panics in one place alone, where nothing but the sandbox gets
// that: in a function of the host that the script has called, on the goroutine of that call and without
// an error to give. The end of the run so ends that function too, which may call it in a loop. A text that
// a method Error or String gives is that of ErrRunOver. During the run the host may call such functions from any goroutine; such a
// call waits until the script's goroutines let it in, which they do while they wait and from time
// to time, but not during another call of the host that is not of a Member with Blocking. If it panics, the run ends
// with that.
//
// Engine yaegi runs functions on the goroutine that calls them, at the same time as the script: one
// that panics on a goroutine of the host's gives what it gives after the run, and the run goes on. Of
// methods of the script's it promises nothing there.
var ErrRunOver = engine.ErrOver

// tellLate is uncalled for what is too late.
func (p *Plan) tellLate() func(name string) {
	tell := p.policy.Uncalled
	if tell == nil {
		return nil
	}
	return func(name string) { tell(name, ErrRunOver) }
}

// bareFunction is a value of Policy.Funcs without what a Member says of it.
func bareFunction(value any) (fn any, blocking bool) {
	if m, ok := value.(Member); ok {
		value, blocking = m.Value, m.Blocking
	}
	if f, ok := value.(builtins.Function); ok {
		return f.Fn, f.Blocking || blocking
	}
	return value, blocking
}
