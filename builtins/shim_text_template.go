package builtins

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"text/template"
	"text/template/parse"
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
type envTools struct{ e *Env }

func (t envTools) Sprint(a ...any) string                 { return fmtSprint(t.e)(a...) }
func (t envTools) Sprintf(format string, a ...any) string { return fmtSprintf(t.e)(format, a...) }
func (t envTools) Sprintln(a ...any) string               { return fmtSprintln(t.e)(a...) }
func (t envTools) HTML(a ...any) string                   { return templateHTMLEscaper(t.e)(a...) }
func (t envTools) JS(a ...any) string                     { return templateJSEscaper(t.e)(a...) }
func (t envTools) URLQuery(a ...any) string               { return templateURLQueryEscaper(t.e)(a...) }
func (t envTools) Bounded(n parse.Node)                   { t.e.payNode(n) }
func (t envTools) Work(ticks int64)                       { t.e.work(ticks) }

var errNoTemplates = errors.New("template: Execute has to be called by its name here")

// runTemplate executes what the engine handed over.
func (e *Env) runTemplate(w io.Writer, data any) error {
	run, ok := data.(templateRun)
	if !ok {
		return errNoTemplates
	}
	return run.Execute(e.writer(w), envTools{e})
}

func templateExecute(e *Env) func(*template.Template, io.Writer, any) error {
	return func(_ *template.Template, w io.Writer, data any) error { return e.runTemplate(w, data) }
}

func templateExecuteTemplate(e *Env) func(*template.Template, io.Writer, string, any) error {
	return func(_ *template.Template, w io.Writer, _ string, data any) error { return e.runTemplate(w, data) }
}

// templateFuncs takes functions that stand for those the engine keeps.
func templateFuncs(e *Env) func(*template.Template, template.FuncMap) *template.Template {
	return func(t *template.Template, funcs template.FuncMap) *template.Template {
		e.chargeProduct(int64(len(funcs)), 256)
		return t.Funcs(funcs)
	}
}

func templateClone(e *Env) func(*template.Template) (*template.Template, error) {
	return func(t *template.Template) (*template.Template, error) {
		e.chargeProduct(int64(len(t.Templates())+1), 256)
		return t.Clone()
	}
}

func templateParse(e *Env) func(*template.Template, string) (*template.Template, error) {
	return func(t *template.Template, text string) (*template.Template, error) {
		if err := e.payParse(t.Name(), text, State[delims](e).own); err != nil {
			return nil, err
		}
		return t.Parse(text)
	}
}

func templateDelims(e *Env) func(t *template.Template, left, right string) *template.Template {
	return func(t *template.Template, left, right string) *template.Template {
		d := State[delims](e)
		d.own = d.own || ownDelims(left, right)
		return t.Delims(left, right)
	}
}

func templateAddParseTree(e *Env) func(*template.Template, string, *parse.Tree) (*template.Template, error) {
	return func(t *template.Template, name string, tree *parse.Tree) (*template.Template, error) {
		e.payTemplate(tree)
		return t.AddParseTree(name, tree)
	}
}

// escaped charges for the text that escaping makes of s, at most times as long.
func (e *Env) escaped(s string, times int64) string {
	e.payText(escapeRate, len(s))
	if strings.ContainsFunc(s, func(r rune) bool { return !plainRune(r) }) {
		e.chargeProduct(int64(len(s)), times)
	}
	return s
}

func plainRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

const (
	escapeRate = 40 // for payText

	htmlTimes = 5 // "&#34;"
	jsTimes   = 6 // "\u003C"
	urlTimes  = 3 // "%20"
)

func templateHTMLEscape(e *Env) func(io.Writer, []byte) {
	return func(w io.Writer, b []byte) { e.payText(escapeRate, len(b)); template.HTMLEscape(e.writer(w), b) }
}

func templateJSEscape(e *Env) func(io.Writer, []byte) {
	return func(w io.Writer, b []byte) { e.payText(escapeRate, len(b)); template.JSEscape(e.writer(w), b) }
}

func templateHTMLEscapeString(e *Env) func(string) string {
	return func(s string) string { return template.HTMLEscapeString(e.escaped(s, htmlTimes)) }
}

func templateJSEscapeString(e *Env) func(string) string {
	return func(s string) string { return template.JSEscapeString(e.escaped(s, jsTimes)) }
}

func templateHTMLEscaper(e *Env) func(...any) string {
	return func(args ...any) string { return template.HTMLEscaper(e.escaped(e.textOfArgs(args), htmlTimes)) }
}

func templateJSEscaper(e *Env) func(...any) string {
	return func(args ...any) string { return template.JSEscaper(e.escaped(e.textOfArgs(args), jsTimes)) }
}

func templateURLQueryEscaper(e *Env) func(...any) string {
	return func(args ...any) string {
		return template.URLQueryEscaper(e.escaped(e.textOfArgs(args), urlTimes))
	}
}

// textOfArgs is what the escaping functions make of their arguments before they
// escape: a pointer stands for what it points to, unless it prints itself.
func (e *Env) textOfArgs(args []any) string {
	if len(args) == 1 {
		if s, ok := args[0].(string); ok {
			return s
		}
	}
	shown := make([]any, len(args))
	for i, a := range args {
		shown[i] = pointee(a)
	}
	return fmtSprint(e)(shown...)
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
