package tightentest

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"
	"go.yaml.in/yaml/v3"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest"
	"github.com/sandtrap-go/sandtrap/sandtrap/tighten"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// TestMain makes the program of the tests its own worker.
func TestMain(m *testing.M) {
	worker.Init()
	os.Exit(m.Run())
}

// approves allows all that it is asked.
type approves struct{}

func (approves) Ask(_ context.Context, list []decide.Request) (answers []decide.Answer, err error) {
	for _, r := range list {
		answers = append(answers, decide.Answer{ID: r.ID, Verdict: decide.Approve})
	}
	return answers, nil
}

// bank is a policy with functions that declare something, all of which may be called.
func bank(isolation sandtrap.Isolation) sandtrap.Policy {
	p := wide(sandtraptest.Case{})
	p.Isolation = isolation
	p.Funcs = map[string]any{
		"pay":   sandtrap.Member{Value: func(n int) int { return n }, Risk: decide.High, Requires: []string{"money", "token"}, Class: decide.Internal, Cost: 2},
		"close": sandtrap.Member{Value: func() {}, Risk: decide.Critical, Requires: []string{"owner"}, Cost: 5},
		"look":  func() string { return "seen" },
		"idle":  func() {},
		"never": func() {}, "hidden": func() {},
	}
	p.Packages = []sandtrap.Package{
		{Path: "example.com/mail", Members: map[string]any{"Send": sandtrap.Member{Value: func() {}, Risk: decide.Low}, "Drop": func() {}}},
		{Path: "example.com/other", Members: map[string]any{"Do": func() {}}},
	}
	p.Guard = &guard.Policy{
		MaxRisk: decide.Critical, Default: guard.AllowByDefault, Permissions: []string{"money", "owner", "token"}, MaxClass: decide.Restricted,
		Ask: []string{"example.com/mail.Send"}, Deny: []string{"never"}, Hidden: []string{"hid*"}, Rates: map[string]int{"idle": 10, "*": 50},
		Rules: []rules.Rule{{Name: "r", On: []string{"never"}, Do: rules.Block}}, Approver: approves{}, Budget: guard.NewBudget(100),
	}
	return p
}

const payer = `package main

import (
	"fmt"
	"os"

	"example.com/mail"
)

func main() {
	fmt.Println(pay(1), pay(2), look())
	mail.Send()
	os.WriteFile("a", nil, 0o600)
	os.Rename("a", "b")
}
`

// TestHost: of functions of the host the policy has those that were called, with what they declare.
func TestHost(t *testing.T) {
	for _, isolation := range []sandtrap.Isolation{sandtrap.None, sandtrap.Process} {
		c := sandtraptest.Case{Name: string(isolation), Script: payer}
		p := bank(isolation)
		want, s := recorded(t, p, c)
		if want.Error != "" || s.Notes != nil || s.Runs != 1 {
			t.Fatalf("%+v, %q, %d runs", want, s.Notes, s.Runs)
		}
		if d := cmp.Diff(tighten.Suggestion{
			Std: []string{"fmt", "os"}, Members: []string{"example.com/mail.Send", "look", "pay"}, Files: true,
			Grants: []string{"example.com/mail.Send", "pay"}, Asked: []string{"example.com/mail.Send"}, Permissions: []string{"money", "token"}, MaxClass: decide.Internal, Budget: 4,
			Rates: map[string]int{"pay": 2, "look": 1, "example.com/mail.Send": 1},
			Paths: map[string][]string{"file.write": {"/work/a", "/work/b"}, "file.rename": {"/work/a"}, "file.remove": {"/work/a"}},
			To:    map[string][]string{"file.rename": {"/work/b"}},
			Runs:  1, Timeout: s.Timeout, Ticks: s.Ticks, Memory: s.Memory, Output: s.Output,
		}, *s); d != "" {
			t.Error(d)
		}
		narrow, err := s.Apply(p)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, run(t, narrow, c)); d != "" {
			t.Error(d)
		}
		for what, less := range smaller(s) {
			narrow, err := less.Apply(p)
			if err != nil {
				t.Fatal(err)
			}
			if run(t, narrow, c) == want && !denies(t, narrow, c) {
				t.Errorf("it does the same without %s", what)
			}
		}
		for _, script := range []string{"idle()", "close()", `import "example.com/other"; other.Do()`, `import "example.com/mail"; mail.Drop()`,
			`import "strings"; strings.ToUpper("")`, `import "os"; os.WriteFile("/work/b", nil, 0o600); os.Remove("/work/b")`, `import "os"; os.Mkdir("/work/b", 0o700)`, "pay(1); pay(1); pay(1)"} {
			c := sandtraptest.Case{Script: script}
			if o := run(t, p, c); o.Error != "" {
				t.Errorf("%s: %s", script, o.Error)
			}
			narrow, err := s.Apply(p) // with a budget of its own
			if err != nil {
				t.Fatal(err)
			}
			if o := run(t, narrow, c); o.Error == "" && !denies(t, narrow, c) {
				t.Errorf("the policy allows %s", script)
			}
		}
	}
}

// TestText: the text of a suggestion is a file that says the same, whatever names the record has.
func TestText(t *testing.T) {
	_, s := recorded(t, bank(sandtrap.None), sandtraptest.Case{Script: payer})
	s.Members = append(s.Members, "x\nstd: [net]")
	s.Paths["file.read"] = []string{"/a\"\nstd: [net]\n", "*", "- b: #"}
	s.Notes = []string{"a\nb"}
	text, err := s.Text()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Std    []string
		FS     string
		Limits map[string]any
		Guard  struct {
			Default     guard.Default
			Permissions []string
			MaxClass    string `yaml:"max_class"`
			Ask, Deny   []string
			Grants      []struct {
				Members []string
				Reason  string
			}
			Rates  map[string]int
			Budget int64
			Rules  []rules.Rule
		}
	}
	d := yaml.NewDecoder(strings.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&got); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if !slices.Equal(got.Std, s.Std) || got.FS != "" || got.Guard.Budget != 4 || got.Guard.Default != guard.DenyByDefault || got.Guard.MaxClass != "internal" {
		t.Errorf("%+v of\n%s", got, text)
	}
	narrow, err := s.Apply(bank(sandtrap.None))
	if err != nil {
		t.Fatal(err)
	}
	g := narrow.Guard.(*guard.Policy)
	delete(g.Rates, "*") // of the wide policy
	if d := cmp.Diff(g.Rules, got.Guard.Rules); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]any{g.Permissions, g.Ask, g.Deny, g.Rates, g.Grants[0].Members}, []any{got.Guard.Permissions, got.Guard.Ask, got.Guard.Deny, got.Guard.Rates, got.Guard.Grants[0].Members}); d != "" {
		t.Error(d)
	}
}

// TestApplyOpensNothing: a record of another policy opens nothing that the policy closes.
func TestApplyOpensNothing(t *testing.T) {
	c := sandtraptest.Case{Script: "pay(1)"}
	_, s := recorded(t, bank(sandtrap.None), c)
	for name, change := range map[string]func(*guard.Policy){
		"risk":        func(g *guard.Policy) { g.MaxRisk = decide.Low },
		"permissions": func(g *guard.Policy) { g.Permissions = []string{"money"} },
		"class":       func(g *guard.Policy) { g.MaxClass = decide.Public },
		"default":     func(g *guard.Policy) { g.Default = guard.DenyByDefault },
		"budget":      func(g *guard.Policy) { g.Budget = nil },
		"rate":        func(g *guard.Policy) { g.Rates = map[string]int{"pay": 0} },
		"hidden":      func(g *guard.Policy) { g.Hidden = []string{"p*"} },
		"deny":        func(g *guard.Policy) { g.Deny = []string{"pay"} },
		"rule": func(g *guard.Policy) {
			g.Rules = []rules.Rule{{Name: "r", On: []string{"pay"}, Do: rules.Block, Text: "no"}}
		},
	} {
		p := bank(sandtrap.None)
		change(p.Guard.(*guard.Policy))
		narrow, err := s.Apply(p)
		if err != nil {
			t.Fatal(err)
		}
		if o := run(t, narrow, c); !strings.Contains(o.Error, "pay is not allowed") {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

// TestRedacted: the path of a file that a record does not show is not one that may be used.
func TestRedacted(t *testing.T) {
	_, s := recorded(t, wide(sandtraptest.Case{}), sandtraptest.Case{Script: `import "os"; os.WriteFile("/work/token=abcdef", nil, 0o600); os.WriteFile("/work/b", nil, 0o600)`})
	if !slices.Equal(s.Paths["file.write"], []string{"/work/b"}) || len(s.Notes) != 1 {
		t.Errorf("%q, %q", s.Paths, s.Notes)
	}
}

// TestForged: a name in a record that is a pattern opens nothing.
func TestForged(t *testing.T) {
	for _, name := range []string{"...", "math/...", "text/tabwriter/...", "os/exec", "x.Y"} {
		text := `{"kind":"use","args":{"standard":{"` + name + `":1}}}` + "\n"
		if s, err := tighten.Policy(strings.NewReader(text)); err == nil {
			t.Errorf("%s: %q", name, s.Std)
		}
	}
}

// TestSession: cells of a session, recorded, run under the policy that is derived from all of them.
func TestSession(t *testing.T) {
	var text buffer
	p := wide(sandtraptest.Case{})
	p.Guard = &guard.Policy{Record: record.Func(text.write)}
	cells := func(p sandtrap.Policy) (out string) {
		box, err := sandtrap.New(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		defer box.Close()
		s, err := box.Session()
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for _, cell := range []string{`import "strings"`, `x := strings.ToUpper("a")`, `import "fmt"; fmt.Print(x, strings.Repeat("b", 2))`} {
			res, err := s.Run(t.Context(), sandtrap.Script{Text: cell})
			if err != nil {
				return err.Error()
			}
			out += res.Stdout
		}
		return out
	}
	want := cells(p)
	s, err := tighten.Policy(&text)
	if err != nil || want != "Abb" || !slices.Equal(s.Std, []string{"fmt", "strings"}) || s.Runs != 3 || s.Notes != nil {
		t.Fatalf("%q, %+v, %v", want, s, err)
	}
	narrow, err := s.Apply(p)
	if err != nil || cells(narrow) != want {
		t.Errorf("%q, %v", cells(narrow), err)
	}
}

// TestOwnPackages: a script that imports a package of its files keeps them, though it does nothing with them itself.
func TestOwnPackages(t *testing.T) {
	for _, isolation := range []sandtrap.Isolation{sandtrap.None, sandtrap.Process} {
		p := wide(sandtraptest.Case{})
		p.Isolation = isolation
		p.Files = &sandtrap.Files{ModuleRoot: "/work", Open: func() (afero.Fs, error) {
			mem := vfs.Mem()
			const text = "package up\n\nimport \"strings\"\n\nfunc Up(s string) string { return strings.ToUpper(s) }\n"
			return mem, errors.Join(mem.MkdirAll("/work/up", 0o700), afero.WriteFile(mem, "/work/up/up.go", []byte(text), 0o600))
		}}
		c := sandtraptest.Case{Script: `import "up"; print(up.Up("a"))`}
		want, s := recorded(t, p, c)
		if want.Stderr != "A" || !s.Files || !slices.Equal(s.Std, []string{"strings"}) {
			t.Errorf("%+v, %+v", want, s)
		}
		narrow, err := s.Apply(p)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, run(t, narrow, c)); d != "" {
			t.Error(d)
		}
	}
}
