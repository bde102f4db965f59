package sandtrap

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/guarded"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// guards says what the gate of a policy decides about, beside functions.
type guards struct {
	Files    bool // operations on files: workers are given none to read themselves
	Requests bool
	Asks     bool // somebody may be asked about a call, which stops the clock
}

// guarded makes the gate of p, nil if there is nothing to decide, and puts it before the functions that it guards.
func (p *Policy) guarded() (gate decide.Gate, of guards, err error) {
	guard := p.Guard
	if guard == nil {
		guard = guarded.Closed{}
	}
	list, err := p.describe()
	if err != nil {
		return nil, of, err
	}
	var files, requests []decide.Member
	if p.Files != nil {
		files = guarded.Files()
	}
	if p.Network != nil {
		requests = guarded.Requests()
	}
	if gate, err = guard.Compile(slices.Concat(list, files, requests)); err != nil {
		return nil, of, policyError("Guard", "%s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	if gate == nil {
		return nil, of, nil
	}
	of.Asks = p.put(gate, p.Funcs, "")
	for i := range p.Packages {
		of.Asks = p.put(gate, p.Packages[i].Members, p.Packages[i].Path+".") || of.Asks
	}
	of.Files = guarded.Guards(gate, files, &of.Asks)
	of.Requests = guarded.Guards(gate, requests, &of.Asks)
	return gate, of, nil
}

// describe lists the functions of p for its guard. Methods of objects become members.
func (p *Policy) describe() ([]decide.Member, error) {
	list, err := guarded.Describe(p.Funcs, "", "", parts)
	if err != nil {
		return nil, policyError("Funcs", "%v", err)
	}
	for i := range p.Packages {
		pkg := &p.Packages[i]
		values, err := pkg.values()
		if err != nil {
			return nil, policyError("Packages", "%v", err)
		}
		pkg.Members, pkg.Object = maps.Clone(values), nil
		of, err := guarded.Describe(pkg.Members, pkg.Path+".", pkg.Path, parts)
		if err != nil {
			return nil, policyError("Packages", "%v", err)
		}
		list = append(list, of...)
	}
	return list, nil
}

// parts are what a guard wants to know of a member.
func parts(value any) (fn any, params []string, a *decide.Attributes) {
	m, _ := value.(Member)
	return functionOf(value), m.Params, m.declared()
}

// declared is what m declares for a guard.
func (m *Member) declared() *decide.Attributes {
	return &decide.Attributes{Risk: m.Risk, Requires: m.Requires, Class: m.Class, Cost: m.Cost, Rate: m.Rate}
}

// functionOf is the function of a member, or what else it is.
func functionOf(value any) any {
	if m, ok := value.(Member); ok {
		value = m.Value
	}
	if f, ok := value.(builtins.Function); ok {
		return f.Fn
	}
	return value
}

// put puts the gate before those of members that it guards. One that somebody may be asked about gets copies of its arguments, so
// that the call is made with those that were shown. It reports whether there is one.
func (p *Policy) put(gate decide.Gate, members map[string]any, prefix string) (any bool) {
	for name, value := range members {
		fn := functionOf(value)
		if !guarded.IsFunc(fn) {
			continue
		}
		guards, asks := gate.Guards(prefix + name)
		if any = any || asks; !guards {
			continue
		}
		m, special := value.(Member)
		if !special {
			m.Value = value
		}
		own, _ := m.Value.(builtins.Function)
		own.Fn = guarded.Func(prefix+name, fn)
		own.Blocking = own.Blocking || asks
		m.Value = own
		members[name] = m
	}
	return any
}

// Tighten adds what g refuses to the Guard of the policy, for all sandboxes of the plan, and for runs that go on from their next
// call: a field of a *guard.Policy that is not set refuses nothing. It never opens anything, and cannot be taken back.
//
// A call that is being made is not ended; one that waits for approval is decided anew. Members for which the Guard had nothing to
// decide are called without asking it, here as in new runs: if g has something to decide about one, such as Inactive, a Record, or
// a pattern that fits it, Tighten is an error that names it, and nothing has changed. A Guard with a Rate for "*" decides about all.
func (p *Plan) Tighten(g decide.Guard) error {
	if p.gate == nil {
		return policyError("Guard", "the policy has none, so that it cannot be tightened")
	}
	return p.gate.Tighten(g)
}

// decide begins to decide about the calls of a run.
func (f *events) decide(ctx context.Context, s decide.Session, script *Script, h decide.Host) decide.Run {
	h.Source, h.Name = script.Text, script.name()
	h.Warn, h.Remind = f.fail, f.remind
	run := s.Begin(ctx, h)
	f.decided.Store(&run)
	return run
}

// session is the state for calls of a run, or of those of a session; nil if nothing is decided.
func (p *Plan) session() decide.Session {
	if p.gate != nil {
		return p.gate.Session()
	}
	return nil
}

// decided is ctx for the calls of the run that begins here.
func (s *runEnv) decided(ctx context.Context, r *run) context.Context {
	if !s.placed(ctx) {
		return ctx
	}
	ctx = guarded.WithSite(ctx, func() string { return builtins.CallSite(s.Env) })
	if s.decides == nil { // the host of this worker decides
		return ctx
	}
	return decide.WithRun(ctx, r.events.decide(ctx, s.decides, &r.script, decide.Host{
		Stand: func(context.Context) (resume func()) { return r.meter.Stand() },
		Stop:  r.meter.Deny,
	}))
}

// decideFile decides about an operation on files of the run that goes on.
func (s *runEnv) decideFile(op vfs.Operation) error {
	return guarded.DecideFile(s.HostContext(), op)
}

// during gives the files for a call with the context ctx, whose run decides about operations.
func (s *servedFiles) during(ctx context.Context) fileCall {
	if !s.decided || s.setup { // of a worker in which nothing has run
		return fileCall{s, s.fs}
	}
	return fileCall{s, s.fs.Deciding(func(op vfs.Operation) error { return guarded.DecideFile(ctx, op) })}
}

// placed reports that somebody wants to know where the script calls functions of the host.
func (s *runEnv) placed(ctx context.Context) bool { return s.decides != nil || guarded.Placed(ctx) }

// begins has c decide about calls of the functions of the host, if there is anything to decide in that task.
func (c *remoteCall) begins(ctx context.Context, task *jobs.Task) {
	isRun := task.Run != nil || task.Call != nil || task.Cell != nil && task.Cell.Op == jobs.CellRun
	if c.place.decides == nil || !isRun && task.Check == nil || c.events.decided.Load() != nil {
		return
	}
	c.events.decide(ctx, c.place.decides, &c.script, decide.Host{Check: !isRun, Stand: c.stand, Stop: func(message string) { c.denied.CompareAndSwap(nil, &message) }})
}

// stand has the clock stand here and in the worker.
func (c *remoteCall) stand(ctx context.Context) (resume func()) {
	c.stood.Add(1)
	isolate.Tell(ctx, jobs.TellStand, nil)
	return sync.OnceFunc(func() {
		isolate.Tell(ctx, jobs.TellResume, nil)
		c.stood.Add(-1)
	})
}

// deciding is ctx with who decides about the calls of the run.
func (c *remoteCall) deciding(ctx context.Context) context.Context {
	if run := c.events.decided.Load(); run != nil {
		return decide.WithRun(ctx, *run)
	}
	return ctx
}

// placed gives the context and the arguments for a call of a function; the worker says where the script makes it.
func (c *remoteCall) placed(ctx context.Context, body []byte) (context.Context, []byte, error) {
	run := c.events.decided.Load()
	if run == nil {
		return ctx, nil, errors.New("the call is of no run")
	}
	if ctx = decide.WithRun(ctx, *run); c.order != nil {
		return ctx, body, nil
	}
	var got jobs.NumberedCall
	if err := wire.Decode(body, &got); err != nil {
		return ctx, nil, err
	}
	if got.Failed != "" {
		return ctx, nil, errors.New(got.Failed)
	}
	return script.WithCall(ctx, script.Call{At: got.At[:min(len(got.At), 1<<10)]}), got.Args, nil
}
