package vm

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"
)

// typeName spells a type as reflect does, which is what %T and panics show.
func typeName(t types.Type) string {
	switch t := t.(type) {
	case *types.Alias:
		return typeName(types.Unalias(t))
	case *types.Basic:
		return basicName(t)
	case *types.Named:
		return namedName(t)
	case *types.Pointer:
		return "*" + typeName(t.Elem())
	case *types.Slice:
		return "[]" + typeName(t.Elem())
	case *types.Array:
		return "[" + strconv.FormatInt(t.Len(), 10) + "]" + typeName(t.Elem())
	case *types.Map:
		return "map[" + typeName(t.Key()) + "]" + typeName(t.Elem())
	case *types.Chan:
		return chanName(t)
	case *types.Signature:
		return "func" + signatureName(t)
	case *types.Struct:
		return structName(t)
	case *types.Interface:
		return interfaceName(t)
	}
	return types.TypeString(t, (*types.Package).Name)
}

func basicName(t *types.Basic) string {
	switch t.Name() {
	case "byte":
		return "uint8"
	case "rune":
		return "int32"
	case "Pointer":
		return "unsafe.Pointer"
	}
	return t.Name()
}

func namedName(t *types.Named) string {
	name := t.Obj().Name()
	if p := t.Obj().Pkg(); p != nil {
		name = p.Name() + "." + name
	}
	if t.TypeArgs().Len() == 0 {
		return name
	}
	var args []string
	for a := range t.TypeArgs().Types() {
		args = append(args, typeName(a))
	}
	return name + "[" + strings.Join(args, ",") + "]"
}

func chanName(t *types.Chan) string {
	elem := typeName(t.Elem())
	switch t.Dir() {
	case types.SendOnly:
		return "chan<- " + elem
	case types.RecvOnly:
		return "<-chan " + elem
	}
	if c, ok := t.Elem().(*types.Chan); ok && c.Dir() == types.RecvOnly {
		elem = "(" + elem + ")"
	}
	return "chan " + elem
}

func signatureName(t *types.Signature) string {
	params := tupleNames(t.Params())
	if n := len(params); t.Variadic() {
		params[n-1] = "..." + strings.TrimPrefix(params[n-1], "[]")
	}
	out := "(" + strings.Join(params, ", ") + ")"
	switch results := tupleNames(t.Results()); len(results) {
	case 0:
	case 1:
		out += " " + results[0]
	default:
		out += " (" + strings.Join(results, ", ") + ")"
	}
	return out
}

func tupleNames(t *types.Tuple) []string {
	var names []string
	for v := range t.Variables() {
		names = append(names, typeName(v.Type()))
	}
	return names
}

func structName(t *types.Struct) string {
	var fields []string
	for i := range t.NumFields() {
		f := t.Field(i)
		text := f.Name() + " " + typeName(f.Type())
		if f.Embedded() {
			text = typeName(f.Type())
		}
		if tag := t.Tag(i); tag != "" {
			text += fmt.Sprintf(" %q", tag)
		}
		fields = append(fields, text)
	}
	if fields == nil {
		return "struct {}"
	}
	return "struct { " + strings.Join(fields, "; ") + " }"
}

func interfaceName(t *types.Interface) string {
	if t.NumMethods() == 0 {
		return "interface {}"
	}
	var methods []string
	for i := range t.NumMethods() {
		m := t.Method(i)
		name := m.Name()
		if !m.Exported() && m.Pkg() != nil {
			name = m.Pkg().Name() + "." + name
		}
		methods = append(methods, name+signatureName(m.Signature()))
	}
	return "interface { " + strings.Join(methods, "; ") + " }"
}
