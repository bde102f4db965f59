package template

import (
	"html/template"
	"io"
	texttemplate "text/template"
	"text/template/parse"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

func HtmlExecute(e *shim.Env) func(*template.Template, io.Writer, any) error {
	return func(_ *template.Template, w io.Writer, data any) error { return runTemplate(e, w, data) }
}

func HtmlExecuteTemplate(e *shim.Env) func(*template.Template, io.Writer, string, any) error {
	return func(_ *template.Template, w io.Writer, _ string, data any) error { return runTemplate(e, w, data) }
}

func HtmlFuncs(e *shim.Env) func(*template.Template, texttemplate.FuncMap) *template.Template {
	return func(t *template.Template, funcs texttemplate.FuncMap) *template.Template {
		e.ChargeProduct(int64(len(funcs)), 256)
		return t.Funcs(funcs)
	}
}

// HtmlClone charges for the trees, which Clone copies.
func HtmlClone(e *shim.Env) func(*template.Template) (*template.Template, error) {
	return func(t *template.Template) (*template.Template, error) {
		for _, x := range t.Templates() {
			e.Charge(256)
			payTemplate(e, x.Tree)
		}
		return t.Clone()
	}
}

func HtmlParse(e *shim.Env) func(*template.Template, string) (*template.Template, error) {
	return func(t *template.Template, text string) (*template.Template, error) {
		if err := payParse(e, t.Name(), text, shim.State[delims](e).own); err != nil {
			return nil, err
		}
		return t.Parse(text)
	}
}

func HtmlDelims(e *shim.Env) func(t *template.Template, left, right string) *template.Template {
	return func(t *template.Template, left, right string) *template.Template {
		d := shim.State[delims](e)
		d.own = d.own || ownDelims(left, right)
		return t.Delims(left, right)
	}
}

func HtmlAddParseTree(e *shim.Env) func(*template.Template, string, *parse.Tree) (*template.Template, error) {
	return func(t *template.Template, name string, tree *parse.Tree) (*template.Template, error) {
		payTemplate(e, tree)
		return t.AddParseTree(name, tree)
	}
}
