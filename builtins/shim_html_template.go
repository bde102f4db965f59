package builtins

import (
	"html/template"
	"io"
	texttemplate "text/template"
	"text/template/parse"
)

func htmlExecute(e *Env) func(*template.Template, io.Writer, any) error {
	return func(_ *template.Template, w io.Writer, data any) error { return e.runTemplate(w, data) }
}

func htmlExecuteTemplate(e *Env) func(*template.Template, io.Writer, string, any) error {
	return func(_ *template.Template, w io.Writer, _ string, data any) error { return e.runTemplate(w, data) }
}

func htmlFuncs(e *Env) func(*template.Template, texttemplate.FuncMap) *template.Template {
	return func(t *template.Template, funcs texttemplate.FuncMap) *template.Template {
		e.chargeProduct(int64(len(funcs)), 256)
		return t.Funcs(funcs)
	}
}

// htmlClone charges for the trees, which Clone copies.
func htmlClone(e *Env) func(*template.Template) (*template.Template, error) {
	return func(t *template.Template) (*template.Template, error) {
		for _, x := range t.Templates() {
			e.charge(256)
			e.payTemplate(x.Tree)
		}
		return t.Clone()
	}
}

func htmlParse(e *Env) func(*template.Template, string) (*template.Template, error) {
	return func(t *template.Template, text string) (*template.Template, error) {
		if err := e.payParse(t.Name(), text, State[delims](e).own); err != nil {
			return nil, err
		}
		return t.Parse(text)
	}
}

func htmlDelims(e *Env) func(t *template.Template, left, right string) *template.Template {
	return func(t *template.Template, left, right string) *template.Template {
		d := State[delims](e)
		d.own = d.own || ownDelims(left, right)
		return t.Delims(left, right)
	}
}

func htmlAddParseTree(e *Env) func(*template.Template, string, *parse.Tree) (*template.Template, error) {
	return func(t *template.Template, name string, tree *parse.Tree) (*template.Template, error) {
		e.payTemplate(tree)
		return t.AddParseTree(name, tree)
	}
}
