package rules

import (
	"reflect"
)

// A Member is a member that rules may be about.
type Member struct {
	Name    string         // as rules and scripts write it: "sendMail", "mail.Send", "file.write"
	Params  []string       // the names of the parameters, one for each type
	Types   []reflect.Type // of the parameters that scripts pass: without the run's context; of a variadic one a slice
	Results []reflect.Type

	// Variadic says that the last parameter takes any number of arguments. It has one value in calls, a slice.
	Variadic bool
}

// A Set is a list of rules, compiled for the members of a policy. It is immutable.
type Set struct {
	programs            map[string]*Program
	sets, counts, flags []string // the names of the state
	needs               bool
}

// For is what the rules say of a member, nil if none applies to it.
func (s *Set) For(member string) *Program { return s.programs[member] }

// A Program is the rules of a member. It is immutable.
type Program struct {
	member        *member
	before, after phase
}

// A member is one with what Compile needs of it.
type member struct{ Member }

// A phase is what is done before a call, or after it.
type phase struct {
	steps    []step // in the order of the rules
	always   []int32
	indexes  []*index // of the steps that are not evaluated always
	stateful bool     // some need the state
}

// A step is what a rule, or a track of one, does at calls of a member.
type step struct {
	when   node // nil if it is always done
	rule   *rule
	text   text
	update *update // of a track; nil for the rule itself
}

// A Hit is a rule that fires.
type Hit struct {
	Rule string // its name
	Do   Action
	Text string
}

// Asks reports that a rule may ask for approval of calls.
func (p *Program) Asks() bool {
	for i := range p.before.steps {
		if s := &p.before.steps[i]; s.update == nil && s.rule.Do == Ask {
			return true
		}
	}
	return false
}

// Before is which rules fire before a call, in their order, and tracks the call unless one of them blocks it. The arguments are
// those of Member.Params: what a variadic parameter takes is one slice. They do not change while it runs. If no rule fires,
// it allocates nothing for arguments of common forms. It may be used from several goroutines.
func (p *Program) Before(args []reflect.Value, st *State) []Hit {
	return p.before.run(p, args, nil, st)
}

// After is which rules fire after a call that has returned, and tracks it. It is for calls that were made only.
func (p *Program) After(args, results []reflect.Value, st *State) []Hit {
	return p.after.run(p, args, results, st)
}

func (f *phase) run(p *Program, args, results []reflect.Value, st *State) (hits []Hit) {
	if len(f.steps) == 0 {
		return nil
	}
	c := calls.Get().(*call)
	defer c.release()
	c.args, c.results = args, results
	if len(args) != len(p.member.Params) {
		c.args = nil // of which nothing is known
	}
	if f.stateful && st != nil {
		c.state = st
		st.lock.Lock()
		defer st.lock.Unlock()
	}
	blocked := false
	for _, i := range f.candidates(c) {
		s := &f.steps[i]
		t := yes
		if s.when != nil {
			t = s.when.eval(c)
		}
		switch {
		case t == no:
		case s.update == nil:
			hits = append(hits, Hit{s.rule.Name, s.rule.Do, s.text.of(c)})
			blocked = blocked || s.rule.Do == Block
		case t == yes:
			c.tracked = append(c.tracked, i)
		default:
			c.tracked = append(c.tracked, ^i)
		}
	}
	if c.state == nil || blocked && f == &p.before {
		return hits
	}
	for _, i := range c.tracked {
		f.steps[max(i, ^i)].update.apply(c, i >= 0)
	}
	return hits
}
