package declare

import (
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

func (d *printer) constType(c *types.Const) string {
	if b, ok := c.Type().(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		return ""
	}
	return " " + d.text(c.Type())
}

func constText(v constant.Value) string {
	if v.Kind() != constant.Float {
		return v.ExactString()
	}
	if f, exact := constant.Float64Val(v); exact || f != 0 && f < 1e300 {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return v.String()
}

func (d *printer) typeName(obj *types.TypeName) {
	named, ok := obj.Type().(*types.Named)
	if !ok || obj.IsAlias() || named.Obj() != obj {
		d.write(obj.Name(), "type "+obj.Name()+" = "+d.text(obj.Type()))
		return
	}
	d.write(obj.Name(), "type "+obj.Name()+d.typeParams(named.TypeParams())+" "+d.underlying(named))
	for m := range named.Methods() {
		recv := d.text(m.Signature().Recv().Type())
		d.write(obj.Name()+"."+m.Name(), "func ("+recv+") "+m.Name()+d.signature(obj.Name()+"."+m.Name(), m.Signature()))
	}
}

func (d *printer) typeParams(list *types.TypeParamList) string {
	var parts []string
	for p := range list.TypeParams() {
		parts = append(parts, p.Obj().Name()+" "+d.text(p.Constraint()))
	}
	if len(parts) == 0 {
		return ""
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// nameable is t, of an interface what scripts can name.
func nameable(t types.Type) types.Type {
	it, ok := t.(*types.Interface)
	if !ok || !it.IsMethodSet() {
		return t
	}
	var methods []*types.Func
	for m := range it.Methods() {
		if m.Exported() {
			methods = append(methods, types.NewFunc(token.NoPos, m.Pkg(), m.Name(), m.Signature()))
		}
	}
	if len(methods) == it.NumMethods() {
		return t
	}
	return types.NewInterfaceType(methods, nil)
}

// underlying writes structs a field a line; what is hidden is one field that
// nothing can name.
func (d *printer) underlying(named *types.Named) string {
	st, ok := named.Underlying().(*types.Struct)
	if !ok {
		return d.text(nameable(named.Underlying()))
	}
	var b strings.Builder
	b.WriteString("struct {\n")
	for i := range st.NumFields() {
		switch f := st.Field(i); {
		case !token.IsExported(f.Name()):
			b.WriteString("\t// and what is not for scripts\n")
		case f.Anonymous():
			b.WriteString(d.field("", f.Type(), st.Tag(i)))
		default:
			b.WriteString(d.comment(named.Obj().Name()+"."+f.Name(), "\t") + d.field(f.Name()+" ", f.Type(), st.Tag(i)))
		}
	}
	b.WriteString("}")
	return b.String()
}

// field is the line of a field. One of a type that scripts cannot name is a comment, with the reason: they use the other
// fields of the struct all the same.
func (d *printer) field(name string, t types.Type, tag string) string {
	hidden, opaque := d.hidden, d.opaque
	d.hidden, d.opaque = false, nil
	line := name + d.text(t) + tagText(tag) + "\n"
	if d.hidden {
		line = d.reason() + "\t// " + line
	}
	d.hidden, d.opaque = hidden, opaque
	return "\t" + line
}

// tagText is a tag of a field as it is written.
func tagText(tag string) string {
	if tag == "" {
		return ""
	}
	if strconv.CanBackquote(tag) {
		return " `" + tag + "`"
	}
	return " " + strconv.Quote(tag)
}
