package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// lowerFiles lowers every declaration of the package and replaces its imports of host
// packages.
func (l *lowerer) lowerFiles() {
	l.topLevel()
	l.shared, l.gotos = sharedVars(l.File, l.Info)
	first := l.inputDecls()
	for _, f := range l.Files {
		var decls []ast.Decl
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
				l.initials(d)
				l.decl(d)
				decls = append(decls, d)
			}
		}
		l.packageVars(f)
		f.Decls = append(first, decls...)
		first = nil
	}
	for _, f := range l.Files {
		l.imports(f)
	}
	l.Pkg.SetImports(l.importedPackages())
	for _, init := range l.Info.InitOrder {
		for l.replaced[init.Rhs] != nil {
			init.Rhs = l.replaced[init.Rhs]
		}
	}
}

// quotedGate is the path of the gate package as each file imports it.
var quotedGate = strconv.Quote(abi.Path)

// imports makes the gate package, the mirrors and the script's own packages all that
// f imports. The packages of the host stay reachable as imports of those.
func (l *lowerer) imports(f *ast.File) {
	g := &ast.GenDecl{TokPos: f.Package, Tok: token.IMPORT, Lparen: f.Package, Rparen: f.Package}
	kept := f.Imports
	f.Imports = nil
	add := func(name *types.PkgName, quoted string) {
		id := ident(name.Name(), f.Package)
		l.Info.Defs[id] = name
		path := &ast.BasicLit{ValuePos: f.Package, Kind: token.STRING, Value: quoted}
		spec := &ast.ImportSpec{Name: id, Path: path}
		g.Specs = append(g.Specs, spec)
		f.Imports = append(f.Imports, spec)
	}
	add(l.gateName, quotedGate)
	for _, m := range l.mirrors {
		if name := l.imported[m.Path]; name != nil {
			add(name, strconv.Quote(name.Imported().Path()))
		}
	}
	if len(l.names) > 0 {
		for _, path := range slices.Sorted(maps.Keys(l.imported)) {
			if _, own := l.names[path]; own {
				add(l.imported[path], strconv.Quote(path))
			}
		}
	}
	for _, spec := range kept {
		if l.Checked.Packages.ByPath[parse.ImportPath(spec)] != nil {
			g.Specs = append(g.Specs, spec)
			f.Imports = append(f.Imports, spec)
		}
	}
	f.Decls = slices.Insert(f.Decls, 0, ast.Decl(g))
}

// importedPackages are those that the package imports now.
func (l *lowerer) importedPackages() []*types.Package {
	list := []*types.Package{l.Gate}
	for _, m := range l.mirrors {
		if name := l.imported[m.Path]; name != nil {
			list = append(list, name.Imported())
		}
	}
	for _, each := range l.Checked.Packages.List {
		if slices.Contains(l.Pkg.Imports(), each.Pkg) || l.imported[each.Path] != nil {
			list = append(list, each.Pkg)
		}
	}
	return list
}

func (l *lowerer) decl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		l.fields(d.Recv)
		l.funcType(d.Type)
		l.metered(d.Body, d.Pos())
	case *ast.GenDecl:
		for _, s := range d.Specs {
			l.spec(s, d.Tok)
		}
	default:
		l.refuse(d, "", "this declaration has no lowering")
	}
}

func (l *lowerer) spec(s ast.Spec, tok token.Token) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		l.fields(s.TypeParams)
		s.Type = l.expr(s.Type)
	case *ast.ValueSpec:
		// In a group of constants, one expression is evaluated for several iotas.
		defer func(was bool) { l.leaves = was }(l.leaves)
		l.leaves = l.leaves || tok == token.CONST
		s.Type = l.optional(s.Type)
		for i, v := range s.Values {
			s.Values[i] = l.expr(v)
			if s.Values[i] != v {
				check.Note(&l.replaced, v, s.Values[i])
			}
		}
	default:
		l.refuse(s, "", "this declaration has no lowering")
	}
}

// packageVars lists the package-level variables in order of declaration.
func (l *lowerer) packageVars(f *ast.File) {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			for _, id := range s.(*ast.ValueSpec).Names {
				v, ok := l.Info.Defs[id].(*types.Var)
				if name, kept := l.KeptBy(id.Name); kept {
					l.vars = append(l.vars, Var{Name: name, Type: v.Type(), Obj: v})
				} else if ok && id.Name != "_" && !strings.HasPrefix(id.Name, abi.Prefix) {
					l.vars = append(l.vars, Var{Name: id.Name, Type: v.Type(), Obj: v})
				}
			}
		}
	}
}

func (l *lowerer) fields(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		f.Type = l.expr(f.Type)
	}
}

func (l *lowerer) funcType(t *ast.FuncType) {
	l.fields(t.TypeParams)
	l.fields(t.Params)
	l.fields(t.Results)
}

// metered lowers the body of a function or loop that is written at pos, and makes
// it pay a tick first.
func (l *lowerer) metered(b *ast.BlockStmt, pos token.Pos) {
	l.block(b)
	b.List = slices.Insert(b.List, 0, l.tick(pos))
}

func (l *lowerer) tick(pos token.Pos) ast.Stmt {
	return &ast.ExprStmt{X: l.gateCall(abi.Tick, pos)}
}
