package durabletest

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// again is the hint of a rule.
const again = "(the same call is refused again: change it, or go on without it)"

// An approver gives all requests one verdict, and counts them.
type approver struct {
	verdict decide.Verdict
	asked   int
}

func (a *approver) Ask(_ context.Context, list []decide.Request) (answers []decide.Answer, err error) {
	for _, r := range list {
		a.asked++
		answers = append(answers, decide.Answer{ID: r.ID, Verdict: a.verdict})
	}
	return answers, nil
}

// agent is a policy with a tool of each kind, and the calls that are made.
func agent(a decide.Approver, isolation sandtrap.Isolation) (p sandtrap.Policy, sent *[]string) {
	sent = new([]string)
	return sandtrap.Policy{
		Std: sandtrap.StdDefault(), Isolation: isolation,
		Funcs: map[string]any{
			"search": sandtrap.Member{Value: func(q string) []string { *sent = append(*sent, "search "+q); return []string{q} }, Params: []string{"query"}},
			"send":   sandtrap.Member{Value: func(to string) error { *sent = append(*sent, "send "+to); return nil }, Params: []string{"to"}, Risk: decide.High, Cost: 4},
			"drop":   sandtrap.Member{Value: func(n int) { *sent = append(*sent, "drop") }, Params: []string{"n"}, Risk: decide.Low},
			"human":  sandtrap.Member{Value: func(q string) string { return "" }, Params: []string{"q"}, Risk: decide.Low, Pauses: true},
		},
		Guard: &guard.Policy{
			MaxRisk: decide.High, Approver: a, Budget: guard.NewBudget(10), Grants: []guard.Grant{{Members: []string{"drop", "human"}}},
			Rules: []rules.Rule{
				{Name: "twice", On: []string{"send"}, When: []rules.Condition{{Param: "to", Seen: "sent"}}, Do: rules.Block, Text: "{to} has mail", Track: []rules.Track{{Add: &rules.Add{Set: "sent", Param: "to"}}}},
				{Name: "big", On: []string{"drop"}, When: []rules.Condition{{Param: "n", Range: &rules.Range{Min: 10}}}, Do: rules.Block, Text: "not {n}"},
				{Name: "wrong", On: []string{"human"}, After: true, When: []rules.Condition{{Param: "return", Equals: "key"}}, Do: rules.Block, Text: "that is a key"},
				{Name: "slow", On: []string{"human"}, Do: rules.Warn, Text: "people are slow"},
				{Name: "polite", On: []string{"human"}, When: []rules.Condition{{Param: "q", Equals: "rude"}}, Do: rules.Block, Text: "ask politely"},
			},
		},
	}, sent
}

// TestApprovalLater: a run whose approver answers later waits without a process, and goes on with the answer, in each
// isolation; what the guard had allowed before is not decided again, and what it knows of the session is known again.
func TestApprovalLater(t *testing.T) {
	const script = `fmt.Println(search("a"))
var wg sync.WaitGroup
for _, to := range []string{"x", "y"} { wg.Go(func() { fmt.Println(to, send(to)) }) }
wg.Wait()
fmt.Println(send("x"), human("q"), send("z"))`
	for _, isolation := range isolations() {
		a := &approver{verdict: decide.Later}
		p, sent := agent(a, isolation)
		var file bytes.Buffer
		_, pause, err := mustBox(t, p).Start(t.Context(), sandtrap.Script{Text: script}, nil)
		if err != nil || pause == nil || len(pause.Pending) != 2 || pause.Pending[0].Ask != "its risk is high" || pause.Pending[0].Name != "send" {
			t.Fatalf("%s: %+v, %v", isolation, pause, err)
		}
		if err := pause.Save(&file); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(*sent, ";"); got != "search a" || a.asked != 2 {
			t.Errorf("%s: %s, %d asked", isolation, got, a.asked)
		}
		// The next day, another process: its approver would not be there.
		p, sent = agent(&approver{verdict: decide.Later}, isolation)
		res, pause, err := mustBox(t, p).Resume(t.Context(), bytes.NewReader(file.Bytes()), nil,
			durable.Answer{ID: pause.Pending[0].ID, Verdict: decide.Approve, By: "me"}, durable.Answer{ID: pause.Pending[1].ID, Verdict: decide.Deny, Err: errors.New("not today")})
		if err != nil || pause == nil || len(pause.Pending) != 1 || pause.Pending[0].Name != "human" || pause.Pending[0].Ask != "" {
			t.Fatalf("%s: %q, %+v, %v", isolation, res.Stdout, pause, err)
		}
		if got := strings.Join(*sent, ";"); got != "send x" {
			t.Errorf("%s: sent %s", isolation, got)
		}
		file.Reset()
		if err := pause.Save(&file); err != nil {
			t.Fatal(err)
		}
		late := &approver{verdict: decide.Approve}
		p, sent = agent(late, isolation)
		res, pause, err = mustBox(t, p).Resume(t.Context(), bytes.NewReader(file.Bytes()), nil, durable.Answer{ID: pause.Pending[0].ID, Result: []byte(`"yes"`)})
		want := "[a]\nx <nil>\ny send is not allowed: its risk is high, and it was refused: not today (do not repeat the same call: go on without it)\n" +
			"send is not allowed: \"x\" has mail " + again + " yes <nil>\n"
		if err != nil || pause != nil || sorted(res.Stdout) != sorted(want) || strings.Join(*sent, ";") != "send z" || late.asked != 1 {
			t.Errorf("%s: %q, %+v, %v; sent %v, %d asked", isolation, res.Stdout, pause, err, *sent, late.asked)
		}
		if spent := p.Guard.(*guard.Policy).Budget.Spent(); spent != 8 {
			t.Errorf("%s: %d spent, and both calls cost 8", isolation, spent)
		}
	}
}

// sorted is a text with its lines in order: goroutines print them in one of their own.
func sorted(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		for j := range i {
			if lines[i] < lines[j] {
				lines[i], lines[j] = lines[j], lines[i]
			}
		}
	}
	return strings.Join(lines, "\n")
}

// TestDeniedJournal: a call that is refused and cannot say so ends the run, and a replay ends the same way, at the same tick;
// one of a function whose answers come from elsewhere is refused before anybody is asked.
func TestDeniedJournal(t *testing.T) {
	for _, isolation := range isolations() {
		for script, want := range map[string]string{
			"defer func() { recover() }()\nfmt.Println(1)\ndrop(3)\ndrop(30)\nfmt.Println(2)": "drop is not allowed: not 30 " + again,
			"human(`rude`)": "human is not allowed: ask politely " + again,
		} {
			p, _ := agent(nil, isolation)
			var file bytes.Buffer
			was, pause, err := mustBox(t, p).Start(t.Context(), sandtrap.Script{Text: script}, &file)
			if !errors.Is(err, sandtrap.KindDenied) || pause != nil || was.Error.Message != want {
				t.Errorf("%s: %q %v, %v", isolation, was.Stdout, pause, err)
			}
			p, sent := agent(nil, isolation)
			res, _, failed := mustBox(t, p).Replay(t.Context(), &file)
			if failed == nil || failed.Error() != err.Error() || res.Stdout != was.Stdout || res.Ticks != was.Ticks || len(*sent) > 0 {
				t.Errorf("%s: %q %v, %d ticks, was %d", isolation, res.Stdout, failed, res.Ticks, was.Ticks)
			}
		}
	}
}

// TestApprovalAnswers: an answer that does not fit a call that waits for approval is an error, and nothing is lost.
func TestApprovalAnswers(t *testing.T) {
	p, _ := agent(&approver{verdict: decide.Later}, sandtrap.None)
	box := mustBox(t, p)
	var file bytes.Buffer
	_, pause, err := box.Start(t.Context(), sandtrap.Script{Text: `send("x")`}, nil)
	if pause == nil || pause.Save(&file) != nil {
		t.Fatal(err)
	}
	for _, a := range []durable.Answer{{Result: []byte("1")}, {Err: errors.New("no")}, {Verdict: "yes"}, {Verdict: decide.Later}, {Verdict: decide.Approve, Result: []byte("1")}} {
		a.ID = pause.Pending[0].ID
		if _, _, err := box.Resume(t.Context(), bytes.NewReader(file.Bytes()), nil, a); err == nil || !strings.Contains(err.Error(), "it waits for approval") {
			t.Errorf("%+v: %v", a, err)
		}
	}
	_, pause, err = box.Resume(t.Context(), bytes.NewReader(file.Bytes()), nil) // the approver is asked again
	if err != nil || pause == nil || pause.Pending[0].Ask == "" {
		t.Errorf("%+v, %v", pause, err)
	}
}

// TestAnswerRules: rules look at answers too, and the warnings of calls before the wait are in the result of the run.
func TestAnswerRules(t *testing.T) {
	for _, isolation := range isolations() {
		for answer, want := range map[string]string{`"yes"`: "", `"key"`: "human is not allowed: that is a key (the call was made, and its results are withheld: do not repeat it)"} {
			p, _ := agent(nil, isolation)
			var file bytes.Buffer
			_, pause, err := mustBox(t, p).Start(t.Context(), sandtrap.Script{Text: "fmt.Println(human(`q`))"}, nil)
			if pause == nil || pause.Save(&file) != nil {
				t.Fatal(err)
			}
			var whole bytes.Buffer
			p, _ = agent(nil, isolation)
			res, _, err := mustBox(t, p).Resume(t.Context(), &file, &whole, durable.Answer{ID: 1, Result: []byte(answer)})
			if (err == nil) != (want == "") || err != nil && res.Error.Message != want || strings.Join(res.Warnings, "") != "human: people are slow" {
				t.Errorf("%s: %q, %v, %q", isolation, res.Stdout, err, res.Warnings)
			}
			p, _ = agent(nil, isolation)
			repeated, _, failed := mustBox(t, p).Replay(t.Context(), &whole)
			if repeated.Stdout != res.Stdout || (failed == nil) != (err == nil) || failed != nil && failed.Error() != err.Error() {
				t.Errorf("%s: replayed %q, %v", isolation, repeated.Stdout, failed)
			}
		}
	}
}
