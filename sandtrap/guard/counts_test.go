package guard_test

import (
	"reflect"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
)

// TestCounts: runs that have the same Counts share a budget and rates, whatever their plans are, and others have their own.
func TestCounts(t *testing.T) {
	for name, p := range map[string]guard.Policy{
		"budget": {Budget: guard.NewBudget(10)}, // for two calls
		"rate":   {Rates: map[string]int{"pay": 2}, Budget: guard.NewBudget(1000)},
	} {
		own := map[string]*guard.Counts{"alpha": {}, "beta": {}}
		p.MaxRisk, p.Default = decide.High, guard.AllowByDefault
		p.Counts = func(who decide.Subject) *guard.Counts { return own[who.Tenant] }
		var plans []decide.Gate
		for range 2 {
			g, err := p.Compile([]decide.Member{{Name: "pay", Attributes: decide.Attributes{Risk: decide.Low, Cost: 4}}})
			if err != nil {
				t.Fatal(err)
			}
			plans = append(plans, g)
		}
		for i, step := range []struct {
			tenant     string
			plan, made int
		}{{"alpha", 0, 2}, {"alpha", 1, 0}, {"beta", 0, 2}, {"alpha", 0, 0}, {"beta", 1, 0}} {
			r := plans[step.plan].Session().Begin(decide.WithSubject(t.Context(), decide.Subject{Tenant: step.tenant}), decide.Host{})
			made := 0
			for range 3 {
				_, _ = r.Call(t.Context(), "pay", "script.go:1", nil, func() []reflect.Value { made++; return nil }) // it may be refused
			}
			if made != step.made {
				t.Errorf("%s, run %d, %+v: %d calls were made", name, i, step, made)
			}
		}
	}
}
