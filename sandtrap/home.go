package sandtrap

import (
	"context"
	"fmt"
	"io"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// A home is what a run leaves to the functions that the host has of it, and what the cells
// of a session share. Values of the host that a script has got, such as a writer to
// os.Stdout, may be used in later runs on the same home; so there is one Env for all, and
// what it asks for is of the run that is going on.
type home struct {
	*builtins.Env
	plan    *Plan
	closed  *atomic.Bool // of the sandbox
	clock   engine.Clock
	now     *run // that is going on, or was last
	visited bool // functions of the host may call from goroutines of their own
	cells   bool // it is a session's, and so keeps files open from run to run

	busy   chan struct{} // has room while nothing of the script runs
	lost   chan struct{} // closed when there can be no more runs
	losing sync.Once
}

func (s *Sandbox) newHome(cells bool) *home {
	return &home{plan: s.plan, clock: s.plan.clock(), closed: &s.closed, cells: cells, busy: make(chan struct{}, 1), lost: make(chan struct{})}
}

// runKey is the key of the run that the context of a call of the host's belongs to.
type runKey struct{}

// begin makes r the run that is going on.
func (s *home) begin(r *run) {
	s.now = r
	ctx := context.WithValue(r.meter.Context(), runKey{}, r)
	r.feed.link.Attach(ctx, r.keep, r.meter)
	r.feed.tell(EventStarted, "")
	if s.Env == nil {
		s.Env = s.newEnv(r)
	}
	s.Begin(ctx, r.meter.Deadline())
	s.Args = append([]string{}, r.script.Args...)
	if len(s.Args) == 0 {
		s.Args = []string{r.script.name()}
	}
}

// end ends it. Files can be used again; only what was left open is closed.
func (s *home) end() {
	s.now.feed.link.Detach()
	if s.FS != nil && !s.cells {
		_ = s.FS.Close()
	}
	s.Env.Close()
}

// close ends a session's.
func (s *home) close() {
	s.lose()
	if s.Env != nil && s.FS != nil {
		s.FS.Close()
	}
}

// lose says that there can be no more runs.
func (s *home) lose() { s.losing.Do(func() { close(s.lost) }) }

func (s *home) isLost() bool {
	select {
	case <-s.lost:
		return true
	default:
		return false
	}
}

// newEnv is what host functions see.
func (s *home) newEnv(r *run) *builtins.Env {
	env := &builtins.Env{
		Stdin: stdin{s}, Stdout: &stream{s, false}, Stderr: &stream{s, true},
		Environ: maps.Clone(s.plan.policy.Env), Now: s.clock.Now, Seed: s.plan.policy.Seed,
		Sleep:  func(d time.Duration) { sleep(s.now.meter, d) },
		Charge: func(n int64) { unwind(s.now.meter.ChargeHost(n)) },
		Check:  func() { unwind(s.now.meter.Check()) },
		Memory: func() (int64, int64) { return s.now.meter.Held(), s.now.meter.Alloc() },
		Work:   func(n int64) { unwind(s.now.meter.Spend(n)) },
		Wait: func(what string) { // one task: nobody is left to end the wait
			unwind(s.now.meter.Trip(&gates.Stop{Reason: gates.Deadlock, Message: "deadlock: " + what + " waits for ever"}))
		},
		Notes: notes{s},
		Exit: func(code int) {
			unwind(s.now.meter.Trip(&gates.Stop{Reason: gates.Exit, Code: code, Message: fmt.Sprintf("exit status %d", code)}))
		},
	}
	if s.cells || r.feed.wanted() {
		env.Called = func(name string) { s.now.feed.tell(EventCall, name) }
	}
	if steps, ok := s.clock.(*engine.Steps); ok { // for an engine that does not wait itself
		env.Sleep = func(d time.Duration) {
			steps.At(steps.Now().Add(d))
			unwind(s.now.meter.Check())
		}
	}
	if r.files != nil {
		env.FS = r.files.FS()
		env.FS.Charge = env.Charge
	}
	return env
}

// A stream is an output of the run that is going on, behind a gate: a script that has to
// stop writes nothing more from its deferred calls.
type stream struct {
	home *home
	err  bool
}

func (s *stream) Write(p []byte) (int, error) {
	r := s.home.now
	unwind(r.meter.Stopped())
	if r.meter.Limits().Output == 0 { // all is kept
		unwind(r.meter.Keep(int64(len(p))))
	}
	r.printed(s.err, p)
	unwind(r.meter.Stopped()) // a writer of the host's may have taken all the time
	return len(p), nil
}

// A stdin is the input of the run that is going on.
type stdin struct{ home *home }

func (s stdin) Read(p []byte) (int, error) {
	if in := s.home.now.script.Stdin; in != nil {
		return in.Read(p)
	}
	return 0, io.EOF
}

// unwind ends the run if s is a stop.
func unwind(s *gates.Stop) {
	if s != nil {
		panic(s)
	}
}

// sleep waits for d, or until the run has to end.
func sleep(m *gates.Meter, d time.Duration) {
	if end := m.Deadline(); !end.IsZero() {
		d = min(d, time.Until(end))
	}
	timer := time.NewTimer(max(d, 0))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-m.Context().Done():
	}
	unwind(m.Check())
}
