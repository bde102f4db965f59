package yaegi

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/traefik/yaegi/interp"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// A run is one run of a loaded program.
type run struct {
	*loaded
	engine.Run
	meter  *gates.Meter
	depth  depth
	heap   *engine.Heap
	stack  *stack
	interp *interp.Interpreter
	ending bool // its goroutine exits
	grace  int  // ticks since then
	over   atomic.Bool
}

// Run implements engine.Loaded.
func (l *loaded) Run(r engine.Run) engine.Outcome {
	s := &run{loaded: l, Run: r, meter: r.Meter, stack: newStack(), heap: engine.EnterHeap()}
	defer s.heap.Leave()
	s.depth.limit = depthLimit(r.Meter.Limits().Depth, l.nodes, l.defers)
	s.meter.Measure(func(int64) int64 { return s.heap.Held(s.meter) }, nil)
	defer s.over.Store(true)
	return s.run()
}

// noFiles is a file system without files.
type noFiles struct{}

func (noFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (s *run) run() (o engine.Outcome) {
	if err := quietEnvironment(); err != nil {
		return engine.Outcome{Fault: err}
	}
	i, prog, err := s.compile()
	if err != nil {
		return engine.Outcome{Fault: diag.Rejections{s.uncompiled(err)}}
	}
	err = s.execute(i, prog)
	s.refund(i)
	o = s.outcome(err)
	o.Vars = s.readVars(i)
	return o
}

// quietEnvironment refuses to run where variables of the host's environment make
// the interpreter start other programs or leave out the run.
func quietEnvironment() error {
	for _, name := range []string{"YAEGI_AST_DOT", "YAEGI_CFG_DOT", "YAEGI_NO_RUN", "YAEGI_FAST_CHAN", "YAEGI_SPECIAL_STDIO"} {
		if on, _ := strconv.ParseBool(os.Getenv(name)); on {
			return fmt.Errorf("engine yaegi does not run while %s is set in the environment of the host", name)
		}
	}
	return nil
}

// compile makes an interpreter that knows the gates of the program and nothing
// else, and compiles the program with it.
func (s *run) compile() (i *interp.Interpreter, p *interp.Program, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%v", v)
		}
	}()
	i = interp.New(interp.Options{
		Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: s.stack,
		Args: []string{}, Env: []string{}, SourcecodeFilesystem: noFiles{},
	})
	i.FileSet().AddExistingFiles(s.fset.File(s.files[0].Package))
	if err := i.Use(s.symbols()); err != nil {
		return nil, nil, err
	}
	p, err = i.CompileAST(s.files[0])
	if err != nil {
		return nil, nil, err
	}
	return i, p, nil
}

// execute runs the program; the error is nil, an interp.Panic or the interpreter's.
// It has a goroutine of its own, which is what a stop ends.
func (s *run) execute(i *interp.Interpreter, p *interp.Program) (err error) {
	if stop := s.meter.Check(); stop != nil {
		return interp.Panic{Value: stop}
	}
	s.interp = i
	done := make(chan struct{})
	err = engine.ErrLeft
	go func() {
		defer close(done)
		defer func() {
			if v := recover(); v != nil {
				err = interp.Panic{Value: v}
			}
		}()
		_, err = i.Execute(p)
	}()
	<-done
	return err
}

// end ends the script: its goroutine exits. A panic would be caught and raised
// again for each call of the script, which takes time that grows with the square of
// their number, and recovered by what they deferred. That still runs, but not for
// more than the grace.
//
// Exiting once more in each deferred function would take that time again; so they
// are let end by themselves.
func (s *run) end(stop *gates.Stop) {
	s.meter.Trip(stop)
	s.ending = true
	if n, ok := globals(s.interp)[countdown]; ok && n.IsValid() && n.CanSet() {
		n.SetInt(-1)
	}
	runtime.Goexit()
}

// maxGrace is how many ticks all that is deferred gets after a stop.
const maxGrace = 1 << 13

// refund gives back the ticks that were not used.
func (s *run) refund(i *interp.Interpreter) {
	if n, ok := globals(i)[countdown]; ok && n.IsValid() && n.CanInt() {
		s.meter.Refund(max(0, n.Int()))
	}
}

// globals are the package variables of the script, none if it did not get as far as
// having a place for them.
func globals(i *interp.Interpreter) (vars map[string]reflect.Value) {
	defer func() {
		if recover() != nil {
			vars = nil
		}
	}()
	return i.Globals()
}

func (s *run) outcome(err error) engine.Outcome {
	if stop := s.meter.Stopped(); stop != nil {
		return engine.Outcome{Stop: stop}
	}
	if err == nil || err == engine.ErrLeft {
		return engine.Outcome{Fault: err}
	}
	var p interp.Panic
	if !errors.As(err, &p) {
		return engine.Outcome{Fault: s.fault("run", err)}
	}
	if stop, ok := p.Value.(*gates.Stop); ok {
		return engine.Outcome{Stop: stop}
	}
	panicked, fault := s.panicOf(p.Value)
	return engine.Outcome{Panic: s.displayed(panicked), Fault: fault}
}

// fault is a failure of the engine. It names the place in the program, and of the
// interpreter's message only what cannot be of the host.
func (s *run) fault(doing string, v any) error {
	text := fmt.Sprint(s.Shown(v))
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	return fmt.Errorf("engine yaegi cannot %s this program: %s (use engine vm)", doing, clean(text))
}

// symbols are the packages that the program can import: the gates, and the mirrors.
func (s *run) symbols() interp.Exports {
	gate := map[string]reflect.Value{}
	ex := interp.Exports{abi.Path + "/" + abi.Name: gate}
	for name := range s.helpers {
		gate[name] = s.helper(name)
	}
	gate[abi.Recover] = reflect.ValueOf(s.recovered)
	gate[abi.Echo] = reflect.ValueOf(s.echo)
	wrapped := map[reflect.Value][]reflect.Type{}
	for _, b := range s.bindings {
		v := reflect.Value{}
		if b.Index < len(s.Bind) {
			v = s.Bind[b.Index]
		}
		switch {
		case b.Kind == abi.BindType:
			s.mirror(ex, b)
		case v.IsValid():
			if !b.Standard {
				v = s.guarded(v)
			}
			if s.defers {
				v = s.unlessStopped(v)
			}
			gate[abi.Binding(b.Index)] = v
			if takesAny(v.Type()) {
				wrapped[v] = printable
			}
		}
	}
	if v, ok := gate["Throw"]; ok {
		wrapped[v] = printable
	}
	ex["."] = map[string]reflect.Value{"MapTypes": reflect.ValueOf(wrapped)}
	addWrappers(ex)
	return ex
}

// unlessStopped is f, which does nothing and returns zero values once the run is
// stopped: what the script deferred still runs for its grace, and must not reach
// the host. Programs without a defer do without this and its cost.
func (s *run) unlessStopped(f reflect.Value) reflect.Value {
	t := f.Type()
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		switch {
		case s.meter.Stopped() != nil:
			results := make([]reflect.Value, t.NumOut())
			for i := range results {
				results[i] = reflect.Zero(t.Out(i))
			}
			return results
		case t.IsVariadic():
			return f.CallSlice(args)
		}
		return f.Call(args)
	})
}

func (s *run) mirror(ex interp.Exports, b rewrite.Binding) {
	if b.Index >= len(s.Types) || s.Types[b.Index] == nil {
		return
	}
	path := abi.MirrorPath(b.Path)
	key := path + "/" + path[strings.LastIndex(path, "/")+1:]
	if ex[key] == nil {
		ex[key] = map[string]reflect.Value{}
	}
	ex[key][b.Name] = reflect.Zero(reflect.PointerTo(s.Types[b.Index]))
}

// takesAny reports whether a host function can be handed any value, so that it may
// look for methods like String.
func takesAny(t reflect.Type) bool {
	for i := range t.NumIn() {
		p := t.In(i)
		if t.IsVariadic() && i == t.NumIn()-1 {
			p = p.Elem()
		}
		if p.Kind() == reflect.Interface && p.NumMethod() == 0 {
			return true
		}
	}
	return false
}

func (s *run) readVars(i *interp.Interpreter) []engine.Var {
	globals := globals(i)
	p := newPlainer(s.unit, s.Want != "")
	var out []engine.Var
	for _, v := range s.vars {
		g, ok := globals[v.Name]
		if !ok || !g.IsValid() || !g.CanInterface() {
			continue
		}
		out = append(out, engine.Var{Name: v.Name, Type: typeText(v.Type), Value: p.of(g, 0)})
	}
	return out
}
