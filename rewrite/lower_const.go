package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math/big"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates/abi"
)

// hostObjects are the constants, variables and fields of the host that the
// constant expression e mentions. Variables can occur in len and cap only.
func (l *lowerer) hostObjects(e ast.Expr) (consts []*types.Const, variables bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			switch obj := l.Info.Uses[id].(type) {
			case *types.Const:
				if l.host(obj) {
					consts = append(consts, obj)
				}
			case *types.Var:
				variables = variables || l.host(obj)
			}
		}
		return true
	})
	return consts, variables
}

func (l *lowerer) bindConst(c *types.Const, pos token.Pos) {
	l.section.add(Binding{Kind: abi.BindConst, Path: c.Pkg().Path(), Name: c.Name(), Type: c.Type(), Object: c, Pos: pos})
}

// fold makes the constant expression e, which mentions the given constants or
// variables of the host, a literal. It is nil where only those should be folded: in
// declarations of constants, and where the type of e has no name that is sure
// to mean it.
func (l *lowerer) fold(e ast.Expr, tv types.TypeAndValue, consts []*types.Const, variables bool) ast.Expr {
	if id := memberName(e); id != nil {
		if c, ok := l.Info.Uses[id].(*types.Const); ok && l.host(c) {
			l.bindConst(c, e.Pos())
			return l.leaf(e, c)
		}
	}
	if _, call := ast.Unparen(e).(*ast.CallExpr); l.leaves && !(call && variables) {
		return nil
	}
	lit := l.literal(tv.Value, tv.Type, e.Pos())
	if lit == nil {
		return nil
	}
	for _, c := range consts {
		l.bindConst(c, e.Pos())
	}
	return lit
}

// leaf makes a literal of the constant c that e names.
func (l *lowerer) leaf(e ast.Expr, c *types.Const) ast.Expr {
	lit := l.literal(c.Val(), c.Type(), e.Pos())
	if lit == nil {
		l.refuse(e, c.Name(), "the type of %s is hidden by a declaration of the script; rename that", c.Name())
	}
	l.Info.Types[lit] = l.Info.Types[e]
	return lit
}

// literal writes v as a constant of type t: typed ones as conversions. It is
// nil if t has no name that is sure to mean it.
func (l *lowerer) literal(v constant.Value, t types.Type, pos token.Pos) ast.Expr {
	basic, ok := t.Underlying().(*types.Basic)
	if !ok {
		return nil
	}
	b := literals{l, t, pos}
	if basic.Info()&types.IsUntyped != 0 {
		return b.untyped(v, basic.Kind())
	}
	name := l.typeName(t, pos)
	if name == nil {
		return nil
	}
	v = rounded(v, basic)
	arg := b.untyped(v, untypedKind(basic))
	call := &ast.CallExpr{Fun: name, Lparen: pos, Args: []ast.Expr{arg}, Rparen: pos}
	l.setConst(call, t, v)
	return call
}

// rounded is v as a value of type t. go/types does not round constants whose
// type was inferred as a type argument.
func rounded(v constant.Value, t *types.Basic) constant.Value {
	float := func(v constant.Value) constant.Value {
		if t.Kind() == types.Float32 || t.Kind() == types.Complex64 {
			f, _ := constant.Float32Val(v)
			return constant.MakeFloat64(float64(f))
		}
		f, _ := constant.Float64Val(v)
		return constant.MakeFloat64(f)
	}
	switch {
	case t.Info()&types.IsFloat != 0:
		return float(constant.ToFloat(v))
	case t.Info()&types.IsComplex != 0:
		v = constant.ToComplex(v)
		return constant.BinaryOp(float(constant.Real(v)), token.ADD, constant.MakeImag(float(constant.Imag(v))))
	}
	return v
}

// typeName names t, predeclared or of the host, or is nil.
func (l *lowerer) typeName(t types.Type, pos token.Pos) ast.Expr {
	var e ast.Expr
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if l.declares(t.Name()) {
			return nil
		}
		id := ident(t.Name(), pos)
		l.Info.Uses[id] = types.Universe.Lookup(t.Name())
		e = id
	case *types.Named:
		if l.hostType(t) == nil || t.TypeArgs().Len() > 0 {
			return nil
		}
		l.section.add(Binding{Kind: abi.BindType, Path: t.Obj().Pkg().Path(), Name: t.Obj().Name(), Type: t, Object: t.Obj(), Pos: pos})
		e = l.mirror(t.Obj(), pos)
	default:
		return nil
	}
	l.set(e, specimens().typeName, t)
	return e
}

func untypedKind(b *types.Basic) types.BasicKind {
	switch {
	case b.Info()&types.IsBoolean != 0:
		return types.UntypedBool
	case b.Info()&types.IsString != 0:
		return types.UntypedString
	case b.Info()&types.IsInteger != 0:
		return types.UntypedInt
	case b.Info()&types.IsFloat != 0:
		return types.UntypedFloat
	}
	return types.UntypedComplex
}

// literals makes the expressions of one constant.
type literals struct {
	l   *lowerer
	t   types.Type // of the whole
	pos token.Pos
}

func (b literals) untyped(v constant.Value, kind types.BasicKind) ast.Expr {
	switch kind {
	case types.UntypedBool:
		return b.boolean(constant.BoolVal(v))
	case types.UntypedString:
		return b.basic(token.STRING, strconv.Quote(constant.StringVal(v)), v)
	case types.UntypedRune:
		return b.char(v)
	case types.UntypedInt:
		return b.signed(token.INT, constant.ToInt(v), "")
	case types.UntypedFloat:
		return b.signed(token.FLOAT, constant.ToFloat(v), "")
	}
	v = constant.ToComplex(v)
	parts := b.operand(token.IMAG) // go/types makes both of the kind of the sum
	re := parts.signed(token.FLOAT, constant.Real(v), "")
	im := parts.signed(token.IMAG, constant.Imag(v), "i")
	return b.binary(re, token.ADD, im, v)
}

func (b literals) basic(tok token.Token, text string, v constant.Value) ast.Expr {
	e := &ast.BasicLit{ValuePos: b.pos, Kind: tok, Value: text}
	b.l.setConst(e, b.t, v)
	return e
}

func (b literals) binary(x ast.Expr, op token.Token, y ast.Expr, v constant.Value) ast.Expr {
	e := &ast.BinaryExpr{X: x, OpPos: b.pos, Op: op, Y: y}
	b.l.setConst(e, b.t, v)
	paren := &ast.ParenExpr{Lparen: b.pos, X: e, Rparen: b.pos}
	b.l.setConst(paren, b.t, v)
	return paren
}

// operand is b for a part of the constant: the parts stay untyped.
func (b literals) operand(tok token.Token) literals {
	kinds := map[token.Token]types.BasicKind{
		token.INT: types.UntypedInt, token.FLOAT: types.UntypedFloat, token.IMAG: types.UntypedComplex, token.CHAR: types.UntypedRune,
	}
	return literals{b.l, types.Typ[kinds[tok]], b.pos}
}

// boolean makes a comparison, because true and false may have been redeclared.
func (b literals) boolean(v bool) ast.Expr {
	ints := b.operand(token.INT)
	op := token.EQL
	if !v {
		op = token.NEQ
	}
	zero := func() ast.Expr { return ints.basic(token.INT, "0", constant.MakeInt64(0)) }
	return b.binary(zero(), op, zero(), constant.MakeBool(v))
}

// char makes a rune literal, or a sum with one where no rune has the value.
func (b literals) char(v constant.Value) ast.Expr {
	n, exact := constant.Int64Val(v)
	if r := rune(n); exact && int64(r) == n && strings.ContainsRune(string(r), r) {
		return b.basic(token.CHAR, strconv.QuoteRune(r), v)
	}
	zero := b.operand(token.CHAR).basic(token.CHAR, `'\x00'`, constant.MakeInt64(0))
	return b.binary(zero, token.ADD, b.operand(token.INT).signed(token.INT, v, ""), v)
}

// signed makes a number, with the exact value of v.
func (b literals) signed(tok token.Token, v constant.Value, suffix string) ast.Expr {
	if constant.Sign(v) >= 0 {
		return b.number(tok, v, suffix)
	}
	e := &ast.UnaryExpr{OpPos: b.pos, Op: token.SUB, X: b.operand(tok).number(tok, constant.UnaryOp(token.SUB, v, 0), suffix)}
	b.l.setConst(e, b.t, valueOf(tok, v))
	return e
}

// valueOf is what a number of the size v stands for.
func valueOf(tok token.Token, v constant.Value) constant.Value {
	if tok == token.IMAG {
		return constant.MakeImag(v)
	}
	return v
}

func (b literals) number(tok token.Token, v constant.Value, suffix string) ast.Expr {
	value := valueOf(tok, v)
	if tok == token.INT {
		return b.basic(tok, v.ExactString(), value)
	}
	r := rational(v)
	if text, ok := decimal(r); ok {
		return b.basic(tok, text+suffix, value)
	}
	num := constant.Make(r.Num())
	den := constant.Make(r.Denom())
	x := b.operand(tok).basic(tok, r.Num().String()+".0"+suffix, valueOf(tok, num))
	y := b.operand(tok).basic(token.FLOAT, r.Denom().String()+".0", den)
	return b.binary(x, token.QUO, y, value)
}

// rational is the exact value of the number v.
func rational(v constant.Value) *big.Rat {
	switch x := constant.Val(v).(type) {
	case int64:
		return new(big.Rat).SetInt64(x)
	case *big.Int:
		return new(big.Rat).SetInt(x)
	case *big.Rat:
		return x
	case *big.Float:
		r, _ := x.Rat(nil)
		return r
	}
	return new(big.Rat)
}

// decimal writes r exactly, in hexadecimal where that is shorter, if it can be
// written so.
func decimal(r *big.Rat) (string, bool) {
	digits, exact := r.FloatPrec()
	if !exact {
		return "", false
	}
	if bits := uint(r.Num().BitLen() + 1); (digits > 40 || bits > 128) && r.Denom().TrailingZeroBits() == uint(r.Denom().BitLen()-1) {
		return new(big.Float).SetPrec(bits).SetRat(r).Text('p', -1), true
	}
	return r.FloatString(max(digits, 1)), true
}
