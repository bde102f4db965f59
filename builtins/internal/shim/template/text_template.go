package template

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimfmt "github.com/sandtrap-go/sandtrap/builtins/internal/shim/fmt"
)

// A templateRun is what the engine hands over in place of the data: it executes
// the template with what only the engine knows, and uses what is lent to it here.
type templateRun interface {
	Execute(w io.Writer, tools templateTools) error
}

// templateTools has no name of its own, so that engines can have the same.
type templateTools = interface {
	Sprint(a ...any) string
	Sprintf(format string, a ...any) string
	Sprintln(a ...any) string
	HTML(a ...any) string
	JS(a ...any) string
	URLQuery(a ...any) string
	Bounded(parse.Node) // panics if the node's text would not end
	Work(ticks int64)
}

// envTools charges for what is made.
type envTools struct{ e *shim.Env }

func (t envTools) Sprint(a ...any) string                 { return shimfmt.Sprint(t.e)(a...) }
func (t envTools) Sprintf(format string, a ...any) string { return shimfmt.Sprintf(t.e)(format, a...) }
func (t envTools) Sprintln(a ...any) string               { return shimfmt.Sprintln(t.e)(a...) }
func (t envTools) HTML(a ...any) string                   { return TemplateHTMLEscaper(t.e)(a...) }
func (t envTools) JS(a ...any) string                     { return TemplateJSEscaper(t.e)(a...) }
func (t envTools) URLQuery(a ...any) string               { return TemplateURLQueryEscaper(t.e)(a...) }
func (t envTools) Bounded(n parse.Node)                   { t.e.PayNode(n) }
func (t envTools) Work(ticks int64)                       { t.e.Work(ticks) }

var errNoTemplates = errors.New("template: Execute has to be called by its name here")

// runTemplate executes what the engine handed over.
func runTemplate(e *shim.Env, w io.Writer, data any) error {
	run, ok := data.(templateRun)
	if !ok {
		return errNoTemplates
	}
	return run.Execute(e.Writer(w), envTools{e})
}

func TemplateExecute(e *shim.Env) func(*template.Template, io.Writer, any) error {
	return func(_ *template.Template, w io.Writer, data any) error { return runTemplate(e, w, data) }
}

func TemplateExecuteTemplate(e *shim.Env) func(*template.Template, io.Writer, string, any) error {
	return func(_ *template.Template, w io.Writer, _ string, data any) error { return runTemplate(e, w, data) }
}

// TemplateFuncs takes functions that stand for those the engine keeps.
func TemplateFuncs(e *shim.Env) func(*template.Template, template.FuncMap) *template.Template {
	return func(t *template.Template, funcs template.FuncMap) *template.Template {
		e.ChargeProduct(int64(len(funcs)), 256)
		return t.Funcs(funcs)
	}
}

func TemplateClone(e *shim.Env) func(*template.Template) (*template.Template, error) {
	return func(t *template.Template) (*template.Template, error) {
		e.ChargeProduct(int64(len(t.Templates())+1), 256)
		return t.Clone()
	}
}

func TemplateParse(e *shim.Env) func(*template.Template, string) (*template.Template, error) {
	return func(t *template.Template, text string) (*template.Template, error) {
		if err := payParse(e, t.Name(), text, shim.State[delims](e).own); err != nil {
			return nil, err
		}
		return t.Parse(text)
	}
}

func TemplateDelims(e *shim.Env) func(t *template.Template, left, right string) *template.Template {
	return func(t *template.Template, left, right string) *template.Template {
		d := shim.State[delims](e)
		d.own = d.own || ownDelims(left, right)
		return t.Delims(left, right)
	}
}

func TemplateAddParseTree(e *shim.Env) func(*template.Template, string, *parse.Tree) (*template.Template, error) {
	return func(t *template.Template, name string, tree *parse.Tree) (*template.Template, error) {
		payTemplate(e, tree)
		return t.AddParseTree(name, tree)
	}
}

// Escaped charges for the text that escaping makes of s, at most times as long.
func Escaped(e *shim.Env, s string, times int64) string {
	e.PayText(escapeRate, len(s))
	if strings.ContainsFunc(s, func(r rune) bool { return !plainRune(r) }) {
		e.ChargeProduct(int64(len(s)), times)
	}
	return s
}

func plainRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

const (
	escapeRate = 40 // for PayText

	htmlTimes = 5 // "&#34;"
	jsTimes   = 6 // "\u003C"
	UrlTimes  = 3 // "%20"
)

func TemplateHTMLEscape(e *shim.Env) func(io.Writer, []byte) {
	return func(w io.Writer, b []byte) { e.PayText(escapeRate, len(b)); template.HTMLEscape(e.Writer(w), b) }
}

func TemplateJSEscape(e *shim.Env) func(io.Writer, []byte) {
	return func(w io.Writer, b []byte) { e.PayText(escapeRate, len(b)); template.JSEscape(e.Writer(w), b) }
}

func TemplateHTMLEscapeString(e *shim.Env) func(string) string {
	return func(s string) string { return template.HTMLEscapeString(Escaped(e, s, htmlTimes)) }
}

func TemplateJSEscapeString(e *shim.Env) func(string) string {
	return func(s string) string { return template.JSEscapeString(Escaped(e, s, jsTimes)) }
}

func TemplateHTMLEscaper(e *shim.Env) func(...any) string {
	return func(args ...any) string { return template.HTMLEscaper(Escaped(e, textOfArgs(e, args), htmlTimes)) }
}

func TemplateJSEscaper(e *shim.Env) func(...any) string {
	return func(args ...any) string { return template.JSEscaper(Escaped(e, textOfArgs(e, args), jsTimes)) }
}

func TemplateURLQueryEscaper(e *shim.Env) func(...any) string {
	return func(args ...any) string {
		return template.URLQueryEscaper(Escaped(e, textOfArgs(e, args), UrlTimes))
	}
}

// textOfArgs is what the escaping functions make of their arguments before they
// escape: a pointer stands for what it points to, unless it prints itself.
func textOfArgs(e *shim.Env, args []any) string {
	if len(args) == 1 {
		if s, ok := args[0].(string); ok {
			return s
		}
	}
	shown := make([]any, len(args))
	for i, a := range args {
		shown[i] = pointee(a)
	}
	return shimfmt.Sprint(e)(shown...)
}

func pointee(a any) any {
	for {
		switch a.(type) {
		case fmt.Formatter, error, fmt.Stringer:
			return a
		}
		v := reflect.ValueOf(a)
		if v.Kind() != reflect.Pointer || v.IsNil() || !v.Elem().CanInterface() {
			return a
		}
		a = v.Elem().Interface()
	}
}
