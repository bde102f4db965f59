package sandtrap

import (
	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/rewrite"
)

// A universe shows a table to the rewriter, which does not know package builtins.
type universe struct{ *builtins.Table }

var _ rewrite.Universe = universe{}

// Explain tells why a name is not there.
func (u universe) Explain(path, name string) rewrite.Explanation {
	return rewrite.Explanation(u.Table.Explain(path, name))
}
