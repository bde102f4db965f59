package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
)

// kept are functions that scripts have left, which the host knows by their numbers.
type kept struct {
	mu    sync.Mutex
	last  uint64 // a number is never given again
	funcs map[uint64]*sandtrap.Func
}

func (k *kept) clear() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.funcs = nil
}

func (k *kept) drop(numbers []uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, n := range numbers {
		delete(k.funcs, n)
	}
}

// number keeps f.
func (k *kept) number(f *sandtrap.Func) (n uint64, text string, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last++
	if k.funcs == nil {
		k.funcs = map[uint64]*sandtrap.Func{}
	}
	k.funcs[k.last] = f
	return k.last, f.Type(), nil
}

// function is the one of a number.
func (k *kept) function(n uint64, _ string) (*sandtrap.Func, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if f := k.funcs[n]; f != nil {
		return f, nil
	}
	return nil, fmt.Errorf("there is no function %d", n)
}

// callAlone calls a function of a run that is over.
func (j *jobs) callAlone(ctx context.Context, c *wire.FuncCall) ([]byte, error) {
	return j.callFunc(j.joined(ctx, c.Events), c)
}

// asked calls a function for the host during a call of it: it is part of the run that goes
// on.
func (j *jobs) asked(_ context.Context, body []byte) ([]byte, error) {
	var c wire.FuncCall
	if err := wire.Decode(body, &c); err != nil {
		return nil, err
	}
	l := j.link.Load()
	if l == nil || l.Context() == nil {
		return wire.Encode(wire.Result{Over: true})
	}
	if clock := j.clock(); clock != nil { // it is the script's time again
		clock.Waited(0)
		defer clock.Wait()
	}
	return j.callFunc(l.Context(), &c)
}

func (j *jobs) callFunc(ctx context.Context, c *wire.FuncCall) ([]byte, error) {
	f, err := j.kept.function(c.Func, "")
	if err != nil {
		return wire.Encode(wire.Result{Over: true})
	}
	args, err := j.handles.Load().Decode(c.Args, carry.MaxCall)
	if err != nil {
		return nil, err
	}
	list, _ := args.([]any)
	res, err := f.Call(ctx, list...)
	out := j.result(res)
	switch {
	case errors.Is(err, sandtrap.ErrRunOver):
		out.Over = true
	case err != nil && res.Error == nil:
		out.Usage = err.Error()
	}
	for i, v := range res.Returned {
		data, err := j.handles.Load().Encode(v)
		if err != nil {
			data, _ = j.handles.Load().Encode(nil)
			out.Warnings = append(out.Warnings, fmt.Sprintf("result %d: %v", i+1, err))
		}
		out.Returned = append(out.Returned, data)
	}
	return wire.Encode(out)
}
