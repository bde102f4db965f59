package sandtrap

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/posture"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/network"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// workers run the scripts of one sandbox: a worker that ran one is never given to
// another sandbox.
type workers struct {
	plan  *Plan
	files *vfs.Volume // nil if there are none
	start starter
	slots [maxNested + 1]chan struct{} // by the depth of the runs that have them; nil with a pool
	idle  chan *isolate.Worker

	pool   *pools // where they come from and go to, if not nil
	tenant string // to which they give them

	sessions remoteSessions // each with a worker of its own
	kept     leasedWorkers

	mu   sync.Mutex
	used map[*isolate.Worker]bool // those that something runs in, or is kept in
}

// atOnce is how many workers a sandbox has at most for the runs of one depth; further runs wait.
const atOnce = 8

// overhead is what a worker needs beside what its script may hold.
const overhead = 192 << 20

// newWorkers starts the first worker, so that what is wrong shows before the first run.
func (p *Plan) newWorkers(ctx context.Context, files *vfs.Volume) (*workers, error) {
	start, err := p.starter(files)
	if err != nil {
		return nil, err
	}
	w := &workers{plan: p, files: files, start: start, idle: make(chan *isolate.Worker, atOnce)}
	for depth := range w.slots {
		w.slots[depth] = make(chan struct{}, atOnce)
	}
	first, err := w.start(ctx)
	if err != nil {
		return nil, err
	}
	w.idle <- first
	return w, nil
}

// A starter starts a worker and has it make its sandbox.
type starter func(context.Context) (*isolate.Worker, error)

// starter is that of the plan. Files are what a worker may ask for while it makes its sandbox.
func (p *Plan) starter(files *vfs.Volume) (starter, error) {
	setup, err := wire.Encode(jobs.Task{Plan: p.sent})
	if err != nil {
		return nil, err
	}
	spec := isolate.Spec{Path: p.policy.Worker, Level: level(p.policy.Isolation, p.policy.Level), AllowDegraded: p.policy.AllowDegraded, Audit: p.policy.Audit}
	spec.CPU, spec.ReadRate = p.policy.Limits.CPU, p.policy.Limits.ReadRate
	if m := p.limits.Memory; m > 0 {
		spec.Memory = 2*min(m, math.MaxInt64/4) + overhead
	}
	spec.Frames = frameLimits(&p.limits)
	for _, g := range p.given {
		if p.guards.Files {
			break // the host reads
		}
		spec.Dirs = append(spec.Dirs, g.Dir)
	}
	return func(ctx context.Context) (*isolate.Worker, error) {
		worker, err := p.startAgain(ctx, spec, setup, files)
		if lack, ok := errors.AsType[*isolate.MissingError](err); ok {
			return nil, missing(p.policy.Isolation, lack)
		}
		if err != nil && ctx.Err() != nil {
			return nil, p.cancelled(ctx)
		}
		if killed(err) {
			return nil, &Error{Kind: KindWorker, Message: "the worker was killed before it was ready"}
		}
		if e, ok := errors.AsType[*Error](err); ok {
			return nil, e
		}
		if err != nil {
			return nil, &Error{Kind: KindIsolation, Message: fmt.Sprintf("isolation %s is not available: %v", p.policy.Isolation, err), Hint: workerHint}
		}
		return worker, nil
	}, nil
}

// startTries is how many workers in a row may be killed by somebody before one is ready.
const startTries = 3

// startAgain starts a worker that has taken the policy, and another one in place of one that is killed
// meanwhile: that says nothing of this machine, and nothing has been done yet.
func (p *Plan) startAgain(ctx context.Context, spec isolate.Spec, setup []byte, files *vfs.Volume) (w *isolate.Worker, err error) {
	for range startTries {
		if w, err = isolate.Start(ctx, spec); err == nil {
			err = p.setUp(ctx, w, setup, files)
		}
		if !killed(err) || ctx.Err() != nil {
			break
		}
	}
	return w, err
}

// setUp has a worker make its sandbox. One that does not is closed.
func (p *Plan) setUp(ctx context.Context, w *isolate.Worker, setup []byte, files *vfs.Volume) error {
	c := (&Sandbox{plan: p, files: files}).remoteCall(ctx, Script{})
	defer c.close()
	if c.files != nil {
		c.files.setup = true
	}
	_, err := w.Do(ctx, setup, isolate.Handlers{Call: c.call})
	if err == nil {
		return nil
	}
	w.Close()
	switch d, died := errors.AsType[*isolate.DeathError](err); {
	case killed(err):
		return err
	case died:
		return &Error{Kind: KindWorker, Message: fmt.Sprintf("the worker ended while it took the policy (%s): %s", d.Cause, oneLine(d.Text))}
	}
	return &Error{Kind: KindWorker, Message: "the worker rejected the policy: " + err.Error()}
}

// killed reports that err is of a worker that somebody killed.
func killed(err error) bool {
	d, died := errors.AsType[*isolate.DeathError](err)
	return died && d.Cause == isolate.Killed
}

const workerHint = "the program has to call worker.Init first in main, or Policy.Worker name one that does"

// missing is the error for layers that this machine does not have.
func missing(mode Isolation, lack *isolate.MissingError) *Error {
	return &Error{
		Kind: KindIsolation, Message: fmt.Sprintf("isolation %s is not available: %s", mode, lack.Reasons()),
		Hint: fmt.Sprintf("sandtrap doctor says what this machine lacks; %sAllowDegraded runs without it", lower(lack)),
	}
}

// lower names the highest level that has none of the layers.
func lower(lack *isolate.MissingError) string {
	for _, l := range []isolate.Level{isolate.Strict, isolate.Standard} {
		has := func(m posture.Layer) bool { return slices.Contains(isolate.Level(l).Layers(), m.Name) }
		if !slices.ContainsFunc(lack.Layers, has) {
			return fmt.Sprintf("level %s needs none of that; ", l)
		}
	}
	return ""
}

// own is a worker for what is no run: it takes no place from one, but that of a pool.
func (w *workers) own(ctx context.Context) (l lease, err error) {
	if w.pool != nil {
		return w.take(ctx, w.plan.limits.Timeout)
	}
	if l.worker, err = w.find(ctx); err == nil {
		w.use(l.worker)
	}
	return l, err
}

// use says that something runs in the worker, or is kept there.
func (w *workers) use(worker *isolate.Worker) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.used == nil {
		w.used = map[*isolate.Worker]bool{}
	}
	w.used[worker] = true
}

// leave says that nothing runs in the worker, or is kept there.
func (w *workers) leave(worker *isolate.Worker) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.used, worker)
}

// find is one that waits, or a new one.
func (w *workers) find(ctx context.Context) (*isolate.Worker, error) {
	select {
	case worker := <-w.idle:
		return worker, nil
	default:
		return w.start(ctx)
	}
}

// put takes a worker back after a run; one that failed is not used again.
func (w *workers) put(l lease, failed bool) {
	if failed {
		w.end(l.worker)
	} else {
		w.leave(l.worker)
		w.rest(l.worker)
	}
	l.leave()
}

// end ends a worker that nobody uses.
func (w *workers) end(worker *isolate.Worker) {
	w.leave(worker)
	if w.pool != nil {
		w.pool.release(worker, true)
	} else {
		worker.Close()
	}
}

func (w *workers) close() {
	w.sessions.close()
	w.kept.close(w)
	if w.pool != nil {
		w.pool.leave(w.tenant)
		return
	}
	for {
		select {
		case worker := <-w.idle:
			worker.Close()
		default:
			return
		}
	}
}

// remote is what of the policy a worker has to know.
func (p *Plan) remote() (*jobs.Plan, error) {
	q := &p.policy
	plan := &jobs.Plan{
		Std: q.Std, Exclude: q.excludedStd(), Env: q.Env, HasEnv: q.Env != nil, Engine: q.Engine, Echo: string(q.Echo),
		Limits: jobs.Limits(q.Limits), Placed: p.gate != nil, Network: q.Network != nil, Secrets: network.Secrets(q.Network),
	}
	if f := q.Files; f != nil {
		plan.Files = &jobs.Files{Cwd: f.Cwd, ModuleRoot: f.ModuleRoot, Open: f.Quota.Open}
		for _, g := range p.given {
			plan.Files.Given = append(plan.Files.Given, sentDir(g, q.Isolation))
		}
	}
	return plan, p.sendMembers(plan)
}

// sentDir says to a worker how it reads in a directory. One that the kernel does not confine follows links: where
// secrets are hidden and scripts may move links, the host reads.
func sentDir(g *vfs.Given, isolation Isolation) jobs.Dir {
	return jobs.Dir{Path: g.Path, Whole: g.Whole, Asked: isolation == Process && g.Write && !g.Whole}
}

// runRemote runs a script in a worker and fills res.
func (s *Sandbox) runRemote(ctx context.Context, script Script, res *Result) (err error) {
	c := s.remoteCall(ctx, script)
	defer func() { c.events.finish(res, err) }()
	job, err := s.plan.remoteScript(script)
	if err != nil {
		return err
	}
	return s.do(ctx, c, jobs.Task{Run: job}, res, func(body []byte) error {
		var got jobs.Result
		if err := wire.Decode(body, &got); err != nil {
			return malformed("result")
		}
		return s.plan.take(ctx, &got, c, res)
	})
}

// take puts what a worker sent of a run where it belongs.
func (p *Plan) take(ctx context.Context, got *jobs.Result, c *remoteCall, res *Result) error {
	if got.Reached != nil {
		c.events.reached = got.Reached.All
	}
	h := c.place.handles()
	err := p.endedBy(ctx, received(got, &c.ahead, &c.limits, h, res))
	into := c.script.Result
	if e, ok := errors.AsType[*Error](err); ok && into != nil && strings.HasPrefix(e.Hint, engine.HostWants) {
		e.Hint = engine.Wants(into) // the worker knows less of its type
	}
	if err != nil || into == nil {
		return err
	}
	var whatever any
	_, stays := p.target(into)
	if stays != nil {
		into = &whatever
	}
	err = h.DecodeInto(got.Answer, into, resultVar, roomOfValues(&c.limits))
	if err == nil && stays != nil {
		err = engine.Decode(whatever, c.script.Result, resultVar)
	}
	if err == nil {
		return nil
	}
	return misfit(err, c.script.Result)
}

// endedBy gives an error of a worker the reason that ctx had: the worker is only told to end. One that says
// that all went well after that is not believed.
func (p *Plan) endedBy(ctx context.Context, err error) error {
	e, ok := errors.AsType[*Error](err)
	switch {
	case err == nil && ctx.Err() != nil:
		return p.cancelled(ctx)
	case !ok || e == nil:
		return err
	case e.Kind == KindCancelled && ctx.Err() != nil:
		if by, ok := errors.AsType[*Error](p.cancelled(ctx)); ok {
			e.Kind, e.Message, e.Err = by.Kind, by.Message, by.Err
		}
	case e.Kind == KindTimeout && errors.Is(ctx.Err(), context.DeadlineExceeded):
		e.Err = context.DeadlineExceeded
	}
	return e
}

// cancelledWhile is the error of a run that ctx has ended, with where behind its message, and with a hint.
func (p *Plan) cancelledWhile(ctx context.Context, where, hint string) error {
	err := p.cancelled(ctx)
	if e, ok := errors.AsType[*Error](err); ok {
		e.Message += where
		e.Hint = hint
	}
	return err
}

// A taker takes the body of a worker's answer.
type taker func(body []byte) error

// do has a worker do a job, and answers it with c. taken takes what comes of it; if there
// are functions in that, they keep the worker.
func (s *Sandbox) do(ctx context.Context, c *remoteCall, task jobs.Task, res *Result, taken taker) (err error) {
	defer c.close()
	for range maxWorkers + 1 { // none of those that have waited may be of use
		c.unheard = false
		if err = s.try(ctx, c, task, res, taken); !c.unheard {
			break
		}
	}
	return err
}

// try is do with one worker. If that does not begin the job, nothing has happened.
func (s *Sandbox) try(ctx context.Context, c *remoteCall, task jobs.Task, res *Result, taken taker) error {
	if t := c.limits.Timeout; t > 0 && c.lost >= t {
		return s.plan.notBegun(ctx, queueingError(t))
	}
	l, err := s.workers.take(ctx, c.limits.Timeout)
	if err != nil {
		return err
	}
	c.worker, c.depth, c.queued = l.worker, max(l.depth, depthOf(ctx)), c.lost+l.queued
	c.place = s.lease(c)
	failed := true // until its answer has been taken whole, however this ends
	defer func() {
		if c.place.used() && !failed {
			s.workers.keep(c.place)
			l.leave()
			return
		}
		close(c.place.worker.(*leasedWorker).gone)
		s.workers.put(l, failed)
	}()
	failed, err = s.plan.exchange(ctx, c, task, res, taken)
	return err
}

// exchange has the worker of c do a job, and taken take its answer. It has failed if it is dead, or has
// answered what no worker does: then it is of no more use.
func (p *Plan) exchange(ctx context.Context, c *remoteCall, task jobs.Task, res *Result, taken taker) (failed bool, err error) {
	defer func() { c.ended.Store(!c.unheard) }()
	if err := c.giveInputs(task); err != nil {
		return false, err
	}
	task.Drop, task.Queued, task.Seed = c.place.taken(), int64(c.queued), c.start.Seed
	if at := c.start.Epoch; !at.IsZero() {
		task.Epoch = at.Format(time.RFC3339Nano)
	}
	job, err := wire.Encode(task)
	if err != nil {
		return false, err
	}
	if len(job) > wire.MaxBody {
		return false, fmt.Errorf("sandtrap: the script and its inputs are %d bytes, and a worker can be given %d: have what is large in files, or in functions of the host that return parts of it", len(job), wire.MaxBody)
	}
	res.Isolation = p.status(c.worker)
	began := time.Now()
	if c.begins(ctx, &task); c.denied.Load() != nil {
		return false, &Error{Kind: KindDenied, Message: *c.denied.Load()}
	}
	if t := c.limits.Timeout; t > 0 && !p.guards.Asks {
		c.end = began.Add(t - c.queued + c.limits.HostTime)
	}
	limit, cancel := c.backstop(ctx)
	defer cancel()
	body, err := c.worker.Do(limit, job, isolate.Handlers{Call: c.call, Stream: c.stream, Long: c.long})
	res.Artifacts = c.artifacts.taken()
	if c.unheard = errors.Is(err, isolate.ErrNotBegun) && limit.Err() == nil; c.unheard {
		c.lost += time.Since(began)
	}
	if failed = errors.Is(err, isolate.ErrWorker); failed {
		res.Duration = time.Since(began)
	}
	if err != nil {
		return failed, p.workerFailure(ctx, limit, err)
	}
	if limit.Err() != nil && ctx.Err() == nil { // its time was over before it answered, whatever it says
		return true, errEnded()
	}
	if err = taken.take(body); err == nil && c.denied.Load() != nil { // it did not end when it had to
		err = &Error{Kind: KindDenied, Message: *c.denied.Load()}
	}
	return isMalformed(err), err
}

// malformed is the error about what of an answer no worker sends.
func malformed(what string) *Error {
	return &Error{Kind: KindWorker, Message: "the worker sent a malformed " + what, malformed: true}
}

func isMalformed(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.malformed
}

// take is taken, for which a body that it panics with is malformed.
func (taken taker) take(body []byte) (err error) {
	defer func() {
		if recover() != nil {
			err = malformed("answer")
		}
	}()
	return taken(body)
}

// giveInputs adds what the script of a task gets, as values that the run, or the session, knows, and the order of its calls.
func (c *remoteCall) giveInputs(task jobs.Task) (err error) {
	job := task.Run
	switch {
	case task.Check != nil:
		job = task.Check
	case task.Cell != nil:
		job = task.Cell.Script
	}
	if job != nil && c.order != nil {
		job.Ordered, job.Before = true, c.order.Before()
	}
	if job == nil || len(c.script.Inputs) == 0 {
		return nil
	}
	if job.Inputs, err = c.place.handles().EncodeInputs(c.script.Inputs); err != nil {
		return fmt.Errorf("sandtrap: %w", err)
	}
	return nil
}

// errEnded is the error of a run whose worker did not end it in time.
func errEnded() *Error { return &Error{Kind: KindTimeout, Message: "timeout; the worker was ended"} }

// workerFailure is the Error for a job that was not done.
func (p *Plan) workerFailure(ctx, limit context.Context, err error) error {
	d, died := errors.AsType[*isolate.DeathError](err)
	switch {
	case err == nil:
		return nil
	case died && ctx.Err() != nil: // the message is the same in each mode
		return p.cancelledWhile(ctx, "", "the worker did not stop at once and was killed")
	case died && limit.Err() != nil:
		return errEnded()
	case died && d.Cause == isolate.OutOfMem:
		return &Error{Kind: KindMemory, Message: "the worker used more memory than it may and was ended"}
	case died:
		hint := "a later run gets another worker; a session and the functions that a run left end with theirs"
		if d.Cause == isolate.Syscall { // the kernel tells the signal alone
			hint += "; the kernel's log has the number of the call, and Policy.Audit (--audit) tells the host its number and name"
		}
		// What follows the first line is places in the host's sources.
		return &Error{Kind: KindWorker, Message: "the worker failed (" + string(d.Cause) + "): " + oneLine(d.Text), Hint: hint}
	}
	text := err.Error()
	return &Error{Kind: KindWorker, Message: text[:min(len(text), maxJobText)]}
}

// oneLine is the first line of text.
func oneLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// maxJobText is how many bytes are told of what a worker says of a job that it did not do.
const maxJobText = 4 << 10

// target is what a worker is told of the type of a Script.Result. An error says that it cannot have that: then it gives
// what there is, and here it is seen whether that fits.
func (p *Plan) target(into any) ([]byte, error) {
	return (&remoteFuncs{objects: p.types.OnHost()}).handles().EncodeTarget(into)
}

func (p *Plan) remoteScript(script Script) (*jobs.Script, error) {
	if err := p.bounds.Admit(parse.Source{Name: script.Name, Text: script.Text}); err != nil {
		return nil, refusal(err) // a worker may not have the memory to say so
	}
	out := &jobs.Script{
		Text: script.Text, Name: script.Name, Args: script.Args, Stdin: script.Stdin != nil, Echo: string(script.Echo),
		Prints: script.Prints, Funcs: script.Funcs, Copy: script.Copy, Live: script.Stdout != nil || script.Stderr != nil, Events: script.Events != nil,
	}
	if script.Limits != (Limits{}) {
		own := jobs.Limits(script.Limits)
		out.Limits = &own
	}
	if script.Result != nil {
		if out.Result, _ = p.target(script.Result); out.Result == nil {
			out.Result, _ = p.target(new(any))
		}
	}
	return out, nil
}
