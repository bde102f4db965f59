package abi

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// TestNames: names that lowered code gets are Go's, begin as no name of a script may, and differ from each other.
func TestNames(t *testing.T) {
	seen := map[string]string{}
	add := func(kind, name string) {
		if !token.IsIdentifier(name) || !strings.HasPrefix(name, Prefix) {
			t.Errorf("%s: %q is no name of lowered code", kind, name)
		}
		if other := seen[name]; other != "" {
			t.Errorf("%s and %s are both %s", kind, other, name)
		}
		seen[name] = kind
	}
	add("gate package", Name)
	for n := range 200 {
		add("mirror", MirrorName(n))
		add("package", PackageName(n))
	}
	if token.IsExported(Prefix) {
		t.Error("what begins with the prefix would be exported")
	}
}

// TestTable: each gate has a name of its own that is no binding's, a signature that is Go and a reason.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range Table {
		if !token.IsExported(g.Name) || seen[g.Name] {
			t.Errorf("the gate %q: its name is not exported, or another's", g.Name)
		}
		seen[g.Name] = true
		if _, ok := Number(g.Name); ok {
			t.Errorf("the gate %s has the name of a binding", g.Name)
		}
		expr, err := parser.ParseExpr(g.Signature)
		if _, ok := expr.(*ast.FuncType); err != nil || !ok {
			t.Errorf("the gate %s: %q is no type of a function: %v", g.Name, g.Signature, err)
		}
		if len(g.Why) < 20 {
			t.Errorf("the gate %s has no reason", g.Name)
		}
	}
	for _, name := range []string{Tick, Recover, Echo} {
		if !seen[name] {
			t.Errorf("there is no gate %s", name)
		}
	}
}

// TestPaths: no package of a script or of Go's library can have the path of a mirror, and mirrors of different
// packages have different ones.
func TestPaths(t *testing.T) {
	for _, path := range []string{"fmt", "math/rand/v2", "example.com/a"} {
		got := MirrorPath(path)
		if !strings.HasPrefix(got, Path+"/") || !strings.HasSuffix(got, "/"+path) {
			t.Errorf("the mirror of %s is %s", path, got)
		}
	}
	if strings.Contains(strings.SplitN(Path, "/", 2)[0], ".") {
		t.Error("the gate package has the path of a module")
	}
}

// TestKinds: each kind of binding has a text.
func TestKinds(t *testing.T) {
	seen := map[string]bool{}
	for k := BindFunc; k <= BindMethodValue; k++ {
		if text := k.String(); text == "" || seen[text] {
			t.Errorf("kind %d is %q", k, text)
		}
		seen[k.String()] = true
	}
}
