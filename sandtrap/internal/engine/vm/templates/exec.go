package templates

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"text/template"
	"text/template/parse"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
)

const (
	// maxTmplDepth is Go's bound for templates in templates.
	maxTmplDepth = 100_000
	// maxTmplLevels bounds what the trees of all executions under way take of the
	// Go stack.
	maxTmplLevels = 300_000
	tmplLevel     = 1280 // bytes of the Go stack for a level, and of the half of it that it was copied from
	// tmplBack is what a level takes, at most, when the stack is moved because it grows, and
	// when an end of the run unwinds it: neither can be interrupted.
	tmplBack = 2 * time.Microsecond
)

// A tmplExec is one execution of a template.
type tmplExec struct {
	m     *exec.Machine
	set   *tmplSet
	tmpl  *template.Template
	w     io.Writer
	tools tmplTools
	node  parse.Node // for errors
	vars  []tmplVar
	depth int
	held  int // levels that the host is down, in html/template
}

type tmplVar struct {
	name string
	val  mirror.Val
}

// tmplFailure carries the error that ends an execution.
type tmplFailure struct{ err error }

// control says how a walk ended.
type control int

const (
	goOn control = iota
	breakLoop
	continueLoop
)

// caught is deferred: it gives fail the failure of what began in so many levels.
func (e *tmplExec) caught(levels int, fail func(error)) {
	Run(e.m).levels = levels
	if e.m.Stop != nil {
		return
	}
	switch r := recover().(type) {
	case nil:
	case tmplFailure:
		fail(r.err)
	default:
		panic(r)
	}
}

func (e *tmplExec) run(data any) (err error) {
	defer e.caught(Run(e.m).levels, func(failure error) { err = failure })
	dot := mirror.ValOf(e.m, data)
	e.vars = []tmplVar{{"$", dot}}
	if e.tmpl.Tree == nil || e.tmpl.Root == nil {
		e.errorf("%q is an incomplete or empty template", e.tmpl.Name())
	}
	e.walk(dot, e.tmpl.Root)
	return nil
}

// errorf ends the execution with an error that says where it was.
func (e *tmplExec) errorf(format string, args ...any) {
	name := doublePercent(e.tmpl.Name())
	if e.node == nil {
		format = fmt.Sprintf("template: %s: %s", name, format)
	} else {
		e.tools.Bounded(e.node)
		location, context := e.tmpl.ErrorContext(e.node)
		format = fmt.Sprintf("template: %s: executing %q at <%s>: %s", location, name, doublePercent(context), format)
	}
	panic(tmplFailure{template.ExecError{Name: e.tmpl.Name(), Err: fmt.Errorf(format, args...)}})
}

func doublePercent(s string) string { return strings.ReplaceAll(s, "%", "%%") }

func (e *tmplExec) at(n parse.Node) { e.node = n }

// down counts a level of the tree, and up the way back: who catches what a level throws
// puts the count right, because a deferred call for each makes the end of a deep
// recursion slow.
func (e *tmplExec) down() {
	r := Run(e.m)
	if r.levels++; r.levels > maxTmplLevels {
		e.m.Halt(&exec.Stopped{Reason: "depth", Text: "templates are nested too deep, or in a circle"})
	}
	if r.levels > r.deepest { // the stack of the host is as large already
		r.deepest = r.levels
		e.m.Live.Stacks += tmplLevel
		e.m.ChargeLater(tmplLevel)
	}
	if r.levels%1024 == 0 {
		if stop := e.m.Host.Meter.Afford(time.Duration(r.levels) * tmplBack); stop != nil {
			e.m.Halt(&exec.Stopped{Gate: stop})
		}
	}
}

func (e *tmplExec) up() { Run(e.m).levels-- }

func (e *tmplExec) mark() int { return len(e.vars) }

func (e *tmplExec) pop(mark int) { e.vars = e.vars[:mark] }

func (e *tmplExec) push(name string, v mirror.Val) {
	e.m.Charge(exec.IfaceBytes)
	e.vars = append(e.vars, tmplVar{name, v})
}

// variable is the last declared one of the name.
func (e *tmplExec) variable(name string) *mirror.Val {
	for i := len(e.vars) - 1; i >= 0; i-- {
		if e.vars[i].name == name {
			return &e.vars[i].val
		}
	}
	e.errorf("undefined variable: %s", name)
	return nil
}

func (e *tmplExec) walk(dot mirror.Val, n parse.Node) control {
	e.m.Live.Stepped()
	e.m.Tick()
	e.at(n)
	switch n := n.(type) {
	case *parse.ActionNode:
		v := e.pipeline(dot, n.Pipe)
		if len(n.Pipe.Decl) == 0 {
			e.print(n, v)
		}
	case *parse.BreakNode:
		return breakLoop
	case *parse.ContinueNode:
		return continueLoop
	case *parse.CommentNode:
	case *parse.IfNode:
		return e.branch(dot, &n.BranchNode, false)
	case *parse.WithNode:
		return e.branch(dot, &n.BranchNode, true)
	case *parse.ListNode:
		return e.list(dot, n)
	case *parse.RangeNode:
		return e.loop(dot, n)
	case *parse.TemplateNode:
		e.template(dot, n)
	case *parse.TextNode:
		e.write(n.Text)
	default:
		e.errorf("unknown node: %s", n)
	}
	return goOn
}

func (e *tmplExec) list(dot mirror.Val, n *parse.ListNode) control {
	e.down()
	end := goOn
	for _, x := range n.Nodes {
		if end = e.walk(dot, x); end != goOn {
			break
		}
	}
	e.up()
	return end
}

func (e *tmplExec) write(b []byte) {
	if _, err := e.w.Write(b); err != nil {
		panic(tmplFailure{err})
	}
}

// branch is an if, or a with, which sets dot.
func (e *tmplExec) branch(dot mirror.Val, n *parse.BranchNode, with bool) control {
	mark := e.mark()
	end := e.chosen(dot, n, with)
	e.pop(mark)
	return end
}

func (e *tmplExec) chosen(dot mirror.Val, n *parse.BranchNode, with bool) control {
	v := e.pipeline(dot, n.Pipe)
	truth, ok := isTrue(e.m, concrete(e.m, v))
	switch {
	case !ok:
		e.errorf("if/with can't use %v", told(e.m, v))
	case truth && with:
		return e.walk(v, n.List)
	case truth:
		return e.walk(dot, n.List)
	case n.ElseList != nil:
		return e.walk(dot, n.ElseList)
	}
	return goOn
}

// isTrue says whether a value is true for if and and, and whether that can be said.
func isTrue(m *exec.Machine, v mirror.Val) (truth, ok bool) {
	switch k := v.Kind(); {
	case !v.Valid():
		return false, true
	case kinds.Ranged.Has(k):
		return v.Len() > 0, true
	case kinds.Complex.Has(k):
		return v.Complex() != 0, true
	case kinds.Float.Has(k):
		return v.Float() != 0, true
	case kinds.Nilable.Has(k):
		return !v.IsNil(), true
	case k == reflect.Struct:
		return true, true
	}
	return v.Int() != 0, true
}

// concrete is what an interface holds, and another value as it is.
func concrete(m *exec.Machine, v mirror.Val) mirror.Val {
	if v.Kind() == reflect.Interface {
		return v.Elem(m)
	}
	return v
}

// indirect goes down interfaces and pointers to what they lead to, or to the first
// that is nil.
func indirect(m *exec.Machine, v mirror.Val) (_ mirror.Val, isNil bool) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return v, true
		}
		m.Tick()
		v = v.Elem(m)
	}
	return v, false
}

func (e *tmplExec) template(dot mirror.Val, n *parse.TemplateNode) {
	tmpl := e.tmpl.Lookup(n.Name)
	if tmpl == nil {
		e.errorf("template %q not defined", n.Name)
	}
	if e.depth == maxTmplDepth {
		e.errorf("exceeded maximum template depth (%v)", maxTmplDepth)
	}
	dot = e.pipeline(dot, n.Pipe)
	inner := *e
	inner.depth++
	inner.tmpl, inner.vars = tmpl, []tmplVar{{"$", dot}}
	e.m.InLane(func() { inner.walk(dot, tmpl.Root) })
}
