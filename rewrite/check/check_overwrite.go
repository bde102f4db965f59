package check

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// overwrites refuses what would replace a whole value of a host's struct that the
// host has given out a pointer to, hidden fields and all: *time.UTC = time.Location{}
// would change the zone of the host. There are three ways to it: the assignment,
// the assignment inside of generic code, and a conversion of the pointer to one whose
// elements are of a type of the script.
func (c *checker) overwrites(n ast.Node) *diag.Rejection {
	switch n := n.(type) {
	case *ast.CallExpr:
		if len(n.Args) == 1 && c.result.Info.Types[n.Fun].IsType() {
			return c.convertsShared(n)
		}
	case *ast.Ident:
		return c.instantiatesShared(n)
	}
	for _, x := range assignedBy(n) {
		if star, ok := ast.Unparen(x).(*ast.StarExpr); ok && c.isShared(c.typeOf(star)) {
			return c.rejectOverwrite(x, c.typeOf(star))
		}
	}
	return nil
}

func (c *checker) rejectOverwrite(at ast.Node, t types.Type) *diag.Rejection {
	name := c.typeText(types.Unalias(t))
	return c.reject(diag.HostWrite, at, name,
		withArticle(name)+" cannot be overwritten through a pointer: the host may use it too",
		"assign to its fields, or make a new one")
}

// convertsShared refuses a pointer's conversion to or from a type that has the
// same hidden fields.
func (c *checker) convertsShared(call *ast.CallExpr) *diag.Rejection {
	from, to := c.typeOf(call.Args[0]), c.typeOf(call)
	if from == nil || to == nil || types.Identical(from, to) {
		return nil
	}
	for _, p := range []types.Type{from, to} {
		ptr, ok := p.Underlying().(*types.Pointer)
		if !ok || !c.hasHidden(ptr.Elem()) {
			continue
		}
		other := to
		if p == to {
			other = from
		}
		if q, ok := other.Underlying().(*types.Pointer); ok && types.Identical(ptr.Elem(), q.Elem()) {
			continue
		}
		_, generic := other.(*types.TypeParam)
		if _, plain := other.Underlying().(*types.Interface); plain && !generic || isNil(other) {
			continue
		}
		return c.rejectOverwrite(call, ptr.Elem())
	}
	return nil
}

// instantiatesShared refuses generic code of the script for the type itself.
func (c *checker) instantiatesShared(id *ast.Ident) *diag.Rejection {
	inst, ok := c.result.Info.Instances[id]
	if !ok || c.isHost(c.result.Info.Uses[id]) {
		return nil
	}
	for t := range inst.TypeArgs.Types() {
		if c.isShared(t) {
			return c.rejectOverwrite(id, t)
		}
	}
	return nil
}

func isNil(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.UntypedNil
}

// hasHidden tells whether t is a struct with fields that the universe hides.
func (c *checker) hasHidden(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if !f.Exported() && c.isHost(f) {
			return true
		}
	}
	return false
}

// isShared tells whether t is such a struct, and something of the host that the
// script can use gives out pointers to it.
func (c *checker) isShared(t types.Type) bool {
	named := asNamed(t)
	if named == nil || !c.isHost(named.Obj()) || !c.hasHidden(named) || c.universe.Handle(named.Obj()) {
		return false // a handle has no values that could be assigned
	}
	g := giver{named, map[types.Type]bool{}, map[types.Type]bool{}}
	packages := c.result.Hosts()
	for _, in := range c.inputs {
		if !in.Later && g.gives(in.Type) {
			return true
		}
	}
	if s := c.session(); s != nil { // what earlier cells came by
		packages = slices.AppendSeq(packages, maps.Keys(s.Hosts()))
		for _, t := range s.InputTypes() {
			if g.gives(t) {
				return true
			}
		}
		for _, t := range s.LoadedTypes() {
			if g.brings(t) {
				return true
			}
		}
	}
	for _, obj := range c.universe.Predeclared() {
		if g.object(obj) {
			return true
		}
	}
	for _, pkg := range packages {
		for _, name := range pkg.Scope().Names() {
			if g.object(pkg.Scope().Lookup(name)) {
				return true
			}
		}
	}
	return false
}

func asNamed(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// A giver looks for what gives out pointers to a type.
type giver struct {
	of     *types.Named
	seen   map[types.Type]bool
	loaded map[types.Type]bool // seen as what a session was loaded with
}

// brings tells whether the methods of values of t, a type of the host's whose values a session was loaded with, give a
// script such a pointer. What lies in the values does not count: it was made for the session, or no run may replace it.
func (g giver) brings(t types.Type) bool {
	t = types.Unalias(t)
	if t == nil || g.loaded[t] {
		return false
	}
	g.loaded[t] = true
	switch t := t.(type) {
	case *types.Named:
		for m := range t.Methods() {
			if g.gives(m.Type()) {
				return true
			}
		}
		return g.brings(t.Underlying())
	case *types.Interface:
		return g.gives(t)
	case *types.Struct:
		for f := range t.Fields() {
			if g.brings(f.Type()) {
				return true
			}
		}
	case *types.Map:
		return g.brings(t.Key()) || g.brings(t.Elem())
	case interface{ Elem() types.Type }: // pointers, too
		return g.brings(t.Elem())
	}
	return false
}

func (g giver) object(obj types.Object) bool { return obj != nil && g.gives(obj.Type()) }

// gives tells whether a script that has a t can get a pointer from it. What a
// function takes does not count, what it hands to a callback does.
func (g giver) gives(t types.Type) bool {
	if t == nil || g.seen[t] {
		return false
	}
	g.seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		return types.Identical(t.Elem(), g.of) || g.gives(t.Elem())
	case *types.Named:
		for m := range t.Methods() {
			if g.gives(m.Type()) {
				return true
			}
		}
		return g.gives(t.Underlying())
	case *types.Signature:
		return g.results(t)
	case *types.Struct:
		for f := range t.Fields() {
			if g.gives(f.Type()) {
				return true
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			if g.gives(m.Type()) {
				return true
			}
		}
	case *types.Map:
		return g.gives(t.Key()) || g.gives(t.Elem())
	case interface{ Elem() types.Type }: // slices, arrays, channels
		return g.gives(t.Elem())
	}
	return false
}

func (g giver) results(sig *types.Signature) bool {
	for v := range sig.Results().Variables() {
		if g.gives(v.Type()) {
			return true
		}
	}
	for v := range sig.Params().Variables() {
		callback, ok := v.Type().Underlying().(*types.Signature)
		if !ok {
			continue
		}
		for p := range callback.Params().Variables() {
			if g.gives(p.Type()) {
				return true
			}
		}
	}
	return false
}
