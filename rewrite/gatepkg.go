package rewrite

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"sync"

	"github.com/sandtrap-go/sandtrap/gates/abi"
)

// gatePackage makes the package that lowered code imports as abi.Path, with the
// fixed gates of abi.Table. Every program has its own: Lower adds the program's
// bindings to it.
func gatePackage() *types.Package {
	gate := types.NewPackage(abi.Path, abi.Name)
	for _, g := range fixedGates() {
		gate.Scope().Insert(types.NewFunc(token.NoPos, gate, g.name, g.sig))
	}
	gate.MarkComplete()
	return gate
}

// A fixedGate is a row of abi.Table for go/types. It has no position, which would be
// taken for one of the script's.
type fixedGate struct {
	name string
	sig  *types.Signature
}

// fixedGates checks the signatures of abi.Table, once for all programs.
var fixedGates = sync.OnceValue(func() []fixedGate {
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
	var list []fixedGate
	for _, name := range declared.Scope().Names() {
		list = append(list, fixedGate{name, declared.Scope().Lookup(name).Type().(*types.Signature)})
	}
	return list
})
