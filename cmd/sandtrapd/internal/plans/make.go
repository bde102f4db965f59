package plans

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/sandtrap-go/sandtrap/cmd/internal/explain"
	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// A draft is a policy on its way to a box.
type draft struct {
	name  string // of the policy, without its version
	box   *Box
	file  *policyfile.File
	guard *policyfile.Guard // nil if there is none
	plan  *sandtrap.Plan
}

// make compiles a policy with tools.
func (s *Set) make(ctx context.Context, ref policies.Ref, tools string) (*Box, error) {
	d, err := s.draft(ctx, ref, tools)
	if err != nil {
		return nil, err
	}
	b := d.box
	b.plan = d.plan
	b.state = d.guard != nil && d.guard.NeedsState()
	if d.file.Guard == nil && len(d.file.Members) == 0 && onlyTools(&b.Policy) && canWait(&b.Policy) {
		b.Text, b.portable = s.o.Policies.Portable(ctx, ref)
	}
	limits := sandtrap.PoolLimits{Max: cmp.Or(s.o.Workers, defaultWorkers)}
	b.places.most = max(1, limits.Max/2) // the others are free for tenants that come anew
	pool := b.plan.Pool
	if b.Tools != nil || d.guard != nil && canWait(&b.Policy) && d.guard.Asks() {
		if b.waits, err = durable.New(b.Policy); err == nil {
			pool = b.waits.Pool
		}
		limits.Size = -1 // sessions have other workers, and nobody may ever run the tools
	}
	if b.Tools != nil {
		limits.Idle, b.places.most = toolsIdle, toolsPlaces
	}
	if err == nil && b.Policy.Isolation != sandtrap.None {
		b.pool, err = pool(ctx, limits)
	}
	if err != nil {
		return nil, errors.Join(err, b.closeGate())
	}
	b.index = sync.OnceValues(b.makeIndex)
	b.users.Store(1) // the set's; Get adds one for who asked
	return b, nil
}

// draft compiles a policy with tools, without workers. Its box has a gate that is to be closed.
func (s *Set) draft(ctx context.Context, ref policies.Ref, tools string) (d *draft, err error) {
	d = &draft{name: ref.Name(), box: &Box{}}
	if d.file, err = s.o.Policies.Load(ctx, ref, &d.box.Policy); err != nil {
		return nil, s.hidden(ref, err)
	}
	if tools != "" {
		if err := d.box.addTools(tools); err != nil {
			return nil, err
		}
	}
	if err := s.compile(d, ref); err != nil {
		return nil, errors.Join(s.hidden(ref, err), d.box.closeGate())
	}
	return d, nil
}

func (s *Set) compile(d *draft, ref policies.Ref) (err error) {
	b := d.box
	if err := d.file.Declare(b.Policy.Funcs); err != nil {
		return err
	}
	s.o.Upstream.Add(d.name, &b.Policy)
	b.repeats = onlyTools(&b.Policy)
	s.restrict(d.file)
	if b.gate, err = d.file.Gate(egress.Options{Observe: s.o.Requests}); err != nil {
		return err
	}
	if b.gate != nil {
		b.Policy.Network = b.gate
	}
	if why := holds(&b.Policy); b.Tools != nil && why != "" {
		return &toolsError{ref, why}
	}
	s.decides(d, ref)
	if d.plan, err = sandtrap.Compile(b.opened()); err != nil && d.guard != nil && d.guard.Failed != nil {
		return d.guard.Failed
	}
	return err
}

// A toolsError is about tools in runs that cannot wait.
type toolsError struct {
	ref policies.Ref
	why string
}

func (e *toolsError) Error() string {
	return fmt.Sprintf("tools: the policy %s has %s, so its runs cannot wait for the results of tools: leave out the tools, or use another policy", e.ref, e.why)
}

// holds is what of a policy a journal cannot repeat, so that its runs cannot wait; empty if there is nothing.
func holds(p *sandtrap.Policy) string {
	switch {
	case p.Network != nil:
		return "a network"
	case p.Files != nil && (p.Files.Open != nil || len(p.Files.Paths) > 0):
		return "files of the server"
	}
	return ""
}

func canWait(p *sandtrap.Policy) bool { return holds(p) == "" }

// server is where settings come from that no policy has.
const server = "the server"

// restrict has the server's options go before what a policy says.
func (s *Set) restrict(f *policyfile.File) {
	p := f.Policy
	p.Isolation, p.Level, p.AllowDegraded, p.Engine = s.o.Isolation, s.o.Level, s.o.AllowDegraded, ""
	for _, key := range []string{"isolation", "level", "allow_degraded"} {
		f.Override(key, server)
	}
	if p.Limits.Timeout <= 0 || p.Limits.Timeout > s.o.MaxTimeout {
		p.Limits.Timeout = s.o.MaxTimeout
		f.Override("limits.timeout", server)
	}
	if p.Limits.Artifacts == 0 {
		p.Limits.Artifacts = 1 << 20
		f.Override("limits.artifacts", server)
	}
}

// hidden is an error about a policy as clients may know it: one about a file of the server has paths of it, and goes to the log.
func (s *Set) hidden(ref policies.Ref, err error) error {
	_, ofTools := errors.AsType[*toolsError](err)
	_, ofMachine := errors.AsType[*sandtrap.Error](err)
	_, version, _ := strings.Cut(string(ref), "@")
	if ofTools || ofMachine || version == policies.Builtin || !s.o.Policies.OfFile(ref) {
		return err
	}
	s.o.Log.Error("a policy of the server cannot be used", "policy", ref, "error", err)
	return fmt.Errorf("the policy %s cannot be used this way: the log of the server says why", ref)
}

// Explain says what a policy opens, as Resolve has given it. For the public it names nothing of the machine. Errors are those of Get.
func (s *Set) Explain(ctx context.Context, ref policies.Ref, public bool) (*explain.Explanation, error) {
	d, err := s.draft(ctx, ref, "")
	if err != nil {
		return nil, err
	}
	defer d.box.closeGate()
	p := explain.Policy{File: d.file, Guard: d.guard, Plan: d.plan, Tools: server}
	if public {
		p.Public = string(ref)
	}
	e, err := explain.Of(p)
	if err != nil {
		return nil, s.hidden(ref, err)
	}
	for i := range e.Openings {
		if e.Openings[i].Field == "Audit" {
			e.Openings[i].From = policyfile.Place{File: server}
		}
	}
	return e, nil
}

// Check checks the text of a policy that is sent. What is wrong in its guard is a warning if the rest is right: functions that it names
// may be those of tools, which come with a run.
func (s *Set) Check(of, text string) (warning string, err error) {
	check := func(guarded bool) error {
		d := &draft{box: &Box{Policy: policyfile.Default()}}
		d.file = policyfile.New(&d.box.Policy)
		if err := d.file.ReadSent(of, []byte(text)); err != nil {
			return err
		}
		if !guarded {
			d.file.Guard, d.file.Members = nil, nil
		}
		return errors.Join(s.compile(d, policies.Ref(of)), d.box.closeGate())
	}
	whole := check(true)
	if whole == nil {
		return "", nil
	}
	if err := check(false); err != nil {
		return "", err
	}
	return "without tools that have what it names, its runs fail: " + whole.Error(), nil
}
