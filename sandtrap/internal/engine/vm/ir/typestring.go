package ir

import (
	"go/types"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/typename"
)

// typeString is the name of a type as package reflect gives it.
func typeString(t types.Type) string { return typeNames(false).of(t) }

// typeNames writes types; true with the paths of packages, not their names, as type
// arguments have them.
type typeNames bool

func (n typeNames) of(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return types.Typ[t.Kind()].Name() // for byte and rune, too
	case *types.Named:
		s := t.Obj().Name()
		if p := t.Obj().Pkg(); p != nil {
			s = typename.Join(n.pkg(p), s)
			if n && t.Obj().Parent() != p.Scope() {
				s += "·" + strconv.Itoa(localNumber(t.Obj()))
			}
		}
		var args []string
		for i := range t.TypeArgs().Len() {
			args = append(args, typeNames(true).of(t.TypeArgs().At(i)))
		}
		if args != nil {
			s += "[" + strings.Join(args, ",") + "]"
		}
		return s
	case *types.Pointer:
		return "*" + n.of(t.Elem())
	case *types.Slice:
		return "[]" + n.of(t.Elem())
	case *types.Array:
		return "[" + strconv.FormatInt(t.Len(), 10) + "]" + n.of(t.Elem())
	case *types.Map:
		return "map[" + n.of(t.Key()) + "]" + n.of(t.Elem())
	case *types.Chan:
		return n.channel(t)
	case *types.Signature:
		return "func" + n.signature(t)
	case *types.Struct:
		return n.structure(t)
	case *types.Interface:
		return n.iface(t)
	}
	return t.String()
}

// localNumber tells a type that is declared in a function from others of its name, in
// type arguments: its place among all such types of its package, from 1.
func localNumber(obj *types.TypeName) int {
	place := 1
	var count func(s *types.Scope)
	count = func(s *types.Scope) {
		for child := range s.Children() {
			count(child)
			if s == obj.Pkg().Scope() {
				continue // child is a file
			}
			for _, name := range child.Names() {
				t, ok := child.Lookup(name).(*types.TypeName)
				if !ok || t.IsAlias() || t.Pos() >= obj.Pos() {
					continue
				}
				if _, ok := t.Type().(*types.Named); ok {
					place++
				}
			}
		}
	}
	count(obj.Pkg().Scope())
	return place
}

func (n typeNames) channel(t *types.Chan) string {
	e := n.of(t.Elem())
	switch t.Dir() {
	case types.SendOnly:
		return "chan<- " + e
	case types.RecvOnly:
		return "<-chan " + e
	}
	if strings.HasPrefix(e, "<-") {
		e = "(" + e + ")"
	}
	return "chan " + e
}

func (n typeNames) tuple(t *types.Tuple, variadic bool) string {
	var ps []string
	for i := range t.Len() {
		p := n.of(t.At(i).Type())
		if variadic && i == t.Len()-1 {
			p = "..." + strings.TrimPrefix(p, "[]")
		}
		ps = append(ps, p)
	}
	return strings.Join(ps, ", ")
}

func (n typeNames) signature(t *types.Signature) string {
	s := "(" + n.tuple(t.Params(), t.Variadic()) + ")"
	switch r := t.Results(); r.Len() {
	case 0:
		return s
	case 1:
		return s + " " + n.of(r.At(0).Type())
	default:
		return s + " (" + n.tuple(r, false) + ")"
	}
}

func (n typeNames) structure(t *types.Struct) string {
	if t.NumFields() == 0 {
		return "struct {}"
	}
	var fs []string
	for i := range t.NumFields() {
		f := t.Field(i)
		s := n.of(f.Type())
		if !f.Embedded() {
			s = f.Name() + " " + s
		}
		if tag := t.Tag(i); tag != "" {
			s += " " + strconv.Quote(tag)
		}
		fs = append(fs, s)
	}
	return "struct { " + strings.Join(fs, "; ") + " }"
}

func (n typeNames) iface(t *types.Interface) string {
	if t.NumMethods() == 0 {
		return "interface {}"
	}
	var ms []string
	for i := range t.NumMethods() {
		m := t.Method(i)
		name := m.Name()
		if !m.Exported() && m.Pkg() != nil {
			name = typename.Join(n.pkg(m.Pkg()), name)
		}
		ms = append(ms, name+n.signature(m.Type().(*types.Signature)))
	}
	return "interface { " + strings.Join(ms, "; ") + " }"
}

func (n typeNames) pkg(p *types.Package) string {
	if n {
		return typename.Path(p)
	}
	return p.Name()
}
