package sandtrap

import (
	"context"
	"errors"
	"fmt"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// A Session runs scripts one after the other, as cells that share their state: later
// cells see what a cell declares or imports. A name may be declared again with another
// meaning; functions that were compiled before keep the old meaning, and values keep
// their type.
//
// A cell that is refused changes nothing. The effects of a cell that is stopped or panics
// remain; its variables are declared, with zero values where it did not assign them.
// Goroutines end with the cell that started them.
//
// The limits of the policy hold for each cell, but what the session holds in memory
// counts as a whole. Cells run one at a time, from any goroutine: another one waits its
// turn, or until its context ends. No other method waits for a cell.
type Session struct {
	box *Sandbox
	turn
	remote *remoteSession // where it is, with an isolation; then there is no state here
	state
}

// state is what a session gets anew when it is reset.
type state struct {
	scope  *rewrite.Session
	engine engine.Session
	env    *runEnv
	bound  *gates.Bind
	cells  int   // that were run
	ended  error // why there can be no more cells
}

var errSessionStuck = errors.New("sandtrap: the session is over: a function of the host has not returned from a cell that was given up")

// Session starts a session without cells. It needs engine vm.
func (s *Sandbox) Session() (*Session, error) {
	if s.closed.Load() {
		return nil, ErrClosed
	}
	e, ok := s.plan.engine.(engine.Sessioner)
	if !ok {
		return nil, policyError("Engine", "engine %s has no sessions; engine vm has", s.plan.engine.Name())
	}
	if _, err := s.plan.universe.Import("main"); err == nil {
		return nil, policyError("Packages", "a package main of the host would be taken for the cells of a session")
	}
	if s.workers != nil {
		return s.remoteSession(nil)
	}
	return &Session{box: s, turn: newTurn(), state: state{
		scope: rewrite.NewSession(s.plan.universe, s.plan.bounds), engine: e.Session(), env: s.newRunEnv(true), bound: gates.NewBind(0),
	}}, nil
}

// Run runs one cell, like (*Sandbox).Run; Result.Vars has the variables that the cell
// declares.
func (s *Session) Run(ctx context.Context, script Script) (res *Result, err error) {
	plan := s.box.plan
	res = plan.result()
	if s.isRunning(ctx) {
		return res, errCellRuns
	}
	defer failed(res, &err)
	if ctx, err = nest(ctx); err != nil {
		newEvents(ctx, script).finish(res, err)
		return res, err
	}
	leave, err := s.await(ctx)
	if err != nil {
		return res, res.notBegun(ctx, script, err)
	}
	defer leave()
	if s.box.closed.Load() {
		return res, ErrClosed
	}
	if err := s.over(); err != nil {
		return res, err
	}
	if script, err = s.box.plan.ready(script); err != nil {
		return res, res.notBegun(ctx, script, err)
	}
	if len(script.Funcs) > 0 {
		return res, errors.New("sandtrap: Script.Funcs: a cell of a session leaves a function in a variable, as in f := OnTick")
	}
	if s.remote != nil {
		if err := s.remote.run(ctx, script, res); err != nil {
			return res, res.fail(script, err)
		}
		return res, nil
	}
	if err := s.run(ctx, script, plan.inputs(script.Inputs), res); err != nil {
		return res, res.fail(script, err)
	}
	return res, nil
}

// isRunning reports that ctx is that of a call that a cell of the session makes.
func (s *Session) isRunning(ctx context.Context) bool {
	switch of := ctx.Value(runKey{}).(type) {
	case *run:
		return s.remote == nil && of.env == s.env
	case *remoteCall:
		return s.remote != nil && of.worker == s.remote.worker
	}
	return false
}

// tidy lets go of what nothing leads to any more, if there may be much of it or now is true.
func (s *state) tidy(now bool) {
	if s.engine.Tidy(now) {
		s.scope.Tidy()
	}
}

func (s *state) end() {
	s.engine.Close()
	s.env.close()
}

// A cellRun is one cell on its way from text to result.
type cellRun struct {
	*run
	session *Session
	cell    engine.Cell
	prog    *rewrite.Program
}

func (s *Session) run(ctx context.Context, script Script, inputs []check.Input, res *Result) error {
	if script.Name == "" {
		script.Name = fmt.Sprintf("cell%d.go", s.cells+1)
	}
	r := &cellRun{session: s, run: s.box.newRun(ctx, s.env, script, inputs)}
	select {
	case s.env.busy <- struct{}{}:
		defer func() { <-s.env.busy }()
	case <-ctx.Done():
		return s.box.plan.cancelled(ctx)
	}
	if s.env.isLost() {
		s.ended = errSessionStuck
		return s.ended
	}
	s.tidy(false)
	out, stuck := engine.Supervise(r.meter, r.outcome)
	e := r.report(res, out, stuck)
	defer func() { r.events.finish(res, orNil(e)) }()
	if stuck {
		s.ended = errSessionStuck
		s.env.lose()
	} else if r.prog != nil {
		r.events.reaches(r.prog)
		res.Warnings = append(res.Warnings, r.prog.Warnings(r.echoes.mode != EchoNone)...)
		e = r.handOut(out.Vars, inputNames(r.prog), e, res)
	}
	return orNil(e)
}

// outcome compiles the cell and runs it.
func (r *cellRun) outcome() engine.Outcome {
	if err := r.compile(); err != nil {
		return notRun(err)
	}
	s := r.session
	r.began.Store(true)
	s.env.begin(r.run)
	defer s.env.end()
	if err := s.bind(r.cell, r.script.Inputs); err != nil {
		s.ended = err // later cells would find the rest not bound
		return engine.Outcome{Fault: &Error{Kind: KindInternal, Message: err.Error()}}
	}
	s.cells++
	r.cell.Declare()
	s.scope.Declare(r.prog)
	r.echoes.list = r.prog.Echoes()
	return r.cell.Run(r.given(s.bound, s.env.reentered))
}

// compile takes the cell through all stages but the last.
func (r *cellRun) compile() error {
	src := parse.Source{Name: r.script.name(), Text: r.script.Text}
	if own := r.plan.finder(r.files, r.meter); own != nil {
		defer own.fs.Close()
		src.Find = own.find
	}
	prog, err := r.session.scope.Compile(src, r.inputs)
	if err != nil {
		return refusal(err)
	}
	if err := r.plan.contract(prog, r.script); err != nil {
		return err
	}
	cell, err := r.session.engine.Load(prog, r.plan.table.TypeOf, r.meter)
	if err != nil {
		return notLoaded(err)
	}
	r.session.env.reentered = r.session.env.reentered || reentrant(prog)
	r.prog, r.cell = prog, cell
	return nil
}

// bind gives the bindings that the cell is the first to use their values. They stay for
// all cells, apart from those of inputs.
func (s *Session) bind(cell engine.Cell, inputs map[string]any) error {
	for _, b := range cell.Bindings() {
		s.bound.Grow(b.Index + 1)
		s.bound.Free(b.Index)
		_, given := inputs[b.Name]
		if b.Kind == abi.BindInput && !given { // of a cell that is loaded and not run
			continue
		}
		if err := s.box.plan.bindOne(s.bound, b, s.env.Env, inputs); err != nil {
			return fmt.Errorf("cannot bind %v: %w", b, err)
		}
	}
	return nil
}
