package dryrun

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/arguments"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/guarded"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/journal"
)

// stubs are the options, by members.
type stubs struct {
	named   map[string]string // the field of the options that names a member
	funcs   map[string]any
	answers map[string][]Answer
	returns map[string][]journal.Return
	members *journal.Members // functions whose results are read
}

// newStubs reads the options of a policy with these errors among its members.
func newStubs(o *Options, known []error) (*stubs, error) {
	s := &stubs{
		named: map[string]string{}, funcs: o.Stubs, answers: map[string][]Answer{}, returns: map[string][]journal.Return{},
		members: journal.NewMembers(&carry.Errors{}),
	}
	for _, err := range known {
		s.members.Known(err)
	}
	for name := range o.Stubs {
		s.named[name] = "Stubs"
	}
	for _, a := range o.Answers {
		s.answers[a.Member] = append(s.answers[a.Member], a)
		s.named[a.Member] = "Answers"
	}
	if o.Journal == nil {
		return s, nil
	}
	f, err := journal.Read(o.Journal, o.Key)
	if err != nil {
		return nil, optionError("Journal", "%v", err)
	}
	for _, r := range f.Returns {
		s.returns[r.Name] = append(s.returns[r.Name], r)
	}
	return s, nil
}

// answers are what calls of a function get.
type answers struct {
	stub    reflect.Value // not valid if there is none
	context bool          // it takes one

	from *journal.Members // of the outcomes

	mu      sync.Mutex
	given   []given
	returns map[string][]*journal.Outcome // by the hash of the arguments, those that no call has had
}

// A given is one Answer.
type given struct {
	args string // in the form of sameForm; empty for all
	out  *journal.Outcome
	had  bool
}

// of are the answers of a function.
func (s *stubs) of(m decide.Member) (*answers, error) {
	a := &answers{from: s.members, returns: map[string][]*journal.Outcome{}}
	if stub, ok := s.funcs[m.Name]; ok {
		like, isFunc := guarded.Member(m.Name, m.Package, stub, nil, decide.Attributes{})
		if !isFunc || !slices.Equal(like.Types, m.Types) || !slices.Equal(like.Results, m.Results) || like.Variadic != m.Variadic {
			return nil, optionError("Stubs", "%s: %T takes or returns something else than the function, which is a %v", m.Name, stub, typeOf(m))
		}
		a.stub = reflect.ValueOf(stub)
		a.context = a.stub.Type().NumIn() > len(m.Types)
	}
	if len(s.answers[m.Name]) == 0 && len(s.returns[m.Name]) == 0 {
		return a, nil
	}
	if _, err := s.members.Add(m.Name, reflect.Zero(typeOf(m)), m.Params, false); err != nil {
		return nil, optionError("Answers and Journal", "results of %s cannot be read from JSON: %v; give it a stub", m.Name, err)
	}
	for i, one := range s.answers[m.Name] {
		args, err := sameForm(one.Args)
		if err != nil {
			return nil, optionError("Answers", "answer %d of %s: Args: %v", i+1, m.Name, err)
		}
		out, err := s.members.Answer(m.Name, one.Result, one.Err)
		if err != nil {
			return nil, optionError("Answers", "answer %d of %s: %v", i+1, m.Name, err)
		}
		a.given = append(a.given, given{args: args, out: out})
	}
	for _, r := range s.returns[m.Name] {
		if r.Denied != "" { // the guard decides anew
			continue
		}
		out, err := s.members.Outcome(&r)
		if err != nil {
			return nil, optionError("Journal", "call %d: %v", r.Call, err)
		}
		a.returns[r.Args] = append(a.returns[r.Args], out)
	}
	return a, nil
}

// typeOf is the type of a function, without a context.
func typeOf(m decide.Member) reflect.Type { return reflect.FuncOf(m.Types, m.Results, m.Variadic) }

// sameForm is an object of arguments in a form that is the same for equal ones; empty for none.
func sameForm(text json.RawMessage) (string, error) {
	if len(text) == 0 {
		return "", nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var object map[string]any
	if err := d.Decode(&object); err != nil {
		return "", fmt.Errorf("want an object by the names of the parameters: %w", err)
	}
	same, err := json.Marshal(object)
	return string(same), err
}

// answer gives a call its results.
func (l *list) answer(ctx context.Context, c *noted, m *member, args []reflect.Value) []reflect.Value {
	if m.stub.IsValid() {
		c.source = FromStub
		if m.context {
			args = append([]reflect.Value{reflect.ValueOf(&ctx).Elem()}, args...)
		}
		if m.Variadic {
			return m.stub.CallSlice(args)
		}
		return m.stub.Call(args)
	}
	out, source := m.outcome(args)
	c.source = source
	if out == nil {
		results := make([]reflect.Value, len(m.Results))
		for i, t := range m.Results {
			results[i] = reflect.Zero(t)
		}
		return results
	}
	results, err := m.from.Results(m.Name, out)
	if err != nil {
		panic("dryrun: " + err.Error()) // it was read before
	}
	return results
}

// outcome is what is given for a call, nil if there is nothing.
func (m *member) outcome(args []reflect.Value) (*journal.Outcome, Source) {
	if len(m.given) == 0 && len(m.returns) == 0 {
		return nil, FromZero
	}
	text, shown := arguments.Object(m.Params, args)
	same, err := sameForm(text)
	if !shown || err != nil {
		return nil, FromZero
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var last *given
	for i := range m.given {
		g := &m.given[i]
		if g.args != "" && g.args != same {
			continue
		}
		if last = g; !g.had {
			g.had = true
			break
		}
	}
	if last != nil {
		return last.out, FromAnswer
	}
	hash := journal.Hash(text)
	if list := m.returns[hash]; len(list) > 0 {
		m.returns[hash] = list[1:]
		return list[0], FromJournal
	}
	return nil, FromZero
}
