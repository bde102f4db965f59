package context

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/internal/script"
)

// Contexts of a script are of types of our own: those of Go would start goroutines and
// timers of the host that the run does not control. The interface, the errors and the
// texts are Go's. Host code may use them from any goroutine, so their state has a lock.

// Contexts are in each other as often as a script has memory for, which is more often than
// the Go stack has room: what is asked of one goes through its parents in a loop, or to the
// one that knows.

// emptyCtx is Background and TODO.
type emptyCtx struct{ name string }

func (emptyCtx) Deadline() (time.Time, bool) { return time.Time{}, false }
func (emptyCtx) Done() <-chan struct{}       { return nil }
func (emptyCtx) Err() error                  { return nil }
func (emptyCtx) Value(any) any               { return nil }

func Background() context.Context { return emptyCtx{"context.Background"} }
func TODO() context.Context       { return emptyCtx{"context.TODO"} }

// Named is the name of a context that OfName gives again; it is not ok for others.
func Named(ctx context.Context) (name string, ok bool) {
	empty, ok := ctx.(emptyCtx)
	return empty.name, ok
}

func OfName(name string) (context.Context, error) {
	for _, ctx := range []context.Context{Background(), TODO()} {
		if ctx == (emptyCtx{name}) {
			return ctx, nil
		}
	}
	return nil, fmt.Errorf("no context is named %q", name)
}

// valueCtx has a value for one key.
type valueCtx struct {
	context.Context // the next of its parents that is no valueCtx

	env      *shim.Env
	parent   context.Context
	key, val any
}

func (c *valueCtx) Value(key any) any { return ctxValue(c, key) }

// ctxValue is what c, or the next of its parents that has it, has for key.
func ctxValue(c context.Context, key any) any {
	for {
		switch p := c.(type) {
		case *valueCtx:
			switch {
			case key == &cancelKey:
				c = p.Context
			case p.key == key:
				return p.val
			default:
				c = p.parent
			}
		case *timerCtx:
			c = p.cancelCtx
		case *cancelCtx:
			if key == &cancelKey {
				return p
			}
			c = p.parent
		case *withoutCancelCtx:
			if key == &cancelKey {
				return nil
			}
			c = p.c
		default:
			return p.Value(key)
		}
	}
}

func WithValue(e *shim.Env) func(parent context.Context, key, val any) context.Context {
	return func(parent context.Context, key, val any) context.Context {
		wantParent(parent)
		switch {
		case key == nil:
			panic("nil key")
		case !comparableKey(key):
			panic("key is not comparable")
		}
		e.Charge(ctxBytes)
		return &valueCtx{ctxAlive(parent), e, parent, key, val}
	}
}

func comparableKey(key any) bool {
	if own := script.ViewOf(key); own != nil {
		return own.Comparable()
	}
	return reflect.TypeOf(key).Comparable()
}

// ctxAlive is the next of c and its parents that is no valueCtx.
func ctxAlive(c context.Context) context.Context {
	if v, ok := c.(*valueCtx); ok {
		return v.Context
	}
	return c
}

// withoutCancelCtx has the values of its parent.
type withoutCancelCtx struct{ c context.Context }

func (*withoutCancelCtx) Deadline() (time.Time, bool) { return time.Time{}, false }
func (*withoutCancelCtx) Done() <-chan struct{}       { return nil }
func (*withoutCancelCtx) Err() error                  { return nil }
func (c *withoutCancelCtx) Value(key any) any         { return ctxValue(c, key) }

func WithoutCancel(e *shim.Env) func(context.Context) context.Context {
	return func(parent context.Context) context.Context {
		wantParent(parent)
		e.Charge(withoutBytes)
		return &withoutCancelCtx{parent}
	}
}

const withoutBytes = 16

// cancelKey is the key under which a cancelCtx finds itself.
var cancelKey int

// cancelCtx can be cancelled, and cancels its children with it.
type cancelCtx struct {
	env    *shim.Env
	parent context.Context
	timed  context.Context // the next of its parents that may have a deadline
	done   chan struct{}
	keep   any

	mu       sync.Mutex
	err      error
	cause    error
	children []*cancelCtx   // in the order in which they came
	gone     int            // of these, how many are cancelled by themselves
	in       *cancelCtx     // that has it among its children, if one has
	watch    script.Stopper // of the parent's end, if somebody has to
	then     script.Act     // done once, when it is cancelled
}

const ctxBytes = 480 // of a context, with its channel

func newCancelCtx(e *shim.Env, parent context.Context) *cancelCtx {
	wantParent(parent)
	e.Charge(ctxBytes)
	c := untoldCancelCtx(e, parent)
	c.keep = e.Own(c.done)
	return c
}

// untoldCancelCtx is one that the run does not know of.
func untoldCancelCtx(e *shim.Env, parent context.Context) *cancelCtx {
	timed := ctxAlive(parent)
	if c, ok := timed.(*cancelCtx); ok {
		timed = c.timed
	}
	return &cancelCtx{env: e, parent: parent, timed: timed, done: make(chan struct{})}
}

func wantParent(parent context.Context) {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
}

func (c *cancelCtx) Deadline() (time.Time, bool) { return c.timed.Deadline() }

func (c *cancelCtx) Done() <-chan struct{} { return c.done }

func (c *cancelCtx) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *cancelCtx) Value(key any) any { return ctxValue(c, key) }

// cancel ends c and its children with err and its cause.
func (c *cancelCtx) cancel(err, cause error) {
	if cause == nil {
		cause = err
	}
	for ends := []*cancelCtx{c}; len(ends) > 0; {
		last := len(ends) - 1
		next := ends[last]
		ends = ends[:last]
		for _, child := range slices.Backward(next.end(err, cause)) {
			ends = append(ends, child)
		}
	}
}

// end ends c alone; its children are to end then.
func (c *cancelCtx) end(err, cause error) (children []*cancelCtx) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return nil
	}
	c.err, c.cause = err, cause
	children, in, watch, then := c.children, c.in, c.watch, c.then
	c.children, c.in, c.watch, c.then = nil, nil, nil, nil
	close(c.done)
	c.mu.Unlock()
	c.env.Look(c.done)
	if in != nil {
		in.remove()
	}
	if watch != nil {
		watch.Stop()
	}
	if then != nil {
		then.Do()
	}
	return children
}

// follow has c cancelled with its parent.
func (c *cancelCtx) follow() {
	parent := c.parent
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
			c.watch = c.env.Tasks.Watch(done, &shim.Start{Env: c.env, Body: over})
		}
	}
}

// A ctxOver cancels c as its parent is.
type ctxOver struct{ c *cancelCtx }

func (o *ctxOver) Do() { o.c.cancel(o.c.parent.Err(), Cause(o.c.parent)) }

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
	child.in = p
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

func WithCancel(e *shim.Env) func(context.Context) (context.Context, context.CancelFunc) {
	return func(parent context.Context) (context.Context, context.CancelFunc) {
		c := newCancelCtx(e, parent)
		c.follow()
		return c, func() { e.Do(func() { c.cancel(context.Canceled, nil) }) }
	}
}

func WithCancelCause(e *shim.Env) func(context.Context) (context.Context, context.CancelCauseFunc) {
	return func(parent context.Context) (context.Context, context.CancelCauseFunc) {
		c := newCancelCtx(e, parent)
		c.follow()
		return c, func(cause error) { e.Do(func() { c.cancel(context.Canceled, cause) }) }
	}
}

func Cause(c context.Context) error {
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

func withDeadline(e *shim.Env, parent context.Context, d time.Time, cause error) (context.Context, context.CancelFunc) {
	wantParent(parent)
	if cur, ok := parent.Deadline(); ok && cur.Before(d) {
		return WithCancel(e)(parent)
	}
	c := &timerCtx{newCancelCtx(e, parent), d}
	c.follow()
	cancel := func() { e.Do(func() { c.cancel(context.Canceled, nil) }) }
	left := d.Sub(e.Now())
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
type ctxUntimed struct{ timer script.Stopper }

func (u ctxUntimed) Do() { u.timer.Stop() }

func WithDeadline(e *shim.Env) func(context.Context, time.Time) (context.Context, context.CancelFunc) {
	return func(parent context.Context, d time.Time) (context.Context, context.CancelFunc) {
		return withDeadline(e, parent, d, nil)
	}
}

func WithDeadlineCause(e *shim.Env) func(context.Context, time.Time, error) (context.Context, context.CancelFunc) {
	return func(parent context.Context, d time.Time, cause error) (context.Context, context.CancelFunc) {
		return withDeadline(e, parent, d, cause)
	}
}

func WithTimeout(e *shim.Env) func(context.Context, time.Duration) (context.Context, context.CancelFunc) {
	return func(parent context.Context, d time.Duration) (context.Context, context.CancelFunc) {
		return withDeadline(e, parent, e.Now().UTC().Add(d), nil)
	}
}

func WithTimeoutCause(e *shim.Env) func(context.Context, time.Duration, error) (context.Context, context.CancelFunc) {
	return func(parent context.Context, d time.Duration, cause error) (context.Context, context.CancelFunc) {
		return withDeadline(e, parent, e.Now().UTC().Add(d), cause)
	}
}

func AfterFunc(e *shim.Env) func(context.Context, func()) func() bool {
	return func(ctx context.Context, f func()) func() bool {
		a := &ctxAfter{Start: shim.Start{Env: e, Body: e.Body(f)}, waits: true}
		c := newCancelCtx(e, ctx)
		c.then = a
		c.follow()
		return func() (stopped bool) {
			e.Do(func() {
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
	shim.Start
	waits bool
}

func (a *ctxAfter) Do() {
	if a.waits {
		a.waits = false
		a.Start.Do()
	}
}
