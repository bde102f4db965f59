package plans

import (
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/isolate"
)

// Stats are about a plan that is compiled.
type Stats struct {
	Policy  policies.Ref
	Tools   bool              // it has functions of a request
	Waits   bool              // its runs can wait, and have a process of their own each
	Workers isolate.PoolStats // without those of runs that can wait
}

// Stats are about all plans, the one that was used last first.
func (s *Set) Stats() (list []Stats) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at := s.used.Front(); at != nil; at = at.Next() {
		b := at.Value.(*entry).made.Load()
		if b == nil { // it is being made
			continue
		}
		one := Stats{Policy: at.Value.(*entry).id.policy, Tools: b.Tools != nil, Waits: b.Waits()}
		if b.pool != nil {
			one.Workers = b.pool.Stats()
		}
		list = append(list, one)
	}
	return list
}

// Workers are those of several plans together.
func Workers(list []Stats) (all isolate.PoolStats) {
	for _, s := range list {
		all.Add(s.Workers)
	}
	return all
}
