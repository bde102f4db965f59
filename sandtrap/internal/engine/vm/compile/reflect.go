package compile

import (
	"go/types"

	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"golang.org/x/tools/go/ssa"
)

// reflectArg is the type argument of fn, which is the gate of one of them.
func (c *compiler) reflectArg(fn *ssa.Function, b rewrite.Binding) *ir.Type {
	args := b.TypeArgs
	if len(args) == 0 {
		args = fn.TypeArgs()
	}
	t := c.Types.Of(args[0])
	c.needMethods(t)
	return t
}

// reflects reports that a program uses a member that may take values apart.
func (l *loader) reflects() bool {
	if l.part != nil {
		return true // a later one may
	}
	for _, b := range l.prog.Bindings() {
		sig, ok := b.Type.(*types.Signature)
		if !ok || b.Is("formats") {
			continue
		}
		for v := range sig.Params().Variables() {
			t := types.Unalias(v.Type())
			if s, ok := t.(*types.Slice); ok {
				t = s.Elem()
			}
			if types.IsInterface(t) {
				return true
			}
		}
	}
	return false
}
