package vm

import (
	"errors"
	"reflect"
	"slices"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/call"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/printer"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/templates"
)

// A leftError stands, in what a run leaves, for an error of a type of the script's, or for one that wraps such a one:
// later the script cannot be asked.
type leftError struct {
	name  string // of its type
	text  string
	below []error
}

// Those that wrap others do so as the errors that they stand for.
type (
	leftWrapping struct{ leftError }
	leftJoined   struct{ leftError }
)

func (e *leftError) Error() string    { return e.text }
func (e *leftError) GoName() string   { return e.name }
func (e *leftWrapping) Unwrap() error { return e.below[0] }
func (e *leftJoined) Unwrap() []error { return e.below }

// Bounds on how deep they lie in each other, and on how many of a run are asked.
const (
	maxLeftDepth  = 100
	maxLeftErrors = 1 << 12
)

// leftErrors makes them.
type leftErrors struct {
	m     *exec.Machine
	asks  bool          // the run goes on, and what is asked has been walked
	known map[any]error // by what they stand for
	room  int           // of walks
	bytes int           // that their texts may still take
}

// newLeftErrors is nil where no value of the program's own types is an error.
func newLeftErrors(m *exec.Machine) *leftErrors {
	if !slices.ContainsFunc(m.P.MethodIDs, func(m *ir.Method) bool { return m != nil && m.Fn.Name() == "Error" }) {
		return nil
	}
	return &leftErrors{m: m, known: map[any]error{}, room: roomOfVars(m), bytes: printer.MaxVarsSize}
}

// askVars asks the errors in the variables. A method of the script that does not return ends the run.
func (l *leftErrors) askVars() {
	for _, v := range l.m.P.Vars {
		if want := l.m.Host.Want; want == "" || want == v.Name {
			in, k := cellsOf(l.m, v)
			l.ask(v.T, in, k)
		}
	}
}

// ask asks the errors in a value, if that is one to hand out.
func (l *leftErrors) ask(t *ir.Type, b exec.Bank, k int) {
	var found []any
	w := &printer.Walk{Left: l.room, Through: true, Found: func(v any) { found = append(found, v) }}
	if !w.Fits(t, b, k, 0) {
		l.room /= 2
		return
	}
	l.room, l.asks = w.Left, true
	defer func() { l.asks = false }() // a stop unwinds it too
	for _, v := range found {
		l.guarded(func() { l.of(v, 0) })
	}
}

// of is what stands for v, an error as the script has it; nil if v is none.
func (l *leftErrors) of(v any, depth int) error {
	if f, ok := exec.ScriptValue(v); ok {
		v = f
	}
	v = printer.ExportProxy(l.m, v)
	err, isHosts := v.(error)
	f, isOwn := v.(*exec.Iface)
	switch {
	case !isHosts && !(isOwn && f.T.Methods["Error"] != 0):
		return nil
	case isHosts && !(&printer.Walk{Left: printer.MaxVarsSize}).Error(err, 0):
		return errTooLarge
	case !reflect.ValueOf(v).Comparable():
		return l.standIn(v, depth)
	case l.known[v] == nil:
		l.known[v] = l.standIn(v, depth)
	}
	return l.known[v]
}

var errTooLarge = errors.New("(the error is too large, or holds itself)")

func (l *leftErrors) standIn(v any, depth int) error {
	stands, isProxy := v.(interface{ HostValue() any })
	if err, ok := v.(error); ok && (isProxy && !l.asks || !l.holdsScript(err, 0)) {
		return err
	}
	name := l.m.DynName(v)
	e := leftError{name: name, text: "(" + name + ")"}
	if depth > maxLeftDepth || len(l.known) > maxLeftErrors {
		return &e
	}
	if isProxy {
		v = stands.HostValue()
	}
	if out := l.rebuilt(v, depth); out != nil {
		return out
	}
	if isProxy { // its fields are its package's own business
		return stands.(error)
	}
	one := l.tell(v, &e, depth)
	switch {
	case len(e.below) == 0:
		return &e
	case one:
		return &leftWrapping{e}
	case reflect.TypeOf(v) == joinedType && !slices.Contains(e.below, nil):
		if joined := errors.Join(e.below...); !l.holdsScript(joined, 0) { // else it would ask those for its text
			return joined
		}
	}
	return &leftJoined{e}
}

var joinedType = reflect.TypeOf(errors.Join(errors.New("")))

// tell puts what v says, and what it wraps, in e, and reports that v wraps one error, not a list. Where it is too late, only
// errors of Go's that wrap others tell.
func (l *leftErrors) tell(v any, e *leftError, depth int) (one bool) {
	var next any
	var many []any
	switch err, _ := v.(error); {
	case l.asks:
		if l.m.T == nil {
			l.m.T = l.m.NewTask()
		}
		text := "(the error's text panicked)"
		if f, ok := v.(*exec.Iface); ok && f.T.Kind == reflect.Pointer && f.R == nil {
			text = "<nil>" // as fmt prints it
		}
		l.guarded(func() { text = printer.PanicValue(l.m, v) })
		if l.bytes -= len(text); l.bytes >= 0 {
			e.text = text
		}
		l.guarded(func() { next, many = call.Unwrapped(l.m, v) })
	case err != nil && isWrapping(err):
		if reflect.TypeOf(v) != joinedType { // which has no text of its own
			e.text = err.Error()
		}
		next, many = call.Unwrapped(l.m, v)
	}
	if next != nil {
		many = []any{next}
	}
	for _, below := range many {
		e.below = append(e.below, l.of(below, depth+1))
	}
	return next != nil
}

func (l *leftErrors) guarded(f func()) { attempt(l.m, func() { l.m.Guarded(f) }) }

func isWrapping(err error) bool {
	_, ok := wrappingOf(err)
	return ok
}

// rebuilt is a copy of an error of the host's that is made of exported fields, such as a *fs.PathError, with what stands
// for the errors in it; nil for others.
func (l *leftErrors) rebuilt(v any, depth int) error {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() || p.Elem().Kind() != reflect.Struct {
		return nil
	}
	n, ok := dataFields(p.Type().Elem())
	if !ok {
		return nil
	}
	out := pointerTo(p.Elem())
	for i := range n {
		if f := out.Elem().Field(i); f.Type() == templates.ErrorType && !f.IsNil() {
			f.Set(reflect.ValueOf(l.of(f.Interface(), depth+1)))
		}
	}
	err, _ := printer.ExportProxy(l.m, out.Interface()).(error)
	return err
}

// holdsScript reports that err wraps an error of the script, or one that is none to Go, or may do so far within. It has been
// walked. A method that the policy hides is not asked.
func (l *leftErrors) holdsScript(err error, depth int) bool {
	if _, ok := exec.ScriptValue(err); ok || depth > printer.MaxEchoDepth {
		return true
	}
	if !standsIn(err) && !printer.HostShows(l.m, err, printer.UnwrapMethod) && !printer.HostShows(l.m, err, printer.UnwrapAllMethod) {
		return false
	}
	return slices.ContainsFunc(engine.Unwrapped(err), func(e error) bool { return e != nil && (standsIn(e) || l.holdsScript(e, depth+1)) })
}

// standsIn reports an error that stands for a value of the host's, which is asked by the machine of the run.
func standsIn(err error) bool {
	_, ok := err.(interface{ HostValue() any })
	return ok
}
