package plans

import (
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/isolate"
)

// Stats are about a plan that is compiled.
type Stats struct {
	Policy  policies.Ref
	Tools   bool              // it has functions of a request
	Waits   bool              // its runs can wait
	Workers isolate.PoolStats // without those of sessions whose runs can wait
}

// Stats are about all plans that are kept: those without tools, and then the others; of each the one that was used last first.
func (s *Set) Stats() (list []Stats) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, used := range s.used {
		for at := used.Front(); at != nil; at = at.Next() {
			e := at.Value.(*entry)
			one := Stats{Policy: e.id.policy, Tools: e.id.hasTools, Waits: e.box.Waits()}
			if e.box.pool != nil {
				one.Workers = e.box.pool.Stats()
			}
			list = append(list, one)
		}
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
