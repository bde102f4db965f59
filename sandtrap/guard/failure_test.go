package guard_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// A failing is an approver and a policy engine that cannot be reached.
type failing struct{}

var errGone = errors.New("dial unix /run/desk: connection refused")

func (*failing) Ask(context.Context, []decide.Request) ([]decide.Answer, error) { return nil, errGone }

func (*failing) Decide(context.Context, decide.Call) (decide.Ruling, error) {
	return decide.Ruling{}, errGone
}

// TestFailuresRecorded: the record says why an approver or a policy engine has failed, and the script does not get it.
func TestFailuresRecorded(t *testing.T) {
	for name, p := range map[string]*guard.Policy{
		"approver": {Approver: &failing{}},
		"decider":  {Decider: &failing{}, Default: guard.AllowByDefault},
	} {
		var failures []string
		p.MaxRisk, p.Budget = decide.High, guard.NewBudget(100)
		p.Record = &sink{func(e record.Event) error {
			if e.Error != "" {
				failures = append(failures, e.Error)
			}
			return nil
		}}
		g := newGated(t, p, send)
		_, err := g.Call(t.Context(), "send", "script.go:1", []reflect.Value{reflect.ValueOf("a")}, func() []reflect.Value { return nil })
		if err == nil || strings.Contains(err.Error(), "desk") {
			t.Errorf("%s: %v", name, err)
		}
		if len(failures) == 0 || failures[0] != errGone.Error() {
			t.Errorf("%s: recorded %q", name, failures)
		}
	}
}
