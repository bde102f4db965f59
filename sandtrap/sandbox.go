package sandtrap

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"io"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// A Script is one piece of Go source and what it gets for one run.
type Script struct {
	// Text is a program or a snippet, alone or as models send it: in a Markdown fence with prose around it, after
	// thoughts in <think>, in tags such as <code>, in a JSON object under "code" or a similar key, or in backticks.
	// Positions refer to the text as sent, or to the code in a JSON object. A text without code is refused with
	// KindSyntax; comments alone are an empty script.
	Text string
	Name string // of the text, in positions; "script.go" if empty

	// Inputs become variables of the script with the Go types of their values. The script's own
	// declarations shadow them. The contents of slices and maps and the targets of pointers are the
	// host's own; the script may change them, concurrently with the host. With an isolation the
	// script gets copies, except that values of types in the policy cross like results of host
	// functions. Plain data of types that are not in the policy is copied too, without the names
	// and methods of the types, and an error is copied as its text.
	Inputs map[string]any

	// Copy gives the script copies of the Inputs in every isolation: data without the names
	// and methods of the host's types, but for errors. Those that the script changed are in Result.Vars.
	Copy bool

	// Limits lowers the limits of the policy for this run: the smaller of two holds, and zero changes nothing.
	// Source, Nesting, CPU and ReadRate can be set in the policy only. Functions in the Result have these limits
	// too.
	Limits Limits

	// Funcs names functions that the script declares at its top level and that the host calls after the run: each
	// is a *Func in the variables of the Result. A missing one is an error of KindContract. A Session does not need
	// it: there a cell such as f := OnTick makes the function a variable. Engine yaegi has no such functions.
	Funcs []string

	// Result, if not nil, is a pointer to a Go variable for the one value that the host wants: the script has to store
	// it in a top-level variable "result", or, in a snippet, return it. A script whose value has a type that does not
	// fit, or that leaves none, is refused before it runs, with KindContract; see (*Result).Decode for what fits. After a successful run the
	// value is decoded, and Result.Vars is empty. A Result that is not a pointer, or is a nil one, is wrong use of the
	// sandbox.
	Result any

	Args []string // os.Args; the name of the script if empty

	// Stdin is os.Stdin; empty if nil. It is read from by one goroutine at a time. A Read that
	// has not returned when the run has to end is abandoned: the run ends without it, and its
	// data is lost. If it panics, the script panics.
	Stdin io.Reader

	// Echo, if not empty, overrides Policy.Echo.
	Echo EchoMode

	// Prints keeps the arguments of fmt.Print, Printf and Println in Result.Prints, as
	// values.
	Prints bool

	// Stdout and Stderr, if not nil, get the output of the script while it runs. They are written to from
	// the goroutines of the run, one write at a time: a writer that blocks holds up the script, within its
	// time. Their errors are ignored. A writer that panics gets no more output, and Result.Warnings has a
	// line about it.
	Stdout, Stderr io.Writer

	// Events, if not nil, gets the steps of the run as they happen. An event is dropped if the
	// channel is full, because the script does not wait for a reader; Result.Dropped counts
	// these. The last place in the buffer of a channel is reserved for EventFinished, so that a
	// reader of any speed gets it, and gets it last, if no other run uses the channel. A closed
	// channel gets nothing more.
	Events chan<- Event
}

// A Sandbox runs scripts under one Plan. Any number of goroutines may use it at
// a time; scripts see nothing of each other.
type Sandbox struct {
	plan    *Plan
	base    afero.Fs    // where the files are, nil if there are none
	files   *vfs.Volume // of base
	start   engine.Start
	workers *workers // nil if scripts run in this process
	closed  atomic.Bool
}

// New is Compile and then (*Plan).New.
func New(ctx context.Context, p Policy) (*Sandbox, error) {
	plan, err := Compile(p)
	if err != nil {
		return nil, err
	}
	return plan.New(ctx)
}

// New makes a sandbox for the plan. If the isolation of the policy is not available, the
// error is an *Error of KindIsolation.
func (p *Plan) New(ctx context.Context) (*Sandbox, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s, err := p.sandbox(ctx)
	if err != nil {
		return nil, err
	}
	if p.policy.Isolation != None {
		if s.workers, err = p.newWorkers(ctx, s.files); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// sandbox makes one that has no workers yet.
func (p *Plan) sandbox(ctx context.Context) (s *Sandbox, err error) {
	s = &Sandbox{plan: p, start: engine.StartOf(ctx, engine.Start{Seed: p.policy.Seed, Epoch: p.policy.Epoch})}
	f := p.policy.Files
	switch {
	case f == nil:
		return s, nil
	case f.Open == nil:
		s.base = vfs.MemAt(s.start.Epoch)
	default:
		if s.base, err = f.Open(); err != nil {
			return nil, fmt.Errorf("sandtrap: Policy.Files.Open: %w", err)
		}
	}
	s.files, err = vfs.New(s.base, vfs.Options{Quota: f.Quota, Cwd: f.Cwd, Given: p.given})
	return s, err
}

// Files returns what Policy.Files.Open returned for this sandbox, nil if its
// scripts have no files.
func (s *Sandbox) Files() afero.Fs { return s.base }

// Close ends the use of the sandbox: later runs fail with ErrClosed. Runs in
// progress go on; cancel their contexts to end them.
func (s *Sandbox) Close() error {
	if !s.closed.Swap(true) && s.workers != nil {
		s.workers.close()
	}
	return nil
}

// Run checks the script and, unless it is refused, runs it. The Result is never nil. The error
// is nil, an *Error that Result.Error holds too, or about wrong use of the sandbox (ErrClosed,
// an invalid field of the script). Cancelling ctx ends the run at its next gate. Run does not
// panic.
func (s *Sandbox) Run(ctx context.Context, script Script) (res *Result, err error) {
	res = s.plan.result()
	if s.closed.Load() {
		return res, ErrClosed
	}
	defer failed(res, &err)
	if script, err = s.plan.ready(script); err != nil {
		return res, res.notBegun(ctx, script, err)
	}
	if ctx, err = nest(ctx); err != nil {
		newEvents(ctx, script).finish(res, err)
		return res, err
	}
	run := s.run
	if s.workers != nil {
		run = s.runRemote
	}
	if err := run(ctx, script, res); err != nil {
		return res, res.fail(script, err)
	}
	return res, nil
}

// result is that of a run which has not begun.
func (p *Plan) result() *Result {
	return &Result{Vars: map[string]any{}, Types: map[string]string{}, Engine: p.engine.Name(), Isolation: Status{Mode: None}}
}

// failed, deferred, makes an error of a panic of ours.
func failed(res *Result, err *error) {
	if recover() != nil {
		res.Error = internalError("the sandbox failed while it ran the script")
		*err = res.Error
	}
}

// fail keeps err in r if it is about the script.
func (r *Result) fail(script Script, err error) error {
	r.Error = script.excerpts(err)
	return err
}

// notBegun is fail for a run that will not begin: who reads its events is told so.
func (r *Result) notBegun(ctx context.Context, script Script, err error) error {
	if r.fail(script, err); r.Error != nil {
		newEvents(ctx, script).finish(r, err)
	}
	return err
}

// sourceOnly is s without what it gets, for who shows excerpts of it later.
func (s Script) sourceOnly() Script { return Script{Text: s.Text, Name: s.Name} }

// excerpts is the Error in err, if there is one, with the lines of s that it is about.
func (s Script) excerpts(err error) *Error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return nil
	}
	name := s.name()
	if s.Name == "" { // maybe a cell, which its session has named
		switch outer := len(e.Stack) - 1; {
		case e.refused:
			name = e.Pos.Name
		case outer >= 0 && e.Stack[outer].Func == "main.main":
			name = e.Stack[outer].Pos.Name
		}
	}
	for _, one := range e.All() {
		if one.Pos.Name == name {
			one.excerpt = excerptOf(s.Text, one.Pos)
		}
	}
	return e
}

// A CheckResult says what a script could do if it ran.
type CheckResult struct {
	Bindings  []Binding // all that the script can reach of its host
	Warnings  []string  // those of a Result that are about the source
	rewritten func() string
}

// Rewritten returns the script in the form that would run, with its gates.
func (r *CheckResult) Rewritten() string { return r.rewritten() }

// Check does the steps of Run that precede the run: it returns what the script could
// reach, or the error that Run would return.
func (s *Sandbox) Check(ctx context.Context, script Script) (rep *CheckResult, err error) {
	if s.closed.Load() {
		return nil, ErrClosed
	}
	defer func() {
		if recover() != nil {
			rep, err = nil, internalError("the sandbox failed while it checked the script")
		}
	}()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if ctx, err = nest(ctx); err != nil {
		return nil, err
	}
	if script, err = s.plan.ready(script); err != nil {
		return nil, err
	}
	defer func() { script.excerpts(err) }()
	if s.workers != nil {
		return s.checkRemote(ctx, script)
	}
	prog, err := s.plan.check(ctx, s.files, script)
	if err != nil {
		return nil, err
	}
	return &CheckResult{Bindings: s.plan.bindings(prog), Warnings: slices.Clone(prog.Warnings(cmp.Or(script.Echo, s.plan.policy.Echo) != EchoNone)), rewritten: prog.Text}, nil
}

// ready is s with the code alone, and with inputs of its own, if they are to be copied. The error names the field
// that is wrong.
func (p *Plan) ready(s Script) (Script, error) {
	s.Text = parse.Unwrapped(s.Text)
	if strings.TrimSpace(s.Text) == "" {
		return s, &Error{
			Kind: KindSyntax, Pos: diag.Position{Name: s.name(), Line: 1, Column: 1}, refused: true,
			Message: "no Go code in the text: it is empty", Hint: "send Go source; a comment alone does nothing, and is no error",
		}
	}
	if err := s.Echo.validate(); err != nil {
		return s, fmt.Errorf("sandtrap: Script.Echo: %w", err)
	}
	if err := s.Limits.validateScript(&p.policy); err != nil {
		return s, err
	}
	if len(s.Funcs) > 0 && s.Result != nil {
		return s, errors.New("sandtrap: Script.Funcs: with Script.Result nothing else is handed out")
	}
	if len(s.Funcs) > 0 && p.policy.Engine == "yaegi" {
		return s, errors.New("sandtrap: Script.Funcs: engine yaegi leaves no functions; use engine vm")
	}
	if s.Result != nil {
		if _, err := engine.Target(s.Result, "Script.Result"); err != nil {
			return s, fmt.Errorf("sandtrap: %w", err)
		}
	}
	for _, name := range sortedNames(s.Inputs) {
		if !token.IsIdentifier(name) || name == "_" || name == "init" {
			return s, fmt.Errorf("sandtrap: input %q: the name is not a Go name", name)
		}
		if s.Inputs[name] == nil {
			return s, fmt.Errorf("sandtrap: input %s: nil has no type; use a typed value", name)
		}
	}
	var own map[string]any
	for name, v := range s.Inputs {
		if _, isError := v.(error); isError || !s.Copy && !p.table.HasNewData(v) { // scripts see the fields of such data in each mode
			continue
		}
		v, err := (&carry.Copier{Keeps: p.table.Knows, Whole: s.Copy}).Copy(v)
		if err != nil {
			return s, fmt.Errorf("sandtrap: input %s: %w", name, err)
		}
		if own == nil {
			own = maps.Clone(s.Inputs)
		}
		own[name] = v
	}
	if own != nil {
		s.Inputs = own
	}
	return s, nil
}

func (s Script) name() string {
	if s.Name == "" {
		return "script.go"
	}
	return s.Name
}
