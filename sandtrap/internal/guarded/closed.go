package guarded

import (
	"context"
	"errors"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// Closed is the Guard of a policy that has none: it refuses each call of members that declare something.
type Closed struct{}

func (Closed) Compile(members []decide.Member) (decide.Gate, error) {
	g := closed{}
	for _, m := range members {
		if m.Declared() {
			g[m.Name] = refusal(&m)
		}
	}
	if len(g) == 0 {
		return nil, nil
	}
	return g, nil
}

// words say what the gates are about.
var words = map[decide.Code]string{
	decide.RiskTooHigh: "a risk", decide.Permissions: "permissions", decide.Classification: "a class of data",
	decide.RateReached: "a rate", decide.BudgetSpent: "a cost",
}

// refusal is that of the first gate.
func refusal(m *decide.Member) *decide.Denied {
	code := decide.BudgetSpent
	switch {
	case m.Risk != decide.NoRisk:
		code = decide.RiskTooHigh
	case len(m.Requires) > 0:
		code = decide.Permissions
	case m.Class != decide.NoClass:
		code = decide.Classification
	case m.Rate > 0:
		code = decide.RateReached
	}
	return &decide.Denied{Code: code, Member: m.Name, Reason: "it declares " + words[code] + ", and its policy has no Guard: it is closed"}
}

// A closed gate has the members that it refuses. It is the Session and the Run of all.
type closed map[string]*decide.Denied

func (c closed) Guards(member string) (guarded, asks bool) { return c[member] != nil, false }
func (c closed) Closed(member string) *decide.Denied       { return c[member] }
func (c closed) Session() decide.Session                   { return c }

func (c closed) Tighten(decide.Guard) error {
	return errors.New("a policy without a Guard cannot be tightened")
}

func (c closed) Begin(_ context.Context, h decide.Host) decide.Run { return closedRun{c, h} }

type closedRun struct {
	closed
	host decide.Host
}

func (r closedRun) Call(_ context.Context, member, _ string, _ []reflect.Value, do func() []reflect.Value) ([]reflect.Value, error) {
	if d := r.closed[member]; d != nil {
		return nil, d
	}
	return do(), nil
}

func (r closedRun) Start(_ context.Context, member, _ string, _ []reflect.Value, refused *decide.Denied) (func(decide.Traffic), error) {
	if refused == nil {
		refused = r.closed[member]
	}
	if refused != nil {
		return nil, refused
	}
	return func(decide.Traffic) {}, nil
}

func (r closedRun) Repeat(string, []reflect.Value, bool) {}

func (r closedRun) Return(string, []reflect.Value, []reflect.Value) error { return nil }

func (r closedRun) Notice(string, []reflect.Value, []reflect.Value) {}

func (r closedRun) Stop(d *decide.Denied) { r.host.Stop(d.Error()) }
func (r closedRun) End(decide.Outcome)    {}
