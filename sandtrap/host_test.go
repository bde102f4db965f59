package sandtrap

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins"
)

// TestFuncs: host functions of any signature, without import.
func TestFuncs(t *testing.T) {
	type key struct{}
	b := box(t, Policy{Funcs: map[string]any{
		"double": func(n int) int { return 2 * n },
		"join":   func(sep string, parts ...string) string { return strings.Join(parts, sep) },
		"fetch":  func(ctx context.Context, name string) (string, error) { return ctx.Value(key{}).(string) + name, nil },
		"fail":   func() error { return errors.New("no luck") },
		"each": func(n int, f func(int) bool) {
			for i := 0; i < n && f(i); i++ {
			}
		},
		"nothing":  func() {},
		"level":    7,
		"Greeting": "hi",
	}})
	ctx := context.WithValue(t.Context(), key{}, "got ")
	res, err := b.Run(ctx, Script{Text: `
a := double(21)
s := join("-", "x", "y", "z")
v, err := fetch("it")
e := fail().Error()
sum := 0
each(4, func(i int) bool { sum += i; return true })
nothing()
l := level + len(Greeting)
ok := err == nil
`})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{"a": 42, "s": "x-y-z", "v": "got it", "e": "no luck", "sum": 6, "l": 9, "ok": true} {
		if got := res.Vars[name]; got != want {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
	for _, name := range []string{"double", "level", "fetch"} {
		if _, there := res.Vars[name]; there {
			t.Errorf("the host's %s is among the variables", name)
		}
	}
}

// TestFuncsShadowed: what a script declares is its own, and is kept.
func TestFuncsShadowed(t *testing.T) {
	b := box(t, Policy{Funcs: map[string]any{"double": func(n int) int { return 2 * n }}})
	res, err := b.Run(t.Context(), Script{Text: "double := 42\nx := double + 1"})
	if err != nil || res.Vars["double"] != 42 || res.Vars["x"] != 43 {
		t.Errorf("got %v, %v", res.Vars, err)
	}
}

// TestFuncsListed: they are in the report under the name that scripts use.
func TestFuncsListed(t *testing.T) {
	b := box(t, Policy{Funcs: map[string]any{"double": func(n int) int { return 2 * n }}})
	rep, err := b.Check(t.Context(), Script{Text: "x := double(2)"})
	if err != nil || len(rep.Bindings) != 1 || rep.Bindings[0].Name != "double" {
		t.Errorf("got %+v, %v", rep, err)
	}
}

type account struct {
	Name    string
	Balance int
	secret  string
}

func (a *account) Deposit(n int)    { a.Balance += n }
func (a *account) Withdraw(n int)   { a.Balance -= n }
func (a *account) Reveal() string   { return a.secret }
func openAccount(n string) *account { return &account{Name: n, secret: "s3cret"} }
func hostname() (string, error)     { return os.Hostname() }

var bank = map[string]any{
	"Account": (*account)(nil), "Open": openAccount, "Hostname": hostname,
	"Limit": 100, "Rate": builtins.Literal("1.5"),
}

// TestPackages: include and exclude, by glob, by owner, and by predicate, for
// functions, constants, methods and fields.
func TestPackages(t *testing.T) {
	uses := map[string]string{
		"Open":     "_ = bank.Open(\"x\")",
		"Limit":    "_ = bank.Limit",
		"Rate":     "_ = bank.Rate",
		"Deposit":  "a := bank.Open(\"x\"); a.Deposit(1)",
		"Withdraw": "a := bank.Open(\"x\"); a.Withdraw(1)",
		"Reveal":   "a := bank.Open(\"x\"); a.Reveal()",
		"Balance":  "a := bank.Open(\"x\"); a.Balance = 3",
		"secret":   "a := bank.Open(\"x\"); _ = a.secret",
	}
	for _, tc := range []struct {
		name   string
		pkg    Package
		denied string
	}{
		{name: "all", denied: "secret"},
		{name: "exclude, glob", pkg: Package{Exclude: []string{"*ate"}}, denied: "Rate secret"},
		{name: "exclude, owner", pkg: Package{Exclude: []string{"Account.Re*"}}, denied: "Reveal secret"},
		{name: "exclude, list", pkg: Package{Exclude: []string{"Limit", "Account.Balance"}}, denied: "Limit Balance secret"},
		{name: "include", pkg: Package{Include: []string{"Open", "Account.Deposit"}}, denied: "Limit Rate Withdraw Reveal Balance secret"},
		{name: "predicate", pkg: Package{Keep: func(name string) bool { return name != "Withdraw" && name != "Limit" }}, denied: "Withdraw Limit secret"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.pkg.Path, tc.pkg.Members = "example.com/bank", bank
			b := box(t, Policy{Packages: []Package{tc.pkg}})
			denied := strings.Fields(tc.denied)
			for name, use := range uses {
				_, err := b.Run(t.Context(), Script{Text: program("example.com/bank", use)})
				refused := errors.Is(err, ErrRefused)
				want := false
				for _, d := range denied {
					want = want || d == name
				}
				if refused != want || err != nil && !refused {
					t.Errorf("%s: %v, want it refused: %v", name, err, want)
				}
			}
		})
	}
}

// TestPackageOwnImports: a host function may use what scripts may not.
func TestPackageOwnImports(t *testing.T) {
	b := box(t, Policy{Packages: []Package{{Path: "example.com/bank", Members: bank}}})
	if _, err := b.Run(t.Context(), Script{Text: program("example.com/bank", "bank.Hostname()")}); err != nil {
		t.Error(err)
	}
	if _, err := b.Run(t.Context(), Script{Text: program("os", "os.Hostname()")}); !errors.Is(err, ErrImport) {
		t.Errorf("import os: %v", err)
	}
}

// TestPackageReplacesStandard: the host's package is the one that scripts see.
func TestPackageReplacesStandard(t *testing.T) {
	own := Package{Path: "strings", Members: map[string]any{"ToUpper": func(s string) string { return "own " + s }}}
	b := box(t, Policy{Std: []string{"strings", "fmt"}, Packages: []Package{own}})
	res, err := b.Run(t.Context(), Script{Text: program("fmt strings", `fmt.Print(strings.ToUpper("x"))`)})
	if err != nil || res.Stdout != "own x" {
		t.Errorf("got %q, %v", res.Stdout, err)
	}
	if _, err := b.Run(t.Context(), Script{Text: program("strings", `strings.ToLower("x")`)}); !errors.Is(err, ErrRefused) {
		t.Errorf("ToLower: %v, want a refusal", err)
	}
}

func TestExclude(t *testing.T) {
	for _, tc := range []struct {
		exclude, imports, use string
		refused               bool
	}{
		{"strings.Repeat", "strings", `strings.Repeat("x", 2)`, true},
		{"strings.Repeat", "strings", `strings.ToUpper("x")`, false},
		{"strings.To*", "strings", `strings.ToUpper("x")`, true},
		{"strings.Builder.Grow", "strings", `var b strings.Builder; b.Grow(1)`, true},
		{"strings.Builder.Grow", "strings", `var b strings.Builder; b.Len()`, false},
		{"strings", "strings", `strings.ToUpper("x")`, true},
		{"math/...", "math/bits", `bits.Len(3)`, true},
		{"math", "math/bits", `bits.Len(3)`, false},
		{"slices.Max", "slices", `slices.Max([]int{1})`, true},
	} {
		t.Run(tc.exclude+" "+tc.use, func(t *testing.T) {
			b := box(t, Policy{Std: StdDefault(), Exclude: []string{tc.exclude}})
			_, err := b.Check(t.Context(), Script{Text: program(tc.imports, tc.use)})
			if got := errors.Is(err, ErrRefused); got != tc.refused || err != nil && !got {
				t.Errorf("error %v, want a refusal: %v", err, tc.refused)
			}
		})
	}
}

func TestHostPolicyErrors(t *testing.T) {
	for _, tc := range []struct {
		name   string
		policy Policy
		want   string
	}{
		{"no path", Policy{Packages: []Package{{}}}, "Policy.Packages"},
		{"no import path", Policy{Packages: []Package{{Path: "../x"}}}, "Policy.Packages"},
		{"twice", Policy{Packages: []Package{{Path: "a", Members: map[string]any{"X": 1}}, {Path: "a", Members: map[string]any{"X": 1}}}}, "Policy.Packages"},
		{"standard, twice", Policy{Packages: []Package{{Path: "fmt", Members: map[string]any{"X": 1}}, {Path: "fmt", Members: map[string]any{"X": 1}}}}, "Policy.Packages"},
		{"unexported", Policy{Packages: []Package{{Path: "a", Members: map[string]any{"x": 1}}}}, "a.x"},
		{"nil", Policy{Packages: []Package{{Path: "a", Members: map[string]any{"X": nil}}}}, "a.X"},
		{"pattern", Policy{Packages: []Package{{Path: "a", Members: map[string]any{"X": 1}, Exclude: []string{"Nope"}}}}, "Nope"},
		{"func name", Policy{Funcs: map[string]any{"a b": 1}}, "Policy.Funcs"},
		{"exclude", Policy{Std: []string{"strings"}, Exclude: []string{"strings.Nope"}}, "Nope"},
		{"exclude, not listed", Policy{Std: []string{"strings"}, Exclude: []string{"fmt.Println"}}, "fmt.Println"},
		{"exclude of nothing", Policy{Exclude: []string{"fmt"}}, "Policy.Exclude"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Compile(tc.policy)
			if !errors.Is(err, ErrPolicy) || !strings.Contains(fmt.Sprint(err), tc.want) {
				t.Errorf("error %v, want ErrPolicy that names %s", err, tc.want)
			}
		})
	}
}
