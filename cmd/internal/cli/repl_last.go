package cli

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// lastName is the variable of the session that has the last value that was echoed. Go cannot read the blank identifier, so
// cells of a REPL read this variable with it.
const lastName = "__"

// bodyHead is before the text of a cell of statements.
const bodyHead = "package p;func _(){"

// statements parses a cell that is nothing else.
func statements(text string) *ast.BlockStmt {
	f, err := parser.ParseFile(token.NewFileSet(), "", bodyHead+text+"\n}", parser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 {
		return nil
	}
	return f.Decls[0].(*ast.FuncDecl).Body
}

// inBody is where pos is in the text of a cell.
func inBody(pos token.Pos) int { return int(pos) - 1 - len(bodyHead) }

// readsLast is text with the variable in each place where _ is read, which is none in Go.
func readsLast(text string) string {
	body := statements(text)
	if body == nil {
		return text
	}
	blanks := map[*ast.Ident]bool{}
	allow := func(list ...ast.Expr) {
		for _, x := range list {
			if name, ok := x.(*ast.Ident); ok {
				blanks[name] = true
			}
		}
	}
	var at []int
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
				allow(n.Lhs...)
			}
		case *ast.RangeStmt:
			allow(n.Key, n.Value)
		case *ast.ValueSpec:
			for _, name := range n.Names {
				allow(name)
			}
		case *ast.Field:
			for _, name := range n.Names {
				allow(name)
			}
		case *ast.TypeSpec:
			allow(n.Name)
		case *ast.LabeledStmt:
			allow(n.Label)
		case *ast.Ident:
			if n.Name == "_" && !blanks[n] {
				at = append(at, inBody(n.Pos()))
			}
		}
		return true
	})
	for _, i := range slices.Backward(at) {
		text = text[:i] + lastName + text[i+1:]
	}
	return text
}

// keepsLast is text with its last expression in the variable, and the line that the expression begins, from 1: it is one
// later now. It is "" if there is no such expression at the beginning of a line.
func keepsLast(text string) (kept string, line int) {
	body := statements(text)
	if body == nil || len(body.List) == 0 {
		return "", 0
	}
	stmt, ok := body.List[len(body.List)-1].(*ast.ExprStmt)
	if !ok {
		return "", 0
	}
	begin, end := inBody(stmt.Pos()), inBody(stmt.End())
	start := strings.LastIndexByte(text[:begin], '\n') + 1
	if text[begin:end] == lastName || strings.TrimSpace(text[start:begin]) != "" {
		return "", 0
	}
	return text[:start] + lastName + " :=\n" + text[start:end] + "\n" + lastName + text[end:], 1 + strings.Count(text[:start], "\n")
}

// attempt runs a cell so that its last value is kept, and if that is refused, as when there is no value, as it is.
func (r *repl) attempt(ctx context.Context, script sandtrap.Script) (*sandtrap.Result, error) {
	kept, line := keepsLast(script.Text)
	if kept == "" || r.options.policy.Echo == sandtrap.EchoNone {
		return r.session.Run(ctx, script)
	}
	asTyped := script
	script.Text = kept
	res, err := r.session.Run(ctx, script)
	if res.Error == nil {
		return res, err
	}
	if exitCode(res.Error) == exitRefused {
		return r.session.Run(ctx, asTyped)
	}
	typedLines(res.Error, script.Name, line)
	return res, err
}

// typedLines makes the places in e those of the text as it was typed.
func typedLines(e *sandtrap.Error, file string, line int) {
	back := func(pos *diag.Position) {
		if pos.Name == file && pos.Line > line {
			pos.Line--
		}
	}
	back(&e.Pos)
	for i := range e.Stack {
		back(&e.Stack[i].Pos)
	}
	for _, t := range e.Tasks {
		back(&t.Created.Pos)
		for i := range t.Stack {
			back(&t.Stack[i].Pos)
		}
	}
}
