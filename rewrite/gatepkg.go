package rewrite

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates/abi"
)

// gatePackage makes the package that lowered code imports as abi.Path, with the
// fixed gates of abi.Table. Every program has its own: Lower adds the program's
// bindings to it.
func gatePackage() *types.Package {
	var src strings.Builder
	fmt.Fprintf(&src, "package %s\n", abi.Name)
	for _, g := range abi.Table {
		fmt.Fprintf(&src, "func %s%s\n", g.Name, strings.TrimPrefix(g.Signature, "func"))
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, abi.Path, src.String(), parser.SkipObjectResolution)
	if err != nil {
		panic("gate table: " + err.Error()) // a typing error in abi.Table
	}
	var conf types.Config
	declared, err := conf.Check(abi.Path, fset, []*ast.File{file}, nil)
	if err != nil {
		panic("gate table: " + err.Error())
	}
	return withoutPositions(declared)
}

// withoutPositions copies the functions of pkg so that none carries a position
// of the table's source, which would be taken for one of the script's.
func withoutPositions(pkg *types.Package) *types.Package {
	gate := types.NewPackage(pkg.Path(), pkg.Name())
	for _, name := range pkg.Scope().Names() {
		sig := pkg.Scope().Lookup(name).Type().(*types.Signature)
		gate.Scope().Insert(types.NewFunc(token.NoPos, gate, name, sig))
	}
	gate.MarkComplete()
	return gate
}
