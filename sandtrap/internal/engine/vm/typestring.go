package vm

import (
	"go/types"
	"strconv"
	"strings"
)

// typeString is the name of a type as package reflect gives it.
func typeString(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return types.Typ[t.Kind()].Name() // for byte and rune, too
	case *types.Named:
		s := t.Obj().Name()
		if p := t.Obj().Pkg(); p != nil {
			s = p.Name() + "." + s
		}
		var args []string
		for i := range t.TypeArgs().Len() {
			args = append(args, typeString(t.TypeArgs().At(i)))
		}
		if args != nil {
			s += "[" + strings.Join(args, ",") + "]"
		}
		return s
	case *types.Pointer:
		return "*" + typeString(t.Elem())
	case *types.Slice:
		return "[]" + typeString(t.Elem())
	case *types.Array:
		return "[" + strconv.FormatInt(t.Len(), 10) + "]" + typeString(t.Elem())
	case *types.Map:
		return "map[" + typeString(t.Key()) + "]" + typeString(t.Elem())
	case *types.Chan:
		return chanString(t)
	case *types.Signature:
		return "func" + signatureString(t)
	case *types.Struct:
		return structString(t)
	case *types.Interface:
		return interfaceString(t)
	}
	return t.String()
}

func chanString(t *types.Chan) string {
	e := typeString(t.Elem())
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

func tupleString(t *types.Tuple, variadic bool) string {
	var ps []string
	for i := range t.Len() {
		p := typeString(t.At(i).Type())
		if variadic && i == t.Len()-1 {
			p = "..." + strings.TrimPrefix(p, "[]")
		}
		ps = append(ps, p)
	}
	return strings.Join(ps, ", ")
}

func signatureString(t *types.Signature) string {
	s := "(" + tupleString(t.Params(), t.Variadic()) + ")"
	switch r := t.Results(); r.Len() {
	case 0:
		return s
	case 1:
		return s + " " + typeString(r.At(0).Type())
	default:
		return s + " (" + tupleString(r, false) + ")"
	}
}

func structString(t *types.Struct) string {
	if t.NumFields() == 0 {
		return "struct {}"
	}
	var fs []string
	for i := range t.NumFields() {
		f := t.Field(i)
		s := typeString(f.Type())
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

func interfaceString(t *types.Interface) string {
	if t.NumMethods() == 0 {
		return "interface {}"
	}
	var ms []string
	for i := range t.NumMethods() {
		m := t.Method(i)
		name := m.Name()
		if !m.Exported() && m.Pkg() != nil {
			name = m.Pkg().Name() + "." + name
		}
		ms = append(ms, name+signatureString(m.Type().(*types.Signature)))
	}
	return "interface { " + strings.Join(ms, "; ") + " }"
}
