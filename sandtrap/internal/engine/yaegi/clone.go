package yaegi

import (
	"go/ast"
	"go/types"
	"reflect"
)

// A cloner copies syntax, and for each copied node what is known of it, unless to
// is nil. Comments and resolved objects of go/parser are left behind. Where replace
// returns a node, it is taken as it is in place of a copy.
type cloner struct {
	from, to *types.Info
	replace  func(ast.Node) ast.Node
}

func (c *cloner) file(f *ast.File) *ast.File {
	n := &ast.File{Package: f.Package, Name: c.node(f.Name).(*ast.Ident), FileStart: f.FileStart, FileEnd: f.FileEnd, GoVersion: f.GoVersion}
	for _, d := range f.Decls {
		n.Decls = append(n.Decls, c.node(d).(ast.Decl))
	}
	return n
}

func (c *cloner) node(n ast.Node) ast.Node {
	return c.value(reflect.ValueOf(n)).Interface().(ast.Node)
}

var (
	objectType  = reflect.TypeFor[*ast.Object]()
	scopeType   = reflect.TypeFor[*ast.Scope]()
	commentType = reflect.TypeFor[*ast.CommentGroup]()
)

func (c *cloner) value(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		w := reflect.New(v.Type()).Elem()
		w.Set(c.value(v.Elem()))
		return w
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		w := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			w.Index(i).Set(c.value(v.Index(i)))
		}
		return w
	case reflect.Pointer:
		return c.pointer(v)
	}
	return v
}

func (c *cloner) pointer(v reflect.Value) reflect.Value {
	switch v.Type() {
	case objectType, scopeType, commentType:
		return reflect.Zero(v.Type())
	}
	if v.IsNil() {
		return v
	}
	if c.replace != nil {
		if n := c.replace(v.Interface().(ast.Node)); n != nil {
			return reflect.ValueOf(n)
		}
	}
	w := reflect.New(v.Type().Elem())
	for i := range v.Elem().NumField() {
		w.Elem().Field(i).Set(c.value(v.Elem().Field(i)))
	}
	if c.to != nil {
		c.know(v.Interface().(ast.Node), w.Interface().(ast.Node))
	}
	return w
}

// know carries over what is known of a node to its copy.
func (c *cloner) know(from, to ast.Node) {
	if e, ok := from.(ast.Expr); ok {
		if tv, ok := c.from.Types[e]; ok {
			c.to.Types[to.(ast.Expr)] = tv
		}
	}
	if o, ok := c.from.Implicits[from]; ok {
		c.to.Implicits[to] = o
	}
	switch f := from.(type) {
	case *ast.Ident:
		t := to.(*ast.Ident)
		if o, ok := c.from.Defs[f]; ok {
			c.to.Defs[t] = o
		}
		if o, ok := c.from.Uses[f]; ok {
			c.to.Uses[t] = o
		}
		if in, ok := c.from.Instances[f]; ok {
			c.to.Instances[t] = in
		}
	case *ast.SelectorExpr:
		if s, ok := c.from.Selections[f]; ok {
			c.to.Selections[to.(*ast.SelectorExpr)] = s
		}
	}
}
