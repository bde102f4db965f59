package compile

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// members asks for all that a cell declares: a later one may call it.
func (c *compiler) members(main *ssa.Package) {
	for i, u := range c.loader.units {
		for _, obj := range c.loader.objects[i] {
			c.member(u, obj)
		}
	}
	for _, v := range c.loader.prog.Vars() {
		if g, ok := main.Members[v.Obj.Name()].(*ssa.Global); ok {
			c.loader.part.global(c, g)
		}
	}
}

// objectsOf are the objects of a unit at package level, by name, without those of
// earlier cells.
func objectsOf(u *ssa.Package) []types.Object {
	var list []types.Object
	for _, name := range u.Pkg.Scope().Names() {
		if obj := u.Pkg.Scope().Lookup(name); obj.Pkg() == u.Pkg {
			list = append(list, obj)
		}
	}
	return list
}

func (c *compiler) member(u *ssa.Package, obj types.Object) {
	switch obj := obj.(type) {
	case *types.Func:
		if obj.Signature().TypeParams().Len() == 0 {
			c.funcOf(u.Func(obj.Name()))
		}
	case *types.TypeName:
		for _, m := range methodsDeclared(obj) {
			c.funcOf(c.prog.FuncValue(m))
		}
	}
}

// methodsDeclared are those of a type that is no alias, interface or generic.
func methodsDeclared(obj *types.TypeName) []*types.Func {
	n, ok := obj.Type().(*types.Named)
	if !ok || obj.IsAlias() || n.TypeParams().Len() > 0 || types.IsInterface(n) {
		return nil
	}
	var list []*types.Func
	for m := range n.Methods() {
		list = append(list, m)
	}
	return list
}

// declare notes the methods of the types of a cell, by which later ones find them, and
// gives the types.
func (c *compiler) declare(main *ssa.Package) (list []*ir.Type) {
	for i := range c.loader.units {
		for _, obj := range c.loader.objects[i] {
			name, ok := obj.(*types.TypeName)
			if !ok {
				continue
			}
			for _, m := range methodsDeclared(name) {
				t := c.Types.Of(name.Type())
				if t.Declared == nil {
					t.Declared = map[string]*ir.Func{}
				}
				t.Declared[m.Name()] = c.byFn[c.prog.FuncValue(m)]
				list = append(list, t)
			}
		}
	}
	return list
}

// objects are what the objects that the new units refer to have become.
func (c *compiler) objects(main *ssa.Package) *objects {
	out := &objects{map[types.Object]*ir.Func{}, make(map[types.Object]*Global, len(c.loader.part.globals)), c.loader.prog.Bindings()}
	for obj, f := range c.loader.part.known.Funcs {
		out.Funcs[obj] = f
	}
	for obj, v := range c.loader.part.known.Vars {
		out.Vars[obj] = v
	}
	for i, u := range c.loader.units {
		for _, obj := range c.loader.objects[i] {
			switch obj := obj.(type) {
			case *types.Func:
				if f := c.byFn[u.Func(obj.Name())]; f != nil {
					out.Funcs[obj] = f
				}
			case *types.Var:
				if g, ok := u.Members[obj.Name()].(*ssa.Global); ok && obj.Name() != "_" {
					out.Vars[obj] = c.loader.part.global(c, g)
				}
			}
		}
	}
	return out
}

// partVars are the variables that a run of the cell reports.
func (c *compiler) partVars(main *ssa.Package) []ir.Variable {
	var list []ir.Variable
	for _, v := range c.loader.prog.Vars() {
		if g, ok := main.Members[v.Obj.Name()].(*ssa.Global); ok {
			p := c.loader.part.global(c, g)
			c.needMethods(p.T)
			list = append(list, ir.Variable{Name: v.Name, Off: 0, T: p.T, In: p.At})
		}
	}
	return list
}
