package templates

import (
	"go/types"
	"reflect"
	"text/template/parse"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
)

// anyValue is the type of parameters that take every value as it is.
var anyValue = &ir.Type{Str: "reflect.Value", Kind: reflect.Struct}

func canBeNil(t *ir.Type) bool { return t == anyValue || kinds.Nilable.Has(t.Kind) }

// fitted is v as an argument of type t; a nil t takes all.
func (e *tmplExec) fitted(v mirror.Val, t *ir.Type) mirror.Val {
	if !v.Valid() {
		switch {
		case t == nil || t == anyValue:
			return v
		case canBeNil(t):
			return mirror.ZeroOf(t)
		}
		e.errorf("invalid value; expected %s", t.Str)
	}
	if t == nil || t == anyValue || mirror.Assignable(e.m, v.T, t) {
		return v
	}
	if v.Kind() == reflect.Interface && !v.IsNil() {
		if v = v.Elem(e.m); mirror.Assignable(e.m, v.T, t) {
			return v
		}
	}
	switch {
	case v.Kind() == reflect.Pointer && mirror.Assignable(e.m, v.T.Elem, t):
		if v = v.Elem(e.m); !v.Valid() {
			e.errorf("dereference of nil pointer of type %s", t.Str)
		}
		return v
	case v.IsVar() && types.AssignableTo(types.NewPointer(v.T.T), t.T):
		return v.Addr(e.m)
	}
	e.errorf("wrong type for value; expected %s; got %s", t.Str, v.T.Str)
	return mirror.Val{}
}

// arg is an argument for a parameter of type t.
func (e *tmplExec) arg(dot mirror.Val, t *ir.Type, n parse.Node) mirror.Val {
	e.at(n)
	e.m.Tick()
	switch n := n.(type) {
	case *parse.DotNode:
		return e.fitted(dot, t)
	case *parse.NilNode:
		if !canBeNil(t) {
			e.errorf("cannot assign nil to %s", t.Str)
		}
		if t == anyValue {
			return mirror.Val{}
		}
		return mirror.ZeroOf(t)
	case *parse.FieldNode, *parse.VariableNode, *parse.PipeNode, *parse.IdentifierNode, *parse.ChainNode:
		return e.fitted(e.operand(dot, n), t)
	}
	if t == anyValue || t.Kind == reflect.Interface && t.T.Underlying().(*types.Interface).Empty() {
		return e.literal(n)
	}
	return e.typed(t, n)
}

// operand is the value of a part of a command that is no literal.
func (e *tmplExec) operand(dot mirror.Val, n parse.Node) mirror.Val {
	switch n := n.(type) {
	case *parse.FieldNode:
		return e.chain(dot, dot, n, n.Ident, []parse.Node{n}, final{})
	case *parse.VariableNode:
		return e.variableNode(dot, n, nil, final{})
	case *parse.PipeNode:
		return e.pipeline(dot, n)
	case *parse.IdentifierNode:
		return e.function(dot, n, n, nil, final{})
	}
	return e.chainNode(dot, n.(*parse.ChainNode), nil, final{})
}

// literal is a constant where any type will do.
func (e *tmplExec) literal(n parse.Node) mirror.Val {
	switch n := n.(type) {
	case *parse.BoolNode:
		return mirror.ValOf(e.m, n.True)
	case *parse.NumberNode:
		return e.number(n)
	case *parse.StringNode:
		return mirror.TextVal(n.Text)
	}
	e.errorf("can't handle assignment of %s to empty interface argument", n)
	return mirror.Val{}
}

// typed is a constant of a type of its own.
func (e *tmplExec) typed(t *ir.Type, n parse.Node) mirror.Val {
	v := mirror.ZeroOf(t)
	num, _ := n.(*parse.NumberNode)
	if num == nil {
		num = &parse.NumberNode{}
	}
	switch k := t.Kind; {
	case k == reflect.Bool:
		b, ok := n.(*parse.BoolNode)
		e.expect(ok, "bool", n)
		v.SetInt(ir.BoolBits(b.True))
	case k == reflect.String:
		s, ok := n.(*parse.StringNode)
		e.expect(ok, "string", n)
		v.SetStr(s.Text)
	case k == reflect.Complex64 || k == reflect.Complex128:
		e.expect(num.IsComplex, "complex", n)
		v.Put(e.m, reflect.ValueOf(num.Complex128).Convert(ir.KindTypes[k]))
	case ir.IsFloat(t):
		e.expect(num.IsFloat, "float", n)
		v.Put(e.m, reflect.ValueOf(num.Float64).Convert(ir.KindTypes[k]))
	case ir.IsUnsigned(t):
		e.expect(num.IsUint, "unsigned integer", n)
		v.Put(e.m, reflect.ValueOf(num.Uint64).Convert(ir.KindTypes[k]))
	case ir.IsInteger(t):
		e.expect(num.IsInt, "integer", n)
		v.Put(e.m, reflect.ValueOf(num.Int64).Convert(ir.KindTypes[k]))
	default:
		e.errorf("can't handle %s for arg of type %s", n, t.Str)
	}
	return v
}

func (e *tmplExec) expect(ok bool, what string, n parse.Node) {
	if !ok {
		e.errorf("expected %s; found %s", what, n)
	}
}
