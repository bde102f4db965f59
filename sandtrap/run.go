package sandtrap

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/internal/stack"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// A run is one script on its way from text to result, or a call of what one has left: a
// time in which something of a script runs, with limits and streams of its own.
type run struct {
	plan           *Plan
	files          *vfs.Volume // nil if there are none
	env            *runEnv
	script         Script
	inputs         []check.Input
	before         map[string]any  // the inputs, to tell what the script has changed
	ctx            context.Context // of the host
	meter          *gates.Meter
	stdout, stderr *gates.Tail
	events         *events
	ended          atomic.Bool // and reported
	echoes         echoes
	prints         prints
	artifacts      artifacts
	prog           *compiled   // nil until it is compiled; a run that was given up may be about to set it
	began          atomic.Bool // it is compiled
}

func (s *Sandbox) newRun(ctx context.Context, h *runEnv, script Script, inputs []check.Input) *run {
	limits, shown := s.plan.limitsOf(&script), newEvents(ctx, script)
	if shown.link != nil {
		limits.Queued = shown.link.Queued
	}
	before := script.Inputs
	if script.Copy || shown.link != nil && shown.link.Copies {
		before = engine.Copies(before)
	}
	return &run{
		plan: s.plan, files: s.files, env: h, script: script, inputs: inputs, before: before,
		ctx: ctx, meter: gates.NewMeter(ctx, limits), stdout: gates.NewTail(limits.Output), stderr: gates.NewTail(limits.Output),
		events: shown,
		echoes: echoes{mode: cmp.Or(script.Echo, s.plan.policy.Echo)},
		prints: prints{wanted: script.Prints}, artifacts: s.plan.artifactsOf(&script),
	}
}

// again is a run of its own for a call of what r has left.
func (r *run) again(ctx context.Context) *run {
	limits := r.plan.limitsOf(&r.script)
	next := &run{
		plan: r.plan, files: r.files, env: r.env, script: r.script, before: r.before,
		ctx: ctx, meter: gates.NewMeter(ctx, limits), stdout: gates.NewTail(limits.Output), stderr: gates.NewTail(limits.Output),
		events: newEvents(ctx, r.script), prints: prints{wanted: r.script.Prints},
		artifacts: r.plan.artifactsOf(&r.script),
	}
	next.began.Store(true)
	return next
}

// report fills res with what the run used up and printed, and returns what became of it.
func (r *run) report(res *Result, out engine.Outcome, stuck bool) *Error {
	r.ended.Store(true)
	res.Stdout, res.Stderr = r.stdout.String(), r.stderr.String()
	res.Ticks, res.AllocBytes, res.PeakBytes = r.meter.Ticks(), r.meter.Alloc(), r.meter.Peak()
	res.Duration, res.Echo = r.meter.Elapsed(), r.echoes.taken()
	res.Prints, res.Artifacts = r.prints.taken(), r.artifacts.taken()
	if out.Well() && (isOver(r.ctx) || r.meter.Afford(0) != nil) { // while the host had it: workers say so too
		out.Stop = r.meter.Check()
	}
	e := failure(r.ctx, out, stuck)
	if e != nil && stuck && !r.began.Load() {
		e.Hint = stillCompiling
	}
	return e
}

// isOver reports that ctx has ended, or is about to: a function of the host's may have seen it first.
func isOver(ctx context.Context) bool {
	end, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && !time.Now().Before(end)
}

// run runs a script and fills res. The error is about the script, about its inputs,
// or internal.
func (s *Sandbox) run(ctx context.Context, script Script, res *Result) error {
	inputs := s.plan.inputs(script.Inputs)
	r := s.newRun(ctx, s.newRunEnv(false), script, inputs)
	out, stuck := r.outcome()
	e := r.report(res, out, stuck)
	defer func() { r.events.finish(res, orNil(e)) }() // which the value that the host asked for decides, too
	if !stuck && r.prog != nil {
		r.events.reaches(r.prog.prog)
		res.Warnings = append(res.Warnings, r.prog.prog.Warnings(r.echoes.mode != EchoNone)...)
	}
	if len(out.Vars) > 0 {
		e = r.handOut(out.Vars, inputNames(r.prog.prog), e, res)
	}
	return orNil(e)
}

// handOut puts what the run has left in res, or in what the host asked for instead, unless
// the run ended with e.
func (r *run) handOut(list []engine.Var, inputs map[string]bool, e *Error, res *Result) *Error {
	switch {
	case r.script.Result == nil:
		r.vars(list, inputs, res)
	case e == nil:
		return r.answer(list)
	}
	return e
}

// orNil is e as an error that is nil if e is.
func orNil(e *Error) error {
	if e == nil {
		return nil
	}
	return e
}

const stillCompiling = "it was still being compiled: make the program smaller"

// check makes a script ready to run, within the time that a run has.
func (p *Plan) check(ctx context.Context, files *vfs.Volume, script Script) (*rewrite.Program, error) {
	inputs := p.inputs(script.Inputs)
	var c *compiled
	meter := gates.NewMeter(ctx, p.limitsOf(&script))
	out, stuck := engine.Supervise(meter, func() engine.Outcome {
		got, err := p.load(meter, key(script, inputs), script, inputs, files)
		if c = got; err == nil {
			err = p.contract(c.prog, script)
		}
		return notRun(err)
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
	k := key(r.script, r.inputs)
	r.prog = r.plan.cache.get(k, r.inputs)
	if r.prog == nil && r.brief() {
		if err := r.compile(k); err != nil {
			return notRun(err), false
		}
	}
	if r.prog != nil && r.prog.prompt && r.script.Stdin == nil && !r.events.waits() {
		return engine.Watch(r.meter, r.execute), false
	}
	return engine.Supervise(r.meter, func() engine.Outcome {
		if r.prog == nil || len(r.prog.packages) > 0 {
			if err := r.compile(k); err != nil {
				return notRun(err)
			}
		}
		return r.execute()
	})
}

// briefText is the length of a text that is compiled in some milliseconds whatever it says, if it declares no types: those
// alone may take go/types more time than their length, if each is used twice by the next.
const briefText = 1 << 10

// brief reports that nobody needs to give up compiling the script. To hand it to another goroutine would be a tenth of a
// cold run, mostly for the operating system, which has to wake somebody when that goroutine is done.
func (r *run) brief() bool {
	return len(r.script.Text) <= briefText && !strings.Contains(r.script.Text, "type") &&
		(r.files == nil || r.plan.policy.Files.ModuleRoot == "")
}

// compile makes the script ready, with the key k.
func (r *run) compile(k programKey) error {
	stack.Roomy()
	prog, err := r.plan.load(r.meter, k, r.script, r.inputs, r.files)
	if err == nil {
		r.prog = prog
	}
	return err
}

// execute runs the compiled program.
func (r *run) execute() engine.Outcome {
	r.began.Store(true)
	if err := r.plan.contract(r.prog.prog, r.script); err != nil {
		return notRun(err)
	}
	h := r.env
	h.begin(r)
	defer h.end()
	bound, err := r.plan.bind(r.prog.loaded, r.prog.prog, h.Env, r.script.Inputs)
	if err != nil {
		return engine.Outcome{Fault: &Error{Kind: KindInternal, Message: err.Error()}}
	}
	r.echoes.list = r.prog.prog.Echoes()
	return r.prog.loaded.Run(r.given(bound, r.prog.reentrant))
}

// given is what the engine is given for the run.
func (r *run) given(bound *gates.Bind, visited bool) engine.Run {
	given := engine.Run{
		Host: answers{r.env}, Meter: r.meter, Bind: bound.Values(), Bodies: bound.Bodies(), Types: bound.Types(),
		Stderr: r.env.Stderr, EchoTo: r.echoes.to(),
		Clock: r.env.clock, Seed: r.env.seed, Visited: visited, Late: r.plan.tellLate(),
	}
	given.Returns = engine.OrderOf(r.ctx)
	if r.script.Result != nil {
		given.Want = resultVar
	}
	return given
}

// vars puts the variables of the script in res, without inputs that are as they were.
func (r *run) vars(list []engine.Var, inputs map[string]bool, res *Result) {
	for _, v := range list {
		if !inputs[v.Name] || engine.Differs(r.before[v.Name], v.Value) {
			res.Vars[v.Name], res.Types[v.Name] = v.Value, v.Type
		}
	}
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

func (p *Plan) bindOne(bound *gates.Bind, b rewrite.Binding, env *builtins.Env, inputs map[string]any) error {
	switch b.Kind {
	case abi.BindConst:
		return nil
	case abi.BindInput:
		return bound.Func(b.Index, p.table.InputReader(inputs[b.Name]))
	case abi.BindType:
		t, err := p.table.TypeOf(b.Type)
		if err != nil {
			return err
		}
		return bound.Type(b.Index, t)
	}
	v, body, err := p.table.Bound(env, builtins.Ref{
		Kind: b.Kind, Path: b.Path, Owner: b.Owner, Name: b.Name, Pointer: b.Pointer, TypeArgs: b.TypeArgs,
	})
	if err != nil {
		return err
	}
	bound.Body(b.Index, body)
	return bound.Func(b.Index, v)
}

func inputNames(prog *rewrite.Program) map[string]bool {
	names := map[string]bool{}
	for _, v := range prog.Vars() {
		names[v.Name] = v.Input
	}
	return names
}

// position is that of a place in prog.
func position(prog *rewrite.Program, pos token.Pos) diag.Position {
	at := prog.FileSet().Position(pos)
	return diag.Position{Name: prog.Source().Name, Line: at.Line, Column: at.Column}
}
