package sandtrap

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/network"
)

// A runEnv is what a run leaves to the functions that the host has of it, and what the cells
// of a session share. Values of the host that a script has got, such as a writer to
// os.Stdout, may be used in later runs with the same one; so there is one Env for all, and
// what it asks for is of the run that is going on.
type runEnv struct {
	*builtins.Env
	plan      *Plan
	closed    *atomic.Bool // of the sandbox
	clock     engine.Clock
	seed      uint64
	now       *run           // that is going on, or was last
	decides   decide.Session // about its calls; nil if nothing is decided
	release   func()         // of what ends its calls; nil if their deadline does
	reentered bool           // functions of the host may call from goroutines of their own
	cells     bool           // it is a session's, and so keeps files open from run to run

	busy   chan struct{} // has room while nothing of the script runs
	lost   chan struct{} // closed when there can be no more runs
	losing sync.Once
}

func (s *Sandbox) newRunEnv(cells bool) *runEnv {
	return &runEnv{plan: s.plan, decides: s.plan.session(), clock: s.start.Clock(), seed: s.start.Seed, closed: &s.closed, cells: cells, busy: make(chan struct{}, 1), lost: make(chan struct{})}
}

// runKey is the key of the run that the context of a call of the host's belongs to.
type runKey struct{}

// begin makes r the run that is going on.
func (s *runEnv) begin(r *run) {
	s.now = r
	ctx := s.decided(context.WithValue(r.meter.Context(), runKey{}, r), r)
	r.events.link.Attach(ctx, r.keep, r.meter)
	r.events.tell(EventStarted, "")
	if s.Env == nil {
		s.Env = s.newEnv(r)
	}
	s.Ordered = engine.OrderOf(r.ctx) != nil || s.placed(r.ctx) // the run that loads a session has no order
	until := r.meter.Latest()
	if s.plan.guards.Asks || s.plan.policy.Network != nil && s.placed(ctx) { // the clock may stand
		ctx, s.release = r.meter.Within(ctx)
		until = time.Time{}
	}
	s.Begin(ctx, until)
	s.Args = append([]string{}, r.script.Args...)
	if len(s.Args) == 0 {
		s.Args = []string{r.script.name()}
	}
}

// end ends it. Files can be used again; only what was left open is closed.
func (s *runEnv) end() {
	s.now.events.link.Detach()
	if s.FS != nil && !s.cells {
		_ = s.FS.Close()
	}
	s.Env.Close()
	if s.release != nil {
		s.release()
	}
}

// close ends a session's.
func (s *runEnv) close() {
	s.lose()
	if s.Env != nil && s.FS != nil {
		s.FS.Close()
	}
}

// lose says that there can be no more runs.
func (s *runEnv) lose() { s.losing.Do(func() { close(s.lost) }) }

func (s *runEnv) isLost() bool {
	select {
	case <-s.lost:
		return true
	default:
		return false
	}
}

// newEnv is what host functions see.
func (s *runEnv) newEnv(r *run) *builtins.Env {
	env := &builtins.Env{
		Stdin: stdin{s}, Stdout: &stream{s, false}, Stderr: &stream{s, true},
		Environ: maps.Clone(s.plan.policy.Env), Clock: s.clock, Seed: s.seed,
		Gates: hostGates{s}, Notes: notes{s},
	}
	env.Network = network.Opener(s.plan.policy.Network, s.plan.guards.Requests)
	s.plan.table.Serve(env)
	if s.cells || r.events.wanted() || s.plan.limits.HostTime > 0 {
		env.Called = s.called
	}
	if r.files != nil {
		env.FS = r.files.RunFS(func() context.Context { return s.now.meter.Context() })
		env.FS.Charge = env.Gates.Charge
		if s.plan.guards.Files {
			env.FS.Decide = s.decideFile
		}
	}
	return env
}

// called says that the script has called a function of the host, and gets back what says that it has returned. If
// nothing of the script goes on meanwhile, that is no time of the script's, as far as the limits give it.
func (s *runEnv) called(name string, waits bool) (returned func()) {
	r := s.now
	r.events.tell(EventCall, name)
	if !waits || s.plan.limits.HostTime == 0 {
		return func() {}
	}
	began := time.Now()
	r.meter.Wait()
	return func() { r.meter.Waited(time.Since(began)) }
}

// hostGates are the gates of the run that is going on, for functions of the host.
type hostGates struct{ env *runEnv }

func (g hostGates) Charge(n int64) { unwind(g.env.now.meter.ChargeHost(n)) }
func (g hostGates) Check()         { unwind(g.env.now.meter.Check()) }
func (g hostGates) Work(n int64)   { unwind(g.env.now.meter.Spend(n)) }

func (g hostGates) Memory() (held, total int64) {
	return g.env.now.meter.Held(), g.env.now.meter.Alloc()
}

// Sleep is for an engine that does not wait itself.
func (g hostGates) Sleep(d time.Duration) {
	steps, ok := g.env.clock.(*engine.Steps)
	if !ok {
		sleep(g.env.now.meter, d)
		return
	}
	steps.At(steps.Now().Add(d))
	g.Check()
}

// Wait is for one task: nobody is left to end the wait.
func (g hostGates) Wait(what string) {
	unwind(g.env.now.meter.Trip(&gates.Stop{Reason: gates.Deadlock, Message: "deadlock: " + what + " waits for ever"}))
}

func (g hostGates) Exit(code int) {
	unwind(g.env.now.meter.Trip(&gates.Stop{Reason: gates.Exit, Code: code, Message: fmt.Sprintf("exit status %d", code)}))
}

// A stream is an output of the run that is going on, behind a gate: a script that has to
// stop writes nothing more from its deferred calls.
type stream struct {
	env *runEnv
	err bool
}

func (s *stream) Write(p []byte) (int, error) {
	r := s.env.now
	unwind(r.meter.Stopped())
	if r.meter.Limits().Output == 0 { // all is kept
		unwind(r.meter.Keep(int64(len(p))))
	}
	r.printed(s.err, p)
	unwind(r.meter.Stopped()) // a writer of the host's may have taken all the time
	return len(p), nil
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

// answers are what the engine gets that asks for the runs with a runEnv; those about values are
// the Env's.
type answers struct{ *runEnv }

var _ engine.Host = answers{}

func (a answers) Attach(t script.Tasks) { a.Tasks = t }
func (a answers) Lend(v script.Values)  { a.Values = v }
func (a answers) Hand(f engine.Func) any {
	return &Func{nearFunc{a.runEnv, f, a.now.script.sourceOnly()}}
}
