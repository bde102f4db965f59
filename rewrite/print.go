package rewrite

import (
	"bytes"
	"go/ast"
	"go/printer"
	"go/token"
	"reflect"
	"regexp"
	"strconv"
	"sync"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// Text returns the lowered program as Go source. It compiles against a gate package that
// declares the fixed gates and the bindings. The script comes first, then the files of
// its packages, each under its name.
func (p *Program) Text() string {
	var b bytes.Buffer
	for i := len(p.units) - 1; i >= 0; i-- { // the script first
		for _, f := range p.units[i].Files {
			if i < len(p.units)-1 {
				b.WriteString("\n// " + p.fset.Position(f.Package).Filename + "\n")
			}
			t := textOf{fset: p.fset}
			b.WriteString(t.expand(t.print(t.copy(reflect.ValueOf(f), 0).Interface())))
		}
	}
	return b.String()
}

// maxLiterals is how deeply nested function literals are printed in one go. What
// go/printer takes grows faster than the depth, so those below are printed on
// their own and put in place of a mark.
const maxLiterals = 4

// A textOf prints one file. It works on a copy of the syntax.
type textOf struct {
	fset     *token.FileSet
	literals []*ast.FuncLit // by the number in their mark
}

// A mark has characters that no source can have.
var mark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\x00[0-9]+\x00") })

func (t *textOf) print(n any) string {
	var b bytes.Buffer
	cfg := printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 8}
	if err := cfg.Fprint(&b, t.fset, n); err != nil {
		return "/* " + err.Error() + " */"
	}
	return b.String()
}

// expand puts the literals in place of their marks.
func (t *textOf) expand(text string) string {
	return mark().ReplaceAllStringFunc(text, func(m string) string {
		n, err := strconv.Atoi(m[1 : len(m)-1])
		if err != nil || n >= len(t.literals) {
			return m
		}
		return t.expand(t.print(t.literals[n]))
	})
}

// copy copies syntax that lies in the given number of function literals, with
// marks in place of every maxLiterals-th level of them.
func (t *textOf) copy(v reflect.Value, depth int) reflect.Value {
	if v.Kind() == reflect.Pointer {
		return t.copyNode(v, depth)
	}
	return kinds.Rebuilt(v, func(part reflect.Value) reflect.Value { return t.copy(part, depth) })
}

func (t *textOf) copyNode(v reflect.Value, depth int) reflect.Value {
	switch n := v.Interface().(type) {
	//lint:ignore SA1019 the parser makes them, whether they are of use or not
	case *ast.Object, *ast.Scope: // not printed, and they lead round in circles
		return reflect.Zero(v.Type())
	case *ast.FuncLit:
		if depth++; depth%maxLiterals == 0 {
			return t.marked(n, depth)
		}
	}
	if v.IsNil() {
		return v
	}
	out := reflect.New(v.Type().Elem())
	out.Elem().Set(t.copy(v.Elem(), depth))
	return out
}

// marked sets lit aside to be printed later.
func (t *textOf) marked(lit *ast.FuncLit, depth int) reflect.Value {
	n := len(t.literals)
	t.literals = append(t.literals, nil)
	t.literals[n] = &ast.FuncLit{
		Type: t.copy(reflect.ValueOf(lit.Type), depth).Interface().(*ast.FuncType),
		Body: t.copy(reflect.ValueOf(lit.Body), depth).Interface().(*ast.BlockStmt),
	}
	name := "\x00" + strconv.Itoa(n) + "\x00"
	return reflect.ValueOf(&ast.Ident{NamePos: lit.Pos(), Name: name})
}
