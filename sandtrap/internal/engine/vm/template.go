package vm

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

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
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
	funcs   map[string]mirror
	missing missingKey
	html    *htmlForms // of html/template, once one was executed
}

// tmplSets finds the set of a template, as long as the host's template lives.
type tmplSets struct {
	mu sync.Mutex // the collector takes entries away
	m  map[any]*tmplSet
}

// tmplSets are those of m.
func (m *machine) tmplSets() *tmplSets {
	s, _ := m.templates.(*tmplSets)
	if s == nil {
		s = &tmplSets{}
		m.templates = s
	}
	return s
}

// A tmplRun is what a turn executes of templates.
type tmplRun struct {
	html    map[*task]*tmplExec // of html/template, by the task that it is called on
	levels  int                 // of trees in each other
	deepest int                 // that there were
}

// tmplRun is that of m.
func (m *machine) tmplRun() *tmplRun {
	r, _ := m.executing.(*tmplRun)
	if r == nil {
		r = &tmplRun{}
		m.executing = r
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

func (s *tmplSets) get(t any) *tmplSet {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m[weakKey(t)]
}

// put says that t belongs to set.
func (s *tmplSets) put(t any, set *tmplSet) {
	if s.get(t) != nil {
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
func (m *machine) receiver(x *ir.SlowOp) any {
	t := m.R[x.Regs[0]]
	if t == nil {
		throwNil()
	}
	return t
}

// setOf is the set of t, made if it has none yet.
func (m *machine) setOf(t any) *tmplSet {
	set := m.tmplSets().get(t)
	if set == nil {
		m.charge(noteBytes)
		set = &tmplSet{funcs: map[string]mirror{}}
		m.tmplSets().put(t, set)
	}
	return set
}

// doTemplateKin is a method that leads from one template to others of its set.
func doTemplateKin(m *machine, x *ir.SlowOp) {
	t := m.receiver(x)
	doGate(m, x)
	set := m.tmplSets().get(t)
	if set == nil {
		return
	}
	if x.T.Fields[0].Typ.Kind == reflect.Slice {
		for _, e := range m.elements(mirror{t: x.T.Fields[0].Typ, c: &ir.Obj{I: m.I, S: m.S, R: m.R}, k: x.A}) {
			m.join(e.ref(), set)
		}
		return
	}
	m.join(m.R[x.A], set)
}

func (m *machine) join(t any, set *tmplSet) {
	if t != nil {
		m.charge(noteBytes)
		m.tmplSets().put(t, set)
	}
}

// elements lists a slice.
func (m *machine) elements(v mirror) []mirror {
	list := make([]mirror, v.length())
	for i := range list {
		list[i] = m.index(v, i)
	}
	return list
}

// doTemplateClone is Clone: the copy has functions of its own from then on.
func doTemplateClone(m *machine, x *ir.SlowOp) {
	t := m.receiver(x)
	doGate(m, x)
	if set := m.tmplSets().get(t); set != nil {
		m.charge(int64(len(set.funcs)) * noteBytes)
		own := *set
		own.funcs = maps.Clone(set.funcs)
		m.join(m.R[x.A], &own)
	}
}

// doTemplateFuncs is Funcs: the host's parser learns the names.
func doTemplateFuncs(m *machine, x *ir.SlowOp) {
	t := m.receiver(x)
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	entries := m.entries(mirror{t: x.Types[1], c: w, k: x.Regs[1]})
	names := reflect.MakeMap(m.seam.Bind[x.N].Type().In(1))
	set := m.setOf(t)
	for _, e := range entries {
		name, f := e.key.str(), m.mirrorOf(e.val.ref())
		if err := m.usable(name, f); err != nil {
			throw(err)
		}
		m.charge(noteBytes)
		set.funcs[name] = f
		names.SetMapIndex(reflect.ValueOf(name), reflect.ValueOf(func() string { return "" }))
	}
	m.called(m.seam.Bind[x.N], x, []reflect.Value{reflect.ValueOf(t), names})
}

// usable says what Go would panic with if f cannot be a function of templates.
func (m *machine) usable(name string, f mirror) any {
	if !goodName(name) {
		return fmt.Errorf("function name %q is not a valid identifier", name)
	}
	if f.kind() != reflect.Func {
		return "value for " + name + " not a function"
	}
	if err := m.goodFunc(name, m.signatureOf(f.t)); err != nil {
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

// doTemplateOption is Option, of which the host tells what it does not know.
func doTemplateOption(m *machine, x *ir.SlowOp) {
	t := m.receiver(x)
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	var opts []string
	for _, e := range m.elements(mirror{t: x.Types[1], c: w, k: x.Regs[1]}) {
		opts = append(opts, e.str())
	}
	doGate(m, x)
	for _, o := range opts {
		m.setOf(t).missing = map[string]missingKey{"zero": missingZero, "error": missingError}[strings.TrimPrefix(o, "missingkey=")]
	}
}

// A templateRun executes a template. The shim of Execute gets it in place of the
// data.
type templateRun struct {
	m    *machine
	t    any // the template
	name *string
	data any
}

// doTemplateExecute is Execute and ExecuteTemplate.
func doTemplateExecute(m *machine, x *ir.SlowOp) {
	last := len(x.Regs) - 1
	run := &templateRun{m: m, t: m.receiver(x), data: m.R[x.Regs[last]]}
	if last == 3 {
		name := m.S[x.Regs[2]]
		run.name = &name
	}
	f := m.seam.Bind[x.N]
	w := &ir.Obj{I: m.I, S: m.S, R: m.R}
	in := make([]reflect.Value, last, last+1)
	for i := range in {
		in[i] = toHost(m, x.Types[i], w, x.Regs[i], f.Type().In(i))
	}
	m.called(f, x, append(in, reflect.ValueOf(run)))
}

// Execute writes to w what the template makes of the data.
func (r *templateRun) Execute(w io.Writer, tools tmplTools) error {
	set := r.m.tmplSets().get(r.t)
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
