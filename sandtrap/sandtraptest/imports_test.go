package sandtraptest

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestUnlistedImports: whatever the form, an import that the policy does not list
// is refused with its path and the line of the import.
func TestUnlistedImports(t *testing.T) {
	for _, tc := range []struct {
		name, src, path string
		line            int
	}{
		{"plain", "package main\nimport \"os\"\nfunc main() { os.Exit(1) }", "os", 2},
		{"renamed", "package main\nimport fmt \"os\"\nfunc main() { fmt.Exit(1) }", "os", 2},
		{"group", "package main\nimport (\n\"strings\"\n\"os\"\n)\nfunc main() { os.Exit(strings.Count(\"\", \"\")) }", "os", 4},
		{"many", "package main\nimport \"strings\"\nimport \"os\"\nfunc main() { os.Exit(strings.Count(\"\", \"\")) }", "os", 3},
		{"below a listed one", "package main\nimport \"strings/x\"\nfunc main() { x.F() }", "strings/x", 2},
		{"above a listed one", "package main\nimport \"math\"\nfunc main() { math.Abs(1) }", "math", 2},
		{"escaped", "package main\nimport \"\\x6fs\"\nfunc main() { os.Exit(1) }", "os", 2},
		{"in a snippet", "x := strings.ToUpper(\"a\")\nimport \"os\"\nos.Exit(len(x))", "os", 2},
		{"the gates", "package main\nimport g \"sandtrap/gate\"\nfunc main() { g.Tick() }", "sandtrap/gate", 2},
		{"a mirror", "package main\nimport g \"sandtrap/gate/strings\"\nfunc main() { var b g.Builder; _ = b }", "sandtrap/gate/strings", 2},
		{"the host's functions", "package main\nimport g \"sandtrap/host\"\nfunc main() { g.Double(1) }", "sandtrap/host", 2},
		{"C", "package main\nimport \"C\"\nfunc main() { C.exit(1) }", "C", 2},
		{"unsafe", "package main\nimport \"unsafe\"\nfunc main() { _ = unsafe.Sizeof(1) }", "unsafe", 2},
		{"dot", "package main\nimport . \"strings\"\nfunc main() { ToUpper(\"x\") }", "strings", 2},
		{"blank", "package main\nimport _ \"strings\"\nfunc main() {}", "strings", 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				res, err := b.RunOnce(sandtrap.Policy{
					Std: []string{"strings", "math/bits"}, Funcs: map[string]any{"Double": func(n int) int { return 2 * n }}, Limits: limits,
				}, tc.src)
				if !errors.Is(err, sandtrap.ErrImport) || !errors.Is(err, sandtrap.ErrRefused) {
					b.Fatalf("error %v, want a refused import", err)
				}
				if e := res.Error; e.Pos.Line != tc.line || !strings.Contains(e.Message, tc.path) {
					b.Errorf("error %v, want %s in line %d", e, tc.path, tc.line)
				}
			})
		})
	}
}

// TestImportPatterns: a path does not imply those below it, path/... does.
func TestImportPatterns(t *testing.T) {
	imports := map[string]string{
		"math": "math.Abs(1)", "math/bits": "bits.Len(1)", "math/rand/v2": "rand.IntN(1)", "strings": `strings.ToUpper("")`,
	}
	for _, tc := range []struct {
		std, allowed []string
	}{
		{nil, nil},
		{[]string{"math"}, []string{"math"}},
		{[]string{"math/bits"}, []string{"math/bits"}},
		{[]string{"math/..."}, []string{"math", "math/bits", "math/rand/v2"}},
		{[]string{"math/rand/..."}, []string{"math/rand/v2"}},
		{[]string{"strings", "math/bits"}, []string{"strings", "math/bits"}},
	} {
		t.Run(strings.Join(tc.std, " "), func(t *testing.T) {
			eachMode(t, func(b bench) {
				box := b.Box(sandtrap.Policy{Std: tc.std})
				for path, use := range imports {
					src := fmt.Sprintf("package main\nimport %q\nfunc main() { _ = %s }", path, use)
					_, err := box.Check(b.Context(), sandtrap.Script{Text: src})
					want := " " + strings.Join(tc.allowed, " ") + " "
					if allowed := strings.Contains(want, " "+path+" "); (err == nil) != allowed || err != nil && !errors.Is(err, sandtrap.ErrImport) {
						b.Errorf("import %q: error %v, want it allowed: %v", path, err, allowed)
					}
				}
			})
		})
	}
}

// TestNearestRegistration: what is said of a path itself counts, not what is said
// of those above it.
func TestNearestRegistration(t *testing.T) {
	own := func(path, text string) sandtrap.Package {
		return sandtrap.Package{Path: path, Members: map[string]any{"Name": func() string { return text }}}
	}
	eachMode(t, func(b bench) {
		box := b.Box(sandtrap.Policy{
			Std:      []string{"math/..."},
			Packages: []sandtrap.Package{own("math/bits", "own bits"), own("corp/a", "a"), own("corp/a/b", "b")},
		})
		for _, tc := range []struct{ path, use, want string }{
			{"math/bits", "bits.Name()", "own bits"},
			{"corp/a", "a.Name()", "a"},
			{"corp/a/b", "b.Name()", "b"},
		} {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: fmt.Sprintf("import %q\nx := %s", tc.path, tc.use)})
			if err != nil || res.Vars["x"] != tc.want {
				b.Errorf("%s: got %v, %v, want %q", tc.use, res.Vars, err, tc.want)
			}
		}
		for _, src := range []string{"import \"math/bits\"\nx := bits.Len(1)", "import \"corp\"\nx := corp.Name()", "import \"corp/a/c\"\nx := c.Name()"} {
			if _, err := box.Run(b.Context(), sandtrap.Script{Text: src}); !errors.Is(err, sandtrap.ErrRefused) {
				b.Errorf("%q: error %v, want a refusal", src, err)
			}
		}
	})
}

// Vault is a host type with a member that scripts must not reach.
type Vault struct {
	Label string
	Code  int
}

func (v *Vault) Look() string      { return v.Label }
func (v *Vault) Open(int) string   { return "gold" }
func (v *Vault) String() string    { return "vault" }
func newVault(label string) *Vault { return &Vault{Label: label, Code: 42} }

// TestEveryRouteSameVerdict: a member that is excluded cannot be had under
// another name, as a value, through an alias, a method expression, embedding or
// an interface; one that is not can.
func TestEveryRouteSameVerdict(t *testing.T) {
	routes := map[string]string{ // F is the function, M the method
		"call":              "import \"corp/vault\"\nx := vault.F(\"l\")\n_ = x",
		"value":             "import \"corp/vault\"\nf := vault.F\n_ = f",
		"alias":             "import v \"corp/vault\"\nx := v.F(\"l\")\n_ = x",
		"method":            "import \"corp/vault\"\nx := vault.New(\"l\").M\n_ = x",
		"method call":       "import \"corp/vault\"\nvault.New(\"l\").M(ARG)",
		"method value":      "import \"corp/vault\"\nv := vault.New(\"l\")\nf := v.M\n_ = f",
		"method expression": "import \"corp/vault\"\nf := (*vault.Vault).M\n_ = f",
		"type alias":        "import \"corp/vault\"\ntype V = vault.Vault\nf := (*V).M\n_ = f",
		"embedded":          "import \"corp/vault\"\ntype T struct{ *vault.Vault }\nvar t T\nt.Vault = vault.New(\"l\")\nt.M(ARG)",
		"interface":         "import \"corp/vault\"\nvar i interface{ M(PARAM) string } = vault.New(\"l\")\n_ = i",
	}
	members := map[string]any{"Vault": (*Vault)(nil), "New": newVault, "Find": newVault, "Steal": newVault}
	for name, src := range routes {
		t.Run(name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				box := b.Box(sandtrap.Policy{Packages: []sandtrap.Package{{
					Path: "corp/vault", Members: members, Exclude: []string{"Steal", "Vault.Open"},
				}}})
				ok := strings.NewReplacer("F(", "Find(", ".F", ".Find", ".M", ".Look", " M(PARAM)", " Look()", "ARG", "").Replace(src)
				_, err := box.Check(b.Context(), sandtrap.Script{Text: ok})
				if e, is := errors.AsType[*sandtrap.Error](err); is && b.RefusedByEngine(&sandtrap.Result{Engine: b.Engine, Error: e}) {
					return
				}
				if err != nil {
					b.Errorf("allowed: %v in\n%s", err, ok)
				}
				bad := strings.NewReplacer("F(", "Steal(", ".F", ".Steal", ".M", ".Open", " M(PARAM)", " Open(int)", "ARG", "1").Replace(src)
				if _, err := box.Check(b.Context(), sandtrap.Script{Text: bad}); !errors.Is(err, sandtrap.ErrRefused) {
					b.Errorf("excluded: error %v, want a refusal of\n%s", err, bad)
				}
			})
		})
	}
}

// TestAssertionFindsNoExcludedMethod: a method that the policy takes away is not
// found by an assertion during the run either.
func TestAssertionFindsNoExcludedMethod(t *testing.T) {
	eachMode(t, func(b bench) {
		res, err := b.RunOnce(sandtrap.Policy{Limits: limits, Packages: []sandtrap.Package{{
			Path: "corp/vault", Members: map[string]any{"Vault": (*Vault)(nil), "New": newVault}, Exclude: []string{"Vault.Open"},
		}}}, `import "corp/vault"
var v any = vault.New("l")
_, open := v.(interface{ Open(int) string })
opened := false
if o, ok := v.(interface{ Open(int) string }); ok {
	opened = o.Open(1) == "gold"
}
switch o := v.(type) {
case interface{ Open(int) string }:
	opened = o.Open(1) == "gold"
}`)
		if errors.Is(err, sandtrap.ErrRefused) && strings.Contains(err.Error(), "vault.Vault.Open") {
			return // the check knows both the type and the method
		}
		if err != nil || res.Vars["open"] != false || res.Vars["opened"] != false {
			b.Errorf("got %v, %v, want that Open is not found", res.Vars, err)
		}
	})
}

// TestHostPackageKeepsItsImports: what the host's function uses is not the script's
// to use.
func TestHostPackageKeepsItsImports(t *testing.T) {
	eachMode(t, func(b bench) {
		p := sandtrap.Policy{Limits: limits, Packages: []sandtrap.Package{{Path: "corp/env", Members: map[string]any{
			"Has": func(name string) bool { _, ok := os.LookupEnv(name); return ok },
		}}}}
		b.Setenv("SANDTRAP_TEST", "1")
		res, err := b.RunOnce(p, "import \"corp/env\"\nx := env.Has(\"SANDTRAP_TEST\")")
		if err != nil || res.Vars["x"] != true {
			b.Errorf("got %v, %v", res.Vars, err)
		}
		for _, src := range []string{"import \"os\"\n_, x := os.LookupEnv(\"A\")", "import \"corp/env\"\nx := env.Has(\"A\")\n_, y := os.LookupEnv(\"A\")"} {
			if _, err := b.RunOnce(p, src); !errors.Is(err, sandtrap.ErrRefused) {
				b.Errorf("%q: error %v, want a refusal", src, err)
			}
		}
	})
}
