package parse

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"sort"
	"strconv"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/markdown"
)

// The name of the function of a snippet's top-level statements, if the user has
// a func main.
const snippetMain = abi.Prefix + "_main"

// pieces are copies of a snippet's code, each with the items of the others blanked.
type pieces struct {
	imports, decls, stmts []byte
}

// split sorts the items of code at top level, which semicolons end, into pieces.
// Variable declarations count as statements: their values are computed where they
// stand.
func split(scan *scanned) pieces {
	p := pieces{slices.Clone(scan.code), slices.Clone(scan.code), slices.Clone(scan.code)}
	depth, start := 0, 0
	for i, t := range scan.toks {
		switch t.kind {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth--
		}
		if depth > 0 || t.kind != token.SEMICOLON && i+1 < len(scan.toks) {
			continue
		}
		p.keep(scan.toks[start:], scan.itemStart(start), scan.itemStart(i+1))
		start = i + 1
	}
	return p
}

// itemStart is the offset of the i-th token; the first item starts with the text
// and the last one ends with it.
func (s *scanned) itemStart(i int) int {
	switch {
	case i == 0:
		return 0
	case i >= len(s.toks):
		return len(s.code)
	}
	return s.toks[i].off
}

// keep blanks the item at from:to, which starts with toks, in all pieces but its own.
func (p *pieces) keep(toks []tok, from, to int) {
	isImport, isDecl := toks[0].kind == token.IMPORT, isDeclaration(toks)
	if !isImport {
		markdown.Blank(p.imports, from, to)
	}
	if !isDecl {
		markdown.Blank(p.decls, from, to)
	}
	if isImport || isDecl {
		markdown.Blank(p.stmts, from, to)
	}
}

// isDeclaration tells whether an item is a const, type or func declaration.
func isDeclaration(toks []tok) bool {
	switch toks[0].kind {
	case token.CONST, token.TYPE:
		return true
	case token.FUNC:
		return !isFuncLit(toks)
	}
	return false
}

// isFuncLit tells func (params) result {}() from func name() and
// func (recv) name().
func isFuncLit(toks []tok) bool {
	if len(toks) < 2 || toks[1].kind != token.LPAREN {
		return false
	}
	depth := 0
	for i, t := range toks {
		switch t.kind {
		case token.LPAREN:
			depth++
		case token.RPAREN:
			if depth--; depth == 0 {
				return i+2 >= len(toks) || toks[i+1].kind != token.IDENT || toks[i+2].kind != token.LPAREN
			}
		}
	}
	return true
}

// parseSnippet parses code without a package clause: each piece on its own,
// then merged into one package main.
func (s *script) parseSnippet(p *Parsed, scan *scanned) diag.Rejections {
	if r := s.latePackage(scan); r != nil {
		return diag.Rejections{r}
	}
	parts := split(scan)
	imports, e1 := s.parsePiece("package main;", parts.imports, "")
	decls, e2 := s.parsePiece("package main;", parts.decls, "")
	stmts, e3 := s.parsePiece("package main;func main(){", parts.stmts, "}")
	if errs := slices.Concat(e1, e2, e3); errs != nil {
		return s.syntaxErrors(scan, errs)
	}
	for _, file := range []*ast.File{imports, decls, stmts} {
		if rs := s.validate(file); rs != nil {
			return rs
		}
	}
	return s.merge(p, imports, decls, stmts)
}

func (s *script) latePackage(scan *scanned) *diag.Rejection {
	for _, t := range scan.toks {
		if t.kind == token.PACKAGE {
			return s.Reject(t.off, diag.BadPackage, "package", "the package clause comes after other code", "put it first, or leave it out")
		}
	}
	return nil
}

// merge makes one file of the three pieces.
func (s *script) merge(p *Parsed, imports, decls, stmts *ast.File) diag.Rejections {
	start, end := token.Pos(s.file.Base()), token.Pos(s.file.Base()+s.file.Size())
	p.Snippet = true
	p.File = &ast.File{
		Package:   start,
		Name:      &ast.Ident{NamePos: start, Name: "main"},
		Imports:   imports.Imports,
		FileStart: start,
		FileEnd:   end,
	}
	body := funcNamed(stmts.Decls, "main")
	t := tops{script: s, declared: map[string]bool{}}
	t.statements(body.Body.List)
	if t.errs != nil {
		return t.errs
	}
	p.Tops, p.Echoes, p.temps = t.tops, t.echoes, t.temps
	all := slices.Concat(imports.Decls, decls.Decls, t.decls)
	sort.SliceStable(all, func(i, j int) bool {
		return cmp.Or(rank(all[i])-rank(all[j]), int(all[i].Pos()-all[j].Pos())) < 0
	})
	p.File.Decls = all

	main := funcNamed(decls.Decls, "main")
	if main != nil && len(t.list) == 0 {
		return nil // a program that lacks the package clause and nothing else
	}
	p.Body = &ast.FuncDecl{
		Name: &ast.Ident{NamePos: start, Name: "main"},
		Type: &ast.FuncType{Func: start, Params: &ast.FieldList{Opening: start, Closing: start}},
		Body: &ast.BlockStmt{Lbrace: start, List: t.list, Rbrace: end},
	}
	if main == nil && usesMain(p.File.Decls, t.list) { // that of an earlier cell, or none
		p.Body.Name.Name = snippetMain
	}
	if main != nil {
		p.Body.Name.Name = snippetMain
		if !callsMain(t.list) {
			p.Body.Body.List = append(p.Body.Body.List, callMain(main))
			p.added = 1
		}
	}
	p.File.Decls = append(p.File.Decls, p.Body)
	return nil
}

// rank puts imports before all other declarations.
func rank(d ast.Decl) int {
	if isOf(d, token.IMPORT) {
		return 0
	}
	return 1
}

func callsMain(list []ast.Stmt) bool {
	found := false
	for _, stmt := range list {
		ast.Inspect(stmt, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				id, ok := ast.Unparen(call.Fun).(*ast.Ident)
				found = found || ok && id.Name == "main"
			}
			return !found
		})
	}
	return found
}

// usesMain reports that the name is there.
func usesMain(decls []ast.Decl, list []ast.Stmt) bool {
	found := false
	look := func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == "main"
		return !found
	}
	for _, d := range decls {
		ast.Inspect(d, look)
	}
	for _, stmt := range list {
		ast.Inspect(stmt, look)
	}
	return found
}

// callMain calls the user's func main after the top-level statements.
func callMain(main *ast.FuncDecl) ast.Stmt {
	pos := main.Name.Pos()
	return &ast.ExprStmt{X: &ast.CallExpr{Fun: &ast.Ident{NamePos: pos, Name: "main"}, Lparen: pos, Rparen: pos}}
}

// EchoCall is __st.Echo(id, x), at the position of x.
func EchoCall(id int, x ast.Expr) *ast.CallExpr {
	pos := x.Pos()
	return &ast.CallExpr{
		Fun: &ast.SelectorExpr{
			X:   &ast.Ident{NamePos: pos, Name: abi.Name},
			Sel: &ast.Ident{NamePos: pos, Name: abi.Echo},
		},
		Lparen: pos,
		Args:   []ast.Expr{&ast.BasicLit{ValuePos: pos, ValueEnd: pos, Kind: token.INT, Value: strconv.Itoa(id)}, x},
		Rparen: x.End(),
	}
}
