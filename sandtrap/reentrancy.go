package sandtrap

import (
	"go/types"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite"
)

// reentrant reports that functions of the host that prog uses may get hold of something of
// the script's that can be called, and so call it from a goroutine of their own. Those of
// the standard library do not.
func reentrant(prog *rewrite.Program) bool {
	for _, b := range prog.Bindings() {
		switch {
		case b.Kind == abi.BindConst:
		case b.Kind == abi.BindInput:
			if !(&dataCheck{}).isGiven(b.Object.Type()) {
				return true
			}
		case !b.Standard && !(&dataCheck{}).isExchange(b.Type):
			return true
		}
	}
	return false
}

// A dataCheck tells types of data from those of what can be called.
type dataCheck struct{ seen map[types.Type]bool }

// isExchange reports a function that takes and gives data, or data.
func (c *dataCheck) isExchange(t types.Type) bool {
	s, ok := t.(*types.Signature)
	if !ok {
		return c.isGiven(t)
	}
	for v := range s.Results().Variables() {
		if !c.isGiven(v.Type()) {
			return false
		}
	}
	return c.isData(s.Params())
}

// isGiven reports data, or an error that is the host's. One that the host can get back, as a parameter
// or where something leads to it, may be the script's, whose methods are called.
func (c *dataCheck) isGiven(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type()) || c.isData(t)
}

func (c *dataCheck) isData(t types.Type) bool {
	if c.seen[t] {
		return true
	}
	if c.seen == nil {
		c.seen = map[types.Type]bool{}
	}
	c.seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer
	case *types.Named:
		return c.isDataNamed(t)
	case *types.Pointer:
		return c.isData(t.Elem())
	case *types.Slice:
		return c.isData(t.Elem())
	case *types.Array:
		return c.isData(t.Elem())
	case *types.Chan:
		return c.isData(t.Elem())
	case *types.Map:
		return c.isData(t.Key()) && c.isData(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if !c.isData(f.Type()) {
				return false
			}
		}
		return true
	case *types.Tuple:
		for v := range t.Variables() {
			if !c.isData(v.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// isDataNamed is isData for a type with a name. A method of the host's might take what can
// be called, also by way of an interface of the script's; one of time does not.
func (c *dataCheck) isDataNamed(t *types.Named) bool {
	pkg := t.Obj().Pkg()
	return pkg != nil && (t.NumMethods() == 0 || pkg.Path() == "time") && c.isData(t.Underlying())
}
