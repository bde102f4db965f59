// Package plans makes sandboxes for runs: it finds the policy that a request names, compiles it with the tools of the request, and
// keeps what it has compiled, with its workers.
//
// It may not know a request, or keep what a run does.
package plans

import (
	"container/list"
	"context"
	"crypto/sha256"
	"log/slog"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/upstream"
	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// Options are for all plans of a server.
type Options struct {
	Isolation     sandtrap.Isolation // of all runs, whatever a policy says
	Level         isolate.Level
	AllowDegraded bool
	Policies      *policies.Catalog  // nil for those of the program alone
	Record        record.Sink        // of all decisions and steps; nil for none
	Requests      func(egress.Event) // is told of requests of scripts; nil for nobody
	Upstream      *upstream.Set      // whose packages policies get; nil for none
	Log           *slog.Logger       // of errors that clients are not told; nil for none
	MaxTimeout    time.Duration      // bounds that of a policy
	Kept          int                // how many plans without tools are kept, with their workers, and how many with tools, with those that wait for their tenants
	Workers       int                // how many workers a plan has at most: each session that is in use takes one. 0 is 8, the most is 64
}

// A Set is the plans of a server. It is safe for concurrent use.
type Set struct {
	o Options

	texts  texts
	counts counts

	mu      sync.Mutex
	entries map[id]*entry
	used    [2]*list.List // of *entry that are made, the last used first: those without tools, and those that clients have made with theirs
}

// An id is what a plan is made of.
type id struct {
	policy   policies.Ref
	hasTools bool
	tools    [sha256.Size]byte
}

// An entry is a box that is made, or is being made.
type entry struct {
	id   id
	once sync.Once
	box  *Box
	err  error
	at   *list.Element // nil until it is made; the lock of the Set is held
}

// New is a set without plans.
func New(o Options) *Set {
	if o.Policies == nil {
		o.Policies = policies.Builtins()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Set{o: o, entries: map[id]*entry{}, used: [2]*list.List{list.New(), list.New()}}
}

// Resolve is the name and the version of the policy that a tenant has asked for, for Get. The error matches policies.ErrUnknown if there
// is none.
func (s *Set) Resolve(ctx context.Context, tenant, asked string) (policies.Ref, error) {
	return s.o.Policies.Resolve(ctx, tenant, asked)
}

// Names reports that who asks for a policy means the one that Resolve gave before: he named none, its name, or that with its version.
func Names(asked string, ref policies.Ref) bool {
	return asked == "" || asked == ref.Name() || asked == string(ref)
}

// Get is the box of a policy, as Resolve has given it, with tools: Go declarations, or nothing. An error is about the request, unless it
// matches *sandtrap.Error: then the machine cannot.
func (s *Set) Get(ctx context.Context, policy policies.Ref, tools string) (*Box, error) {
	e := s.entry(id{policy, tools != "", sha256.Sum256([]byte(tools))})
	e.once.Do(func() { e.box, e.err = s.make(context.WithoutCancel(ctx), policy, tools) })
	if e.err != nil {
		s.forget(e)
		return nil, e.err
	}
	if !e.box.acquire() { // it was given up in between
		s.forget(e)
		return s.Get(ctx, policy, tools)
	}
	s.use(e)
	return e.box, nil
}

// entry is that of id.
func (s *Set) entry(of id) *entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[of]
	if e == nil {
		e = &entry{id: of}
		s.entries[of] = e
	}
	return e
}

// like are the entries that e gives way to, or that give way to it.
func (s *Set) like(e *entry) *list.List {
	if e.id.hasTools {
		return s.used[1]
	}
	return s.used[0]
}

// use notes that e, which is made, is now the one that was used last. The one that was used least gives way: its box is closed once
// nobody uses it.
func (s *Set) use(e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	used := s.like(e)
	switch {
	case s.entries[e.id] != e:
		return
	case e.at != nil:
		used.MoveToFront(e.at)
		return
	}
	e.at = used.PushFront(e)
	if used.Len() > max(1, s.o.Kept) {
		old := used.Back().Value.(*entry)
		s.drop(old)
		go old.box.Release()
	}
}

// drop takes e out of the set. The lock is held.
func (s *Set) drop(e *entry) {
	if s.entries[e.id] != e {
		return
	}
	delete(s.entries, e.id)
	if e.at != nil {
		s.like(e).Remove(e.at)
	}
}

// forget takes out what was not made, or is closed.
func (s *Set) forget(e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(e)
}

// Close gives up all boxes, which nobody asks for any more. Those in use are closed after their runs.
func (s *Set) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.entries {
		if s.drop(e); e.at != nil {
			e.box.Release()
		}
	}
}
