// Package worker makes a program its own worker: a process that runs scripts for it and
// that, with isolation kernel, the kernel confines. Call Init first in main:
//
//	func main() {
//		worker.Init()
//		…
//	}
//
// In the program that the user started Init does nothing.
//
// It may not run a job before its process is locked down.
package worker

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/stack"
	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/isolate/confine"
	"github.com/sandtrap-go/sandtrap/isolate/early"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/live"
)

// Init serves as a worker, and does not return, if the program was started as one. Packages that the program links are initialized before:
// one that has a goroutine or a timer from then on has it in workers too. Isolation kernel ends a worker for a system call of it, such as to open a
// file; with Policy.Audit the call fails. Policy.Worker can name a program without such packages.
func Init() {
	isolate.Serves()
	if !early.Worker() {
		return
	}
	serve := confine.Spawn
	if len(os.Args) == 1 {
		j := &worker{slots: newSlots()}
		s := &wire.Server{Lock: confine.Apply, Do: j.do, Tell: j.tell, Ask: j.asked}
		serve = func() error { return s.Serve(confine.Link{}) }
	}
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// worker is what a worker keeps from job to job.
type worker struct {
	plan    *sandtrap.Plan
	box     *sandtrap.Sandbox         // of the jobs that begin with start
	start   start                     // of the job that runs, or was last
	errors  carry.Errors              // of the host, that scripts know
	session *sandtrap.Session         // nil until the host asks for one
	now     atomic.Pointer[job]       // the one that runs, or was last
	link    atomic.Pointer[live.Link] // of the run that goes on, or was last
	kept    kept
	thrown  thrown
	types   *carry.Types // of the host's structs
	placed  bool         // the host wants to know where scripts call its functions
	slots   slots
	handles atomic.Pointer[carry.Handles] // of what is kept, and the objects that the run or the session knows
	idle    *time.Timer                   // runs while there is no job; nil before the first: it opens descriptors
}

// lull is for how long there has been no job when a worker gives back the memory that those before
// have left. One that waits would keep it: the garbage collector of a program that does nothing
// does not run for minutes.
const lull = 100 * time.Millisecond

// A job is what a call of the host is part of. Those that a run has given up may go on when
// the next has begun.
type job struct {
	ctx    context.Context
	host   *wire.Host
	queued time.Duration // see jobs.Task
}

type jobKey struct{}

// jobOf is the job that ctx is of, nil if of none.
func jobOf(ctx context.Context) *job {
	of, _ := ctx.Value(jobKey{}).(*job)
	return of
}

// context is that of the job that runs, for what is of no run.
func (j *worker) context() context.Context { return j.now.Load().ctx }

// runContext is that of the run that goes on, or else of the job.
func (j *worker) runContext() context.Context {
	if l := j.link.Load(); l != nil && l.Context() != nil {
		return l.Context()
	}
	return j.context()
}

// forget makes the run that begins one that knows of nothing.
func (j *worker) forget() {
	j.kept.clear()
	j.thrown.clear()
	h := carry.HandlesOf(j.kept.number, j.kept.function)
	h.Objects, h.Errors = j.types.OnWorker(), j.errors.OfRun(false)
	j.handles.Store(h)
}

// do does one job.
func (j *worker) do(ctx context.Context, body []byte, host *wire.Host) ([]byte, error) {
	stack.Roomy()
	if j.idle != nil {
		j.idle.Stop()
	}
	defer func() { j.idle = time.AfterFunc(lull, debug.FreeOSMemory) }()
	var task jobs.Task
	if err := wire.Decode(body, &task); err != nil {
		return nil, err
	}
	now := &job{nil, host, time.Duration(task.Queued)}
	ctx = context.WithValue(ctx, jobKey{}, now)
	now.ctx = ctx
	j.now.Store(now)
	j.kept.drop(task.Drop)
	if err := j.begins(ctx, start{task.Seed, task.Epoch}); err != nil {
		return nil, err
	}
	switch {
	case task.Plan != nil && j.box == nil:
		return nil, j.open(ctx, task.Plan)
	case task.Run != nil && j.box != nil:
		return j.run(ctx, task.Run)
	case task.Check != nil && j.box != nil:
		return j.check(ctx, task.Check)
	case task.Cell != nil && j.box != nil:
		return j.cell(ctx, task.Cell)
	case task.Call != nil && j.box != nil:
		return j.callAlone(ctx, task.Call)
	}
	return nil, fmt.Errorf("worker: protocol error: a job came that no worker takes now")
}

func (j *worker) open(ctx context.Context, plan *jobs.Plan) error {
	if err := j.makeTypes(plan.Types); err != nil {
		return err
	}
	j.forget()
	policy, err := j.policy(plan)
	if err != nil {
		return err
	}
	j.forget() // a session knows the errors of the policy
	if j.plan, err = sandtrap.Compile(policy); err != nil {
		return err
	}
	j.box, err = j.plan.New(ctx)
	return err
}

// A start is the seed and the epoch of a jobs.Task.
type start struct {
	seed  uint64
	epoch string
}

// begins has the job that begins run in a sandbox with its start. Nothing of the sandbox before is in that: a job is as in a
// worker that has done no other.
func (j *worker) begins(ctx context.Context, s start) (err error) {
	if j.box == nil || s == j.start {
		return nil
	}
	own := engine.Start{Seed: s.seed}
	if s.epoch != "" {
		if own.Epoch, err = time.Parse(time.RFC3339Nano, s.epoch); err != nil {
			return fmt.Errorf("worker: %w", err)
		}
	}
	box, err := j.plan.New(engine.WithStart(ctx, own))
	if err == nil {
		j.box, j.start = box, s
	}
	return err
}

func (j *worker) run(ctx context.Context, s *jobs.Script) ([]byte, error) {
	j.forget()
	out, err := j.runIn(ctx, s, j.box.Run)
	if err != nil {
		return nil, err
	}
	return wire.Encode(out)
}

// runIn runs a script by run, that of the sandbox or of the session. The error is about
// the use of that, or ours.
func (j *worker) runIn(ctx context.Context, s *jobs.Script, run func(context.Context, sandtrap.Script) (*sandtrap.Result, error)) (*jobs.Result, error) {
	script, err := j.script(ctx, s)
	if err != nil {
		return nil, err
	}
	if s.Ordered {
		ctx = j.ordered(ctx, s.Before)
	}
	ctx, l := j.joined(ctx, s.Events)
	l.Copies = s.Copy
	if s.Live {
		script.Stdout, script.Stderr = &printer{jobOf(ctx), l, false}, &printer{jobOf(ctx), l, true}
	}
	res, err := run(ctx, script)
	if err != nil && res.Error == nil {
		return nil, err
	}
	out := j.result(res)
	if j.placed && l.Reached != nil {
		out.Reached = &jobs.Reached{}
		out.Reached.Standard, out.Reached.Host, out.Reached.Own = l.Reached()
	}
	j.sendAhead(ctx, &out)
	if script.Result != nil && err == nil {
		if out.Answer, err = j.handles.Load().EncodeFrom(script.Result); err != nil {
			return nil, err
		}
	}
	return &out, nil
}

func (j *worker) check(ctx context.Context, s *jobs.Script) ([]byte, error) {
	j.forget()
	script, err := j.script(ctx, s)
	if err != nil {
		return nil, err
	}
	report, err := j.box.Check(ctx, script)
	out := jobs.CheckReport{}
	if e, ok := err.(*sandtrap.Error); ok {
		out.Error = scriptError(e)
	} else if err != nil {
		return nil, err
	} else {
		out.Rewritten, out.Warnings = report.Rewritten(), report.Warnings
		for _, b := range report.Bindings {
			out.Bindings = append(out.Bindings, jobs.Binding{Kind: b.Kind, Name: b.Name, Type: b.Type, Pos: position(b.Pos)})
		}
	}
	return wire.Encode(out)
}
