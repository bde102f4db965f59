package yaegi

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// foldConstants writes every constant expression as a literal of its type and
// drops the declarations of constants: the interpreter's own arithmetic on them is
// neither exact nor always typed as Go's.
func (a *adapter) foldConstants() {
	for i, file := range a.files {
		a.files[i] = astutil.Apply(file, a.foldOne, nil).(*ast.File)
		a.files[i].Decls = withoutConsts(a.files[i].Decls)
	}
	a.stmts(func(s ast.Stmt) []ast.Stmt {
		if d, ok := s.(*ast.DeclStmt); ok && d.Decl.(*ast.GenDecl).Tok == token.CONST {
			return []ast.Stmt{&ast.EmptyStmt{Semicolon: s.Pos()}}
		}
		return nil
	})
}

func withoutConsts(decls []ast.Decl) []ast.Decl {
	var out []ast.Decl
	for _, d := range decls {
		if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.CONST {
			out = append(out, d)
		}
	}
	return out
}

func (a *adapter) foldOne(c *astutil.Cursor) bool {
	if g, ok := c.Node().(*ast.GenDecl); ok && g.Tok == token.CONST {
		return false
	}
	e, ok := c.Node().(ast.Expr)
	if !ok {
		return true
	}
	tv, ok := a.info.Types[e]
	if !ok || tv.Value == nil {
		return true
	}
	if _, ok := c.Parent().(*ast.Field); ok && c.Name() == "Tag" {
		return true
	}
	switch x := e.(type) {
	case *ast.BasicLit:
		if !a.shiftedLiteral(c, tv.Type) {
			return false
		}
	case *ast.Ident:
		if a.info.Uses[x] == types.Universe.Lookup(x.Name) && x.Name != "iota" {
			return false
		}
	}
	l := a.literal(e.Pos(), tv.Type, tv.Value)
	if l == nil {
		return false
	}
	c.Replace(l)
	return false
}

// shiftedLiteral reports whether the node is the left side of a shift that is not
// constant: there its type comes from the context, which is not seen by the
// interpreter.
func (a *adapter) shiftedLiteral(c *astutil.Cursor, t types.Type) bool {
	b, ok := c.Parent().(*ast.BinaryExpr)
	return ok && (b.Op == token.SHL || b.Op == token.SHR) && c.Name() == "X" && !types.Identical(t, types.Typ[types.Int])
}

// literal is v as an expression of type t.
func (a *adapter) literal(pos token.Pos, t types.Type, v constant.Value) ast.Expr {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		b, _ = types.Default(defaultOf(v)).(*types.Basic)
		t = b
	}
	t = types.Default(t)
	lit := a.bare(pos, b, v)
	switch {
	case lit == nil:
		return nil
	case t == types.Typ[types.Int], t == types.Typ[types.Float64], t == types.Typ[types.String], t == types.Typ[types.Bool], t == types.Typ[types.Complex128]:
	default:
		x := a.typeExpr(pos, t)
		if x == nil {
			return nil
		}
		lit = call(pos, x, lit)
	}
	a.info.Types[lit] = types.TypeAndValue{Type: t, Value: v}
	return lit
}

func defaultOf(v constant.Value) types.Type {
	switch v.Kind() {
	case constant.Bool:
		return types.Typ[types.Bool]
	case constant.String:
		return types.Typ[types.String]
	case constant.Int:
		return types.Typ[types.Int]
	case constant.Float:
		return types.Typ[types.Float64]
	}
	return types.Typ[types.Complex128]
}

// bare is v as a literal without a conversion.
func (a *adapter) bare(pos token.Pos, b *types.Basic, v constant.Value) ast.Expr {
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		return ident(pos, strconv.FormatBool(constant.BoolVal(v)))
	case info&types.IsString != 0:
		return &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: strconv.Quote(constant.StringVal(v))}
	case info&types.IsInteger != 0:
		return signed(pos, token.INT, constant.ToInt(v).ExactString())
	case info&types.IsFloat != 0:
		return floatLit(pos, b, v)
	case info&types.IsComplex != 0:
		return complexLit(pos, b, constant.ToComplex(v))
	}
	return nil
}

// complexLit is the sum of its parts.
func complexLit(pos token.Pos, b *types.Basic, v constant.Value) ast.Expr {
	part := types.Typ[types.Float64]
	if b.Kind() == types.Complex64 {
		part = types.Typ[types.Float32]
	}
	im := floatLit(pos, part, constant.Imag(v))
	op := token.ADD
	if u, ok := im.(*ast.UnaryExpr); ok {
		op, im = token.SUB, u.X
	}
	im = &ast.BasicLit{ValuePos: pos, Kind: token.IMAG, Value: im.(*ast.BasicLit).Value + "i"}
	return &ast.ParenExpr{Lparen: pos, X: &ast.BinaryExpr{X: floatLit(pos, part, constant.Real(v)), OpPos: pos, Op: op, Y: im}}
}

func floatLit(pos token.Pos, b *types.Basic, v constant.Value) ast.Expr {
	f, _ := constant.Float64Val(constant.ToFloat(v))
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if b.Kind() == types.Float32 {
		g, _ := constant.Float32Val(constant.ToFloat(v))
		text = strconv.FormatFloat(float64(g), 'g', -1, 64)
	}
	if !strings.ContainsAny(text, ".eI") {
		text += ".0"
	}
	return signed(pos, token.FLOAT, text)
}

func signed(pos token.Pos, kind token.Token, text string) ast.Expr {
	lit := &ast.BasicLit{ValuePos: pos, Kind: kind, Value: strings.TrimPrefix(text, "-")}
	if strings.HasPrefix(text, "-") {
		return &ast.UnaryExpr{OpPos: pos, Op: token.SUB, X: lit}
	}
	return lit
}
