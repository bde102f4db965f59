package detached

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// TestType: what is made is identical, and leads to no scope and no package of what it was made from.
func TestType(t *testing.T) {
	const text = "package p\ntype T int\nfunc f(a int, b ...T) (c string, err error) { return }\nfunc g[X any](x X) {}\nfunc (t T) m(a int) {}"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.Default()}
	pkg, err := conf.Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := pkg.Scope().Lookup("f").Type().(*types.Signature)
	for _, typ := range []types.Type{f, f.Params(), f.Results()} {
		got := Type(typ)
		if got == typ || !types.Identical(got, typ) {
			t.Errorf("%v becomes %v", typ, got)
		}
		params, _ := got.(*types.Tuple)
		if s, ok := got.(*types.Signature); ok {
			params = s.Params()
		}
		for v := range params.Variables() {
			if v.Pkg() != nil || v.Parent() != nil {
				t.Errorf("%v of %v leads to %v, %v", v, got, v.Pkg(), v.Parent())
			}
		}
	}
	named := pkg.Scope().Lookup("T").Type().(*types.Named)
	for _, typ := range []types.Type{pkg.Scope().Lookup("g").Type(), named, named.Method(0).Type(), types.Typ[types.Int]} {
		if Type(typ) != typ {
			t.Errorf("%v is another type", typ)
		}
	}
}
