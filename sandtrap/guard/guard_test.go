package guard_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
)

// A gated is the gate of a policy, and its only run.
type gated struct {
	t testing.TB
	decide.Gate
	decide.Run
	warnings, reminders []string
	stopped             string // why the run was ended
	made                int    // calls
}

func newGated(t testing.TB, p *guard.Policy, members ...decide.Member) *gated {
	t.Helper()
	g, err := p.Compile(members)
	if err != nil {
		t.Fatal(err)
	}
	r := &gated{t: t, Gate: g}
	r.Run = g.Session().Begin(t.Context(), decide.Host{
		Stand:  func(context.Context) func() { return func() {} },
		Warn:   func(line string) { r.warnings = append(r.warnings, line) },
		Remind: func(line string) { r.reminders = append(r.reminders, line) },
		Stop:   func(message string) { r.stopped = message },
	})
	return r
}

// tighten adds p to the gate.
func (r *gated) tighten(p *guard.Policy) {
	r.t.Helper()
	if err := r.Tighten(p); err != nil {
		r.t.Fatal(err)
	}
}

// call calls a member whose function returns nothing, and gives the code of the refusal, empty if the call was made.
func (r *gated) call(member string, args ...any) decide.Code {
	r.t.Helper()
	values := make([]reflect.Value, len(args))
	for i, arg := range args {
		values[i] = reflect.ValueOf(arg)
	}
	made := false
	_, err := r.Call(r.t.Context(), member, "script.go:1", values, func() []reflect.Value { made = true; return []reflect.Value{} })
	denied, _ := err.(*decide.Denied)
	if made && denied != nil && denied.Code != decide.RuleBlocks || !made && err == nil {
		r.t.Errorf("%s: made %v, %v", member, made, err)
	}
	if made {
		r.made++
	}
	switch {
	case denied != nil:
		return denied.Code
	case err != nil:
		return decide.Code(err.Error())
	}
	return ""
}

// send has a risk, a cost, and a parameter.
var send = decide.Member{
	Name: "send", Params: []string{"to"}, Types: []reflect.Type{reflect.TypeFor[string]()},
	Attributes: decide.Attributes{Risk: decide.High, Cost: 3},
}

// free declares nothing.
var free = decide.Member{Name: "free"}

// An approver answers as the function does.
type approver struct {
	ask func(r decide.Request) decide.Answer
}

func (a *approver) Ask(_ context.Context, list []decide.Request) (answers []decide.Answer, err error) {
	for _, r := range list {
		answer := a.ask(r)
		answer.ID = r.ID
		answers = append(answers, answer)
	}
	return answers, nil
}

func approves(decide.Request) decide.Answer { return decide.Answer{Verdict: decide.Approve} }

// A decider rules as the function does.
type decider func(decide.Call) decide.Ruling

func (d decider) Decide(_ context.Context, c decide.Call) (decide.Ruling, error) { return d(c), nil }
