package vm

import (
	"go/ast"
	"weak"

	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/heap"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// What the code of a cell takes, in bytes, as long as something leads to it. The figures
// were measured on cells of one kind each.
const (
	cellHeld = 4 << 10
	funcHeld = 256
	insHeld  = 32
	extHeld  = 512 // an instruction with operands in a table
	nodeHeld = 128 // of source that later cells may need: what is generic, packages
)

// follow counts the cell and its functions as memory of the session, each until the
// collector has taken it. A run that is no cell shares its code with others, and does not
// pay for it.
func (l *loadedPart) follow() {
	nodes := 0
	for _, u := range l.Prog.Sources() {
		for _, f := range u.Files {
			ast.Inspect(f, func(ast.Node) bool { nodes++; return true })
		}
	}
	text := int64(len(l.Prog.Source().Text))
	l.machine.Live.Add(heap.Sample{At: heap.Ref[rewrite.Cell]{Pointer: weak.Make(l.Prog.Cell())}, Weight: cellHeld + 2*text + int64(nodes)*nodeHeld})
	for _, f := range l.Compiled {
		l.machine.Live.Add(heap.Sample{At: heap.Ref[ir.Func]{Pointer: weak.Make(f)}, Weight: weight(f)})
	}
}

func weight(f *ir.Func) int64 {
	return funcHeld + insHeld*int64(f.End-f.Entry) + extHeld*int64(len(f.Held.Exts))
}
