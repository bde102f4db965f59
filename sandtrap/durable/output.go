package durable

import (
	"context"
	"io"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// An Output gets the output of a run while it runs. A run that goes on prints all again, from its beginning: a host that has shown a
// part of it says how much, and gets the rest. It is for one run: the methods of a Box that run one get it by WithOutput.
type Output struct {
	// Stdout and Stderr, if not nil, are those of a sandtrap.Script.
	Stdout, Stderr io.Writer

	// StdoutSkip and StderrSkip are how many bytes each Writer does not get: those that were shown when the run went on before. They
	// count output of the script, the same whenever it is repeated. Output of functions of the host is not in the journal, and not
	// printed again; a host whose functions print cannot skip.
	StdoutSkip, StderrSkip int64
}

type outputKey struct{}

// WithOutput is a context for Start, Resume and Replay, and for the Run and Resume of a Session, whose output goes to o. In a Session that is the
// output of the cell which runs or is resumed; cells that are repeated before it are silent. Writers of the Script that Start or Run is given go before it.
// Runs that functions of the host make with the context of their call do not get it.
func WithOutput(ctx context.Context, o Output) context.Context {
	return context.WithValue(ctx, outputKey{}, o)
}

// outputOf is the output of a run of a script, and the context without it.
func outputOf(ctx context.Context, script sandtrap.Script) (Output, context.Context) {
	o, _ := ctx.Value(outputKey{}).(Output)
	if script.Stdout != nil {
		o.Stdout, o.StdoutSkip = script.Stdout, 0
	}
	if script.Stderr != nil {
		o.Stderr, o.StderrSkip = script.Stderr, 0
	}
	return o, context.WithValue(ctx, outputKey{}, Output{})
}

// to has a script print there.
func (o Output) to(s *sandtrap.Script) {
	s.Stdout, s.Stderr = after(o.Stdout, o.StdoutSkip), after(o.Stderr, o.StderrSkip)
}

// after is w for what comes after so many bytes.
func after(w io.Writer, skip int64) io.Writer {
	if w == nil || skip <= 0 {
		return w
	}
	return &rest{w, skip}
}

// A rest passes on what comes after its first bytes. A run writes one piece at a time.
type rest struct {
	to   io.Writer
	skip int64
}

func (r *rest) Write(p []byte) (int, error) {
	n := min(r.skip, int64(len(p)))
	r.skip -= n
	if n == int64(len(p)) && n > 0 {
		return len(p), nil
	}
	done, err := r.to.Write(p[n:])
	return int(n) + done, err
}
