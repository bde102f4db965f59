package differ

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"slices"
	"strings"
)

// A mutator changes programs in small places, so that they still compile.
type mutator struct {
	*rand.Rand
	importer types.Importer
}

// An edit puts text where a part of the program is.
type edit struct {
	from, to token.Pos
	text     string
}

// subject is a program that edits are made for.
type subject struct {
	file *ast.File
	info *types.Info
	src  string
}

// look reads a program. It is nil if that does not compile.
func (m *mutator) look(src string) *subject {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: m.importer, GoVersion: "go1.26"}
	if _, err := conf.Check("main", fset, []*ast.File{file}, info); err != nil {
		return nil
	}
	return &subject{file, info, src}
}

func (s *subject) text(n ast.Node) string {
	return s.src[n.Pos()-s.file.FileStart : n.End()-s.file.FileStart]
}

// mutant is src with some edits, or "" if none of the tries compiles.
func (m *mutator) mutant(src string) string {
	for range 20 {
		next, s := src, m.look(src)
		for range 1 + m.IntN(3) {
			if s == nil {
				break
			}
			next = s.with(m.edits(s))
			s = m.look(next)
		}
		if s != nil && next != src {
			return next
		}
	}
	return ""
}

// with makes the edits, which do not overlap.
func (s *subject) with(edits []edit) string {
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(b.from, a.from) })
	text := s.src
	for _, e := range edits {
		text = text[:e.from-s.file.FileStart] + e.text + text[e.to-s.file.FileStart:]
	}
	return text
}

// edits are those of one change to the functions of a program.
func (m *mutator) edits(s *subject) []edit {
	var all [][]edit
	for _, d := range s.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if change := m.change(s, f, n); change != nil {
				all = append(all, change)
			}
			return true
		})
	}
	if len(all) == 0 {
		return nil
	}
	return all[m.IntN(len(all))]
}

// operators that stand in for one another.
var operators = [][]token.Token{
	{token.ADD, token.SUB, token.MUL, token.QUO, token.REM, token.AND, token.OR, token.XOR, token.AND_NOT, token.SHL, token.SHR},
	{token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ},
	{token.LAND, token.LOR},
	{token.ADD_ASSIGN, token.SUB_ASSIGN, token.MUL_ASSIGN, token.QUO_ASSIGN, token.REM_ASSIGN, token.AND_ASSIGN, token.OR_ASSIGN, token.XOR_ASSIGN, token.AND_NOT_ASSIGN, token.ASSIGN},
	{token.INC, token.DEC},
	{token.BREAK, token.CONTINUE},
}

func (m *mutator) operator(at token.Pos, op token.Token) []edit {
	for _, group := range operators {
		if slices.Contains(group, op) {
			return []edit{{at, at + token.Pos(len(op.String())), group[m.IntN(len(group))].String()}}
		}
	}
	return nil
}

var (
	numbers = []string{"0", "1", "2", "3", "-1", "7", "63", "64", "127", "128", "255", "256", "1<<31", "1<<31 - 1", "-1 << 63", "1<<63 - 1"}
	reals   = []string{"0.0", "1.5", "-0.5", "1e300", "1e-300", "0.1"}
	words   = []string{`""`, `"a"`, `"héé"`, `"\xff\x00"`, `"%v %d"`, `"日本"`}
	basics  = []string{"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "string", "any"}
)

// change is one of the changes that n, a part of f, allows.
func (m *mutator) change(s *subject, f *ast.FuncDecl, n ast.Node) []edit {
	one := func(list []string) []edit { return []edit{{n.Pos(), n.End(), list[m.IntN(len(list))]}} }
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if m.IntN(3) == 0 {
			return m.swapped(s, n.X, n.Y)
		}
		return m.operator(n.OpPos, n.Op)
	case *ast.AssignStmt:
		return m.operator(n.TokPos, n.Tok)
	case *ast.IncDecStmt:
		return m.operator(n.TokPos, n.Tok)
	case *ast.BranchStmt:
		return m.operator(n.TokPos, n.Tok)
	case *ast.BasicLit:
		switch n.Kind {
		case token.INT, token.CHAR:
			return one(numbers)
		case token.FLOAT:
			return one(reals)
		case token.STRING:
			return one(words)
		}
	case *ast.BlockStmt:
		return m.statements(s, n.List)
	case *ast.CaseClause:
		return m.statements(s, n.Body)
	case *ast.Ident:
		if slices.Contains(basics, n.Name) {
			return one(basics)
		}
		return m.alike(s, f, n)
	case ast.Expr:
		return m.alike(s, f, n)
	}
	return nil
}

func (m *mutator) swapped(s *subject, a, b ast.Node) []edit {
	return []edit{{a.Pos(), a.End(), s.text(b)}, {b.Pos(), b.End(), s.text(a)}}
}

// statements leaves one out, has it twice, or changes the places of two.
func (m *mutator) statements(s *subject, list []ast.Stmt) []edit {
	if len(list) == 0 {
		return nil
	}
	i := m.IntN(len(list))
	switch n := list[i]; {
	case m.IntN(3) == 0:
		return []edit{{n.Pos(), n.End(), ";"}}
	case m.IntN(2) == 0 && i > 0:
		return m.swapped(s, list[i-1], n)
	default:
		return []edit{{n.End(), n.End(), "\n" + s.text(n)}}
	}
}

// alike puts another expression of the same type, from anywhere in f, where e is.
func (m *mutator) alike(s *subject, f *ast.FuncDecl, e ast.Expr) []edit {
	tv, ok := s.info.Types[e]
	if !ok || !tv.IsValue() || m.IntN(4) > 0 {
		return nil
	}
	var list []ast.Expr
	ast.Inspect(f, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok {
			if t := s.info.Types[x]; t.IsValue() && types.Identical(t.Type, tv.Type) {
				list = append(list, x)
			}
		}
		return true
	})
	if len(list) < 2 {
		return nil
	}
	return []edit{{e.Pos(), e.End(), s.text(list[m.IntN(len(list))])}}
}

// mutable reports a program whose mutants do the same each time, as far as can be told
// from its text, and all of it in main. Go leaves open whether pointers to things without
// a size are equal.
func mutable(src string) bool {
	for _, word := range []string{"cap(", "unsafe", "%p", "runtime.", "\nimport . ", "using nil *", "main.", "struct{}"} {
		if strings.Contains(src, word) {
			return false
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", src, parser.SkipObjectResolution)
	if err != nil || file.Name.Name != "main" {
		return false
	}
	for _, spec := range file.Imports {
		if !slices.Contains(mutantImports, strings.Trim(spec.Path.Value, `"`)) {
			return false
		}
	}
	ok := true
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			ok = false
		case *ast.FuncDecl:
			ok = ok && n.Name.Name != "init"
		case *ast.GenDecl:
			if n.Tok == token.VAR && slices.Contains(file.Decls, ast.Decl(n)) {
				ast.Inspect(n, func(n ast.Node) bool {
					_, call := n.(*ast.CallExpr)
					ok = ok && !call
					return ok
				})
			}
		}
		return ok
	})
	return ok
}

var mutantImports = []string{
	"bytes", "cmp", "container/heap", "container/list", "container/ring", "errors", "fmt", "iter", "maps", "math", "math/bits", "slices", "sort", "strconv", "strings", "unicode", "unicode/utf8",
}
