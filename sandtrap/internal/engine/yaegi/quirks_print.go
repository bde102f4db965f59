package yaegi

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates/abi"
)

// showsTypes reports whether n hands a value of a type of the script to a format
// that shows the type's name or the names of its fields, which are made up here.
func showsTypes(u *unit, n ast.Node) bool {
	c, ok := hostCall(u, n)
	if !ok || !anyArg(u, c, func(t types.Type) bool { return ofScript(u, t, 0) || types.IsInterface(t) && declaresTypes(u) }) {
		return false
	}
	for _, a := range c.Args {
		tv := u.info.Types[a]
		if b, ok := types.Unalias(tv.Type).(*types.Basic); !ok || b.Info()&types.IsString == 0 {
			continue
		}
		if tv.Value == nil {
			_, b, ok := called(u, n)
			return ok && strings.HasSuffix(b.Name, "f") // a format that is not known yet
		}
		format := constant.StringVal(tv.Value)
		return strings.Contains(format, "%+v") || strings.Contains(format, "%#v") || strings.Contains(format, "%T")
	}
	return false
}

// hidesMethods reports whether n hands over a value in which a type of the script
// that knows how to print itself is nested: only the outermost type's methods are seen.
func hidesMethods(u *unit, n ast.Node) bool {
	c, ok := hostCall(u, n)
	return ok && anyArg(u, c, func(t types.Type) bool { return nestedPrinter(u, t, false, 0) })
}

// encodes reports whether n hands a value that is, or may hold, one of a type of the
// script to a package that takes it apart.
func encodes(u *unit, n ast.Node) bool {
	c, ok := hostCall(u, n)
	if !ok {
		return false
	}
	_, b, ok := called(u, n)
	return ok && b.Path == "encoding/json" && anyArg(u, c, func(t types.Type) bool {
		return ofScript(u, t, 0) || declaresTypes(u) && holdsInterface(t, 0)
	})
}

func holdsInterface(t types.Type, depth int) bool {
	if types.IsInterface(t) {
		return true
	}
	for _, x := range inner(t) {
		if depth < maxNested && holdsInterface(x, depth+1) {
			return true
		}
	}
	return false
}

// hostCall is a call of a binding that takes values of any type.
func hostCall(u *unit, n ast.Node) (*ast.CallExpr, bool) {
	c, ok := n.(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	name := gateName(c.Fun)
	for _, b := range u.bindings {
		if b.Kind != abi.BindFunc && b.Kind != abi.BindMethod || name != abi.Binding(b.Index) {
			continue
		}
		s, ok := b.Type.Underlying().(*types.Signature)
		if !ok {
			return nil, false
		}
		for p := range s.Params().Variables() {
			t := p.Type()
			if l, ok := t.(*types.Slice); ok {
				t = l.Elem()
			}
			if i, ok := t.Underlying().(*types.Interface); ok && i.Empty() {
				return c, true
			}
		}
	}
	return nil, false
}

func anyArg(u *unit, c *ast.CallExpr, f func(types.Type) bool) bool {
	for _, a := range c.Args {
		if tv := u.info.Types[a]; tv.Type != nil && tv.Value == nil && f(tv.Type) {
			return true
		}
	}
	return false
}

func declaresTypes(u *unit) bool {
	for _, o := range u.info.Defs {
		if t, ok := o.(*types.TypeName); ok && !types.IsInterface(t.Type()) {
			return true
		}
	}
	return false
}

// maxNested is how deep types are looked into; recursive ones have no end.
const maxNested = 8

// inner returns the types that a value of t holds.
func inner(t types.Type) []types.Type {
	switch t := t.Underlying().(type) {
	case *types.Pointer:
		return []types.Type{t.Elem()}
	case *types.Slice:
		return []types.Type{t.Elem()}
	case *types.Array:
		return []types.Type{t.Elem()}
	case *types.Map:
		return []types.Type{t.Key(), t.Elem()}
	case *types.Struct:
		var out []types.Type
		for f := range t.Fields() {
			out = append(out, f.Type())
		}
		return out
	}
	return nil
}

func isScriptType(u *unit, t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() == u.pkg
}

func ofScript(u *unit, t types.Type, depth int) bool {
	if isScriptType(u, t) {
		return true
	}
	if _, ok := types.Unalias(t).(*types.Struct); ok {
		return true
	}
	for _, x := range inner(t) {
		if depth < maxNested && ofScript(u, x, depth+1) {
			return true
		}
	}
	return false
}

func nestedPrinter(u *unit, t types.Type, nested bool, depth int) bool {
	if nested && isScriptType(u, t) && !types.IsInterface(t) {
		for _, name := range []string{"String", "Error"} {
			if o, _, _ := types.LookupFieldOrMethod(t, true, u.pkg, name); o != nil {
				if _, ok := o.(*types.Func); ok {
					return true
				}
			}
		}
	}
	below := true
	if _, ok := t.Underlying().(*types.Pointer); ok && !nested {
		below = false // the methods of a pointer's type are those of the pointer
	}
	for _, x := range inner(t) {
		if depth < maxNested && nestedPrinter(u, x, below, depth+1) {
			return true
		}
	}
	return false
}
