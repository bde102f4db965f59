package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A syntaxIndex finds the nodes that errors are about by their positions.
type syntaxIndex struct {
	imports        map[token.Pos]*ast.ImportSpec   // of the path, and of the name if there is one
	selectorsByX   map[token.Pos]*ast.SelectorExpr // of X, where X is a name
	selectorsBySel map[token.Pos]*ast.SelectorExpr
	calledNames    map[token.Pos]bool
	litsByKey      map[token.Pos]*ast.CompositeLit
	exprsByPos     map[token.Pos]ast.Expr // the outermost
	binaries       []*ast.BinaryExpr      // outer ones first
	calls          []*ast.CallExpr        // outer ones first
	lits           []*ast.CompositeLit    // outer ones first
	assigned       []*ast.BinaryExpr      // the operations of x += y and the like
	indexes        []*ast.IndexExpr
	params         []*ast.FieldList
	labels         map[token.Pos]*ast.LabeledStmt // of a plain assignment, by the position of what it assigns to
	functions      []ast.Node                     // declarations and literals
	set            map[token.Pos]bool             // names that a plain assignment sets
}

// syntax makes the index on first use: only a source with errors needs it.
func (c *checker) syntax() *syntaxIndex {
	if c.index == nil {
		c.index = indexSyntax(c.parsed.File)
	}
	return c.index
}

func indexSyntax(f *ast.File) *syntaxIndex {
	x := &syntaxIndex{
		imports:        map[token.Pos]*ast.ImportSpec{},
		selectorsByX:   map[token.Pos]*ast.SelectorExpr{},
		selectorsBySel: map[token.Pos]*ast.SelectorExpr{},
		calledNames:    map[token.Pos]bool{},
		litsByKey:      map[token.Pos]*ast.CompositeLit{},
		exprsByPos:     map[token.Pos]ast.Expr{},
		labels:         map[token.Pos]*ast.LabeledStmt{},
		set:            map[token.Pos]bool{},
	}
	ast.Inspect(f, func(n ast.Node) bool {
		x.add(n)
		return true
	})
	return x
}

func (x *syntaxIndex) add(n ast.Node) {
	if e, ok := n.(ast.Expr); ok && x.exprsByPos[e.Pos()] == nil {
		x.exprsByPos[e.Pos()] = e
	}
	switch n := n.(type) {
	case *ast.ImportSpec:
		x.imports[n.Pos()] = n
		x.imports[n.Path.Pos()] = n
	case *ast.SelectorExpr:
		x.selectorsBySel[n.Sel.Pos()] = n
		if id, ok := n.X.(*ast.Ident); ok {
			x.selectorsByX[id.Pos()] = n
		}
	case *ast.CallExpr:
		if id, ok := n.Fun.(*ast.Ident); ok {
			x.calledNames[id.Pos()] = true
		}
		x.calls = append(x.calls, n)
	case *ast.CompositeLit:
		x.lits = append(x.lits, n)
		for _, elt := range n.Elts {
			x.litsByKey[elt.Pos()] = n
		}
	case *ast.FuncDecl, *ast.FuncLit:
		x.functions = append(x.functions, n)
	case *ast.BinaryExpr:
		x.binaries = append(x.binaries, n)
	case *ast.FuncType:
		if len(n.Params.List) > 0 && len(n.Params.List[0].Names) == 0 { // then none has a name
			x.params = append(x.params, n.Params)
		}
	case *ast.IndexExpr:
		x.indexes = append(x.indexes, n)
	case *ast.LabeledStmt:
		if a, ok := n.Stmt.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN {
			x.labels[a.Pos()] = n
		}
	case *ast.AssignStmt:
		for _, to := range n.Lhs {
			if _, ok := to.(*ast.Ident); ok && n.Tok == token.ASSIGN {
				x.set[to.Pos()] = true
			}
		}
		if token.ADD_ASSIGN <= n.Tok && n.Tok <= token.AND_NOT_ASSIGN {
			op := n.Tok - token.ADD_ASSIGN + token.ADD
			x.assigned = append(x.assigned, &ast.BinaryExpr{X: n.Lhs[0], OpPos: n.TokPos, Op: op, Y: n.Rhs[0]})
		}
	}
}

// binaryAt is the operation that a message at pos is about: go/types reports it at its
// operator or at an operand, and writes it out.
func (x *syntaxIndex) binaryAt(pos token.Pos, msg string) *ast.BinaryExpr {
	for _, b := range x.binaries {
		at := pos == b.OpPos || pos == b.Pos() || pos == b.Y.Pos()
		if at && strings.Contains(msg, ": "+types.ExprString(b)+" (") {
			return b
		}
	}
	return nil
}

// assignedAt is the operation of x += y that a message at pos is about.
func (x *syntaxIndex) assignedAt(pos token.Pos, msg string) *ast.BinaryExpr {
	for _, b := range x.assigned {
		if pos == b.Pos() && strings.Contains(msg, ": "+types.ExprString(b.X)+" "+b.Op.String()+"= "+types.ExprString(b.Y)+" (") {
			return b
		}
	}
	return nil
}

// callOf is the call of what sel selects, or nil.
func (x *syntaxIndex) callOf(sel *ast.SelectorExpr) *ast.CallExpr {
	for _, call := range x.calls {
		if call.Fun == ast.Expr(sel) {
			return call
		}
	}
	return nil
}

// callAround is the innermost call that pos lies in.
func (x *syntaxIndex) callAround(pos token.Pos) *ast.CallExpr {
	var in *ast.CallExpr
	for _, call := range x.calls {
		if call.Pos() <= pos && pos <= call.Rparen {
			in = call
		}
	}
	return in
}

// callAt is the call that an error about arguments is about: pos is where one of them begins, or where the call ends.
func (x *syntaxIndex) callAt(pos token.Pos) *ast.CallExpr {
	for _, call := range x.calls {
		if slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return arg.Pos() == pos }) {
			return call
		}
	}
	return x.callAround(pos)
}

// functionAround is the innermost function that pos lies in: the body of a snippet spans
// its declarations too.
func (x *syntaxIndex) functionAround(pos token.Pos) ast.Node {
	var in ast.Node
	for _, fn := range x.functions {
		if fn.Pos() <= pos && pos < fn.End() && (in == nil || in.Pos() < fn.Pos()) {
			in = fn
		}
	}
	return in
}

// litAround is the innermost composite literal that pos lies in.
func (x *syntaxIndex) litAround(pos token.Pos) *ast.CompositeLit {
	var in *ast.CompositeLit
	for _, lit := range x.lits {
		if lit.Pos() <= pos && pos <= lit.Rbrace {
			in = lit
		}
	}
	return in
}
