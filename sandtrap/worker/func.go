package worker

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/sandtrap-go/sandtrap/isolate/jobs"
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
func (j *worker) callAlone(ctx context.Context, c *jobs.FuncCall) ([]byte, error) {
	ctx, _ = j.joined(ctx, c.Events)
	return j.callFunc(ctx, c, j.sendAhead)
}

// asked calls a function for the host during a call of it: it is part of the run that goes
// on.
func (j *worker) asked(_ context.Context, body []byte) ([]byte, error) {
	var c jobs.FuncCall
	if err := wire.Decode(body, &c); err != nil {
		return nil, err
	}
	l := j.link.Load()
	switch over := l == nil || l.Context() == nil; {
	case over && c.Given:
		return nil, errors.New(jobs.ErrOver)
	case over:
		return wire.Encode(jobs.Result{Over: true})
	}
	if clock := j.clock(); clock != nil { // it is the script's time again
		clock.Waited(0)
		defer clock.Wait()
	}
	if c.Given {
		return j.callBack(&c)
	}
	return j.callFunc(l.Context(), &c, func(context.Context, *jobs.Result) {}) // what is sent ahead now is the run's
}

// callBack calls a function of the script that is an argument of a call of the host. If it
// panics, so does the host's, and then that call here.
func (j *worker) callBack(c *jobs.FuncCall) (results []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			results, err = nil, errors.New(jobs.ErrThrown+strconv.FormatUint(j.thrown.keep(p), 10))
		}
	}()
	return j.handles.Load().CallBack(c.Func, c.Beside, c.Args)
}

// thrown are panics of functions that the host has called, by number, until it passes them on.
type thrown struct {
	mu   sync.Mutex
	last uint64
	list map[uint64]any
}

func (t *thrown) keep(p any) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	if t.list == nil {
		t.list = map[uint64]any{}
	}
	t.list[t.last] = p
	return t.last
}

// throw panics with the one of a number, if that is what err is about.
func (t *thrown) throw(err error) {
	e, ok := errors.AsType[*wire.HostError](err)
	if !ok {
		return
	}
	text, ok := strings.CutPrefix(e.Text, jobs.ErrThrown)
	if !ok {
		return
	}
	n, _ := strconv.ParseUint(text, 10, 64)
	t.mu.Lock()
	p := t.list[n]
	delete(t.list, n)
	t.mu.Unlock()
	if p != nil {
		panic(p)
	}
}

func (t *thrown) clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list = nil
}

func (j *worker) callFunc(ctx context.Context, c *jobs.FuncCall, printed func(context.Context, *jobs.Result)) ([]byte, error) {
	f, err := j.kept.function(c.Func, "")
	if err != nil {
		return wire.Encode(jobs.Result{Over: true})
	}
	room := int64(carry.MaxCall)
	args, err := j.handles.Load().Decode(c.Args, &room)
	if err != nil {
		return nil, err
	}
	list, _ := args.([]any)
	res, err := f.Call(ctx, list...)
	out := j.result(res)
	printed(ctx, &out)
	switch {
	case errors.Is(err, sandtrap.ErrRunOver):
		out.Over = true
	case err != nil && res.Error == nil:
		out.Usage = err.Error()
	}
	for i, v := range res.Returned {
		data, err := j.encode(v)
		if err != nil {
			data, _ = j.handles.Load().Encode(nil)
			notCopied(&out, fmt.Sprintf("result %d: %v", i+1, err))
		}
		out.Returned = append(out.Returned, data)
	}
	return wire.Encode(out)
}
