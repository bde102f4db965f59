package sandtrap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/live"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/network"
)

// A remoteCall answers what the script of one run asks of its host, and shows the host
// what the run does.
type remoteCall struct {
	plan    *Plan
	start   engine.Start
	script  Script
	limits  gates.Limits // of the run
	events  *events
	files   *servedFiles           // nil if there are none
	network *network.Served        // likewise
	load    io.Reader              // of a session that was saved
	save    io.Writer              // of one that is being saved
	worker  *isolate.Worker        // set before the run
	place   *remoteFuncs           // likewise; where the functions are that it leaves
	depth   int                    // likewise; how many runs it is in
	queued  time.Duration          // likewise; for which it has waited for the worker
	unheard bool                   // the worker did not begin the job
	lost    time.Duration          // with such workers
	hosted  live.Spent             // of the functions that the script waits for
	stood   live.Spent             // for which the clock stands
	denied  atomic.Pointer[string] // why the run ends: a call was refused
	end     time.Time              // set before the run: when it has to be over, whatever they take; zero for never
	ended   atomic.Bool

	artifacts artifacts
	ahead     live.Ahead
	order     remoteOrder // of the returns of its calls; nil if they come when they come

	streams sync.Mutex // held while stdin, load or save is used: a worker may ask for that at any time
}

func (s *Sandbox) remoteCall(ctx context.Context, script Script) *remoteCall {
	p := s.plan
	c := &remoteCall{plan: p, start: s.start, script: script, limits: p.limitsOf(&script), artifacts: p.artifactsOf(&script), events: newEvents(ctx, script), network: network.NewServed(p.policy.Network, p.guards.Requests)}
	c.order, _ = engine.OrderOf(ctx).(remoteOrder)
	if s.files != nil {
		c.files = newServedFiles(s.files, p)
	}
	return c
}

func (c *remoteCall) close() {
	c.ended.Store(true)
	c.network.Close()
	if c.files != nil {
		c.files.close()
	}
}

func (c *remoteCall) call(ctx context.Context, name string, body []byte) ([]byte, error) {
	switch fn, isFunc := strings.CutPrefix(name, wire.CallFunc); {
	case isFunc:
		return c.function(ctx, fn, body)
	case name == wire.CallFile && c.files != nil:
		return answer(body, c.files.during(c.deciding(ctx)).do)
	case name == network.Call && c.network != nil:
		return answer(body, func(op network.Op) (network.Answer, error) { return c.network.Do(c.deciding(ctx), op) })
	case name == wire.CallStdin && c.script.Stdin != nil:
		return answer(body, c.reading(c.script.Stdin))
	case name == wire.CallLoad && c.load != nil:
		return answer(body, c.reading(c.load))
	case name == wire.CallSave && c.save != nil:
		return nil, c.saved(body)
	case name == wire.CallAhead && !c.ended.Load():
		return answer(body, func(op jobs.PrintOp) (struct{}, error) {
			return struct{}{}, c.ahead.Add(op.Err, op.Data, roomAhead(&c.limits))
		})
	case name == jobs.CallOrder && c.order != nil:
		return answer(body, c.turn)
	case name == wire.CallPrint && c.events.waits():
		return answer(body, c.printed)
	}
	return nil, fmt.Errorf("%s is not there", name)
}

// A remoteOrder is an engine.Order for runs in workers.
type remoteOrder interface {
	engine.Order

	// Turn gives the number of the call that returns at a rest, 0 for none. It waits until that is known.
	Turn(at engine.Rest) (int, *gates.Stop)

	// Numbered takes apart the body of a call, a jobs.NumberedCall: it gives the context and the arguments for the function.
	Numbered(ctx context.Context, name string, body []byte) (context.Context, []byte, error)

	// Missed is told of a call that ended in an error, perhaps before it came to its function.
	Missed(ctx context.Context, name, failed string)
}

// turn answers which call returns.
func (c *remoteCall) turn(at jobs.Rest) (jobs.Turn, error) {
	n, stop := c.order.Turn(engine.Rest(at))
	if stop != nil {
		return jobs.Turn{Kind: string(stop.Reason), Message: stop.Message}, nil
	}
	return jobs.Turn{Call: n}, nil
}

// long tells calls that the script goes on during.
func (c *remoteCall) long(name string) bool {
	fn, isFunc := strings.CutPrefix(name, wire.CallFunc)
	return isFunc && c.plan.calls[fn].blocking || name == jobs.CallOrder || name == network.Call
}

// streamed are the events that a worker may tell of.
var streamed = map[string]EventKind{
	string(EventStarted): EventStarted, string(EventStdout): EventStdout, string(EventStderr): EventStderr, string(EventCall): EventCall,
}

// stream passes an event on.
func (c *remoteCall) stream(name string, body []byte) {
	kind, _ := strings.CutPrefix(name, jobs.StreamEvent)
	if k, ok := streamed[kind]; ok {
		c.events.tell(k, string(body))
	}
}

// printed passes on what the script has printed.
func (c *remoteCall) printed(op jobs.PrintOp) (struct{}, error) {
	if !c.ended.Load() {
		c.events.pass(op.Err, op.Data)
	}
	return struct{}{}, nil
}

// print is for functions of the host that the script calls: the worker keeps what they
// print with what the script does.
func (c *remoteCall) print(ctx context.Context, err bool, p []byte) {
	if c.ended.Load() {
		return
	}
	c.events.printed(err, p)
	name := jobs.TellStdout
	if err {
		name = jobs.TellStderr
	}
	for first := true; first || len(p) > 0; first = false {
		n := min(len(p), maxRead)
		isolate.Tell(ctx, name, p[:n])
		p = p[n:]
	}
}

// function calls one of the policy's. What the worker says of it is not believed: the
// name has to be there, and the arguments have to fit.
func (c *remoteCall) function(ctx context.Context, name string, args []byte) ([]byte, error) {
	callee, ok := c.plan.calls[name]
	if !ok || c.place == nil {
		return nil, fmt.Errorf("%s is not there", name)
	}
	ctx = context.WithValue(ctx, runKey{}, c)
	if c.plan.gate != nil {
		var err error
		if ctx, args, err = c.placed(ctx, args); err != nil {
			return nil, err
		}
	}
	if c.order != nil {
		var err error
		if ctx, args, err = c.order.Numbered(ctx, name, args); err != nil {
			return nil, err
		}
	}
	if !c.end.IsZero() {
		told, cancel := context.WithDeadline(ctx, c.end)
		defer cancel()
		ctx = told
	}
	if !callee.blocking {
		c.hosted.Add(1)
		defer c.hosted.Add(-1)
		ctx = context.WithValue(ctx, hostTimeKey{}, &c.hosted)
	}
	ctx = builtins.Grant(ctx, callee.grants)
	results, err := c.place.handles().Invoke(ctx, callee.fn, callee.blocking, asks(ctx, callee.blocking), args)
	if c.order != nil && err != nil {
		c.order.Missed(ctx, name, err.Error())
	}
	if isOver(ctx) { // the worker's clock began later, and its script is not to go on meanwhile with what the call has made of that
		return nil, errOver
	}
	if no := c.denied.Load(); no != nil {
		return nil, errors.New(jobs.ErrDenied + *no)
	}
	if s, ok := errors.AsType[*gates.Stop](err); ok {
		return nil, errors.New(jobs.ErrDenied + s.Message)
	}
	if p, ok := errors.AsType[*carry.Thrown](err); ok {
		return nil, errors.New(jobs.ErrThrown + strconv.FormatUint(p.Number, 10))
	}
	if p, ok := errors.AsType[*carry.Panic](err); ok {
		return nil, errors.New(jobs.ErrPanicked + c.errors().PanicText(p))
	}
	if len(results) > wire.MaxBody {
		return nil, fmt.Errorf("%s returns %d bytes, and a worker can be given %d at a time: have it return parts", name, len(results), wire.MaxBody)
	}
	return results, err
}

// asks has functions of the script called that a call of the host's was given.
func asks(ctx context.Context, beside bool) carry.Ask {
	return func(n uint64, args []byte) ([]byte, error) {
		body, err := wire.Encode(jobs.FuncCall{Func: n, Args: args, Given: true, Beside: beside})
		if err != nil {
			return nil, err
		}
		resume := paused(ctx)
		body, err = isolate.Ask(ctx, body)
		resume()
		e, isText := errors.AsType[*wire.HostError](err)
		switch {
		case err == nil:
			return body, nil
		case !isText || e.Text == jobs.ErrOver:
			return nil, ErrRunOver
		}
		if text, ok := strings.CutPrefix(e.Text, jobs.ErrThrown); ok {
			number, _ := strconv.ParseUint(text, 10, 64)
			return nil, &carry.Thrown{Number: number}
		}
		return nil, err
	}
}

// errOver is the answer to a call that comes, or has its turn, when its run is over.
var errOver = errors.New(jobs.ErrOver)

// saved writes a part of a session.
func (c *remoteCall) saved(part []byte) (err error) {
	c.streams.Lock()
	defer c.streams.Unlock()
	if c.ended.Load() {
		return errOver
	}
	defer c.panicked(&err)
	_, err = c.save.Write(part)
	return err
}

// errors are those that the run knows, or the plan.
func (c *remoteCall) errors() *carry.Errors {
	if c.place != nil {
		return c.place.errors
	}
	return &c.plan.errors
}

// panicked, deferred, makes err of what a reader or a writer of the host panics with.
func (c *remoteCall) panicked(err *error) {
	if p := recover(); p != nil {
		*err = errors.New(jobs.ErrPanicked + c.errors().PanicText(c.errors().NewPanic(p)))
	}
}

// reading reads for the worker.
func (c *remoteCall) reading(from io.Reader) func(jobs.StdinOp) (jobs.StdinResult, error) {
	return func(op jobs.StdinOp) (got jobs.StdinResult, err error) {
		c.streams.Lock()
		defer c.streams.Unlock()
		if c.ended.Load() {
			return jobs.StdinResult{}, errOver
		}
		defer c.panicked(&err)
		buf := make([]byte, min(max(op.N, 0), maxRead))
		n, failed := from.Read(buf)
		got = jobs.StdinResult{Data: buf[:n], EOF: failed == io.EOF}
		if failed != nil && !got.EOF {
			got.Err = c.errors().ErrorText(failed)
		}
		return got, nil
	}
}

// answer decodes what is asked and encodes what do answers.
func answer[In, Out any](body []byte, do func(In) (Out, error)) ([]byte, error) {
	var in In
	if err := wire.Decode(body, &in); err != nil {
		return nil, err
	}
	out, err := do(in)
	if err != nil {
		return nil, err
	}
	return wire.Encode(out)
}
