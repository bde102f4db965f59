package templates

import (
	"fmt"
	htmltemplate "html/template"
	"io"
	"maps"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"text/template"
	"text/template/parse"
	"unicode"
	"weak"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
)

// Templates are the host's own, with the host's parser. What belongs to the script,
// its functions and its data, the host does not see: the engine keeps the functions
// and executes the trees itself.

// tmplTools is what a shim lends to the execution of a template.
type tmplTools = interface {
	Sprint(a ...any) string
	Sprintf(format string, a ...any) string
	Sprintln(a ...any) string
	HTML(a ...any) string
	JS(a ...any) string
	URLQuery(a ...any) string
	Bounded(parse.Node)
	Work(ticks int64)
}

// missingKey says what a key that a map does not have comes to.
type missingKey int

const (
	missingInvalid missingKey = iota
	missingZero
	missingError
)

// tmplSet is what associated templates share beside their trees.
type tmplSet struct {
	funcs   map[string]mirror.Val
	missing missingKey
	html    *htmlForms // of html/template, once one was executed
}

// Sets finds the set of a template, as long as the host's template lives.
type tmplSets struct {
	mu sync.Mutex // the collector takes entries away
	m  map[any]*tmplSet
}

// Sets are those of m.
func Sets(m *exec.Machine) *tmplSets {
	s, _ := m.Templates.(*tmplSets)
	if s == nil {
		s = &tmplSets{}
		m.Templates = s
	}
	return s
}

// A Run is what a turn executes of templates.
type tmplRun struct {
	html    map[*exec.Task]*tmplExec // of html/template, by the task that it is called on
	levels  int                      // of trees in each other
	deepest int                      // that there were
}

// Run is that of m.
func Run(m *exec.Machine) *tmplRun {
	r, _ := m.Executing.(*tmplRun)
	if r == nil {
		r = &tmplRun{}
		m.Executing = r
	}
	return r
}

// weakKey stands for a template without keeping it.
func weakKey(t any) any {
	switch t := t.(type) {
	case *template.Template:
		return weak.Make(t)
	case *htmltemplate.Template:
		return weak.Make(t)
	}
	panic("vm: not a template")
}

func (s *tmplSets) Get(t any) *tmplSet {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m[weakKey(t)]
}

// put says that t belongs to set.
func (s *tmplSets) put(t any, set *tmplSet) {
	if s.Get(t) != nil {
		return
	}
	key := weakKey(t)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m == nil {
		s.m = map[any]*tmplSet{}
	}
	s.m[key] = set
	switch t := t.(type) {
	case *template.Template:
		runtime.AddCleanup(t, s.drop, key)
	case *htmltemplate.Template:
		runtime.AddCleanup(t, s.drop, key)
	}
}

func (s *tmplSets) drop(key any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.m, key)
}

// receiver is the template whose method is called.
func receiver(m *exec.Machine, x *ir.SlowOp) any {
	t := m.R[x.Regs[0]]
	if t == nil {
		exec.ThrowNil()
	}
	return t
}

// setOf is the set of t, made if it has none yet.
func setOf(m *exec.Machine, t any) *tmplSet {
	set := Sets(m).Get(t)
	if set == nil {
		m.Charge(exec.NoteBytes)
		set = &tmplSet{funcs: map[string]mirror.Val{}}
		Sets(m).put(t, set)
	}
	return set
}

// DoTemplateKin is a method that leads from one template to others of its set.
func DoTemplateKin(m *exec.Machine, x *ir.SlowOp) {
	t := receiver(m, x)
	exec.Gate(m, x)
	set := Sets(m).Get(t)
	if set == nil {
		return
	}
	if x.T.Fields[0].Typ.Kind == reflect.Slice {
		for _, e := range elements(m, mirror.ValIn(m, x.T.Fields[0].Typ, x.A)) {
			join(m, e.Ref(), set)
		}
		return
	}
	join(m, m.R[x.A], set)
}

func join(m *exec.Machine, t any, set *tmplSet) {
	if t != nil {
		m.Charge(exec.NoteBytes)
		Sets(m).put(t, set)
	}
}

// elements lists a slice.
func elements(m *exec.Machine, v mirror.Val) []mirror.Val {
	list := make([]mirror.Val, v.Len())
	for i := range list {
		list[i] = v.Index(m, i)
	}
	return list
}

// DoTemplateClone is Clone: the copy has functions of its own from then on.
func DoTemplateClone(m *exec.Machine, x *ir.SlowOp) {
	t := receiver(m, x)
	exec.Gate(m, x)
	if set := Sets(m).Get(t); set != nil {
		m.Charge(int64(len(set.funcs)) * exec.NoteBytes)
		own := *set
		own.funcs = maps.Clone(set.funcs)
		join(m, m.R[x.A], &own)
	}
}

// DoTemplateFuncs is Funcs: the host's parser learns the names.
func DoTemplateFuncs(m *exec.Machine, x *ir.SlowOp) {
	t := receiver(m, x)
	entries := mirror.ValIn(m, x.Types[1], x.Regs[1]).Entries(m)
	names := reflect.MakeMap(m.Host.Bind[x.N].Type().In(1))
	set := setOf(m, t)
	for _, e := range entries {
		name, f := e.Key.Str(), mirror.ValOf(m, e.Elem.Ref())
		if err := usable(m, name, f); err != nil {
			exec.Throw(err)
		}
		m.Charge(exec.NoteBytes)
		set.funcs[name] = f
		names.SetMapIndex(reflect.ValueOf(name), reflect.ValueOf(func() string { return "" }))
	}
	m.Called(m.Host.Bind[x.N], x, []reflect.Value{reflect.ValueOf(t), names})
}

// usable says what Go would panic with if f cannot be a function of templates.
func usable(m *exec.Machine, name string, f mirror.Val) any {
	if !goodName(name) {
		return fmt.Errorf("function name %q is not a valid identifier", name)
	}
	if f.Kind() != reflect.Func {
		return "value for " + name + " not a function"
	}
	if err := goodFunc(m, name, signatureOf(m, f.T)); err != nil {
		return err
	}
	return nil
}

func goodName(name string) bool {
	for i, r := range name {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return name != ""
}

// DoTemplateOption is Option, of which the host tells what it does not know.
func DoTemplateOption(m *exec.Machine, x *ir.SlowOp) {
	t := receiver(m, x)
	var opts []string
	for _, e := range elements(m, mirror.ValIn(m, x.Types[1], x.Regs[1])) {
		opts = append(opts, e.Str())
	}
	exec.Gate(m, x)
	for _, o := range opts {
		setOf(m, t).missing = map[string]missingKey{"zero": missingZero, "error": missingError}[strings.TrimPrefix(o, "missingkey=")]
	}
}

// A templateRun executes a template. The shim of Execute gets it in place of the
// data.
type templateRun struct {
	m    *exec.Machine
	t    any // the template
	name *string
	data any
}

// DoTemplateExecute is Execute and ExecuteTemplate.
func DoTemplateExecute(m *exec.Machine, x *ir.SlowOp) {
	last := len(x.Regs) - 1
	run := &templateRun{m: m, t: receiver(m, x), data: m.R[x.Regs[last]]}
	if last == 3 {
		name := m.S[x.Regs[2]]
		run.name = &name
	}
	f := m.Host.Bind[x.N]
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	in := make([]reflect.Value, last, last+1)
	for i := range in {
		in[i] = exec.ToHost(m, x.Types[i], w, x.Regs[i], f.Type().In(i))
	}
	m.Called(f, x, append(in, reflect.ValueOf(run)))
}

// Execute writes to w what the template makes of the data.
func (r *templateRun) Execute(w io.Writer, tools tmplTools) error {
	set := Sets(r.m).Get(r.t)
	if set == nil {
		set = &tmplSet{}
	}
	e := &tmplExec{m: r.m, set: set, w: w, tools: tools}
	if t, ok := r.t.(*htmltemplate.Template); ok {
		return e.runHTML(t, r.name, r.data)
	}
	e.tmpl = r.t.(*template.Template)
	if r.name != nil {
		t := e.tmpl.Lookup(*r.name)
		if t == nil {
			return fmt.Errorf("template: no template %q associated with template %q", *r.name, e.tmpl.Name())
		}
		e.tmpl = t
	}
	return e.run(r.data)
}
