package templates

import (
	"errors"
	"fmt"
	htmltemplate "html/template"
	seq "iter"
	"reflect"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/printer"
)

// Templates of html/template are escaped and executed by the host, which alone
// knows how to make each value safe where it stands. For that, the commands in their
// trees are replaced by calls of functions of the engine, which evaluate the
// commands as they were. The host is left with text, branches and loops.

const (
	htmlCommand = "__st_command" // evaluates a command
	htmlItems   = "__st_items"   // makes of a value what the host can range over
	htmlEnter   = "__st_enter"   // before a template in a template
	htmlLeave   = "__st_leave"   // after it
)

// htmlForms are the commands of a set of templates as they were.
type htmlForms struct {
	commands []htmlForm
	done     map[*parse.Tree]bool
	texts    []string // pairs of what stands in the trees now, and what did
}

// An htmlForm is one command, range or call of a template.
type htmlForm struct {
	tree  *parse.Tree
	name  string // of the template
	cmd   *parse.CommandNode
	node  parse.Node // a range or template
	vars  []string
	piped bool
	depth int // how deep it is in its tree
}

// htmlFailure is the error of a command on its way through the host.
type htmlFailure struct{ err error }

func (f *htmlFailure) Error() string { return f.err.Error() }

// runHTML escapes and executes t, or the template of a name that is associated with it.
func (e *tmplExec) runHTML(t *htmltemplate.Template, name *string, data any) (err error) {
	m := e.m
	if Sets(m).Get(t) == nil {
		e.set = setOf(m, t)
	}
	if err := e.prepareHTML(t, name); err != nil {
		return err
	}
	r, t0 := Run(m), m.T
	outer := r.html[t0]
	if r.html == nil {
		r.html = map[*exec.Task]*tmplExec{}
	}
	r.html[t0] = e
	defer func() {
		r.html[t0] = outer
		r.levels -= e.held
	}()
	dot := e.htmlValue(mirror.ValOf(m, data))
	if name != nil {
		err = t.ExecuteTemplate(e.w, *name, dot)
	} else {
		err = t.Execute(e.w, dot)
	}
	return e.htmlError(err)
}

// htmlError is an error of the host's in the words of the template as it was.
func (e *tmplExec) htmlError(err error) error {
	var own *htmlFailure
	if err == nil || errors.As(err, &own) {
		if own != nil {
			return own.err
		}
		return nil
	}
	if e.set.html == nil { // nothing was replaced
		return err
	}
	texts := strings.NewReplacer(e.set.html.texts...)
	switch f := err.(type) {
	case *htmltemplate.Error:
		plain := *f
		plain.Description = texts.Replace(f.Description)
		return &plain
	case template.ExecError:
		if text := texts.Replace(f.Error()); text != f.Error() {
			return template.ExecError{Name: f.Name, Err: errors.New(text)}
		}
	}
	return err
}

// htmlFuncs are the functions that the trees call.
func htmlFuncs(m *exec.Machine) htmltemplate.FuncMap {
	current := func() *tmplExec { return Run(m).html[m.T] }
	return htmltemplate.FuncMap{
		htmlCommand: func(id int, dot any, vars ...any) (any, error) { return current().htmlCommand(id, dot, vars) },
		htmlItems:   func(id int, v any) (any, error) { return current().htmlItems(id, v) },
		htmlEnter:   func(id int) string { return current().htmlEnter(id) },
		htmlLeave:   func(id int) string { return current().htmlLeave(id) },
	}
}

// inForm is an execution that evaluates a part of a template, for its errors.
func (e *tmplExec) inForm(f *htmlForm) *tmplExec {
	in := *e
	in.tmpl = template.New(f.name)
	in.tmpl.Tree = f.tree
	return &in
}

func (e *tmplExec) htmlCommand(id int, dot any, vars []any) (out any, err error) {
	e.m.Live.Stepped()
	f := &e.set.html.commands[id]
	in := e.inForm(f)
	in.vars = nil
	for i, name := range f.vars {
		in.push(name, e.htmlMirror(vars[i]))
	}
	var last final
	if f.piped {
		last = final{e.htmlMirror(vars[len(f.vars)]), true}
	}
	defer in.caught(Run(e.m).levels, func(failure error) { err = &htmlFailure{failure} })
	v := in.command(e.htmlMirror(dot), f.cmd, last)
	e.node = in.node
	out = e.htmlValue(v)
	e.payEscaped(out)
	return out, nil
}

// payEscaped asks for what the host makes of a long text: some escapers in turn, none of which
// can be stopped.
func (e *tmplExec) payEscaped(v any) {
	r := reflect.ValueOf(v)
	if k := r.Kind(); k != reflect.String && !(k == reflect.Slice && r.Type().Elem().Kind() == reflect.Uint8) {
		return
	}
	if n := int64(r.Len()); n >= longHTML {
		e.m.Charge(n * htmlEscapedTimes)
		e.tools.Work(n * htmlEscapedTicks)
	}
}

const (
	longHTML         = 64 << 10
	htmlEscapedTimes = 6 // as long as a text can get
	htmlEscapedTicks = 8 // for a byte, in an attribute that is a script
)

// htmlItems is an iterator over v, as range would go through it.
func (e *tmplExec) htmlItems(id int, v any) (out any, err error) {
	f := &e.set.html.commands[id]
	in := e.inForm(f)
	r := f.node.(*parse.RangeNode)
	val, _ := indirect(e.m, e.htmlMirror(v))
	if err := in.rangeable(r, val); err != nil {
		return nil, err
	}
	each := func(yield func(index, elem any) bool) {
		var thrown any
		in.over(r, val, func(index, elem mirror.Val) (more bool) {
			in.m.Tick()
			defer func() {
				if thrown = recover(); thrown != nil { // the host breaks out of a loop by a panic
					more = false
				}
			}()
			return yield(e.htmlValue(index), e.htmlValue(elem))
		})
		if thrown != nil {
			panic(thrown)
		}
	}
	if len(r.Pipe.Decl) > 1 {
		return seq.Seq2[any, any](each), nil
	}
	return seq.Seq[any](func(yield func(any) bool) {
		each(func(_, elem any) bool { return yield(elem) })
	}), nil
}

// rangeable is the error of a range over what cannot be ranged over: an iterator is
// called too late to give it.
func (e *tmplExec) rangeable(r *parse.RangeNode, v mirror.Val) (err error) {
	defer e.caught(Run(e.m).levels, func(failure error) { err = &htmlFailure{failure} })
	switch k := v.Kind(); {
	case k == reflect.Array || k == reflect.Slice || k == reflect.Map || k == reflect.Chan && !v.IsNil():
	case k == reflect.Func && e.iterates(v) > 0 && !(e.iterates(v) == 1 && len(r.Pipe.Decl) > 1):
	case k != reflect.Invalid && ir.IsInteger(v.T) && len(r.Pipe.Decl) < 2:
	default:
		e.over(r, v, func(_, _ mirror.Val) bool { return false })
	}
	return nil
}

// htmlEnter counts a template in a template, with all that is around the call.
func (e *tmplExec) htmlEnter(id int) string {
	for range e.set.html.commands[id].depth + 2 {
		e.down()
		e.held++
	}
	return ""
}

func (e *tmplExec) htmlLeave(id int) string {
	for range e.set.html.commands[id].depth + 2 {
		e.up()
		e.held--
	}
	return ""
}

// A viewed value is one that the host cannot hold itself. It is a slice, empty if the
// value is one that templates take for false: so the host finds out without asking.
type viewed []htmlView

type htmlView struct {
	e *tmplExec
	v mirror.Val
}

// view makes the value visible, whatever its length.
func (v viewed) view() htmlView { return v[:1][0] }

// htmlValue is a value as the host's templates have it.
func (e *tmplExec) htmlValue(v mirror.Val) any {
	v = concrete(e.m, v)
	if !v.Valid() {
		return nil
	}
	if x, ok := e.htmlNative(v); ok {
		return x
	}
	e.m.Charge(exec.IfaceBytes)
	list := viewed{{e, v}}
	if truth, _ := isTrue(e.m, v); !truth {
		list = list[:0]
	}
	return list
}

// htmlNative is the value of the host's that v is: a number or text, or text of which
// the host knows that it is safe.
func (e *tmplExec) htmlNative(v mirror.Val) (any, bool) {
	at := v
	if v.Kind() == reflect.Pointer {
		at, _ = indirect(e.m, v)
	}
	if safeTexts[at.T.Host] {
		v = at
	} else if v.T.Named || ir.KindTypes[v.T.Kind] == nil {
		return nil, false
	}
	if v.Kind() == reflect.String {
		e.m.Charge(escapedTimes * int64(len(v.Str())))
	}
	return v.Boxed(e.m), true
}

// escapedTimes is how much longer escaping makes a text at most.
const escapedTimes = 6

// safeTexts are the types by which scripts tell html/template what a text is.
var safeTexts = map[reflect.Type]bool{
	reflect.TypeFor[htmltemplate.CSS]():      true,
	reflect.TypeFor[htmltemplate.HTML]():     true,
	reflect.TypeFor[htmltemplate.HTMLAttr](): true,
	reflect.TypeFor[htmltemplate.JS]():       true,
	reflect.TypeFor[htmltemplate.JSStr]():    true,
	reflect.TypeFor[htmltemplate.Srcset]():   true,
	reflect.TypeFor[htmltemplate.URL]():      true,
}

// htmlMirror is a value that the host's templates handed back.
func (e *tmplExec) htmlMirror(v any) mirror.Val {
	if list, ok := v.(viewed); ok {
		return list.view().v
	}
	return mirror.ValOf(e.m, v)
}

// Format prints the value as it would print in a template.
func (v viewed) Format(s fmt.State, verb rune) {
	w := v.view()
	text := w.e.tools.Sprintf(fmt.FormatString(s, verb), printables(w.e.m, []mirror.Val{w.v})...)
	w.e.m.Charge(escapedTimes * int64(len(text)))
	s.Write([]byte(text))
}

// MarshalJSON is for values in scripts of the page.
func (v viewed) MarshalJSON() ([]byte, error) {
	w := v.view()
	return mirror.EncodeJSON(w.e.m, jsonShown(w.e.m, w.v), true)
}

// jsonShown is what of a value goes into a script: what it leads to, or its text if it
// has one and does not know about JSON.
func jsonShown(m *exec.Machine, v mirror.Val) any {
	for !hasMethod(v.T, "MarshalJSON") && v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem(m)
	}
	if !hasMethod(v.T, "MarshalJSON") && hasMethod(v.T, "String") {
		return fmt.Sprint(printer.Show(m, v.Boxed(m)))
	}
	return v.Boxed(m)
}

// hasMethod reports that values of t have a method of the name.
func hasMethod(t *ir.Type, name string) bool { return inspect.Method(t.T, name) != nil }
