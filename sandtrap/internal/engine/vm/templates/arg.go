package templates

import (
	"go/types"
	"reflect"
	"text/template/parse"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
)

// anyValue is the type of parameters that take every value as it is.
var anyValue = &ir.Type{Str: "reflect.Value", Kind: reflect.Struct}

func canBeNil(t *ir.Type) bool { return t == anyValue || mirror.IsNilKind(t.Kind) }

// fitted is v as an argument of type t; a nil t takes all.
func (e *tmplExec) fitted(v mirror.Mirror, t *ir.Type) mirror.Mirror {
	if !v.Valid() {
		switch {
		case t == nil || t == anyValue:
			return v
		case canBeNil(t):
			return mirror.ZeroOf(t)
		}
		e.errorf("invalid value; expected %s", t.Str)
	}
	if t == nil || t == anyValue || mirror.Assignable(v.T, t) {
		return v
	}
	if v.Kind() == reflect.Interface && !v.IsNil() {
		if v = mirror.Elem(e.m, v); mirror.Assignable(v.T, t) {
			return v
		}
	}
	switch {
	case v.Kind() == reflect.Pointer && mirror.Assignable(v.T.Elem, t):
		if v = mirror.Elem(e.m, v); !v.Valid() {
			e.errorf("dereference of nil pointer of type %s", t.Str)
		}
		return v
	case v.Addressable() && types.AssignableTo(types.NewPointer(v.T.T), t.T):
		return mirror.Addr(e.m, v)
	}
	e.errorf("wrong type for value; expected %s; got %s", t.Str, v.T.Str)
	return mirror.Mirror{}
}

// arg is an argument for a parameter of type t.
func (e *tmplExec) arg(dot mirror.Mirror, t *ir.Type, n parse.Node) mirror.Mirror {
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
			return mirror.Mirror{}
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
func (e *tmplExec) operand(dot mirror.Mirror, n parse.Node) mirror.Mirror {
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
func (e *tmplExec) literal(n parse.Node) mirror.Mirror {
	switch n := n.(type) {
	case *parse.BoolNode:
		return mirror.MirrorBool(e.m, n.True)
	case *parse.NumberNode:
		return e.number(n)
	case *parse.StringNode:
		return mirror.MirrorString(e.m, n.Text)
	}
	e.errorf("can't handle assignment of %s to empty interface argument", n)
	return mirror.Mirror{}
}

// typed is a constant of a type of its own.
func (e *tmplExec) typed(t *ir.Type, n parse.Node) mirror.Mirror {
	v := mirror.ZeroOf(t)
	num, _ := n.(*parse.NumberNode)
	if num == nil {
		num = &parse.NumberNode{}
	}
	switch k := t.Kind; {
	case k == reflect.Bool:
		b, ok := n.(*parse.BoolNode)
		e.expect(ok, "bool", n)
		v.C.I[0] = ir.BoolBits(b.True)
	case k == reflect.String:
		s, ok := n.(*parse.StringNode)
		e.expect(ok, "string", n)
		v.C.S[0] = s.Text
	case k == reflect.Complex64 || k == reflect.Complex128:
		e.expect(num.IsComplex, "complex", n)
		exec.FromHost(e.m, reflect.ValueOf(num.Complex128).Convert(ir.KindTypes[k]), t, v.C, 0)
	case ir.IsFloat(t):
		e.expect(num.IsFloat, "float", n)
		exec.FromHost(e.m, reflect.ValueOf(num.Float64).Convert(ir.KindTypes[k]), t, v.C, 0)
	case ir.IsUnsigned(t):
		e.expect(num.IsUint, "unsigned integer", n)
		exec.FromHost(e.m, reflect.ValueOf(num.Uint64).Convert(ir.KindTypes[k]), t, v.C, 0)
	case ir.IsInteger(t):
		e.expect(num.IsInt, "integer", n)
		exec.FromHost(e.m, reflect.ValueOf(num.Int64).Convert(ir.KindTypes[k]), t, v.C, 0)
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
