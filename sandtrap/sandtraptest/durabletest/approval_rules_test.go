package durabletest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// asked is a policy with a function that people answer, one that is called at once, and rules that keep count of them.
func asked(isolation sandtrap.Isolation, later bool, list ...rules.Rule) sandtrap.Policy {
	return sandtrap.Policy{
		Std: sandtrap.StdDefault(), Isolation: isolation, Limits: sandtrap.Limits{Timeout: timeout},
		Funcs: map[string]any{
			"human": sandtrap.Member{Value: func(q string) (string, error) { return "<" + q + ">", nil }, Params: []string{"q"}, Risk: decide.Low, Pauses: later},
			"send":  sandtrap.Member{Value: func(to string) error { return nil }, Params: []string{"to"}, Risk: decide.Low},
		},
		Guard: &guard.Policy{MaxRisk: decide.Low, Grants: []guard.Grant{{Members: []string{"human", "send"}}}, Rules: list},
	}
}

// answers are those of human.
func answersOf(t testing.TB, list []durable.Pending) (answers []durable.Answer) {
	for _, p := range list {
		var args struct{ Q string }
		mustRead(t, p.Args, &args)
		answers = append(answers, durable.Answer{ID: p.ID, Result: asJSON(t, "<"+args.Q+">")})
	}
	return answers
}

// TestRulesWhileWaiting: rules that keep count know, when a run goes on, all that they knew when it has waited: of calls that wait
// still, of results that were withheld, and in the order in which calls have returned. The run prints what one prints that does not wait.
func TestRulesWhileWaiting(t *testing.T) {
	two := int64(2)
	for _, row := range []struct {
		name, script string
		rules        []rules.Rule
	}{
		{"calls that wait count", `
out := make([]string, 3)
done := make(chan int)
for i := range 2 { go func() { s, err := human(fmt.Sprint(i)); out[i] = fmt.Sprint(s, err); done <- i }() }
<-done
s, err := human("2")
out[2] = fmt.Sprint(s, err)
<-done
fmt.Println(strings.Join(out, "\n"))`,
			[]rules.Rule{{Name: "two", On: []string{"human"}, When: []rules.Condition{{Count: &rules.Count{Of: "calls", Min: &two}}}, Do: rules.Block, Text: "no more", Track: []rules.Track{{Count: "calls"}}}}},
		{"withheld results count", `
fmt.Println(human("a"))
fmt.Println(human("key"))
fmt.Println(send("x"))
fmt.Println(human("b"))
fmt.Println(send("x"))`,
			[]rules.Rule{
				{Name: "key", On: []string{"human"}, After: true, When: []rules.Condition{{Param: "return.0", Equals: "<key>"}}, Do: rules.Block, Text: "a key"},
				{Name: "seen", On: []string{"human"}, Track: []rules.Track{{After: true, When: []rules.Condition{{Param: "return.0", Equals: "<key>"}}, Raise: "key"}}},
				{Name: "send", On: []string{"send"}, When: []rules.Condition{{Flag: "key"}}, Do: rules.Block, Text: "the script has seen a key"},
			}},
		{"refused calls count once", `
fmt.Println(human("a"))
fmt.Println(send("x"))
fmt.Println(human("b"))
fmt.Println(send("y"), send("x"))
fmt.Println(human("c"))
fmt.Println(send("z"))`,
			[]rules.Rule{
				{Name: "once", On: []string{"send"}, When: []rules.Condition{{Param: "to", Seen: "sent"}}, Do: rules.Block, Text: "{to} has mail", Track: []rules.Track{{Add: &rules.Add{Set: "sent", Param: "to"}}}},
				{Name: "few", On: []string{"send"}, When: []rules.Condition{{Count: &rules.Count{Of: "sends", Min: &two}}}, Do: rules.Block, Text: "no more", Track: []rules.Track{{Count: "sends"}}},
			}},
	} {
		for _, mode := range isolations() {
			t.Run(fmt.Sprint(row.name, "/", mode), func(t *testing.T) {
				want, pause, err := mustBox(t, asked(mode, false, row.rules...)).Start(t.Context(), sandtrap.Script{Text: row.script}, nil)
				if err != nil || pause != nil || !strings.Contains(want.Stdout, "is not allowed") || !strings.Contains(want.Stdout, "<nil>") {
					t.Fatalf("%q, %v, %v", want.Stdout, pause, err)
				}
				res, pause, err := mustBox(t, asked(mode, true, row.rules...)).Start(t.Context(), sandtrap.Script{Text: row.script}, nil)
				var file []byte
				for n := 0; pause != nil && n < 20; n++ {
					file = saved(t, pause)
					res, pause, err = mustBox(t, asked(mode, true, row.rules...)).Resume(t.Context(), bytes.NewReader(file), nil, answersOf(t, pause.Pending[:1])...)
				}
				if err != nil || pause != nil || res.Stdout != want.Stdout {
					t.Errorf("%v, %v\n%s\nand without waiting\n%s", pause, err, res.Stdout, want.Stdout)
				}
			})
		}
	}
}

// TestAnswerWithheld: an answer that rules refuse is withheld for good: the journal says so, whatever the rules would say when it is
// repeated.
func TestAnswerWithheld(t *testing.T) {
	list := []rules.Rule{{Name: "key", On: []string{"human"}, After: true, When: []rules.Condition{{Param: "return.0", Equals: "<key>"}}, Do: rules.Block, Text: "a key"}}
	_, pause, err := mustBox(t, asked(sandtrap.None, true, list...)).Start(t.Context(), sandtrap.Script{Text: `fmt.Println(human("key")); fmt.Println(human("b"))`}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, pause, err = mustBox(t, asked(sandtrap.None, true, list...)).Resume(t.Context(), bytes.NewReader(saved(t, pause)), nil, answersOf(t, pause.Pending)...)
	if err != nil {
		t.Fatal(err)
	}
	if file := string(saved(t, pause)); !strings.Contains(file, `"denied":"human is not allowed: a key`) {
		t.Error(file)
	}
}

// TestQuestionsApart: the answer to one question about a call is none to the next one.
func TestQuestionsApart(t *testing.T) {
	for _, mode := range isolations() {
		policy := func() (p sandtrap.Policy) {
			p = asked(mode, false, rules.Rule{Name: "outside", On: []string{"send"}, When: []rules.Condition{{Param: "to", Regexp: `.*[.]org`}}, Do: rules.Ask, Text: "it leaves the house"})
			g := p.Guard.(*guard.Policy)
			g.Ask, g.Approver = []string{"send"}, &approver{verdict: decide.Later}
			return p
		}
		res, pause, err := mustBox(t, policy()).Start(t.Context(), sandtrap.Script{Text: `fmt.Println(send("a@b.org"))`}, nil)
		var asks []string
		for n := 0; pause != nil && n < 5; n++ {
			asks = append(asks, pause.Pending[0].Ask)
			res, pause, err = mustBox(t, policy()).Resume(t.Context(), bytes.NewReader(saved(t, pause)), nil, durable.Answer{ID: 1, Verdict: decide.Approve, By: fmt.Sprint(n)})
		}
		if err != nil || len(asks) != 2 || asks[0] == asks[1] || res.Stdout != "<nil>\n" {
			t.Errorf("%s: %q, %v, %q", mode, asks, err, res.Stdout)
		}
	}
}

// TestReplaySpends: a replay spends nothing of a budget, whose calls it does not make; a run that goes on in another process spends
// again what it has spent, because the budget of that process does not know.
func TestReplaySpends(t *testing.T) {
	p, _ := agent(&approver{verdict: decide.Approve}, sandtrap.None)
	budget := p.Guard.(*guard.Policy).Budget
	var file bytes.Buffer
	if _, _, err := mustBox(t, p).Start(t.Context(), sandtrap.Script{Text: `fmt.Println(send("x"), human("q"))`}, &file); err != nil || budget.Spent() != 4 {
		t.Fatal(err, budget.Spent())
	}
	if _, pause, err := mustBox(t, p).Replay(t.Context(), bytes.NewReader(file.Bytes())); err != nil || pause == nil || budget.Spent() != 4 {
		t.Error(pause, err, budget.Spent())
	}
	p, _ = agent(&approver{verdict: decide.Approve}, sandtrap.None)
	budget = p.Guard.(*guard.Policy).Budget
	if _, pause, err := mustBox(t, p).Resume(t.Context(), bytes.NewReader(file.Bytes()), nil); err != nil || pause == nil || budget.Spent() != 4 {
		t.Error(pause, err, budget.Spent())
	}
}

// TestPanicsCount: a call that panics counts for rules, in a run with a journal too, and when that is resumed; one without results whose
// answer comes from elsewhere counts when that comes, once.
func TestPanicsCount(t *testing.T) {
	two := int64(2)
	count := func(of string) rules.Rule {
		return rules.Rule{Name: of, On: []string{of}, When: []rules.Condition{{Count: &rules.Count{Of: of, Min: &two}}}, Do: rules.Block, Text: "no more", Track: []rules.Track{{After: true, Count: of}}}
	}
	policy := func(later bool) sandtrap.Policy {
		p := asked(sandtrap.None, later, count("breaks"), count("wait"))
		p.Funcs["breaks"] = sandtrap.Member{Value: func() { panic("broken") }, Risk: decide.Low}
		p.Funcs["wait"] = sandtrap.Member{Value: func() {}, Risk: decide.Low, Pauses: later}
		g := p.Guard.(*guard.Policy)
		g.Grants[0].Members = append(g.Grants[0].Members, "breaks", "wait")
		return p
	}
	const script = `try := func(name string, f func()) { defer func() { fmt.Println(name, recover()) }(); f() }
try("first", breaks)
try("waited", wait)
fmt.Println(human("a"))
try("second", breaks)
try("waited", wait)
fmt.Println(human("b"))
wait()`
	var want string
	for _, later := range []bool{false, true} {
		res, pause, err := mustBox(t, policy(later)).Start(t.Context(), sandtrap.Script{Text: script}, nil)
		for n := 0; pause != nil && n < 10; n++ {
			answers := answersOf(t, pause.Pending[:1])
			if pause.Pending[0].Name == "wait" {
				answers[0].Result = nil
			}
			res, pause, err = mustBox(t, policy(later)).Resume(t.Context(), bytes.NewReader(saved(t, pause)), nil, answers...)
		}
		if want == "" {
			want = res.Stdout
		}
		if res.Stdout != want || strings.Count(want, "broken") != 2 || strings.Count(want, "waited <nil>") != 2 || err == nil || !strings.Contains(err.Error(), "wait is not allowed: no more") {
			t.Errorf("later %v: %q, %v, want %q", later, res.Stdout, err, want)
		}
	}
}
