package vm

import (
	"go/ast"
	"go/token"
	"sync"

	"github.com/sandtrap-go/sandtrap/rewrite"
)

// originOf is where the code of p comes from.
func originOf(p *rewrite.Program) *origin {
	return &origin{fset: p.FileSet(), prog: p}
}

// start is the beginning of an expression that go/ssa knows by another place.
func (o *origin) start(pos token.Pos) (token.Pos, bool) {
	o.starts.Do(func() { o.begins = starts(o.prog.Units()) })
	at, ok := o.begins[pos]
	return at, ok
}

// starts gives the beginning of the expressions that go/ssa knows by the place of
// their bracket.
func starts(units []rewrite.Unit) map[token.Pos]token.Pos {
	at := map[token.Pos]token.Pos{}
	for _, u := range units {
		for _, f := range u.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					at[n.Lparen] = n.Pos()
				case *ast.IndexExpr:
					at[n.Lbrack] = n.Pos()
				case *ast.SliceExpr:
					at[n.Lbrack] = n.Pos()
				case *ast.TypeAssertExpr:
					at[n.Lparen] = n.Pos()
				}
				return true
			})
		}
	}
	return at
}

// An origin is what tells where code comes from.
type origin struct {
	fset   *token.FileSet
	prog   *rewrite.Program // nil in a session
	starts sync.Once
	begins map[token.Pos]token.Pos // see starts
	cell   *rewrite.Cell           // of a session
}

// partOrigin is originOf for a cell, of which nothing is to be kept.
func partOrigin(p *rewrite.Program) *origin {
	o := &origin{fset: p.FileSet(), cell: p.Cell()}
	o.starts.Do(func() { o.begins = starts(p.Units()) })
	return o
}
