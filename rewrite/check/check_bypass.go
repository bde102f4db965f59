package check

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/sandtrap-go/sandtrap/internal/typename"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// maxBypassPairs bounds how many methods are looked up in how many types.
const maxBypassPairs = 200_000

// bypasses refuses interfaces of the script by which it could call a method of
// the host without its gate: a call of an interface's own method is left to run as
// it is, so the value must not have a method that the universe denies, charges or
// replaces. Which values get into an interface cannot be seen for those that come
// out of any, so it is enough that the script has such a type at all.
func (c *checker) bypasses() diag.Rejections {
	var own []*ast.InterfaceType
	for x, tv := range c.result.Info.Types {
		n, ok := x.(*ast.InterfaceType)
		if i, isType := tv.Type.(*types.Interface); ok && isType && i.NumMethods() > 0 {
			own = append(own, n)
		}
	}
	if len(own) == 0 {
		return nil
	}
	slices.SortFunc(own, func(a, b *ast.InterfaceType) int { return int(a.Pos() - b.Pos()) })
	t := hostTypes{c: c, seen: map[types.Type]bool{}, methods: map[string]bool{}}
	for _, d := range c.parsed.File.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
			t.methods[f.Name.Name] = true
		}
	}
	for _, tv := range c.result.Info.Types {
		t.collect(tv.Type)
	}
	var rs diag.Rejections
	pairs := 0
	for _, n := range own {
		i := c.typeOf(n).(*types.Interface)
		if pairs += i.NumMethods() * len(t.list); pairs > maxBypassPairs {
			return append(rs, c.reject(diag.TooComplex, n, "", "too many interfaces and types of the host in one program", "make the program smaller"))
		}
		for _, typ := range t.list {
			if name := t.ungated(i, typ); name != "" {
				rs = append(rs, c.reject(diag.InterfaceBypass, n, name,
					"values with the method "+name+" of the host cannot be used by an interface of the script: the call would pass by what the sandbox does for "+name,
					"use an interface of the standard library, such as io.Writer, or give the interface's method another name"))
				break
			}
		}
	}
	return rs
}

// hostTypes are the types of the host, and the structs that could promote their
// methods, that occur in a script.
type hostTypes struct {
	c       *checker
	seen    map[types.Type]bool
	list    []types.Type
	methods map[string]bool // names of the script's own methods
}

// collect adds what t is or is made of.
func (h *hostTypes) collect(t types.Type) {
	if t = types.Unalias(t); t == nil || h.seen[t] {
		return
	}
	h.seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		if h.c.isHost(t.Obj()) {
			h.list = append(h.list, t)
		} else {
			h.collect(t.Underlying())
		}
		for arg := range t.TypeArgs().Types() {
			h.collect(arg)
		}
	case *types.Struct:
		embeds := false
		for f := range t.Fields() {
			embeds = embeds || f.Embedded()
			h.collect(f.Type())
		}
		if embeds {
			h.list = append(h.list, t)
		}
	case *types.Map:
		h.collect(t.Key())
		h.collect(t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		h.collect(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			h.collect(v.Type())
		}
	case *types.Signature:
		h.collect(t.Params())
		h.collect(t.Results())
	}
}

// ungated is the method of typ, as in strings.Builder.Grow, that is not what its
// gate does, if a value of typ may have all methods of i; else "".
func (h *hostTypes) ungated(i *types.Interface, typ types.Type) string {
	name := ""
	for m := range i.Methods() {
		found, _, _ := types.LookupFieldOrMethod(typ, true, h.c.result.Pkg, m.Name())
		f, isMethod := found.(*types.Func)
		named, isNamed := typ.(*types.Named)
		switch {
		case isMethod && h.c.isHost(f):
			if !sameShape(f.Signature(), m.Signature()) {
				return ""
			}
			if recv := namedOf(f.Signature().Recv().Type()); recv != nil && h.c.universe.Replaced(recv.Obj(), m.Name()) && !h.c.isHost(m) {
				name = memberOf(recv.Obj(), m.Name())
			}
		case found == nil && isNamed && h.c.universe.Replaced(named.Obj(), m.Name()):
			name = memberOf(named.Obj(), m.Name())
		case found == nil && (isNamed || !h.methods[m.Name()]):
			return ""
		}
	}
	return name
}

func memberOf(owner *types.TypeName, method string) string {
	return typename.Of(owner) + "." + method
}

// sameShape tells whether a and b may be the same signature once type parameters
// are known.
func sameShape(a, b *types.Signature) bool {
	if MentionsTypeParam(a.Params(), a.Results(), b.Params(), b.Results()) {
		return a.Params().Len() == b.Params().Len() && a.Results().Len() == b.Results().Len()
	}
	return types.Identical(a, b)
}
