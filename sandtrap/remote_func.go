package sandtrap

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/live"
)

// A remoteFunc is a function that a script has left in a worker, which has it by number.
type remoteFunc struct {
	at     *remoteFuncs
	number uint64
	typ    string
	from   Script
}

// remoteFuncs is where functions are that a run or a session has left in a worker. They hold
// it, and nothing else does for long.
type remoteFuncs struct {
	box     *Sandbox
	worker  funcWorker
	objects *carry.Objects // of the host's, that the run or the session knows
	errors  *carry.Errors  // likewise
	decides decide.Session // likewise, about calls of the host's functions; nil if nothing is decided

	mu      sync.Mutex
	script  Script   // whose streams calls have
	has     bool     // functions
	dropped []uint64 // functions that nobody holds any more, and that the worker is not told of
}

// A funcWorker is the worker of remoteFuncs.
type funcWorker interface {
	// remoteCall is what answers the worker for one job.
	remoteCall(ctx context.Context, script Script) *remoteCall

	// job has the worker do a job when it has done others, and taken take the answer. It may be gone.
	job(ctx context.Context, c *remoteCall, task jobs.Task, res *Result, taken taker) error
}

// objects are those that a run or session knows, of which there are none.
func (p *Plan) objects() *carry.Objects {
	o := p.types.OnHost()
	o.Uncalled = p.policy.Uncalled
	return o
}

func (p *remoteFuncs) handles() *carry.Handles {
	h := carry.HandlesOf(p.number, p.function)
	h.Objects, h.Errors = p.objects, p.errors
	return h
}

// function is the one of a number that the worker has sent.
func (p *remoteFuncs) function(n uint64, text string) (*Func, error) {
	p.mu.Lock()
	p.has = true
	p.mu.Unlock()
	f := &remoteFunc{p, n, text, p.runs(nil).sourceOnly()}
	runtime.AddCleanup(f, p.drop, n)
	return &Func{f}, nil
}

// number is that of a function that is given back.
func (p *remoteFuncs) number(f *Func) (n uint64, text string, err error) {
	if far, ok := f.function.(*remoteFunc); ok && far.at == p {
		return far.number, far.typ, nil
	}
	return 0, "", errors.New("is a function of another run")
}

func (p *remoteFuncs) drop(n uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dropped = append(p.dropped, n)
}

// taken are the functions to drop.
func (p *remoteFuncs) taken() []uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	dropped := p.dropped
	p.dropped = nil
	return dropped
}

// used reports that it has functions.
func (p *remoteFuncs) used() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.has
}

// runs says that script is what runs there now, or ran last; it returns that.
func (p *remoteFuncs) runs(script *Script) Script {
	p.mu.Lock()
	defer p.mu.Unlock()
	if script != nil {
		p.script = *script
	}
	return p.script
}

func (f *remoteFunc) Type() string   { return f.typ }
func (f *remoteFunc) plan() *Plan    { return f.at.box.plan }
func (f *remoteFunc) source() Script { return f.from }

// call implements function. During a call of the host by the same run it is part of that.
func (f *remoteFunc) call(ctx context.Context, args []any, res *Result) error {
	p := f.at
	if p.box.closed.Load() {
		return ErrClosed
	}
	if ctx.Err() != nil {
		return f.plan().cancelled(ctx)
	}
	in := make([]any, len(args))
	for i, arg := range args {
		in[i] = f.plan().argument(arg)
	}
	list, err := p.handles().Encode(in)
	if err != nil {
		return fmt.Errorf("sandtrap: the arguments: %w", err)
	}
	script := p.runs(nil)
	call := jobs.FuncCall{Func: f.number, Args: list, Events: script.Events != nil}
	if c, _ := ctx.Value(runKey{}).(*remoteCall); c != nil && c.place == p {
		return p.within(ctx, call, res)
	}
	if ctx, err = nest(ctx); err != nil {
		return err
	}
	c := p.worker.remoteCall(ctx, script)
	c.place = p
	err = p.worker.job(ctx, c, jobs.Task{Call: &call}, res, func(body []byte) error { return p.returned(ctx, body, &c.ahead, res) })
	c.events.finish(res, err)
	return err
}

// within asks what waits for a call of the host.
func (p *remoteFuncs) within(ctx context.Context, call jobs.FuncCall, res *Result) error {
	body, err := wire.Encode(call)
	if err != nil {
		return err
	}
	resume := paused(ctx)
	body, err = isolate.Ask(ctx, body)
	resume()
	if err != nil {
		return ErrRunOver
	}
	return p.returned(ctx, body, &live.Ahead{}, res)
}

// returned puts what the worker sent of a call in res.
func (p *remoteFuncs) returned(ctx context.Context, body []byte, before *live.Ahead, res *Result) error {
	var got jobs.Result
	if err := wire.Decode(body, &got); err != nil {
		return malformed("result")
	}
	switch {
	case got.Over:
		return ErrRunOver
	case tooMuch(got.Usage):
		return malformed("result")
	case got.Usage != "":
		return errors.New(got.Usage)
	}
	err := received(&got, before, &p.box.plan.limits, p.handles(), res)
	if err := p.results(got.Returned, res); err != nil {
		return err
	}
	return p.box.plan.endedBy(ctx, err)
}

// results decodes those of the function.
func (p *remoteFuncs) results(list [][]byte, res *Result) error {
	room, h := roomOfValues(&p.box.plan.limits), p.handles()
	for _, data := range list {
		v, err := h.Decode(data, &room)
		if err != nil {
			return malformed("result")
		}
		res.Returned = append(res.Returned, v)
	}
	return nil
}
