package rewrite

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"weak"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// variables is the program of a cell that declares variables and nothing else, in the order of their names: a package
// without files. It has no source that the other stages could work on, and no entry: nobody runs it.
func (s *Session) variables(name string, vars []check.Input) (*Program, error) {
	s.count++
	pkg := types.NewPackage("main", "main")
	c := &Cell{serial: s.count, source: parse.Source{Name: name}, pkg: weak.Make(pkg), settled: true}
	p := &Program{fset: token.NewFileSet(), source: c.source, session: s, cell: c, earlier: slices.Clone(s.units)}
	p.units = []Unit{{Package: pkg, Outer: types.NewPackage("main", "main")}}
	for _, in := range vars {
		if !declarable(in.Name) {
			return nil, fmt.Errorf("a saved cell has a variable of the name %s", parse.Printable(in.Name))
		}
		v := types.NewVar(token.NoPos, pkg, in.Name, in.Type)
		pkg.Scope().Insert(v)
		c.names, p.vars = append(c.names, v), append(p.vars, Var{Name: in.Name, Type: in.Type, Input: true, Obj: v})
	}
	return p, nil
}

// declarable reports that a cell may declare a variable of the name.
func declarable(name string) bool {
	return token.IsIdentifier(name) && name != "_" && name != "init" && name != "main" && !strings.HasPrefix(name, abi.Prefix)
}
