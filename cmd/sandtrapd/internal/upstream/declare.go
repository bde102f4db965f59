package upstream

import (
	"fmt"
	"strings"
)

// source is the declaration of a tool, as package toolfile reads it.
func source(fn, doc string, in, out *shape, structs []*shape) string {
	var b strings.Builder
	b.WriteString("package tools\n\n")
	for _, t := range structs {
		comment(&b, "", plainDoc(t.doc, maxToolDoc))
		fmt.Fprintf(&b, "type %s struct {\n", t.name)
		for _, f := range t.fields {
			comment(&b, "\t", f.doc)
			fmt.Fprintf(&b, "\t%s %s `json:%q`\n", f.name, f.shape.text(), f.json+f.option())
		}
		b.WriteString("}\n\n")
	}
	comment(&b, "", doc)
	fmt.Fprintf(&b, "func %s(in %s) (%s, error)\n", fn, in.name, out.name)
	return b.String()
}

func comment(b *strings.Builder, indent, doc string) {
	if doc != "" {
		fmt.Fprintf(b, "%s// %s\n", indent, doc)
	}
}

// option is that of the tag of f.
func (f *field) option() string {
	switch {
	case f.required:
		return ""
	case f.shape.kind == ofStruct || f.shape.kind == ofList || f.shape.kind == ofMap:
		return ",omitzero" // one that is empty is sent
	}
	return ",omitempty"
}

// text is t in Go.
func (t *shape) text() string {
	switch t.kind {
	case ofBool:
		return "bool"
	case ofInt:
		return "int"
	case ofNumber:
		return "float64"
	case ofText:
		return "string"
	case ofList:
		return "[]" + t.elem.text()
	case ofMap:
		return "map[string]" + t.elem.text()
	case ofStruct:
		return t.name
	}
	return "any"
}
