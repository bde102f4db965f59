package check

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

// gatePackage makes the package that lowered code imports as abi.Path. Every program has
// its own, which holds what the program uses: of the fixed gates, see FixedGate, and the
// program's bindings.
func gatePackage() *types.Package {
	gate := types.NewPackage(abi.Path, abi.Name)
	gate.MarkComplete()
	return gate
}

// FixedGate is a row of abi.Table for go/types, as a member of gate. It has no position,
// which would be taken for one of the script's.
func FixedGate(gate *types.Package, name string) types.Object {
	if obj := gate.Scope().Lookup(name); obj != nil {
		return obj
	}
	obj := types.NewFunc(token.NoPos, gate, name, fixedGates()[name])
	gate.Scope().Insert(obj)
	return obj
}

// fixedGates checks the signatures of abi.Table, once for all programs.
var fixedGates = sync.OnceValue(func() map[string]*types.Signature {
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
	sigs := map[string]*types.Signature{}
	for _, g := range abi.Table {
		sigs[g.Name] = declared.Scope().Lookup(g.Name).Type().(*types.Signature)
	}
	return sigs
})
