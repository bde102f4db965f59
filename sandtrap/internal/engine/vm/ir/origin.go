package ir

import (
	"go/ast"
	"go/token"
	"sync"

	"github.com/sandtrap-go/sandtrap/rewrite"
)

// OriginOf is where the code of p comes from.
func OriginOf(p *rewrite.Program) *Origin {
	return &Origin{Fset: p.FileSet(), prog: p}
}

// Start is the beginning of an expression that go/ssa knows by another place.
func (o *Origin) Start(pos token.Pos) (token.Pos, bool) {
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

// An Origin is what tells where code comes from.
type Origin struct {
	Fset   *token.FileSet
	prog   *rewrite.Program // nil in a session
	starts sync.Once
	begins map[token.Pos]token.Pos // see starts
	Cell   *rewrite.Cell           // of a session
}

// PartOrigin is OriginOf for a cell, of which nothing is to be kept.
func PartOrigin(p *rewrite.Program) *Origin {
	o := &Origin{Fset: p.FileSet(), Cell: p.Cell()}
	o.starts.Do(func() { o.begins = starts(p.Units()) })
	return o
}
