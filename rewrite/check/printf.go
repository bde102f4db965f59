package check

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
	"unicode/utf8"
)

// formats are the functions that take a format, by package and name, with the number of arguments before it.
var formats = map[string]int{
	"fmt.Printf": 0, "fmt.Sprintf": 0, "fmt.Errorf": 0, "fmt.Fprintf": 1, "fmt.Appendf": 1,
	"log.Printf": 0, "log.Fatalf": 0, "log.Panicf": 0,
}

// plains are those that print a format as it is.
var plains = map[string]bool{"fmt.Print": true, "fmt.Println": true, "fmt.Sprint": true, "fmt.Sprintln": true, "log.Print": true, "log.Println": true}

// What is looked at is bounded, because nothing ends this stage: longer formats are not, nor are more flags.
const (
	maxFormat = 1 << 10
	maxFlags  = 20
)

// formatFault is what is wrong with the arguments of a call of Printf and its kin, empty if nothing is or that is not known:
// what such calls print has marks like %!d(string=x) in it, and is no error.
func (c *checker) formatFault(call *ast.CallExpr) string {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || call.Ellipsis.IsValid() {
		return ""
	}
	f, ok := c.result.Info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Signature().Recv() != nil {
		return ""
	}
	name := f.Pkg().Path() + "." + f.Name()
	skip, formatted := formats[name]
	switch {
	case plains[name] && len(call.Args) > 1:
		if format, ok := c.constText(call.Args[0]); ok && firstVerb(format) != "" {
			return fmt.Sprintf("%s prints %s as it is; use %s", name, firstVerb(format), strings.TrimSuffix(name, "ln")+"f")
		}
		return ""
	case !formatted || len(call.Args) <= skip:
		return ""
	}
	format, ok := c.constText(call.Args[skip])
	if !ok {
		return ""
	}
	verbs, ok := parseVerbs(format)
	if !ok {
		return ""
	}
	return c.verbsFault(name, verbs, call.Args[skip+1:])
}

// verbsFault compares the verbs of a format with the arguments.
func (c *checker) verbsFault(name string, verbs []verb, args []ast.Expr) string {
	if len(verbs) != len(args) {
		return fmt.Sprintf("the format of %s takes %s and is given %s", name, number(len(verbs), "argument"), number(len(args), "argument"))
	}
	for i, v := range verbs {
		t := c.result.Info.TypeOf(args[i])
		if t == nil || v.fits(t) {
			continue
		}
		return fmt.Sprintf("%s of the format of %s is given %s, of type %s; %%v prints any value", v.text, name, types.ExprString(args[i]), types.TypeString(types.Default(t), (*types.Package).Name))
	}
	return ""
}

func number(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

// A verb is one of a format, or a * in it.
type verb struct {
	text string // as it is written
	char rune   // '*' for a width or a precision
}

// parseVerbs are the verbs of a format that take arguments, in order; it does not know explicit indexes.
func parseVerbs(format string) (verbs []verb, ok bool) {
	for {
		_, rest, found := strings.Cut(format, "%")
		if !found {
			return verbs, true
		}
		flags := len(rest) - len(strings.TrimLeft(rest, "+-# 0123456789.*"))
		if flags == len(rest) || flags > maxFlags || rest[flags] == '[' {
			return nil, false
		}
		for range strings.Count(rest[:flags], "*") {
			verbs = append(verbs, verb{"the * in %" + rest[:flags+1], '*'})
		}
		char, size := utf8.DecodeRuneInString(rest[flags:])
		if char != '%' {
			verbs = append(verbs, verb{"%" + rest[:flags+size], char})
		}
		format = rest[flags+size:]
	}
}

// firstVerb is the first verb in a text of the most common ones, empty if there is none.
func firstVerb(text string) string {
	verbs, _ := parseVerbs(text)
	for _, v := range verbs {
		if strings.ContainsRune("dsvfqtTx", v.char) && !strings.Contains(v.text, " ") {
			return v.text
		}
	}
	return ""
}

// fits reports that v prints values of type t as it should, or that this is not known.
func (v verb) fits(t types.Type) bool {
	if strings.ContainsRune("vTpw", v.char) || hasFormat(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return v.fitsBasic(u)
	case *types.Slice:
		if isByte(u.Elem()) && strings.ContainsRune("sqxX", v.char) {
			return true
		}
		return v.fitsElement(u.Elem())
	case *types.Array:
		return v.fitsElement(u.Elem())
	case *types.Signature:
		return false
	}
	return true
}

// fitsElement is fits for elements of basic types: others may hold themselves.
func (v verb) fitsElement(t types.Type) bool {
	b, basic := t.Underlying().(*types.Basic)
	return !basic || hasFormat(t) || v.fitsBasic(b)
}

func (v verb) fitsBasic(b *types.Basic) bool {
	var takes string
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		takes = "t"
	case info&types.IsInteger != 0:
		takes = "*bcdoOqxXU"
	case info&(types.IsFloat|types.IsComplex) != 0:
		takes = "beEfFgGxX"
	case info&types.IsString != 0:
		takes = "sqxX"
	default: // nil, unsafe.Pointer
		return true
	}
	return strings.ContainsRune(takes, v.char) || !strings.ContainsRune("*tbcdoOqxXUeEfFgGs", v.char)
}

func isByte(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Byte
}

// hasFormat reports a type whose values may say themselves how they are printed, or of which more is known later.
func hasFormat(t types.Type) bool {
	if _, param := types.Unalias(t).(*types.TypeParam); param || types.IsInterface(t) {
		return true
	}
	for _, method := range []string{"Format", "Error", "String"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, method); obj != nil {
			return true
		}
	}
	return false
}
