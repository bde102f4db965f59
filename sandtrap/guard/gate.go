package guard

import (
	"context"
	"fmt"
	"slices"
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
	layers  atomic.Pointer[[]*layer]
	adding  sync.Mutex
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
	for _, l := range *g.layers.Load() {
		b := l.members[member]
		guarded = guarded || !b.quiet(l)
		asks = asks || b.refused == nil && (b.ask != "" || b.rules != nil && b.rules.Asks() || l.policy.Decider != nil && l.policy.Approver != nil)
	}
	return guarded, asks
}

func (g *gate) Closed(member string) *decide.Denied {
	d, _ := first(*g.layers.Load(), member)
	return d
}

// first is the refusal of all calls of a member by the first of the gates that does so in any layer.
func first(layers []*layer, member string) (denied *decide.Denied, known bool) {
	for _, l := range layers {
		b := l.members[member]
		if b == nil {
			return &decide.Denied{Code: decide.Inactive, Member: member, Reason: "the policy does not know it"}, false
		}
		if d := b.refused; d != nil && (denied == nil || order(d.Code) < order(denied.Code)) {
			denied = d
		}
	}
	return denied, true
}

func order(c decide.Code) int { return slices.Index(decide.Codes(), c) }

func (g *gate) Tighten(by decide.Guard) error {
	p, ok := by.(*Policy)
	if !ok {
		return fmt.Errorf("a %T cannot tighten a guard.Policy", by)
	}
	l, err := g.layer(p, false)
	if err != nil {
		return err
	}
	g.adding.Lock()
	defer g.adding.Unlock()
	old := *g.layers.Load()
	list := append(slices.Clone(old), l)
	g.layers.Store(&list)
	return nil
}

func (g *gate) Session() decide.Session { return &session{gate: g, always: map[string]bool{}} }

// A session is the state that its runs share.
type session struct {
	gate *gate

	mu     sync.Mutex
	always map[string]bool // members for which an approver has said so
	states map[*layer]*rules.State
	last   int64      // ID of a request
	queue  []*waiting // requests that are not asked yet
}

func (s *session) Begin(ctx context.Context, h decide.Host) decide.Run {
	r := &run{session: s, host: h, subject: decide.SubjectOf(ctx), began: time.Now()}
	for _, l := range *s.gate.layers.Load() {
		r.records = r.records || l.policy.Record != nil
	}
	if !h.Check {
		_ = r.record(*s.gate.layers.Load(), record.Event{Kind: record.KindStart})
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

// allowedAlways reports that an approver has allowed all calls of the member.
func (s *session) allowedAlways(member string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.always[member]
}
