package plans

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/search"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/toolfile"
)

// A Box runs scripts under one policy with one set of tools. Who got it from Get releases it.
type Box struct {
	Policy sandtrap.Policy
	Tools  *toolfile.File // nil if there are none

	users atomic.Int64 // of it, and one for the set
	gate  *egress.Gate
	plan  *sandtrap.Plan
	pool  *sandtrap.Pool // nil without isolation
	waits *durable.Box   // nil if its runs cannot wait

	index func() (*search.Index, error)
}

// acquire counts one more user. It is false if the box is closed.
func (b *Box) acquire() bool {
	for {
		n := b.users.Load()
		if n == 0 {
			return false
		}
		if b.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// Release ends a use. The last one closes the box.
func (b *Box) Release() {
	if b.users.Add(-1) > 0 {
		return
	}
	if b.pool != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = b.pool.Close(ctx) // its workers are killed then
	}
	if b.waits != nil {
		_ = b.waits.Close()
	}
	if b.gate != nil {
		_ = b.gate.Close()
	}
}

// make compiles a policy with tools.
func (s *Set) make(ctx context.Context, policy, tools string) (*Box, error) {
	b := &Box{Policy: policyfile.Default()}
	file := policyfile.New(&b.Policy)
	if policy != Default {
		if err := file.Extend(policy); err != nil {
			return nil, err
		}
	}
	if tools != "" {
		if err := b.addTools(tools); err != nil {
			return nil, err
		}
	}
	if err := file.Declare(b.Policy.Funcs); err != nil {
		return nil, err
	}
	s.o.Upstream.Add(policy, &b.Policy)
	s.restrict(&b.Policy)
	asks := s.guard(b, policy, file)
	var err error
	if b.gate, err = file.Gate(egress.Options{}); err != nil {
		return nil, err
	}
	if b.gate != nil {
		b.Policy.Network = b.gate
	}
	if b.Tools != nil || asks {
		b.waits, err = durable.New(b.Policy)
	} else if b.plan, err = sandtrap.Compile(b.Policy); err == nil && b.Policy.Isolation != sandtrap.None {
		b.pool, err = b.plan.Pool(ctx, sandtrap.PoolLimits{})
	}
	if err != nil {
		return nil, errors.Join(err, closeGate(b.gate))
	}
	b.index = sync.OnceValues(b.makeIndex)
	b.users.Store(1) // the set's; Get adds one for who asked
	return b, nil
}

func closeGate(g *egress.Gate) error {
	if g == nil {
		return nil
	}
	return g.Close()
}

// restrict has the server's options go before what a policy says.
func (s *Set) restrict(p *sandtrap.Policy) {
	p.Isolation, p.Level, p.AllowDegraded, p.Engine = s.o.Isolation, s.o.Level, s.o.AllowDegraded, ""
	if p.Limits.Timeout == 0 || p.Limits.Timeout > s.o.MaxTimeout {
		p.Limits.Timeout = s.o.MaxTimeout
	}
	if p.Limits.Artifacts == 0 {
		p.Limits.Artifacts = 1 << 20
	}
}

// guard puts the guard of the policy before its functions and those of upstream servers, with the record of the server. It reports that
// calls may have to wait for approval.
func (s *Set) guard(b *Box, policy string, file *policyfile.File) (asks bool) {
	p := guard.Policy{MaxRisk: decide.Critical, Default: guard.DenyByDefault} // of a policy without one: what it does not list it denies
	if file.Guard != nil {
		p = *file.Guard
	}
	has, asked := s.o.Upstream.Guard(policy, &p)
	if file.Guard == nil && !has {
		return false
	}
	p.Approver, p.Record = later{}, s.o.Record
	b.Policy.Guard = file.GuardOf(p)
	return b.Policy.Network == nil && (asked || file.Guard != nil)
}

// later is the approver of runs that wait: who answers comes later.
type later struct{}

func (later) Ask(_ context.Context, requests []decide.Request) (answers []decide.Answer, err error) {
	for _, r := range requests {
		answers = append(answers, decide.Answer{ID: r.ID, Verdict: decide.Later})
	}
	return answers, nil
}

// addTools adds functions whose results come from the client.
func (b *Box) addTools(text string) (err error) {
	if b.Tools, err = toolfile.Parse("tools.go", []byte(text)); err != nil {
		return fmt.Errorf("tools: %w", err)
	}
	b.Policy.Funcs, b.Policy.Docs = map[string]any{}, b.Tools.Docs()
	for name, v := range b.Tools.Members(func(context.Context, string, json.RawMessage) (json.RawMessage, error) {
		return nil, errors.New("tools are answered by the client")
	}) {
		if m, ok := v.(sandtrap.Member); ok && m.Blocking {
			m.Pauses = true
			v = m
		}
		b.Policy.Funcs[name] = v
	}
	return nil
}

// Waits reports that runs can wait for answers.
func (b *Box) Waits() bool { return b.waits != nil }

// Run runs a script whose policy has nothing to wait for.
func (b *Box) Run(ctx context.Context, tenant string, script sandtrap.Script) (*sandtrap.Result, error) {
	box, err := b.sandbox(ctx, tenant)
	if err != nil {
		return &sandtrap.Result{}, err
	}
	defer box.Close()
	return box.Run(ctx, script)
}

func (b *Box) sandbox(ctx context.Context, tenant string) (*sandtrap.Sandbox, error) {
	if b.pool != nil {
		return b.pool.Sandbox(ctx, tenant)
	}
	return b.plan.New(ctx)
}

// Start begins a run that can wait.
func (b *Box) Start(ctx context.Context, script sandtrap.Script) (*sandtrap.Result, *durable.Pause, error) {
	return b.waits.Start(ctx, script, nil)
}

// Resume goes on with one.
func (b *Box) Resume(ctx context.Context, journal io.Reader, answers ...durable.Answer) (*sandtrap.Result, *durable.Pause, error) {
	return b.waits.Resume(ctx, journal, nil, answers...)
}
