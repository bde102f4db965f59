package rules

import (
	"math"
	"reflect"
	"sync"
)

// maxValues is how many values a set of a state may have.
const maxValues = 1 << 16

// A State is what the rules of a Set know of a session: sets, counters and flags. It is for one session, and may be used from
// several goroutines: the rules of a call see and change it at once. It is bounded: a set has 65,536 values at most, and of one
// that is full it is unknown whether it has others.
type State struct {
	lock   sync.Mutex
	sets   []values
	counts []counter
	flags  []truth
}

// A values is a set. What was to be added or removed, and could not, is in doubt.
type values struct {
	have  map[string]struct{}
	more  bool // it may have values beside these
	fewer bool // it may lack some of these
}

// A counter is between two numbers, which differ if it is not known whether something was to be counted.
type counter struct{ least, most int64 }

// NewState is the empty state of a session, for the programs of s.
func (s *Set) NewState() *State {
	return newState(len(s.sets), len(s.counts), len(s.flags))
}

func newState(sets, counts, flags int) *State {
	return &State{sets: make([]values, sets), counts: make([]counter, counts), flags: make([]truth, flags)}
}

// A seen is the check that a set has the value, or that it does not have it.
type seen struct {
	set     int
	form    form
	negated bool
}

func (s *seen) holds(v reflect.Value, c *call) truth {
	if c.state == nil {
		return unknown
	}
	set := &c.state.sets[s.set]
	key, sure := s.form.key(v, c)
	if key == nil {
		return unknown
	}
	_, found := set.have[string(key)]
	result := is(found)
	if found && set.fewer || !found && (!sure || set.more || s.form.hasOther(key, set.have)) {
		result = unknown
	}
	if s.negated {
		return result.not()
	}
	return result
}

// A counted is the condition on a counter.
type counted struct {
	counter  int
	min, max int64
}

func (n *counted) eval(c *call) truth {
	if c.state == nil {
		return unknown
	}
	switch have := c.state.counts[n.counter]; {
	case have.least >= n.min && have.most <= n.max:
		return yes
	case have.most < n.min || have.least > n.max:
		return no
	}
	return unknown
}

// A raised is the condition that a flag is raised.
type raised struct{ flag int }

func (r *raised) eval(c *call) truth {
	if c.state == nil {
		return unknown
	}
	return c.state.flags[r.flag]
}

// An update is how a track changes the state. Indices are -1 for none.
type update struct {
	add          *test // with one check, an adds
	set          int   // that of add
	count, raise int
	reset        struct{ sets, counts, flags []int }
}

// An adds is a check that adds the value to a set. It is unknown if not all of the value is in it then.
type adds struct {
	set  int
	form form
}

func (a *adds) holds(v reflect.Value, c *call) truth {
	key, sure := a.form.key(v, c)
	set := &c.state.sets[a.set]
	if key == nil || len(set.have) >= maxValues {
		return unknown
	}
	if set.have == nil {
		set.have = map[string]struct{}{}
	}
	set.have[string(key)] = struct{}{}
	if !sure {
		return unknown
	}
	return yes
}

// apply changes the state of c. It leaves doubt in it if it is not known that the conditions of the track hold.
func (u *update) apply(c *call, known bool) {
	s := c.state
	if u.count >= 0 {
		s.counts[u.count].add(known)
	}
	if u.raise >= 0 {
		s.flags[u.raise] = max(s.flags[u.raise], is(known), unknown)
	}
	if u.add != nil && (!known || u.add.eval(c) == unknown) {
		s.sets[u.set].more = true
	}
	for _, i := range u.reset.sets {
		if s.sets[i].fewer = true; known {
			s.sets[i] = values{}
		}
	}
	for _, i := range u.reset.counts {
		if s.counts[i].least = 0; known {
			s.counts[i].most = 0
		}
	}
	for _, i := range u.reset.flags {
		if s.flags[i] = min(s.flags[i], unknown); known {
			s.flags[i] = no
		}
	}
}

// add counts one, if that is known.
func (n *counter) add(known bool) {
	if n.most < math.MaxInt64 {
		n.most++
	}
	if known && n.least < math.MaxInt64 {
		n.least++
	}
}
