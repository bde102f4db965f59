package sandtrap

import (
	"go/types"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/rewrite"
)

// A universe shows a table to the rewriter, which does not know package builtins.
type universe struct {
	*builtins.Table
	dispatches bool // the engine does what the table says also where no gate is written
}

var _ rewrite.Universe = universe{}

// Replaced tells whether a call of a method that has no gate would be another one.
func (u universe) Replaced(owner *types.TypeName, method string) bool {
	return !u.dispatches && u.Table.Replaced(owner, method)
}

// Explain tells why a name is not there.
func (u universe) Explain(path, name string) rewrite.Explanation {
	return rewrite.Explanation(u.Table.Explain(path, name))
}
