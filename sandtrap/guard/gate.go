package guard

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// A gate decides by its layers, of which all have to allow a call. Layers are added, and never taken away.
type gate struct {
	members map[string]decide.Member
	behind  map[string]bool // members whose calls are decided: those about which the first layer has something to decide
	stack   atomic.Pointer[stack]
	hung    atomic.Int64 // calls of the Decider and of Approvers
	adding  sync.Mutex
}

// A stack is the layers of a gate at a time.
type stack struct {
	layers  []*layer
	records []*layer // those that have a record
}

func (s *stack) with(l *layer) *stack {
	next := &stack{append(slices.Clone(s.layers), l), s.records}
	if l.policy.Record != nil {
		next.records = append(slices.Clone(s.records), l)
	}
	return next
}

// packages are the import paths of members.
func (g *gate) packages() (paths []string) {
	for _, m := range g.members {
		if m.Package != "" {
			paths = append(paths, m.Package)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

func (g *gate) Guards(member string) (guarded, asks bool) {
	for _, l := range g.stack.Load().layers {
		b := l.members[member]
		if b == nil {
			continue
		}
		asks = asks || b.refused == nil && (b.ask != "" || b.rules != nil && b.rules.Asks() || l.policy.Decider != nil && l.policy.Approver != nil)
	}
	return g.behind[member], asks
}

func (g *gate) Closed(member string) *decide.Denied {
	return first(g.stack.Load().layers, member)
}

// first is the refusal of all calls of a member by the first of the gates that does so in any layer.
func first(layers []*layer, member string) (denied *decide.Denied) {
	for _, l := range layers {
		b := l.members[member]
		if b == nil {
			return &decide.Denied{Code: decide.Inactive, Member: member, Reason: "the policy does not know it"}
		}
		if d := b.refused; d != nil && (denied == nil || order(d.Code) < order(denied.Code)) {
			denied = d
		}
	}
	return denied
}

func order(c decide.Code) int { return slices.Index(decide.Codes(), c) }

func (g *gate) Tighten(by decide.Guard) error {
	p, ok := by.(*Policy)
	if !ok {
		return fmt.Errorf("a %T cannot tighten a guard.Policy", by)
	}
	g.adding.Lock()
	defer g.adding.Unlock()
	old := g.stack.Load()
	l, err := g.layer(p.beside(old.layers), false)
	if err != nil {
		return err
	}
	if open := l.open(g.behind); len(open) > 0 {
		return fmt.Errorf("nothing has changed: calls of %s are made without asking the Guard, which has nothing to decide about them; one with a Record, a Decider or a Rate for \"*\" decides about all", strings.Join(open, ", "))
	}
	g.stack.Store(old.with(l))
	return nil
}

// open are the members about which l has something to decide, and whose calls are not decided.
func (l *layer) open(behind map[string]bool) (names []string) {
	for name, b := range l.members {
		if !behind[name] && !b.quiet(l) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (g *gate) Session() decide.Session { return &session{gate: g, always: map[permit]int{}} }

// A session is the state that its runs share.
type session struct {
	gate *gate

	mu     sync.Mutex
	always map[permit]int // members for which an approver has said so, and how many layers the gate had then
	states map[*layer]*rules.State
	last   int64      // ID of a request
	queue  []*waiting // requests that are not asked yet
}

func (s *session) Begin(ctx context.Context, h decide.Host) decide.Run {
	r := &run{session: s, host: h, subject: decide.SubjectOf(ctx), began: time.Now()}
	r.warnings.tell, r.reminders.tell = h.Warn, h.Remind
	if !h.Check {
		_ = r.recorded(s.gate.stack.Load(), record.Event{Kind: record.KindStart}) // else the run is stopped
	}
	return r
}

// state is that of the rules of a layer.
func (s *session) state(l *layer) *rules.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.states[l] == nil {
		if s.states == nil {
			s.states = map[*layer]*rules.State{}
		}
		s.states[l] = l.rules.NewState()
	}
	return s.states[l]
}

// allowedAlways reports that the approver of a policy has allowed all calls of the member, when the gate had that layer already.
func (s *session) allowedAlways(member string, by *Policy, layer int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return layer < s.always[permit{member, by}]
}

// allowAlways is for a member of a gate that has so many layers.
func (s *session) allowAlways(member string, by *Policy, layers int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.always[permit{member, by}] = max(s.always[permit{member, by}], layers)
}

// A permit is for all calls of a member, by the approver of a policy.
type permit struct {
	member string
	by     *Policy
}
