package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/sandtrap-go/sandtrap/gates/abi"
)

// typeExpr writes t as the script would, or returns nil if it has no name here.
func (a *adapter) typeExpr(pos token.Pos, t types.Type) ast.Expr {
	var e ast.Expr
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if a.shadowed(t.Name()) {
			return nil
		}
		e = ident(pos, types.Default(t).(*types.Basic).Name())
	case *types.Named:
		e = a.namedExpr(pos, t)
	case *types.Map:
		if k, v := a.typeExpr(pos, t.Key()), a.typeExpr(pos, t.Elem()); k != nil && v != nil {
			e = &ast.MapType{Map: pos, Key: k, Value: v}
		}
	case interface {
		types.Type
		Elem() types.Type
	}:
		if x := a.typeExpr(pos, t.Elem()); x != nil {
			e = around(pos, t, x)
		}
	case *types.Interface:
		if t.Empty() {
			e = &ast.InterfaceType{Interface: pos, Methods: &ast.FieldList{}}
		}
	case *types.Signature:
		if f := funcType(pos, t, a.typeExpr); f != nil && !t.Variadic() {
			e = f
		}
	}
	if e == nil {
		return nil
	}
	a.info.Types[e] = types.TypeAndValue{Type: t}
	return e
}

func (a *adapter) namedExpr(pos token.Pos, t *types.Named) ast.Expr {
	o := t.Obj()
	switch {
	case t.TypeArgs().Len() > 0:
		return nil
	case o.Pkg() == nil:
		return ident(pos, o.Name())
	case o.Pkg() == a.pkg:
		if a.shadowed(o.Name()) {
			return nil
		}
		return ident(pos, o.Name())
	}
	return a.hostExpr(pos, t)
}

// shadowed reports whether more than one thing in the script has this name, so
// that writing it may mean another.
func (a *adapter) shadowed(name string) bool {
	n := 0
	if types.Universe.Lookup(name) != nil {
		n = 1
	}
	for id := range a.info.Defs {
		if id.Name == name && a.info.Defs[id] != nil {
			switch o := a.info.Defs[id].(type) {
			case *types.Var:
				if o.IsField() {
					continue
				}
			case *types.Func:
				if o.Signature().Recv() != nil {
					continue
				}
			}
			if n++; n > 1 {
				return true
			}
		}
	}
	return false
}

// prelude adds the countdown and what adaptations left to declare.
func (a *adapter) prelude() {
	f := a.files[0]
	pos := f.Package
	decls := append([]ast.Decl{varDecl(pos, countdown, ident(pos, "int"))}, a.decls...)
	i := 0
	for i < len(f.Decls) {
		if g, ok := f.Decls[i].(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
			break
		}
		i++
	}
	f.Decls = append(append(append([]ast.Decl{}, f.Decls[:i]...), decls...), f.Decls[i:]...)
}

// countdown is the variable that ticks count down in the script.
const countdown = abi.Prefix + "_n"
