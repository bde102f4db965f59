package sandtrap

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/guarded"
)

// guarded makes the gate of p, nil if there is nothing to decide, and puts it before the functions that it guards. It reports
// whether somebody may be asked about one.
func (p *Policy) guarded() (gate decide.Gate, asks bool, err error) {
	guard := p.Guard
	if guard == nil {
		guard = guarded.Closed{}
	}
	list, err := p.describe()
	if err != nil {
		return nil, false, err
	}
	if gate, err = guard.Compile(list); err != nil {
		return nil, false, policyError("Guard", "%s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	if gate == nil {
		return nil, false, nil
	}
	asks = p.put(gate, p.Funcs, "")
	for i := range p.Packages {
		asks = p.put(gate, p.Packages[i].Members, p.Packages[i].Path+".") || asks
	}
	return gate, asks, nil
}

// describe lists the functions of p for its guard. Methods of objects become members.
func (p *Policy) describe() ([]decide.Member, error) {
	list, err := described(p.Funcs, "", "")
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
		of, err := described(pkg.Members, pkg.Path+".", pkg.Path)
		if err != nil {
			return nil, policyError("Packages", "%v", err)
		}
		list = append(list, of...)
	}
	slices.SortFunc(list, func(a, b decide.Member) int { return cmp.Compare(a.Name, b.Name) })
	return list, nil
}

// described are the functions among members.
func described(members map[string]any, prefix, pkg string) (list []decide.Member, err error) {
	for name, value := range members {
		m, _ := value.(Member)
		of, ok := guarded.Member(prefix+name, pkg, functionOf(value), m.Params, *m.declared())
		switch {
		case ok:
			list = append(list, of)
		case m.declared().Declared():
			return nil, fmt.Errorf("%s%s: only functions declare a risk and their kin", prefix, name)
		}
	}
	return list, nil
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
// that the call is made with those that were shown; with engine yaegi, whose goroutines run at the same time, all do. It reports whether
// there is one.
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
		m, ok := value.(Member)
		if !ok {
			m.Value = value
		}
		own, ok := m.Value.(builtins.Function)
		if !ok {
			own = builtins.Function{}
		}
		own.Fn = guarded.Func(prefix+name, fn)
		own.Blocking = own.Blocking || asks || p.Engine == "yaegi"
		m.Value = own
		members[name] = m
	}
	return any
}

// Tighten adds what g refuses to the Guard of the policy, for all sandboxes of the plan, and for runs that go on from their next
// call: a field of a *guard.Policy that is not set refuses nothing. It never opens anything, and cannot be taken back.
//
// A call that has begun is not ended. Members for which the Guard had nothing to decide are called without asking it, here as
// in new runs: if g refuses one, use a Guard of the plan that names it, in Ask, Rates or a rule; else Tighten is an error, and
// nothing has changed.
func (p *Plan) Tighten(g decide.Guard) error {
	if p.gate == nil {
		return policyError("Guard", "the policy has none, so that it cannot be tightened")
	}
	return p.gate.Tighten(g)
}

// decidesFor begins to decide about the calls of a run, and gives the context for them.
func (p *Plan) decidesFor(ctx context.Context, s decide.Session, script *Script, e *events, h decide.Host) context.Context {
	if s == nil {
		return ctx
	}
	h.Source, h.Name = script.Text, script.name()
	h.Warn, h.Remind = e.fail, e.remind
	run := s.Begin(ctx, h)
	e.telling.Lock()
	e.decided = run
	e.telling.Unlock()
	return decide.WithRun(ctx, run)
}

// session is the state for calls of a run, or of those of a session; nil if nothing is decided.
func (p *Plan) session() decide.Session {
	if p.gate == nil {
		return nil
	}
	return p.gate.Session()
}

// decided is ctx for the calls of the run that begins here.
func (s *runEnv) decided(ctx context.Context, r *run) context.Context {
	if s.decides == nil {
		return ctx
	}
	ctx = guarded.WithSite(ctx, func() string { return builtins.CallSite(s.Env) })
	return s.plan.decidesFor(ctx, s.decides, &r.script, r.events, decide.Host{
		Stand: r.meter.Stand,
		Stop: func(message string) {
			r.meter.Trip(&gates.Stop{Reason: gates.Denied, Message: message})
		},
	})
}

// endsWith is ctx for calls of a run whose clock may stand, so that nobody knows when it has to end.
func endsWith(ctx context.Context, m *gates.Meter) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-m.Over():
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// siteOf is ctx with the place of a call, as the worker says.
func siteOf(ctx context.Context, at string) context.Context {
	const longest = 1 << 10
	return script.WithCall(ctx, script.Call{At: at[:min(len(at), longest)]})
}
