package compile

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"golang.org/x/tools/go/ssa"
)

// A loader is what compiling a rewritten program needs beside its SSA form.
type loader struct {
	prog     *rewrite.Program
	typeOf   engine.TypeOf
	wrappers ir.WrapperTable
	meter    *gates.Meter                         // of the run that waits
	gates    map[*types.Package][]rewrite.Binding // by gate package
	asked    map[int]bool                         // bindings that code asks for
	library  bool                                 // the program needs some of it
	units    []*ssa.Package                       // the script is the last one
	objects  [][]types.Object                     // that each of them declares, if they are of a cell
	machine  *ir.Abilities
	part     *part // nil for a program that is none
}

// Load builds the SSA form from what the check left, and compiles that.
func Load(p *rewrite.Program, host engine.TypeOf, w ir.WrapperTable, meter *gates.Meter, machine *ir.Abilities) (prog *ir.Program, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case refused:
			prog, err = nil, diag.Rejections{rejection(p, r)}
		case *gates.Stop:
			prog, err = nil, r
		default:
			prog, err = nil, fmt.Errorf("engine vm cannot compile this program: %v", r)
		}
	}()
	l := NewLoader(p, host, w, meter, machine)
	main := l.build()
	prog, err = compile(main, p.Entry(), l, func(q *types.Package) bool {
		return isLibrary(q) || slices.ContainsFunc(p.Units(), func(u rewrite.Unit) bool { return u.Package == q })
	})
	if err != nil {
		return nil, fmt.Errorf("engine vm cannot compile this program: %w", err)
	}
	prog.Gates = newGateTable(p, l)
	return prog, nil
}

func NewLoader(p *rewrite.Program, host engine.TypeOf, w ir.WrapperTable, meter *gates.Meter, machine *ir.Abilities) *loader {
	return &loader{prog: p, typeOf: host, wrappers: w, meter: meter, machine: machine}
}

// gatesOf makes the bindings of u known by their gates.
func (l *loader) gatesOf(prog *ssa.Program, u *types.Package, list []rewrite.Binding) {
	for _, imp := range u.Imports() {
		if imp.Path() == abi.Path && prog.Package(imp) == nil {
			prog.CreatePackage(imp, nil, nil, true)
			ir.SetIn(&l.gates, imp, list)
		}
	}
}

// rejection tells of a construct that this engine does not take.
func rejection(p *rewrite.Program, r refused) *diag.Rejection {
	at := p.FileSet().Position(r.pos)
	return &diag.Rejection{
		Code: diag.EngineCannot, Pos: diag.Position{Name: at.Filename, Line: at.Line, Column: at.Column},
		Name: r.construct, Message: "engine vm cannot " + r.construct, Hint: r.hint,
	}
}

// build makes the SSA form of the script. Of the packages that it imports it uses
// the gates and, in types, what go/ssa makes as it goes.
func (l *loader) build() *ssa.Package {
	prog := ssa.NewProgram(l.prog.FileSet(), form(l.prog.Units()))
	l.gatesOf(prog, l.prog.Main().Package, l.prog.Bindings())
	if l.part != nil {
		l.part.earlier(prog, l)
	}
	l.libraries(prog)
	var main *ssa.Package
	for _, u := range l.prog.Units() {
		main = prog.CreatePackage(u.Package, append([]*ast.File(nil), u.Files...), u.Info, false)
		l.units = append(l.units, main)
	}
	for _, u := range l.units {
		u.Build()
		if l.part != nil {
			l.objects = append(l.objects, objectsOf(u))
		}
	}
	return main
}
