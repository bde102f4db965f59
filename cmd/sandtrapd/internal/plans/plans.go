// Package plans makes sandboxes for runs: it finds the policy that a request names, compiles it with the tools of the request, and
// keeps what it has compiled, with its workers.
//
// It may not know a request, or keep what a run does.
package plans

import (
	"container/list"
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
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
	Log           *slog.Logger       // of errors that clients are not told; nil for none
	MaxTimeout    time.Duration      // bounds that of a policy
	Kept          int                // how many plans are kept, with their workers
}

// A Set is the plans of a server. It is safe for concurrent use.
type Set struct {
	o Options

	mu    sync.Mutex
	boxes map[id]*list.Element
	used  *list.List // of *entry, the last used first
}

// An id is what a plan is made of.
type id struct {
	policy policies.Ref
	tools  [sha256.Size]byte
}

// An entry is a box that is made, or is being made.
type entry struct {
	id   id
	once sync.Once
	box  *Box
	err  error
	made atomic.Pointer[Box] // box, for who does not wait for it
}

// New is a set without plans.
func New(o Options) *Set {
	if o.Policies == nil {
		o.Policies = policies.Builtins()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Set{o: o, boxes: map[id]*list.Element{}, used: list.New()}
}

// Resolve is the name and the version of the policy that a tenant has asked for, for Get. The error matches policies.ErrUnknown if there
// is none.
func (s *Set) Resolve(ctx context.Context, tenant, asked string) (policies.Ref, error) {
	return s.o.Policies.Resolve(ctx, tenant, asked)
}

// Get is the box of a policy, as Resolve has given it, with tools: Go declarations, or nothing. An error is about the request, unless it matches *sandtrap.Error: then the machine cannot.
func (s *Set) Get(ctx context.Context, policy policies.Ref, tools string) (*Box, error) {
	e := s.entry(id{policy, sha256.Sum256([]byte(tools))})
	e.once.Do(func() {
		e.box, e.err = s.make(context.WithoutCancel(ctx), policy, tools)
		e.made.Store(e.box)
	})
	if e.err != nil {
		s.forget(e)
		return nil, e.err
	}
	if !e.box.acquire() { // it was given up in between
		s.forget(e)
		return s.Get(ctx, policy, tools)
	}
	return e.box, nil
}

// entry is that of id, which is now the one that was used last. The one that was used least gives way.
func (s *Set) entry(of id) *entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at, ok := s.boxes[of]; ok {
		s.used.MoveToFront(at)
		return at.Value.(*entry)
	}
	e := &entry{id: of}
	s.boxes[of] = s.used.PushFront(e)
	if s.used.Len() > s.o.Kept {
		last := s.used.Back()
		s.used.Remove(last)
		old := last.Value.(*entry)
		delete(s.boxes, old.id)
		go old.close()
	}
	return e
}

// close closes the box of e, once nobody uses it, and once it is made.
func (e *entry) close() {
	e.once.Do(func() { e.err = errGone })
	if e.box != nil {
		e.box.Release()
	}
}

var errGone = fmt.Errorf("too many policies and tools are in use at a time: try again")

func (s *Set) forget(e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at, ok := s.boxes[e.id]; ok && at.Value == e {
		s.used.Remove(at)
		delete(s.boxes, e.id)
	}
}

// Close gives up all boxes. Those in use are closed after their runs.
func (s *Set) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at := s.used.Front(); at != nil; at = at.Next() {
		at.Value.(*entry).close()
	}
	s.used.Init()
	clear(s.boxes)
}
