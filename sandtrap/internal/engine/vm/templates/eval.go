package templates

import (
	"reflect"
	"strings"
	"text/template/parse"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
)

// final is the value that the command before hands to a command of a pipeline.
type final struct {
	v  mirror.Val
	is bool
}

// pipeline is the value of a pipeline, which may set or declare variables.
func (e *tmplExec) pipeline(dot mirror.Val, p *parse.PipeNode) mirror.Val {
	if p == nil {
		return mirror.Val{}
	}
	e.down()
	e.at(p)
	var f final
	for _, cmd := range p.Cmds {
		f = final{e.command(dot, cmd, f), true}
		if f.v.Kind() == reflect.Interface && f.v.T.T.Underlying() == ir.Universe.Any.T.Underlying() {
			f.v = f.v.Elem(e.m)
		}
	}
	for _, d := range p.Decl {
		if p.IsAssign {
			*e.variable(d.Ident[0]) = f.v
		} else {
			e.push(d.Ident[0], f.v)
		}
	}
	e.up()
	return f.v
}

// command is the value of one command: a function, a method, a field, or a value.
func (e *tmplExec) command(dot mirror.Val, cmd *parse.CommandNode, f final) mirror.Val {
	e.m.Tick()
	switch n := cmd.Args[0].(type) {
	case *parse.FieldNode:
		e.at(n)
		return e.chain(dot, dot, n, n.Ident, cmd.Args, f)
	case *parse.ChainNode:
		return e.chainNode(dot, n, cmd.Args, f)
	case *parse.IdentifierNode:
		return e.function(dot, n, cmd, cmd.Args, f)
	case *parse.PipeNode:
		e.noFunction(cmd.Args, f)
		return e.pipeline(dot, n)
	case *parse.VariableNode:
		return e.variableNode(dot, n, cmd.Args, f)
	}
	word := cmd.Args[0]
	e.at(word)
	e.noFunction(cmd.Args, f)
	switch n := word.(type) {
	case *parse.BoolNode:
		return mirror.ValOf(e.m, n.True)
	case *parse.DotNode:
		return dot
	case *parse.NilNode:
		e.errorf("nil is not a command")
	case *parse.NumberNode:
		return e.number(n)
	case *parse.StringNode:
		return mirror.TextVal(n.Text)
	}
	e.errorf("can't evaluate command %q", word)
	return mirror.Val{}
}

func (e *tmplExec) noFunction(args []parse.Node, f final) {
	if len(args) > 1 || f.is {
		e.errorf("can't give argument to non-function %s", args[0])
	}
}

// number is a constant of which only the syntax tells the type.
func (e *tmplExec) number(n *parse.NumberNode) mirror.Val {
	e.at(n)
	hex := len(n.Text) > 2 && n.Text[0] == '0' && strings.ContainsAny(n.Text[1:2], "xX") && !strings.ContainsAny(n.Text, "pP")
	char := strings.HasPrefix(n.Text, "'")
	switch {
	case n.IsComplex:
		return mirror.ValOf(e.m, n.Complex128)
	case n.IsFloat && !hex && !char && strings.ContainsAny(n.Text, ".eEpP"):
		return mirror.ValOf(e.m, n.Float64)
	case n.IsInt:
		return mirror.ValOf(e.m, int(n.Int64))
	case n.IsUint:
		e.errorf("%s overflows int", n.Text)
	}
	return mirror.Val{}
}

func (e *tmplExec) chainNode(dot mirror.Val, n *parse.ChainNode, args []parse.Node, f final) mirror.Val {
	e.at(n)
	if len(n.Field) == 0 {
		e.errorf("internal error: no fields in evalChainNode")
	}
	if n.Node.Type() == parse.NodeNil {
		e.errorf("indirection through explicit nil in %s", n)
	}
	return e.chain(dot, e.arg(dot, nil, n.Node), n, n.Field, args, f)
}

func (e *tmplExec) variableNode(dot mirror.Val, n *parse.VariableNode, args []parse.Node, f final) mirror.Val {
	e.at(n)
	v := *e.variable(n.Ident[0])
	if len(n.Ident) == 1 {
		e.noFunction(args, f)
		return v
	}
	return e.chain(dot, v, n, n.Ident[1:], args, f)
}

// chain is .X.Y.Z of recv; the arguments are for the last of them.
func (e *tmplExec) chain(dot, recv mirror.Val, n parse.Node, names []string, args []parse.Node, f final) mirror.Val {
	last := len(names) - 1
	for _, name := range names[:last] {
		recv = e.field(dot, name, n, nil, final{}, recv)
	}
	return e.field(dot, names[last], n, args, f, recv)
}

// field is a method of recv, called, or its field or entry with that name.
func (e *tmplExec) field(dot mirror.Val, name string, n parse.Node, args []parse.Node, f final, recv mirror.Val) mirror.Val {
	e.m.Tick()
	if !recv.Valid() {
		if e.set.missing == missingError {
			e.errorf("nil data; no entry for key %q", name)
		}
		return mirror.Val{}
	}
	typ := recv.T
	recv, isNil := indirect(e.m, recv)
	if recv.Kind() == reflect.Interface && isNil {
		e.errorf("nil pointer evaluating %s.%s", typ.Str, name)
	}
	if c, ok := mirror.MethodOf(e.m, recv, name); ok {
		return e.call(dot, tmplFunc{name: name, c: c}, n, args, f)
	}
	hasArgs := len(args) > 1 || f.is
	switch recv.Kind() {
	case reflect.Struct:
		if v, ok := e.structField(recv, typ, name, hasArgs); ok {
			return v
		}
	case reflect.Map:
		if mirror.Assignable(e.m, ir.Universe.Str, recv.T.Key) {
			if hasArgs {
				e.errorf("%s is not a method but has arguments", name)
			}
			return e.entry(recv, name)
		}
	case reflect.Pointer:
		if recv.T.Elem.Kind == reflect.Struct || recv.T.Elem.Kind == ir.KindHost {
			if _, ok := mirror.FindField(e.m, recv.T.Elem, name); !ok {
				break
			}
		}
		if isNil {
			e.errorf("nil pointer evaluating %s.%s", typ.Str, name)
		}
	}
	e.errorf("can't evaluate field %s in type %s", name, typ.Str)
	return mirror.Val{}
}

func (e *tmplExec) structField(recv mirror.Val, typ *ir.Type, name string, hasArgs bool) (mirror.Val, bool) {
	path, ok := mirror.FindField(e.m, recv.T, name)
	if !ok {
		return mirror.Val{}, false
	}
	if !path.V.Exported() {
		e.errorf("%s is an unexported field of struct type %s", name, typ.Str)
	}
	v, err := mirror.FieldAt(e.m, recv, path.Index)
	if err != nil {
		e.errorf("%v", err)
	}
	if hasArgs {
		e.errorf("%s has arguments but cannot be invoked as function", name)
	}
	return v, true
}

// entry is the value of a key in a map, or what stands for one that is not there.
func (e *tmplExec) entry(recv mirror.Val, name string) mirror.Val {
	v, ok := recv.Lookup(e.m, mirror.TextVal(name).As(e.m, recv.T.Key))
	switch {
	case ok || e.set.missing == missingInvalid:
		return v
	case e.set.missing == missingError:
		e.errorf("map has no entry for key %q", name)
	}
	return mirror.ZeroOf(recv.T.Elem)
}
