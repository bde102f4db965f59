package checkcost

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/rewritetest"
)

// TestCorpus checks the sources in testdata as package check does: the syntax at first, and what is left of them with its
// types. Cells are checked with the costs of those before, and their syntax alone.
func TestCorpus(t *testing.T) {
	rewritetest.Refusals(t, "testdata/*.txtar", func(t *testing.T, c *rewritetest.Case) {
		t.Parallel()
		members, declared := Members{}, map[string]Costs{}
		of := func(name string) (Costs, bool) { c, ok := declared[name]; return c, ok }
		for i, part := range c.Parts {
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, "a.go", "package main;"+part.Text, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			var before *Earlier
			if len(c.Parts) > 1 {
				before = &Earlier{Of: of, Members: members}
			}
			var found []rewritetest.Finding
			refuse := func(code diag.Code, at ast.Node, name, message, hint string) *diag.Rejection {
				line := fset.Position(at.Pos()).Line
				found = append(found, rewritetest.Finding{Line: line, Code: code.String(), Message: message, Hint: hint})
				return &diag.Rejection{Code: code, Pos: diag.Position{Line: line}, Name: name, Message: message, Hint: hint}
			}
			costs, rs := Check(f, before, refuse)
			found = found[:len(rs)] // what comes of the first is not told
			if len(rs) == 0 {
				members.Add(costs)
				for _, n := range costs.names {
					declared[n.name] = costs
				}
			}
			if len(rs) == 0 && len(c.Parts) == 1 {
				typed(t, fset, f, refuse)
			}
			rewritetest.Compare(t, c.Parts[i:i+1], found)
		}
	})
}

// typed goes on with the types of a file.
func typed(t *testing.T, fset *token.FileSet, f *ast.File, refuse Refuse) {
	t.Helper()
	of := withTypes(t, fset, f)
	pkg := of.Pkg
	HugeTypes(of, func(t types.Type) string { return types.TypeString(t, types.RelativeTo(pkg)) }, 50, refuse)
	Instances([]Typed{of}, func(p *types.Package) bool { return p == pkg }, refuse)
}
