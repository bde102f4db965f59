package sandtrap

import (
	"context"
	"fmt"
	"go/token"
	"io"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// A run is one script on its way from text to result.
type run struct {
	plan           *Plan
	files          *vfs.Volume // nil if there are none
	script         Script
	inputs         []rewrite.Input
	meter          *gates.Meter
	stdout, stderr *gates.Tail
	echoes         echoes
	prog           *compiled   // nil until it is compiled; a run that was given up may be about to set it
	began          atomic.Bool // it is compiled
}

// run runs a script and fills res. The error is about the script, about its inputs,
// or internal.
func (p *Plan) run(ctx context.Context, files *vfs.Volume, script Script, res *Result) error {
	inputs, err := p.inputs(script.Inputs)
	if err != nil {
		return err
	}
	r := &run{
		plan: p, files: files, script: script, inputs: inputs, meter: gates.NewMeter(ctx, p.limits),
		stdout: gates.NewTail(p.limits.Output), stderr: gates.NewTail(p.limits.Output),
		echoes: echoes{mode: p.policy.Echo},
	}
	out, stuck := r.outcome()
	res.Stdout, res.Stderr = r.stdout.String(), r.stderr.String()
	res.Ticks, res.AllocBytes, res.PeakBytes = r.meter.Ticks(), r.meter.Alloc(), r.meter.Peak()
	res.Duration, res.Echo = r.meter.Elapsed(), r.echoes.taken()
	if len(out.Vars) > 0 {
		r.vars(out.Vars, res)
	}
	if e := failure(ctx, out, stuck); e != nil {
		if stuck && !r.began.Load() {
			e.Hint = stillCompiling
		}
		return e
	}
	return nil
}

const stillCompiling = "it was still being compiled: make the program smaller"

// check makes a script ready to run, within the time that a run has.
func (p *Plan) check(ctx context.Context, files *vfs.Volume, script Script) (*rewrite.Program, error) {
	inputs, err := p.inputs(script.Inputs)
	if err != nil {
		return nil, err
	}
	var c *compiled
	out, stuck := engine.Supervise(gates.NewMeter(ctx, p.limits), func() engine.Outcome {
		got, err := p.load(script, inputs, files)
		c = got
		return engine.Outcome{Fault: err}
	})
	if e := failure(ctx, out, stuck); e != nil {
		if stuck {
			e.Hint = stillCompiling
		}
		return nil, e
	}
	return c.prog, nil
}

// outcome runs the script to its end: on the goroutine of the caller if nothing in
// it can hold that up, else on one of its own that can be given up.
func (r *run) outcome() (o engine.Outcome, stuck bool) {
	r.prog = r.plan.cache.get(key(r.script, r.inputs), r.inputs)
	if r.prog != nil && r.prog.prompt && r.script.Stdin == nil {
		return r.execute(), false
	}
	return engine.Supervise(r.meter, func() engine.Outcome {
		if r.prog == nil || len(r.prog.packages) > 0 {
			prog, err := r.plan.load(r.script, r.inputs, r.files)
			if err != nil {
				return engine.Outcome{Fault: err}
			}
			r.prog = prog
		}
		return r.execute()
	})
}

// execute runs the compiled program.
func (r *run) execute() engine.Outcome {
	r.began.Store(true)
	env := newEnv(r.meter, r.script, r.stdout, r.stderr)
	env.Now = r.plan.clock.Now
	env.Environ = maps.Clone(r.plan.policy.Env)
	if r.files != nil {
		env.FS = r.files.FS()
		env.FS.Charge = env.Charge
		defer env.FS.Close()
	}
	defer env.Close()
	bound, err := r.plan.bind(r.prog.loaded, r.prog.prog, env, r.script.Inputs)
	if err != nil {
		return engine.Outcome{Fault: &Error{Kind: KindInternal, Message: err.Error()}}
	}
	r.echoes.list = r.prog.prog.Echoes()
	return r.prog.loaded.Run(engine.Run{
		Meter: r.meter, Bind: bound.Values(), Types: bound.Types(),
		Method: r.plan.table.Methods(env), Stderr: &stream{r.meter, r.stderr}, EchoTo: r.echoes.add,
		Clock: r.plan.clock, Visited: r.prog.visited,
		Attach: func(t engine.Tasks) { env.Tasks = t },
		Shape:  r.plan.table.Shape,
		Lend:   func(v engine.Values) { env.Values = v },
	})
}

// vars puts the variables of the script in res, without inputs that are as they were.
func (r *run) vars(list []engine.Var, res *Result) {
	inputs := inputNames(r.prog.prog)
	for _, v := range list {
		if !inputs[v.Name] || changed(r.script.Inputs[v.Name], v.Value) {
			res.Vars[v.Name], res.Types[v.Name] = v.Value, v.Type
		}
	}
}

// newEnv is what host functions see of the run.
func newEnv(m *gates.Meter, script Script, stdout, stderr io.Writer) *builtins.Env {
	args := script.Args
	if len(args) == 0 {
		args = []string{script.name()}
	}
	return &builtins.Env{
		Context: m.Context(), Until: m.Deadline(),
		Stdin: script.Stdin, Stdout: &stream{m, stdout}, Stderr: &stream{m, stderr},
		Args:   append([]string{}, args...),
		Sleep:  func(d time.Duration) { sleep(m, d) },
		Charge: func(n int64) { unwind(m.ChargeHost(n)) },
		Check:  func() { unwind(m.Check()) },
		Memory: func() (int64, int64) { return m.Held(), m.Alloc() },
		Work:   func(n int64) { unwind(m.Spend(n)) },
		Wait: func(what string) { // one task: nobody is left to end the wait
			unwind(m.Trip(&gates.Stop{Reason: gates.Deadlock, Message: "deadlock: " + what + " waits for ever"}))
		},
		Exit: func(code int) {
			unwind(m.Trip(&gates.Stop{Reason: gates.Exit, Code: code, Message: fmt.Sprintf("exit status %d", code)}))
		},
	}
}

// A stream is a gate before a writer: a script that has to stop writes nothing
// more from its deferred calls.
type stream struct {
	meter *gates.Meter
	to    io.Writer
}

func (s *stream) Write(p []byte) (int, error) {
	unwind(s.meter.Stopped())
	return s.to.Write(p)
}

// unwind ends the run if s is a stop.
func unwind(s *gates.Stop) {
	if s != nil {
		panic(s)
	}
}

// sleep waits for d, or until the run has to end.
func sleep(m *gates.Meter, d time.Duration) {
	if end := m.Deadline(); !end.IsZero() {
		d = min(d, time.Until(end))
	}
	timer := time.NewTimer(max(d, 0))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-m.Context().Done():
	}
	unwind(m.Check())
}

// bind gives each binding of prog its value for this run.
func (p *Plan) bind(loaded engine.Loaded, prog *rewrite.Program, env *builtins.Env, inputs map[string]any) (*gates.Bind, error) {
	list := prog.Bindings()
	bound := gates.NewBind(len(list))
	own, _ := loaded.(engine.Provider)
	for _, b := range list {
		if own != nil && own.Provides(b.Index) {
			continue
		}
		if err := p.bindOne(bound, b, env, inputs); err != nil {
			return nil, fmt.Errorf("cannot bind %v: %w", b, err)
		}
	}
	return bound, nil
}

var refKinds = map[rewrite.BindingKind]builtins.Kind{
	rewrite.BindFunc:   builtins.Func,
	rewrite.BindVar:    builtins.Var,
	rewrite.BindMethod: builtins.Method,
	rewrite.BindField:  builtins.Field,

	rewrite.BindMethodValue: builtins.MethodValue,
}

func (p *Plan) bindOne(bound *gates.Bind, b rewrite.Binding, env *builtins.Env, inputs map[string]any) error {
	switch b.Kind {
	case rewrite.BindConst:
		return nil
	case rewrite.BindInput:
		return bound.Func(b.Index, builtins.InputReader(inputs[b.Name]))
	case rewrite.BindType:
		t, err := p.table.TypeOf(b.Type)
		if err != nil {
			return err
		}
		return bound.Type(b.Index, t)
	}
	kind, ok := refKinds[b.Kind]
	if !ok {
		return fmt.Errorf("no way to bind a %v", b.Kind)
	}
	v, err := p.table.Value(env, builtins.Ref{
		Kind: kind, Path: b.Path, Owner: b.Owner, Name: b.Name, Pointer: b.Pointer, TypeArgs: b.TypeArgs,
	})
	if err != nil {
		return err
	}
	return bound.Func(b.Index, v)
}

// echoes collects what the policy asks for. A run that is given up may still add
// to it.
type echoes struct {
	mode EchoMode
	list []rewrite.Echo

	mu  sync.Mutex
	got []Echo
}

func (c *echoes) add(e engine.Echo) {
	last := e.ID >= 0 && e.ID < len(c.list) && c.list[e.ID].Last
	if c.mode == EchoNone || c.mode == EchoLast && !last {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.got = append(c.got, Echo{Text: e.Text, Type: e.Type})
}

func (c *echoes) taken() []Echo {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.got)
}

// changed says whether a script has assigned another value to an input. Of types
// that cannot be compared it cannot tell, and says no.
func changed(given, got any) (is bool) {
	defer func() {
		if recover() != nil { // not comparable
			is = false
		}
	}()
	return given != got
}

func inputNames(prog *rewrite.Program) map[string]bool {
	names := map[string]bool{}
	for _, v := range prog.Vars() {
		names[v.Name] = v.Input
	}
	return names
}

// position is that of a place in prog.
func position(prog *rewrite.Program, pos token.Pos) Position {
	at := prog.FileSet().Position(pos)
	return Position{Name: prog.Source().Name, Line: at.Line, Column: at.Column}
}
