package parse

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates/abi"
)

const keeping = abi.Prefix + "_k"

// keep declares a variable for each function of p that the host wants to call.
func (p *Parsed) keep(names []string) {
	for _, d := range slices.Clone(p.File.Decls) {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || f.Type.TypeParams != nil || !slices.Contains(names, f.Name.Name) || f.Name.Name == "init" {
			continue
		}
		at := f.Name.Pos()
		spec := &ast.ValueSpec{
			Names:  []*ast.Ident{{NamePos: at, Name: keeping + strconv.Itoa(len(p.Kept))}},
			Values: []ast.Expr{&ast.Ident{NamePos: at, Name: f.Name.Name}},
		}
		p.File.Decls = append(p.File.Decls, &ast.GenDecl{TokPos: at, Tok: token.VAR, Specs: []ast.Spec{spec}})
		p.Kept = append(p.Kept, f.Name.Name)
	}
}

// KeptBy is the function that a variable of this name keeps.
func (p *Parsed) KeptBy(variable string) (name string, ok bool) {
	number, ok := strings.CutPrefix(variable, keeping)
	i, err := strconv.Atoi(number)
	if !ok || err != nil || i < 0 || i >= len(p.Kept) {
		return "", false
	}
	return p.Kept[i], true
}
