package sandtrap

import (
	"context"
	"fmt"
	"io"
	"maps"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/gates"
)

// A sessionEnv is what host functions see of a session. Values of the host that a cell has
// got, such as a writer to os.Stdout, may be used in later cells; so there is one Env for
// all, and what it asks for is of the cell that runs.
type sessionEnv struct {
	*builtins.Env
	now     *run // the cell that runs, or ran last
	visited bool // functions of the host may call from goroutines of their own
}

func (s *Sandbox) newSessionEnv() *sessionEnv {
	e := &sessionEnv{now: &run{meter: gates.NewMeter(context.Background(), s.plan.limits)}}
	e.Env = &builtins.Env{
		Context: context.Background(), Stdin: cellStdin{e}, Stdout: cellStream{e, false}, Stderr: cellStream{e, true},
		Environ: maps.Clone(s.plan.policy.Env), Now: s.plan.clock.Now,
		Sleep:  func(d time.Duration) { sleep(e.now.meter, d) },
		Charge: func(n int64) { unwind(e.now.meter.ChargeHost(n)) },
		Check:  func() { unwind(e.now.meter.Check()) },
		Memory: func() (int64, int64) { return e.now.meter.Held(), e.now.meter.Alloc() },
		Work:   func(n int64) { unwind(e.now.meter.Spend(n)) },
		Wait: func(what string) {
			unwind(e.now.meter.Trip(&gates.Stop{Reason: gates.Deadlock, Message: "deadlock: " + what + " waits for ever"}))
		},
		Exit: func(code int) {
			unwind(e.now.meter.Trip(&gates.Stop{Reason: gates.Exit, Code: code, Message: fmt.Sprintf("exit status %d", code)}))
		},
	}
	if s.files != nil {
		e.FS = s.files.FS()
		e.FS.Charge = e.Charge
	}
	return e
}

// begin makes r the cell that runs.
func (e *sessionEnv) begin(r *run) {
	e.now = r
	e.Begin(r.meter.Context(), r.meter.Deadline())
	e.Args = append([]string{}, r.script.Args...)
	if len(e.Args) == 0 {
		e.Args = []string{r.script.name()}
	}
}

func (e *sessionEnv) end() { e.Env.Close() }

func (e *sessionEnv) close() {
	if e.FS != nil {
		e.FS.Close()
	}
}

// A cellStream is an output of the cell that runs.
type cellStream struct {
	env    *sessionEnv
	errors bool
}

func (s cellStream) Write(p []byte) (int, error) {
	r := s.env.now
	to := io.Writer(r.stdout)
	if s.errors {
		to = r.stderr
	}
	return (&stream{r.meter, to}).Write(p)
}

// A cellStdin is the input of the cell that runs.
type cellStdin struct{ env *sessionEnv }

func (s cellStdin) Read(p []byte) (int, error) {
	if in := s.env.now.script.Stdin; in != nil {
		return in.Read(p)
	}
	return 0, io.EOF
}
