package rewrite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// eachRun lowers the programs of testdata/run.
func eachRun(t *testing.T, f func(t *testing.T, src string, p *Program)) {
	for topic, a := range runTopics(t) {
		t.Run(topic, func(t *testing.T) {
			src := fileOf(a, "main.go")
			f(t, src, lowerPlain(t, src))
		})
	}
}

// TestPositionsSurvive: each name, literal and operator of the source is in the lowered program, where it was sent, so errors of a
// run point at it. What lowering adds points into the text, too. Not there any more may be && and ||, which become statements, labels that
// break and continue name, and an array whose length alone is asked for.
func TestPositionsSurvive(t *testing.T) {
	type place struct {
		offset int
		text   string
	}
	tokens := func(f *ast.File, base int) map[place]bool {
		all := map[place]bool{}
		for _, n := range nodesOf(f) {
			switch n := n.(type) {
			case *ast.Ident:
				all[place{int(n.Pos()) - base, n.Name}] = true
			case *ast.BasicLit:
				all[place{int(n.Pos()) - base, n.Value}] = true
			case *ast.BinaryExpr:
				if n.Op != token.LAND && n.Op != token.LOR {
					all[place{int(n.OpPos) - base, n.Op.String()}] = true
				}
			}
		}
		return all
	}
	eachRun(t, func(t *testing.T, src string, p *Program) {
		f := p.Main().Files[0]
		file := p.FileSet().File(f.Package)
		for _, n := range nodesOf(f) {
			if off := int(n.Pos()) - file.Base(); off < 0 || off > file.Size() {
				t.Fatalf("%T is outside of the text", n)
			}
		}
		sent, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		got, want := tokens(f, file.Base()), tokens(sent, int(sent.FileStart))
		ast.Inspect(sent, func(n ast.Node) bool {
			var gone *ast.Ident
			switch n := n.(type) {
			case *ast.BranchStmt:
				gone = n.Label
			case *ast.RangeStmt:
				if star, ok := n.X.(*ast.StarExpr); ok {
					gone = star.X.(*ast.Ident)
				}
			}
			if gone != nil {
				delete(want, place{int(gone.Pos() - sent.FileStart), gone.Name})
			}
			return true
		})
		for w := range want {
			if !got[w] {
				t.Errorf("%s at %v is gone", w.text, file.Position(file.Pos(w.offset)))
			}
		}
		if len(want) < 150 {
			t.Errorf("only %d tokens", len(want))
		}
	})
}

// TestLoweredAlike: the same source is lowered to the same text each time, whatever the order of maps.
func TestLoweredAlike(t *testing.T) {
	eachRun(t, func(t *testing.T, src string, p *Program) {
		for range 3 {
			if got, want := lowerPlain(t, src).Text(), p.Text(); got != want {
				t.Fatal(firstDifference(got, want))
			}
		}
	})
}

// TestEachGateIsNeeded: Verify refuses a program from which any one gate is taken, wherever it is, and changes nothing in
// one that has them all.
func TestEachGateIsNeeded(t *testing.T) {
	eachRun(t, func(t *testing.T, src string, p *Program) {
		text := p.Text()
		for range 2 {
			if err := Verify(p); err != nil {
				t.Fatal(err)
			}
		}
		taken := 0
		want := func(n ast.Node) {
			taken++
			if Verify(p) == nil {
				t.Errorf("%s: the gate was not missed", p.FileSet().Position(n.Pos()))
			}
		}
		ast.Inspect(p.Main().Files[0], func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BlockStmt:
				withoutTick(&n.List, want)
			case *ast.CaseClause:
				withoutTick(&n.Body, want)
			case *ast.CommClause:
				withoutTick(&n.Body, want)
			case *ast.CallExpr:
				for i := range n.Args {
					withoutRecover(&n.Args[i], want)
				}
			case *ast.ExprStmt:
				withoutRecover(&n.X, want)
			case *ast.AssignStmt:
				for i := range n.Rhs {
					withoutRecover(&n.Rhs[i], want)
				}
			}
			return true
		})
		if taken < 5 {
			t.Errorf("only %d gates were taken away", taken)
		}
		if p.Text() != text || Verify(p) != nil {
			t.Error("the program has changed")
		}
	})
}

// withoutTick takes the ticks of a list away one after the other.
func withoutTick(list *[]ast.Stmt, want func(ast.Node)) {
	all := *list
	for i, s := range all {
		if e, ok := s.(*ast.ExprStmt); ok && calledGate(e.X) == abi.Tick {
			*list = slices.Delete(slices.Clone(all), i, i+1)
			want(s)
		}
	}
	*list = all
}

// withoutRecover takes the gate around a recover() away.
func withoutRecover(e *ast.Expr, want func(ast.Node)) {
	if gated := gatedRecover(*e); gated != nil {
		whole := *e
		*e = gated
		want(whole)
		*e = whole
	}
}

// gatedRecover is the recover() behind a gate, nil for all else.
func gatedRecover(e ast.Expr) ast.Expr {
	if calledGate(e) == abi.Recover {
		return e.(*ast.CallExpr).Args[0]
	}
	return nil
}

func calledGate(e ast.Expr) string {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return ""
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if x, ok := sel.X.(*ast.Ident); !ok || x.Name != abi.Name {
		return ""
	}
	return sel.Sel.Name
}

// TestLoweredIsNoSource: lowered text is not taken for a script, so nothing that it may do is open to one.
func TestLoweredIsNoSource(t *testing.T) {
	eachRun(t, func(t *testing.T, src string, p *Program) {
		if _, err := parse.Parse(parse.Source{Text: p.Text()}, parse.Bounds{}); err == nil {
			t.Error("lowered text was parsed as a script")
		}
	})
}
