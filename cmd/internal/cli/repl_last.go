package cli

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// lastName is the variable of the session that has the last value that was echoed. Go cannot read the blank identifier, so
// cells of a REPL read this variable with it.
const lastName = "__"

// bodyHead is before the text of the statements of a cell.
const bodyHead = "package p;func _(){"

// statements parses those of a cell.
func statements(text string) *ast.BlockStmt {
	_, text = parts(text)
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

// keepsLast is text with its last expression in the variable, and the line as typed of each of its lines, both from 1. It is ""
// if there is no such expression.
func keepsLast(text string) (kept string, typed func(line int) int) {
	body := statements(text)
	if body == nil || len(body.List) == 0 {
		return "", nil
	}
	stmt, ok := body.List[len(body.List)-1].(*ast.ExprStmt)
	if !ok {
		return "", nil
	}
	begin, end := inBody(stmt.Pos()), inBody(stmt.End())
	if text[begin:end] == lastName {
		return "", nil
	}
	start := strings.LastIndexByte(text[:begin], '\n') + 1
	before, assign := text[:start], lastName+" :=\n"
	if strings.TrimSpace(text[start:begin]) != "" { // other statements, which stay on their line
		before, assign = text[:begin], "\n"+assign
	}
	added := strings.Count(assign, "\n")
	first := added + 1 + strings.Count(text[:start], "\n") // of the expression, which stays in its columns, as what is after it
	last := first + strings.Count(text[begin:end], "\n")
	column := func(i int) string { return strings.Repeat(" ", i-strings.LastIndexByte(text[:i], '\n')-1) }
	kept = before + assign + column(begin) + text[begin:end] + "\n" + lastName + "\n" + column(end) + text[end:]
	return kept, func(line int) int {
		switch {
		case line > last:
			return line - added - 2
		case line >= first:
			return line - added
		}
		return line
	}
}

// attempt runs a cell so that its last value is kept, and if that is refused, as when there is no value, as it is.
func (r *repl) attempt(ctx context.Context, script sandtrap.Script) (*sandtrap.Result, error) {
	kept, typed := keepsLast(script.Text)
	if kept == "" || r.options.policy.Echo == sandtrap.EchoNone {
		return r.session.Run(ctx, script)
	}
	asTyped := script
	script.Text = kept
	res, err := r.session.Run(ctx, script)
	if res.Error != nil && exitCode(res.Error) == exitRefused {
		return r.session.Run(ctx, asTyped)
	}
	typedLines(res, script.Name, typed)
	return res, err
}

// typedLines makes the places in res those of the text as it was typed.
func typedLines(res *sandtrap.Result, file string, typed func(line int) int) {
	inText := func(text string) string {
		parts := strings.Split(text, file+":")
		for i, part := range parts[1:] {
			number, rest, _ := strings.Cut(part, ":")
			if n, err := strconv.Atoi(number); err == nil {
				parts[1+i] = fmt.Sprintf("%d:%s", typed(n), rest)
			}
		}
		return strings.Join(parts, file+":")
	}
	back := func(pos *diag.Position) {
		if pos.Name == file {
			pos.Line = typed(pos.Line)
		}
	}
	for i, w := range res.Warnings {
		res.Warnings[i] = inText(w)
	}
	e := res.Error
	if e == nil {
		return
	}
	e.Message = inText(e.Message)
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
