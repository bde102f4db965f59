package sandtrap

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// checkText type-checks declarations against the plan that they are about.
func checkText(t *testing.T, plan *Plan, text string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "decl.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	conf := types.Config{Importer: plan.table, IgnoreFuncBodies: true, Error: func(err error) {
		if te := err.(types.Error); !te.Soft { // functions need bodies only when built
			t.Errorf("%v\n%s", err, text)
		}
	}}
	pkg, _ := conf.Check("decl", fset, []*ast.File{f}, nil)
	return pkg
}

// TestDeclarations wants what every package shows as Go that type-checks, with the
// same names.
func TestDeclarations(t *testing.T) {
	plan, err := Compile(Policy{Std: StdDefault()})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range plan.Packages() {
		text, err := plan.Declarations(path, nil)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		shown := checkText(t, plan, text)
		pkg, err := plan.table.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range pkg.Scope().Names() {
			if token.IsExported(name) && shown.Scope().Lookup(name) == nil && !strings.Contains(text, "// func "+name) && !strings.Contains(text, "// var "+name) {
				t.Errorf("%s.%s is not shown", path, name)
			}
		}
	}
}

type vault struct{ Owner, Secret string }

func (*vault) Open() error   { return nil }
func (*vault) Danger() error { return nil }

// TestReferenceNamesStandard: the standard packages that a policy lists are in its reference
// by their paths, and others are not.
func TestReferenceNamesStandard(t *testing.T) {
	plan, err := Compile(Policy{Std: []string{"fmt", "math/..."}, Exclude: []string{"math/cmplx"}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := plan.Reference()
	if err != nil || !strings.Contains(text, ": fmt, math, math/big, math/bits, math/rand") || strings.Contains(text, "cmplx") {
		t.Errorf("got %q, %v", text, err)
	}
}

// TestDeclarationsHide shows comments, and nothing that the policy hides.
func TestDeclarationsHide(t *testing.T) {
	plan, err := Compile(Policy{
		Funcs: map[string]any{"lookup": func(string) (int, error) { return 0, nil }},
		Docs:  map[string]string{"lookup": "lookup finds the price of a thing\nin cents."},
		Packages: []Package{{
			Path: "corp/vault", Members: map[string]any{"Vault": (*vault)(nil), "Get": func() *vault { return nil }},
			Exclude: []string{"Vault.Danger", "Vault.Secret"}, Docs: map[string]string{"Vault.Open": "Open opens it."},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := plan.Declarations("", nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := "package main\n\n// lookup finds the price of a thing\n// in cents.\nfunc lookup(string) (int, error)\n"; text != want {
		t.Errorf("got\n%s", text)
	}
	text, err = plan.Declarations("corp/vault", nil)
	if err != nil {
		t.Fatal(err)
	}
	checkText(t, plan, text)
	for _, part := range []string{"func Get() *Vault", "Owner string", "// Open opens it.\nfunc (*Vault) Open() error"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	if strings.Contains(text, "Danger") || strings.Contains(text, "Secret") {
		t.Errorf("shows what is hidden:\n%s", text)
	}
	whole, err := plan.Reference()
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, path := range []string{"", "corp/vault"} {
		part, err := plan.Declarations(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part)
	}
	if want := "// There without import:\n\n" + parts[0] + "\n// import \"corp/vault\"\n\n" + parts[1] + "\n"; whole != want {
		t.Errorf("the reference is\n%s", whole)
	}
	if _, err := plan.Declarations("os", nil); err == nil {
		t.Error("declarations of a package that is not there")
	}
}
