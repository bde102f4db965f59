package vm

import (
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// leaveOut takes out of the state what cannot be saved and all that leads to it, and what only that has led to.
func (s *saver) leaveOut() {
	if len(s.bad) == 0 {
		return
	}
	s.spread()
	kept := s.out.Globals[:0]
	for _, g := range s.out.Globals {
		if why, bad := s.bad[g.Object]; bad {
			s.skip(g.Name, why)
		} else {
			kept = append(kept, g)
		}
	}
	s.out.Globals = kept
	s.compact()
}

// spread makes bad what leads to something bad.
func (s *saver) spread() {
	from := make([][]int, len(s.out.Objects)+1)
	for i, o := range s.out.Objects {
		for _, v := range o.R {
			if v.Kind == "object" {
				from[v.N] = append(from[v.N], i+1)
			}
		}
	}
	var todo []int
	for n := range len(s.out.Objects) + 1 {
		if _, bad := s.bad[n]; bad {
			todo = append(todo, n)
		}
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, m := range from[n] {
			if _, bad := s.bad[m]; !bad {
				s.bad[m] = s.bad[n]
				todo = append(todo, m)
			}
		}
	}
}

// compact keeps the objects that the variables lead to.
func (s *saver) compact() {
	numbers := make([]int, len(s.out.Objects)+1)
	var order []int
	reach := func(n int) int {
		if numbers[n] == 0 {
			order = append(order, n)
			numbers[n] = len(order)
		}
		return numbers[n]
	}
	for i := range s.out.Globals {
		s.out.Globals[i].Object = reach(s.out.Globals[i].Object)
	}
	var kept []engine.Object
	for i := 0; i < len(order); i++ { // which grows
		o := s.out.Objects[order[i]-1]
		for j := range o.R {
			if o.R[j].Kind == "object" {
				o.R[j].N = int64(reach(int(o.R[j].N)))
			}
		}
		kept = append(kept, o)
	}
	s.out.Objects = kept
}
