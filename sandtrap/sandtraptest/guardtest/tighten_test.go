package guardtest

import (
	"os"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// TestTighten: a tightening holds for the next call of a run in progress, of functions as of files, and for later runs.
func TestTighten(t *testing.T) {
	rig.EachMode(t, func(b rig.Bench) {
		var plan *sandtrap.Plan
		sent := 0
		p := rig.Pure()
		p.Engine, p.Isolation, p.Files = b.Engine, b.Isolation, &sandtrap.Files{}
		p.Funcs = map[string]any{
			"send": sandtrap.Member{Value: func() error { sent++; return nil }, Risk: decide.Low},
			"tighten": func() error {
				return plan.Tighten(&guard.Policy{Deny: []string{"send", "file.write"}})
			},
		}
		p.Guard = &guard.Policy{Grants: []guard.Grant{{Members: []string{"send"}}}, Rates: map[string]int{"*": 1000}}
		var err error
		if plan, err = sandtrap.Compile(p); err != nil {
			b.T.Fatal(err)
		}
		box, err := plan.New(b.T.Context())
		if err != nil {
			rig.NoKernel(b.T, err)
			b.T.Fatal(err)
		}
		defer box.Close()
		const call = "fmt.Println(send(), os.WriteFile(`/x`, nil, 0o600))\n"
		res, err := box.Run(b.T.Context(), sandtrap.Script{Text: call + "fmt.Println(tighten())\n" + call})
		lines := strings.Split(res.Stdout, "\n")
		if err != nil || len(lines) != 4 || lines[0] != "<nil> <nil>" || lines[1] != "<nil>" || strings.Count(lines[2], "is not allowed: the policy denies") != 2 || sent != 1 {
			b.T.Errorf("%q, %v, %d sent", res.Stdout, err, sent)
		}
		if res, err := box.Run(b.T.Context(), sandtrap.Script{Text: "fmt.Println(send())"}); err != nil || !strings.Contains(res.Stdout, "is not allowed") || sent != 1 {
			b.T.Errorf("a later run: %q, %v, %d sent", res.Stdout, err, sent)
		}
	})
}

// TestGuardDocumented: docs/decisions.md has the codes of the gates in their order.
func TestGuardDocumented(t *testing.T) {
	text, err := os.ReadFile("../../../docs/decisions.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| code | refuses |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var codes []string
	for line := range strings.Lines(table) {
		codes = append(codes, strings.Split(line, "`")[1])
	}
	var want []string
	for _, c := range decide.Codes() {
		want = append(want, string(c))
	}
	if strings.Join(codes, " ") != strings.Join(want, " ") {
		t.Errorf("the page has %v, and there are %v", codes, want)
	}
}

// TestExampleDocumented: the guard on top of docs/decisions.md compiles, and its rule lets mail to example.com pass alone.
func TestExampleDocumented(t *testing.T) {
	text, err := os.ReadFile("../../../docs/decisions.md")
	if err != nil {
		t.Fatal(err)
	}
	const regexp = `.*@example[.]com`
	if line := "When: []rules.Condition{{Not: &rules.Condition{Param: \"to\", Regexp: `" + regexp + "`}}},"; !strings.Contains(string(text), line) {
		t.Errorf("the page does not have %s", line)
	}
	p := rig.Pure()
	p.Funcs = map[string]any{"sendMail": sandtrap.Member{
		Value: func(to, text string) error { return nil }, Params: []string{"to", "text"}, Risk: decide.High, Cost: 3,
	}}
	p.Guard = &guard.Policy{MaxRisk: decide.High, Default: guard.AllowByDefault, Budget: guard.NewBudget(100), Rules: []rules.Rule{{
		Name: "ours", On: []string{"sendMail"}, Do: rules.Block, Text: "mail goes to example.com only",
		When: []rules.Condition{{Not: &rules.Condition{Param: "to", Regexp: regexp}}},
	}}}
	box, err := sandtrap.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	res, err := box.Run(t.Context(), sandtrap.Script{Text: `fmt.Println(sendMail("ann@example.com", ""))
fmt.Println(sendMail("ann@example.com.evil.org", ""))`})
	lines := strings.Split(res.Stdout, "\n")
	if err != nil || len(lines) != 3 || lines[0] != "<nil>" || !strings.Contains(lines[1], "mail goes to example.com only") {
		t.Errorf("%q, %v", res.Stdout, err)
	}
}
