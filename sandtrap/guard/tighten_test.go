package guard_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// TestTightenWhileAsked: a call that waits for approval is no call that has begun: what tightens the gate meanwhile refuses it,
// and it costs nothing.
func TestTightenWhileAsked(t *testing.T) {
	budget := guard.NewBudget(10)
	var g *gated
	g = newGated(t, &guard.Policy{MaxRisk: decide.High, Budget: budget, Approver: &approver{func(r decide.Request) decide.Answer {
		g.tighten(&guard.Policy{Inactive: true})
		return approves(r)
	}}}, send)
	if code := g.call("send", "a"); code != decide.Inactive || budget.Spent() != 0 {
		t.Errorf("%q, %d spent", code, budget.Spent())
	}
}

// TestTightenAlways: an answer for all calls is about the policy of its time: what tightens that later and asks is answered anew.
func TestTightenAlways(t *testing.T) {
	var asked []string
	ask := &approver{func(r decide.Request) decide.Answer {
		asked = append(asked, r.Reason)
		return decide.Answer{Verdict: decide.Approve, Always: true}
	}}
	g := newGated(t, &guard.Policy{MaxRisk: decide.High, Budget: guard.NewBudget(100), Approver: ask}, send)
	for range 2 {
		g.call("send", "a")
	}
	g.tighten(&guard.Policy{Ask: []string{"send"}})
	for range 2 {
		g.call("send", "a")
	}
	const want = "its risk is high|the policy wants approval for send"
	if got := strings.Join(asked, "|"); got != want || g.made != 4 {
		t.Errorf("asked %s, %d made", got, g.made)
	}
}

// TestTightenByCopy: a tightening that is made from the policy of the gate does not spend, record or ask twice.
func TestTightenByCopy(t *testing.T) {
	asked, events := 0, map[record.Kind]int{}
	p := &guard.Policy{MaxRisk: decide.High, Ask: []string{"send"}, Budget: guard.NewBudget(10),
		Approver: &approver{func(r decide.Request) decide.Answer { asked++; return approves(r) }},
		Record:   &sink{func(e record.Event) error { events[e.Kind]++; return nil }}}
	g := newGated(t, p, send, free)
	q := *p
	q.Deny = []string{"free"}
	g.tighten(&q)
	if code := g.call("send", "a"); code != "" || p.Budget.Spent() != 3 || asked != 1 || events[record.KindDecision] != 1 {
		t.Errorf("%q; %d spent, %d asked, %v", code, p.Budget.Spent(), asked, events)
	}
	if code := g.call("free"); code != decide.PolicyRefuses {
		t.Errorf("%q", code)
	}
	q.Record, q.Budget = nil, guard.NewBudget(2)
	g.tighten(&q)
	if code := g.call("send", "a"); code != decide.BudgetSpent || p.Budget.Spent() != 3 {
		t.Errorf("another budget: %q, %d spent", code, p.Budget.Spent())
	}
}

// A sink takes events as the function does.
type sink struct{ write func(record.Event) error }

func (s *sink) Write(e record.Event) error { return s.write(e) }

// TestTightenRecords: a record that a tightening brings gets the calls of runs that go on.
func TestTightenRecords(t *testing.T) {
	g := newGated(t, &guard.Policy{MaxRisk: decide.High, Default: guard.AllowByDefault, Budget: guard.NewBudget(100)}, send)
	events := 0
	g.tighten(&guard.Policy{Record: &sink{func(record.Event) error { events++; return nil }}})
	if g.call("send", "a"); events != 2 {
		t.Errorf("%d events, want the decision and the return", events)
	}
}

// TestTightenDecider: the approver of the plan is asked where the policy engine of a tightening wants approval.
func TestTightenDecider(t *testing.T) {
	reasons := ""
	g := newGated(t, &guard.Policy{MaxRisk: decide.High, Default: guard.AllowByDefault, Budget: guard.NewBudget(100), Approver: &approver{func(r decide.Request) decide.Answer {
		reasons += r.Reason
		return approves(r)
	}}}, send)
	g.tighten(&guard.Policy{Decider: decider(func(decide.Call) decide.Ruling { return decide.Ruling{Allow: true, Ask: true, Reason: "odd"} })})
	if code := g.call("send", "a"); code != "" || reasons != "odd" {
		t.Errorf("%q %q", code, reasons)
	}
}

// TestTightenOpen: a tightening that would decide about a member whose calls nobody decides is an error that names it, and
// changes nothing; one that would not is none.
func TestTightenOpen(t *testing.T) {
	always := decider(func(decide.Call) decide.Ruling { return decide.Ruling{Allow: true} })
	for name, q := range map[string]*guard.Policy{
		"inactive": {Inactive: true, Deny: []string{"send"}},
		"deny":     {Deny: []string{"send", "free"}},
		"ask":      {Ask: []string{"*"}},
		"rate":     {Rates: map[string]int{"*": 1}, Deny: []string{"send"}},
		"rule":     {Rules: []rules.Rule{{Name: "r", On: []string{"free"}, Do: rules.Warn}}, Deny: []string{"send"}},
		"decider":  {Decider: always, Deny: []string{"send"}},
		"record":   {Record: &sink{func(record.Event) error { return nil }}, Deny: []string{"send"}},
	} {
		p := &guard.Policy{MaxRisk: decide.High, Default: guard.AllowByDefault, Budget: guard.NewBudget(100)}
		g := newGated(t, p, send, free)
		err := g.Tighten(q)
		if err == nil || !strings.Contains(err.Error(), "calls of free are made without asking") {
			t.Errorf("%s: %v", name, err)
		}
		if code := g.call("send", "a"); code != "" {
			t.Errorf("%s: %s after a tightening that failed", name, code)
		}
		p.Decider = always
		if err := newGated(t, p, send, free).Tighten(q); err != nil {
			t.Errorf("%s: %v, where all calls are decided", name, err)
		}
	}
}

// TestLines: a script cannot fill the host's memory with warnings.
func TestLines(t *testing.T) {
	member := send
	member.Attributes = decide.Attributes{}
	g := newGated(t, &guard.Policy{Rules: []rules.Rule{
		{Name: "w", On: []string{"send"}, Do: rules.Warn, Text: "to {to}"},
		{Name: "r", On: []string{"send"}, Do: rules.Remind, Text: "be polite"},
	}}, member)
	for i := range 1000 {
		g.call("send", fmt.Sprint(i/2))
	}
	if len(g.warnings) != 101 || g.warnings[100] != "there are more lines like these" || len(g.reminders) != 1 {
		t.Errorf("%d warnings, the last %q; %q", len(g.warnings), g.warnings[len(g.warnings)-1], g.reminders)
	}
}

// TestRecordStart: a run whose beginning cannot be recorded makes no call.
func TestRecordStart(t *testing.T) {
	for _, mayFail := range []bool{false, true} {
		p := &guard.Policy{RecordMayFail: mayFail, Record: &sink{func(e record.Event) error {
			if e.Kind == record.KindStart {
				return errors.New("full")
			}
			return nil
		}}}
		if g := newGated(t, p, free); mayFail != (g.stopped == "") {
			t.Errorf("RecordMayFail %v: %q", mayFail, g.stopped)
		}
	}
}

// TestAfterAll: rules about results of all layers see a call that was made, also when an earlier one withholds its results.
func TestAfterAll(t *testing.T) {
	limit := func(name string) []rules.Rule {
		least := int64(2)
		return []rules.Rule{
			{Name: name + " counts", On: []string{"free"}, Track: []rules.Track{{After: true, Count: name}}},
			{Name: name + " blocks", On: []string{"free"}, When: []rules.Condition{{Count: &rules.Count{Of: name, Min: &least}}}, Do: rules.Block},
		}
	}
	g := newGated(t, &guard.Policy{Rules: []rules.Rule{{Name: "withheld", On: []string{"free"}, After: true, Do: rules.Block}}}, free)
	g.tighten(&guard.Policy{Rules: limit("calls")})
	for range 3 {
		g.call("free")
	}
	if g.made != 2 {
		t.Errorf("%d calls, of which the second layer allows 2", g.made)
	}
}
