package builtins

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"time"
)

// Contexts of a script are of types of our own: those of Go would start goroutines and
// timers of the host that the run does not control. The interface, the errors and the
// texts are Go's. Host code may use them from any goroutine, so their state has a lock.

// emptyCtx is Background and TODO.
type emptyCtx struct{ name string }

func (emptyCtx) Deadline() (time.Time, bool) { return time.Time{}, false }
func (emptyCtx) Done() <-chan struct{}       { return nil }
func (emptyCtx) Err() error                  { return nil }
func (emptyCtx) Value(any) any               { return nil }
func (c emptyCtx) String() string            { return c.name }

func contextBackground() context.Context { return emptyCtx{"context.Background"} }
func contextTODO() context.Context       { return emptyCtx{"context.TODO"} }

// valueCtx has a value for one key.
type valueCtx struct {
	context.Context
	env      *Env
	key, val any
	depth    int
}

func (c *valueCtx) Value(key any) any {
	if c.key == key {
		return c.val
	}
	return c.Context.Value(key)
}

func (c *valueCtx) String() string {
	parent, key, val := ctxName(c.Context), c.env.ctxText(c.key), c.env.ctxText(c.val)
	c.env.charge(int64(len(parent) + len(key) + len(val)))
	return parent + ".WithValue(" + key + ", " + val + ")"
}

func contextWithValue(e *Env) func(parent context.Context, key, val any) context.Context {
	return func(parent context.Context, key, val any) context.Context {
		depth := wantParent(parent)
		switch {
		case key == nil:
			panic("nil key")
		case !comparableKey(key):
			panic("key is not comparable")
		}
		e.charge(ctxBytes)
		return &valueCtx{parent, e, key, val, depth}
	}
}

func comparableKey(key any) bool {
	if s, ok := key.(interface{ ScriptComparable() bool }); ok {
		return s.ScriptComparable()
	}
	return reflect.TypeOf(key).Comparable()
}

// withoutCancelCtx has the values of its parent.
type withoutCancelCtx struct {
	c     context.Context
	depth int
}

func (withoutCancelCtx) Deadline() (time.Time, bool) { return time.Time{}, false }
func (withoutCancelCtx) Done() <-chan struct{}       { return nil }
func (withoutCancelCtx) Err() error                  { return nil }
func (c withoutCancelCtx) String() string            { return ctxName(c.c) + ".WithoutCancel" }

func (c withoutCancelCtx) Value(key any) any {
	if key == &cancelKey {
		return nil
	}
	return c.c.Value(key)
}

func contextWithoutCancel(parent context.Context) context.Context {
	return withoutCancelCtx{parent, wantParent(parent)}
}

// cancelKey is the key under which a cancelCtx finds itself.
var cancelKey int

// cancelCtx can be cancelled, and cancels its children with it.
type cancelCtx struct {
	context.Context
	env   *Env
	depth int
	done  chan struct{}
	keep  any

	mu       sync.Mutex
	err      error
	cause    error
	children []*cancelCtx // in the order in which they came
	gone     int          // of these, how many are cancelled by themselves
	parent   *cancelCtx   // that has it among its children, if one has
	watch    Stopper      // of the parent's end, if somebody has to
	then     Act          // done once, when it is cancelled
}

const ctxBytes = 480 // of a context, with its channel

func (e *Env) newCancelCtx(parent context.Context) *cancelCtx {
	depth := wantParent(parent)
	e.charge(ctxBytes)
	c := &cancelCtx{Context: parent, env: e, depth: depth, done: make(chan struct{})}
	c.keep = e.own(c.done)
	return c
}

// maxContexts bounds the contexts in each other: each asks its parent on the Go stack, where
// types of a script may be between them once more for each call of theirs that is nested.
const maxContexts = 1000

// wantParent is how many contexts one of parent is in.
func wantParent(parent context.Context) (depth int) {
	switch p := parent.(type) {
	case nil:
		panic("cannot create context from nil parent")
	case *valueCtx:
		depth = p.depth
	case *cancelCtx:
		depth = p.depth
	case *timerCtx:
		depth = p.depth
	case withoutCancelCtx:
		depth = p.depth
	}
	if depth >= maxContexts {
		panic(runtimeError("contexts are nested too deeply"))
	}
	return depth + 1
}

func (c *cancelCtx) Done() <-chan struct{} { return c.done }

func (c *cancelCtx) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *cancelCtx) Value(key any) any {
	if key == &cancelKey {
		return c
	}
	return c.Context.Value(key)
}

func (c *cancelCtx) String() string { return ctxName(c.Context) + ".WithCancel" }

// cancel ends c and its children with err and its cause.
func (c *cancelCtx) cancel(err, cause error) {
	if cause == nil {
		cause = err
	}
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err, c.cause = err, cause
	children, parent, watch, then := c.children, c.parent, c.watch, c.then
	c.children, c.parent, c.watch, c.then = nil, nil, nil, nil
	close(c.done)
	c.mu.Unlock()
	c.env.look(c.done)
	for _, child := range children {
		child.cancel(err, cause)
	}
	if parent != nil {
		parent.remove()
	}
	if watch != nil {
		watch.Stop()
	}
	if then != nil {
		then.Do()
	}
}

// follow has c cancelled with its parent.
func (c *cancelCtx) follow() {
	parent := c.Context
	done := parent.Done()
	if done == nil {
		return
	}
	if p, ok := parent.Value(&cancelKey).(*cancelCtx); ok && p.done == done {
		p.add(c)
		return
	}
	over := &ctxOver{c}
	select {
	case <-done:
		over.Do()
	default:
		if c.env.Tasks != nil { // a context of the script's own: asking it is a task
			c.watch = c.env.Tasks.Watch(done, &start{c.env, over})
		}
	}
}

// A ctxOver cancels c as its parent is.
type ctxOver struct{ c *cancelCtx }

func (o *ctxOver) Do() { o.c.cancel(o.c.Context.Err(), contextCause(o.c.Context)) }

// add makes child a child of p.
func (p *cancelCtx) add(child *cancelCtx) {
	p.mu.Lock()
	if err, cause := p.err, p.cause; err != nil {
		p.mu.Unlock()
		child.cancel(err, cause)
		return
	}
	p.children = append(p.children, child)
	p.mu.Unlock()
	child.parent = p
}

// remove counts a child that is cancelled, and drops those when they are many.
func (p *cancelCtx) remove() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone++; p.gone <= len(p.children)/2 {
		return
	}
	kept := p.children[:0]
	for _, c := range p.children {
		if c.Err() == nil {
			kept = append(kept, c)
		}
	}
	clear(p.children[len(kept):])
	p.children, p.gone = kept, 0
}

func contextWithCancel(e *Env) func(context.Context) (context.Context, context.CancelFunc) {
	return func(parent context.Context) (context.Context, context.CancelFunc) {
		c := e.newCancelCtx(parent)
		c.follow()
		return c, func() { e.do(func() { c.cancel(context.Canceled, nil) }) }
	}
}

func contextWithCancelCause(e *Env) func(context.Context) (context.Context, context.CancelCauseFunc) {
	return func(parent context.Context) (context.Context, context.CancelCauseFunc) {
		c := e.newCancelCtx(parent)
		c.follow()
		return c, func(cause error) { e.do(func() { c.cancel(context.Canceled, cause) }) }
	}
}

func contextCause(c context.Context) error {
	cc, ok := c.Value(&cancelKey).(*cancelCtx)
	if !ok {
		return c.Err()
	}
	cc.mu.Lock()
	defer cc.mu.Unlock()
	if cc.cause != nil {
		return cc.cause
	}
	return nil
}

// timerCtx is cancelled at a time.
type timerCtx struct {
	*cancelCtx
	deadline time.Time
}

func (c *timerCtx) Deadline() (time.Time, bool) { return c.deadline, true }

func (c *timerCtx) String() string {
	return ctxName(c.cancelCtx.Context) + ".WithDeadline(" + c.deadline.String() + " [" + c.deadline.Sub(c.env.now()).String() + "])"
}

func (e *Env) withDeadline(parent context.Context, d time.Time, cause error) (context.Context, context.CancelFunc) {
	wantParent(parent)
	if cur, ok := parent.Deadline(); ok && cur.Before(d) {
		return contextWithCancel(e)(parent)
	}
	c := &timerCtx{e.newCancelCtx(parent), d}
	c.follow()
	cancel := func() { e.do(func() { c.cancel(context.Canceled, nil) }) }
	left := d.Sub(e.now())
	if left <= 0 {
		c.cancel(context.DeadlineExceeded, cause)
		return c, cancel
	}
	if c.Err() == nil {
		c.then = ctxUntimed{e.Tasks.After(left, 0, &ctxExpired{c.cancelCtx, cause}, nil)}
	}
	return c, cancel
}

// A ctxExpired cancels c at its deadline.
type ctxExpired struct {
	c     *cancelCtx
	cause error
}

func (x *ctxExpired) Do() { x.c.cancel(context.DeadlineExceeded, x.cause) }

// A ctxUntimed stops the timer of a context that is cancelled.
type ctxUntimed struct{ timer Stopper }

func (u ctxUntimed) Do() { u.timer.Stop() }

func contextWithDeadline(e *Env) func(context.Context, time.Time) (context.Context, context.CancelFunc) {
	return func(parent context.Context, d time.Time) (context.Context, context.CancelFunc) {
		return e.withDeadline(parent, d, nil)
	}
}

func contextWithDeadlineCause(e *Env) func(context.Context, time.Time, error) (context.Context, context.CancelFunc) {
	return e.withDeadline
}

func contextWithTimeout(e *Env) func(context.Context, time.Duration) (context.Context, context.CancelFunc) {
	return func(parent context.Context, d time.Duration) (context.Context, context.CancelFunc) {
		return e.withDeadline(parent, e.now().UTC().Add(d), nil)
	}
}

func contextWithTimeoutCause(e *Env) func(context.Context, time.Duration, error) (context.Context, context.CancelFunc) {
	return func(parent context.Context, d time.Duration, cause error) (context.Context, context.CancelFunc) {
		return e.withDeadline(parent, e.now().UTC().Add(d), cause)
	}
}

func contextAfterFunc(e *Env) func(context.Context, func()) func() bool {
	return func(ctx context.Context, f func()) func() bool {
		a := &ctxAfter{start: start{e, e.body(f)}, waits: true}
		c := e.newCancelCtx(ctx)
		c.then = a
		c.follow()
		return func() (stopped bool) {
			e.do(func() {
				if stopped, a.waits = a.waits, false; stopped {
					c.cancel(context.Canceled, nil)
				}
			})
			return stopped
		}
	}
}

// A ctxAfter starts what AfterFunc was given, unless it was stopped.
type ctxAfter struct {
	start
	waits bool
}

func (a *ctxAfter) Do() {
	if a.waits {
		a.waits = false
		a.start.Do()
	}
}

// ctxName is how a context shows itself; one of the host's does not, for it has values
// that are not for scripts.
func ctxName(c context.Context) string {
	switch c := c.(type) {
	case interface{ ScriptText() string }:
		return c.ScriptText()
	case emptyCtx:
		return c.String()
	case *valueCtx:
		return c.String()
	case *cancelCtx:
		return c.String()
	case *timerCtx:
		return c.String()
	case withoutCancelCtx:
		return c.String()
	}
	return reflect.TypeOf(c).String()
}

// ctxText is how the name of a context shows a key or value.
func (e *Env) ctxText(v any) string {
	switch v := v.(type) {
	case nil:
		return "<nil>"
	case string:
		return v
	case interface{ ScriptText() string }:
		return v.ScriptText()
	case fmt.Stringer:
		if e.showing(reflect.TypeOf(v)).has["String"] {
			return v.String()
		}
	}
	return e.nameOf(reflect.TypeOf(v))
}
