package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// TypeOf returns the type that an expression would have in the next cell. The error is of
// type Rejections.
func (s *Session) TypeOf(expr string) (types.Type, error) {
	parsed, err := parse.Parse(parse.Source{Text: expr}, s.bounds)
	if err != nil {
		return nil, err
	}
	checked, err := check.CheckCell(parsed, s.universe, nil, cells{s})
	if err != nil {
		return nil, err
	}
	if body := checked.Body; body != nil && len(body.Body.List) == 1 && len(checked.Tops) == 0 {
		if stmt, ok := body.Body.List[0].(*ast.ExprStmt); ok {
			x := stmt.X
			if _, echoed, ok := check.Echoed(stmt); ok {
				x = echoed
			}
			return types.Default(checked.Info.TypeOf(x)), nil
		}
	}
	return nil, diag.Rejections{{Code: diag.BadSyntax, Pos: diag.Position{Name: parsed.Source.FileName(), Line: 1, Column: 1}, Message: "this is no expression"}}
}

// Text returns t in the syntax of a cell.
func (s *Session) Text(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == "main" {
			return ""
		}
		return p.Name()
	})
}

// Complete lists the completions of the identifier that ends at offset: members of the
// operand before a dot, else declared and predeclared names, keywords and the packages at
// paths.
func (s *Session) Complete(text string, offset int, paths []string) []string {
	text = text[:min(max(offset, 0), len(text))]
	start := len(text)
	for start > 0 && isNameByte(text[start-1]) {
		start--
	}
	prefix := text[start:]
	var names []string
	if before, ok := strings.CutSuffix(strings.TrimRight(text[:start], " \t\n"), "."); ok {
		names = s.membersOf(operandAtEnd(strings.TrimRight(before, " \t")), paths)
	} else {
		names = s.namesNow(paths)
	}
	names = slices.DeleteFunc(names, func(n string) bool {
		return !strings.HasPrefix(n, prefix) || strings.HasPrefix(n, abi.Prefix) || n == "_"
	})
	slices.Sort(names)
	return slices.Compact(names)
}

func isNameByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// operandAtEnd is the operand that text ends with: names, selections, calls, indexes.
func operandAtEnd(text string) string {
	i := len(text)
	for i > 0 {
		switch b := text[i-1]; {
		case isNameByte(b) || b == '.':
			i--
		case b == ')' || b == ']':
			open := openerOf(text, i-1)
			if open < 0 {
				return text[i:]
			}
			i = open
		default:
			return text[i:]
		}
	}
	return text
}

// openerOf is where the bracket is that the one at i closes, -1 if there is none.
// Brackets in strings confuse it; then nothing is found, or too much.
func openerOf(text string, i int) int {
	for depth := 0; i >= 0; i-- {
		switch text[i] {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// membersOf are those of a package or of a value.
func (s *Session) membersOf(operand string, paths []string) []string {
	if path := s.pathOf(operand, paths); path != "" {
		pkg, err := s.universe.Import(path)
		if err != nil {
			return nil
		}
		return slices.DeleteFunc(pkg.Scope().Names(), func(n string) bool { return !token.IsExported(n) })
	}
	t, err := s.TypeOf(operand)
	if err != nil || t == nil {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return append(check.Members(p.Elem()), check.Members(t)...)
	}
	return check.Members(t)
}

// pathOf is the path of the package that name stands for in the next cell, "" if none.
func (s *Session) pathOf(name string, paths []string) string {
	if s.names[name] != nil {
		return ""
	}
	if path := s.imports[name]; path != "" {
		return path
	}
	for _, path := range s.universe.Named(name) {
		if slices.Contains(paths, path) {
			return path
		}
	}
	return ""
}

// namesNow are all names that the next cell could begin with.
func (s *Session) namesNow(paths []string) []string {
	names := slices.Concat(slices.Collect(maps.Keys(s.names)), slices.Collect(maps.Keys(s.imports)), types.Universe.Names())
	for _, obj := range s.universe.Predeclared() {
		names = append(names, obj.Name())
	}
	for _, path := range paths {
		if pkg, err := s.universe.Import(path); err == nil {
			names = append(names, pkg.Name())
		}
	}
	for t := token.BREAK; t <= token.VAR; t++ {
		names = append(names, t.String())
	}
	return names
}
