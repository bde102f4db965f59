package yaegi

import (
	"fmt"
	"go/ast"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// A namer finds what Go calls functions in its stack traces, by where they begin:
// main.f, main.(*T).m, main.f.func1.
type namer struct {
	unit  *unit
	names map[diag.Position]string
}

func (u *unit) funcNames() map[diag.Position]string {
	n := &namer{u, map[diag.Position]string{}}
	for _, f := range u.files {
		literals := 0 // of package variables
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				n.function(fn)
			} else {
				n.literals(d, "main.init", &literals)
			}
		}
	}
	return n.names
}

func (n *namer) function(fn *ast.FuncDecl) {
	name := "main." + fn.Name.Name
	if fn.Recv != nil && len(fn.Recv.List) == 1 {
		name = "main." + receiver(fn.Recv.List[0].Type) + "." + fn.Name.Name
	}
	n.names[n.unit.position(fn.Pos())] = name
	if fn.Body != nil {
		n.literals(fn.Body, name, new(int))
	}
}

// receiver is a receiver's type as Go's traces write it.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return receiver(x.X)
	case *ast.StarExpr:
		return "(*" + receiver(x.X) + ")"
	case *ast.Ident:
		return x.Name
	case *ast.IndexExpr:
		return receiver(x.X) + "[...]"
	case *ast.IndexListExpr:
		return receiver(x.X) + "[...]"
	}
	return "?"
}

// literals names the function literals below node, which is part of the function
// or literal called in; count is how many of them have a name.
func (n *namer) literals(node ast.Node, in string, count *int) {
	ast.Inspect(node, func(c ast.Node) bool {
		lit, ok := c.(*ast.FuncLit)
		if !ok {
			return true
		}
		*count++
		name := fmt.Sprintf("%s.func%d", in, *count)
		n.names[n.unit.position(lit.Pos())] = name
		nested := 0
		n.nested(lit.Body, name, &nested)
		return false
	})
}

// nested names the literals inside of one, which Go only numbers.
func (n *namer) nested(body ast.Node, in string, count *int) {
	ast.Inspect(body, func(c ast.Node) bool {
		lit, ok := c.(*ast.FuncLit)
		if !ok {
			return true
		}
		*count++
		name := fmt.Sprintf("%s.%d", in, *count)
		n.names[n.unit.position(lit.Pos())] = name
		n.nested(lit.Body, name, new(int))
		return false
	})
}
