package checkcost

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// valueSpec is the cost of the variables or constants of a declaration.
func (s *sizer) valueSpec(n *ast.ValueSpec, kind token.Token) cost {
	if of := s.repeated[n]; of != nil {
		return s.whole(of, token.CONST)
	}
	if n.Type == nil {
		return s.valued(leaf(), n.Values, kind)
	}
	c := s.typ(n.Type)
	if kind == token.CONST {
		vals := s.valued(leaf(), n.Values, kind)
		c.bytes, c.bits = max(c.bytes, vals.bytes), max(c.bits, vals.bits)
	}
	c.isType = false
	return c
}

// valued is the larger of c and the costs of values.
func (s *sizer) valued(c cost, values []ast.Expr, kind token.Token) cost {
	for _, v := range values {
		val := s.value(v)
		c = either(c, val)
		c.bytes, c.bits = max(c.bytes, val.bytes), max(c.bits, val.bits)
	}
	if kind != token.CONST {
		c.bytes, c.bits = 0, 0
	}
	c.isType = false
	return c
}

// whole is valueSpec, computed once for all names of a declaration, and for all lines that repeat one of constants.
func (s *sizer) whole(n *ast.ValueSpec, kind token.Token) cost {
	c, ok := s.wholes[n]
	if !ok {
		if s.wholes == nil {
			s.wholes = map[*ast.ValueSpec]cost{}
		}
		s.wholes[n] = leaf() // for what its values say of its own names
		c = s.valueSpec(n, kind)
		s.wholes[n] = c
	}
	return c
}

// valueNamed is the cost of the variable or constant number at of a declaration. There may be many, so each counts
// its own value alone.
func (s *sizer) valueNamed(n *ast.ValueSpec, at int, kind token.Token) cost {
	switch {
	case len(n.Names) == 1:
		return s.valueSpec(n, kind)
	case n.Type == nil && len(n.Values) == len(n.Names):
		return s.valued(leaf(), n.Values[at:at+1], kind)
	}
	return s.whole(n, kind)
}

// value is the cost of the type of an expression, or of the type that the
// expression is.
func (s *sizer) value(x ast.Expr) cost {
	switch x.(type) {
	case *ast.IndexExpr, *ast.IndexListExpr, *ast.BinaryExpr, *ast.CallExpr:
		s.seen[x] = true
	}
	switch x := x.(type) {
	case *ast.BasicLit:
		c := leaf()
		if x.Kind == token.STRING {
			c.bytes = float64(len(x.Value))
		} else {
			c.bits = literalBits(x.Value)
		}
		return c
	case *ast.Ident:
		c, _ := s.lookup(x.Name)
		return c
	case *ast.ParenExpr:
		return s.value(x.X)
	case *ast.StarExpr:
		return s.value(x.X)
	case *ast.UnaryExpr:
		c := s.value(x.X)
		c.text = c.text.plus(number(1))
		c.bytes = 0
		return c
	case *ast.BinaryExpr:
		return s.binary(x)
	case *ast.CallExpr:
		return s.call(x)
	case *ast.IndexExpr:
		return s.index(x.X, []ast.Expr{x.Index})
	case *ast.IndexListExpr:
		return s.index(x.X, x.Indices)
	case *ast.SliceExpr:
		return s.value(x.X)
	case *ast.SelectorExpr:
		return s.member(x)
	case *ast.TypeAssertExpr:
		if x.Type != nil {
			return s.typ(x.Type)
		}
		return s.value(x.X)
	case *ast.CompositeLit:
		if x.Type != nil {
			return s.typ(x.Type)
		}
	case *ast.FuncLit:
		return s.typ(x.Type)
	case *ast.ArrayType, *ast.StructType, *ast.FuncType, *ast.InterfaceType, *ast.MapType, *ast.ChanType:
		return s.typ(x)
	}
	return leaf()
}

func (s *sizer) binary(x *ast.BinaryExpr) cost {
	a, b := s.value(x.X), s.value(x.Y)
	c := either(a, b)
	c.bytes = 0
	if x.Op == token.ADD {
		c.bytes = min(a.bytes+b.bytes, most)
	}
	switch x.Op {
	case token.MUL, token.QUO:
		c.bits = min(a.bits+b.bits, most)
	case token.REM, token.AND, token.OR, token.XOR, token.AND_NOT, token.SHL, token.SHR:
		c.bits = min(c.bits, maxIntBits) // go/types has larger integers nowhere
	}
	if c.bits > maxConstBits {
		s.refuse(diag.ConstTooLarge, x, fmt.Sprintf("the constant is larger or smaller than 2 to the power of %d", maxConstBits), "compute with smaller numbers")
		c.bits = 0
	}
	if c.bytes > maxStringConst {
		s.refuse(diag.ConstTooLarge, x, "the string constant is longer than 1 MiB", "build long strings at run time")
		c.bytes = 0
	}
	return c
}

// literalBits is an upper bound of the binary exponent of a number literal.
func literalBits(lit string) float64 {
	const bitsOfDigit = 4
	return bitsOfDigit * (float64(len(lit)) + float64(Exponent(lit)))
}

// call is the cost of what a call returns: that of the function's results, in
// which a type parameter stands for no more than all the arguments together.
func (s *sizer) call(x *ast.CallExpr) cost {
	fun := s.value(x.Fun)
	if len(x.Args) == 1 && fun.isType && len(fun.params) == 0 && !isBuiltinCall(x) {
		arg := s.value(x.Args[0]) // a conversion
		fun.bytes, fun.bits = arg.bytes, arg.bits
		fun.isType = false
		return fun
	}
	args, bits := s.arguments(x)
	c := leaf()
	c.isType = false
	c.bits = bits // of complex, real, min and their like
	if isBuiltinCall(x) {
		c.text = args.plus(number(1))
		return c
	}
	if fun.result.total() == 0 { // a function value, or nothing that is known
		c.text, c.spread = fun.text, fun.text
		return c
	}
	c.text, c.spread = fun.result, fun.spread
	if len(fun.params) > 0 {
		c.text, c.spread = inferred(fun.result, args), inferred(fun.spread, args)
	}
	s.check(x, c)
	return c
}

// arguments is the cost of all arguments of a call, which may be the results of
// one other call, and the bits of the largest constant.
func (s *sizer) arguments(x *ast.CallExpr) (args form, bits float64) {
	for _, a := range x.Args {
		c := s.value(a)
		bits = max(bits, c.bits)
		if _, ok := ast.Unparen(a).(*ast.CallExpr); ok && len(x.Args) == 1 {
			args = larger(c.text, c.spread)
			continue
		}
		args = args.plus(c.text)
	}
	return args, bits
}

// inferred is the size of a result when the type arguments are inferred from
// values of the given size.
func inferred(result, from form) form {
	k := result.repeats()
	return number(result.base).plusTimes(from, k).plus(number(k))
}

// isBuiltinCall tells whether a call may be of append, new, min and their like,
// whose results are of the types of their arguments.
func isBuiltinCall(x *ast.CallExpr) bool {
	id, ok := ast.Unparen(x.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	switch id.Name {
	case "append", "new", "make", "min", "max":
		return true
	}
	return false
}

// index is x[i], or an instance of a generic function or type.
func (s *sizer) index(x ast.Expr, args []ast.Expr) cost {
	c := s.value(x)
	if len(c.params) == 0 {
		c.bytes, c.bits = 0, 0
		return c
	}
	costs := make([]cost, len(args))
	for i, a := range args {
		costs[i] = s.typ(a)
	}
	isType := c.isType
	c = c.instance(costs)
	c.isType = isType
	return c
}

// member is x.Sel: a field or method of any type of that name in the script,
// whose type parameters stand for no more than the type of x; or a member of a
// host package or type.
func (s *sizer) member(x *ast.SelectorExpr) cost {
	c := leaf()
	of := s.value(x.X)
	m, ok := s.memberNamed(x.Sel.Name)
	if !ok {
		c.text = of.text.plus(number(1))
		return c
	}
	c.text = inferred(m, of.text)
	c.isType = false
	return c
}

// hostType is the cost of a type of a host package.
func (s *sizer) hostType(*ast.SelectorExpr) cost {
	c := leaf()
	c.text = number(2)
	c.methods = 8
	return c
}

// collectMembers notes the results of methods and the types of fields by name.
func (s *sizer) collectMembers(f *ast.File) {
	add := func(name string, t form) {
		if s.members == nil {
			s.members = Members{}
		}
		s.members[name] = larger(s.members[name], t)
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
			add(fn.Name.Name, s.function(fn.Recv, fn.Type).spread)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		s.push()
		defer s.pop()
		s.typeParams(spec.TypeParams)
		switch t := spec.Type.(type) {
		case *ast.StructType:
			for _, fd := range fields(t.Fields) {
				for _, name := range fd.Names {
					add(name.Name, s.typ(fd.Type).text)
				}
			}
		case *ast.InterfaceType:
			for _, fd := range fields(t.Methods) {
				for _, name := range fd.Names {
					add(name.Name, s.typ(fd.Type).text)
				}
			}
		}
		return true
	})
}

// MaxExponent bounds the exponent of a floating-point literal.
const MaxExponent = 100_000

// Exponent is the absolute exponent of a number literal, or more than
// MaxExponent if it cannot be read.
func Exponent(lit string) int {
	lit = strings.ToLower(strings.TrimSuffix(lit, "i"))
	mark := "e"
	if strings.HasPrefix(lit, "0x") {
		mark = "p"
	}
	_, exp, found := strings.Cut(lit, mark)
	if !found {
		return 0
	}
	n, err := strconv.Atoi(strings.ReplaceAll(strings.TrimLeft(exp, "+-"), "_", ""))
	if err != nil {
		return MaxExponent + 1
	}
	return n
}
