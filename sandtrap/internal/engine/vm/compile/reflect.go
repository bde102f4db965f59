package compile

import (
	"go/types"

	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"golang.org/x/tools/go/ssa"
)

// reflectGate is what a member of package reflect does, false for those that do without
// the engine: they see types and tags, no values.
func (c *compiler) reflectGate(x *ir.SlowOp, b rewrite.Binding) (ir.Do, bool) {
	if !b.Standard || b.Path != "reflect" || b.Kind == rewrite.BindField || b.Kind == rewrite.BindVar {
		return 0, false
	}
	switch b.Owner {
	case "":
		return c.reflectFunc(x, b)
	case "Value":
		n, ok := c.loader.machine.Value[b.Name]
		if !ok {
			panic(compileError{"no method " + b.Name + " of reflect.Value"})
		}
		x.D = n
	case "MapIter":
		if !c.loader.machine.MapIter[b.Name] {
			panic(compileError{"no method " + b.Name + " of reflect.MapIter"})
		}
	default:
		return 0, false
	}
	x.S = b.Name
	if b.Kind == rewrite.BindMethodValue {
		return ir.DoReflectMethodValue, true
	}
	return ir.DoReflectMethod, true
}

// reflectGenerics are the generic members of package reflect. They ask the host for nothing.
var reflectGenerics = map[string]ir.Do{"reflect.TypeFor": ir.DoTypeFor, "reflect.TypeAssert": ir.DoReflectAssert}

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

func (c *compiler) reflectFunc(x *ir.SlowOp, b rewrite.Binding) (ir.Do, bool) {
	if do, ok := reflectGates[b.Name]; ok {
		return do, true
	}
	if !c.loader.machine.Funcs[b.Name] {
		return 0, false
	}
	x.S = b.Name
	return ir.DoReflectFunc, true
}

// reflectGates are those that are given values as they are.
var reflectGates = map[string]ir.Do{"TypeOf": ir.DoTypeOf, "ValueOf": ir.DoValueOf, "DeepEqual": ir.DoDeepEqual, "Swapper": ir.DoSwapper}

// reflects reports that a program uses a member that may take values apart.
func (l *loader) reflects() bool {
	if l.part != nil {
		return true // a later one may
	}
	for _, b := range l.prog.Bindings() {
		sig, ok := b.Type.(*types.Signature)
		if !ok || formatters[b.Path] {
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

// formatters are packages that look for methods of what they are given, not of
// pointers to its parts.
var formatters = map[string]bool{
	"bufio": true, "bytes": true, "container/heap": true, "container/list": true, "container/ring": true, "context": true,
	"errors": true, "fmt": true, "io": true, "log": true, "maps": true, "slices": true, "sort": true, "strings": true,
	"sync": true, "sync/atomic": true,
}
