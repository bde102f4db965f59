package dryrun

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/sandtrap-go/sandtrap/internal/nearest"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/arguments"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/guarded"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// A dryGuard decides as another guard does, and has each call of a function noted and answered in its place.
type dryGuard struct {
	decide.Guard
	list *list
}

func (g *dryGuard) Compile(members []decide.Member) (decide.Gate, error) {
	if err := g.list.take(members); err != nil {
		g.list.wrong = err
		return nil, err
	}
	gate, err := g.Guard.Compile(members)
	if gate == nil && err == nil { // nothing declares anything
		gate, err = new(guard.Policy).Compile(members)
	}
	return &dryGate{gate, g.list}, err
}

type dryGate struct {
	decide.Gate
	list *list
}

// Guards puts the gate before all functions: none is called without it.
func (g *dryGate) Guards(member string) (guards, asks bool) {
	guards, asks = g.Gate.Guards(member)
	return guards || g.list.members[member] != nil, asks
}

func (g *dryGate) Session() decide.Session { return &drySession{g.Gate.Session(), g.list} }

type drySession struct {
	decide.Session
	list *list
}

func (s *drySession) Begin(ctx context.Context, h decide.Host) decide.Run {
	h.Asked = asked
	return &dryRun{s.Session.Begin(ctx, h), s.list}
}

type dryRun struct {
	decide.Run
	list *list
}

type callKey struct{}

// asked takes note of a question about the call with the context ctx.
func asked(ctx context.Context, reason, rule string) {
	c := ctx.Value(callKey{}).(*noted)
	if c.asks = true; c.why != "" {
		reason = c.why + "; " + reason
	}
	if c.why = reason; c.rule == "" {
		c.rule = rule
	}
}

// Call decides about a call, and answers it if it is allowed. A function of the host is never called: do is for operations on
// files, which are those of a preview.
func (r *dryRun) Call(ctx context.Context, name, at string, args []reflect.Value, do func() []reflect.Value) (results []reflect.Value, err error) {
	m := r.list.members[name]
	c := &noted{name: name, at: at}
	if m != nil {
		c.number = r.list.begin(c, m, args)
		do = func() []reflect.Value { return r.list.answer(ctx, c, m, args) }
	}
	made := func() []reflect.Value {
		c.made = true
		return guarded.Returned(do())
	}
	defer func() { r.list.decided(c, args, err) }()
	return r.Run.Call(context.WithValue(ctx, callKey{}, c), name, at, args, made)
}

// Start decides about a request, and refuses it if it is allowed: its response is not known.
func (r *dryRun) Start(ctx context.Context, name, at string, args []reflect.Value, refused *decide.Denied) (func(decide.Traffic), error) {
	c := &noted{name: name, at: at}
	c.number = r.list.begin(c, r.list.members[name], args)
	_, err := r.Run.Start(context.WithValue(ctx, callKey{}, c), name, at, args, refused)
	r.list.decided(c, args, err)
	if err == nil {
		err = &decide.Denied{Code: decide.Inactive, Member: name, Reason: "a dry run makes no requests"}
	}
	return nil, err
}

// A noted is a call that goes on. It belongs to the goroutine of the call.
type noted struct {
	name, at  string
	number    int // in the list; 0 if it is not there, or not yet
	made      bool
	asks      bool
	why, rule string
	source    Source
}

// Bounds of a list.
const (
	mostCalls = 10_000
	mostBytes = 16 << 20
)

// A list is the calls of a run. It is safe for concurrent use.
type list struct {
	stubs   *stubs
	members map[string]*member // functions, by name
	files   map[string]decide.Member
	wrong   error // in the options

	mu    sync.Mutex
	calls []Call
	bytes int // of arguments and reasons
	more  int
}

// A member is a function, and what answers its calls; or requests, which nothing answers.
type member struct {
	decide.Member
	*answers
}

// take takes the members of the policy.
func (l *list) take(members []decide.Member) error {
	l.files = map[string]decide.Member{}
	var functions []string
	for _, m := range members {
		if guarded.IsFile(m.Name) {
			l.files[m.Name] = m
			continue
		}
		if m.Name == guarded.RequestMember {
			l.members[m.Name] = &member{Member: m}
			continue
		}
		functions = append(functions, m.Name)
		of, err := l.stubs.of(m)
		if err != nil {
			return err
		}
		l.members[m.Name] = &member{m, of}
	}
	slices.Sort(functions)
	for _, name := range slices.Sorted(maps.Keys(l.stubs.named)) {
		if l.members[name] != nil {
			continue
		}
		text := fmt.Sprintf("there is no function %q", name)
		if near := nearest.Name(name, functions); near != "" {
			text += fmt.Sprintf("; did you mean %q?", near)
		}
		return optionError(l.stubs.named[name], "%s", text)
	}
	return nil
}

// begin lists a call of a function that begins, and gives its number, 0 if there is no room for it.
func (l *list) begin(c *noted, m *member, args []reflect.Value) int {
	text, _ := arguments.Object(m.Params, args)
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.add(Call{Name: c.name, At: c.at, Args: text, Decision: record.Allow})
}

// add adds a call. The lock is held.
func (l *list) add(c Call) int {
	size := len(c.Args) + len(c.At)
	if len(l.calls) == mostCalls || size > mostBytes-l.bytes {
		l.more++
		return 0
	}
	l.bytes += size
	c.N = len(l.calls) + 1
	l.calls = append(l.calls, c)
	return c.N
}

// decided notes how a call was decided. Operations on files are listed only if they are not simply allowed: the files say
// what they do.
func (l *list) decided(c *noted, args []reflect.Value, err error) {
	denied, isDenied := errors.AsType[*decide.Denied](err)
	l.mu.Lock()
	defer l.mu.Unlock()
	if m, isFile := l.files[c.name]; isFile && (isDenied || c.asks) {
		text, _ := arguments.Object(m.Params, args)
		c.number = l.add(Call{Name: c.name, At: c.at, Args: text, Decision: record.Allow})
	}
	if c.number == 0 {
		return
	}
	call := &l.calls[c.number-1]
	call.Answer = c.source
	if c.asks {
		call.Decision, call.Why, call.Rule = record.Ask, c.why, c.rule
	}
	switch {
	case isDenied && c.made:
		call.Withheld = denied.Reason
	case isDenied:
		call.Decision, call.Code, call.Rule, call.Why = record.Deny, denied.Code, denied.Rule, denied.Reason
	}
	l.bytes += len(call.Why) + len(call.Withheld)
}

// copied are the calls until now, and how many more there were: calls that a run has left behind go on.
func (l *list) copied() ([]Call, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]Call{}, l.calls...), l.more
}
