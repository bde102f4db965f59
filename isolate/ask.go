package isolate

import (
	"context"
	"errors"
	"sync"

	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// Ask sends the worker a request during the handler's call with ctx: the goroutine of the
// worker that waits for the call answers. One request is in progress at a time. An error of
// the worker is a *wire.HostError; the error is ErrOver if there is no such call, or it has
// ended.
func Ask(ctx context.Context, body []byte) ([]byte, error) {
	c, ok := ctx.Value(callKey{}).(*callContext)
	if !ok {
		return nil, ErrOver
	}
	return c.ask(body)
}

// Tell sends a message, which has no answer, to the job whose call the handler with ctx serves. If the job is
// over, or the worker is dead, the message is dropped.
func Tell(ctx context.Context, name string, body []byte) {
	if c, ok := ctx.Value(callKey{}).(*callContext); ok && c.worker.job.Load() == c.job {
		c.worker.conn.Send(&wire.Message{Kind: wire.Tell, ID: c.job.id, Name: name, Body: body})
	}
}

// ErrOver is what Ask returns when nothing waits for its answer.
var ErrOver = errors.New("isolate: the call is over")

type callKey struct{}

// A callContext is that of one call: what waits for the call can be asked. Most calls ask
// nothing, so all that this takes is made when something is asked.
type callContext struct {
	context.Context // of the job
	worker          *Worker
	job             *job
	id, turn        uint64 // of the call

	asking sync.Mutex // held while an answer is waited for

	mu      sync.Mutex // of what follows
	ended   bool
	over    chan struct{}      // closed with the call, nil until something is asked
	answers chan *wire.Message // likewise
	awaits  bool               // one
	held    int64              // bytes of the last one
}

// Value finds the call itself.
func (c *callContext) Value(key any) any {
	if key == (callKey{}) {
		return c
	}
	return c.Context.Value(key)
}

func (c *callContext) ask(body []byte) ([]byte, error) {
	c.asking.Lock()
	defer c.asking.Unlock()
	if c.Err() != nil || !c.begin() {
		return nil, ErrOver
	}
	c.worker.reading.leave(c.turn, c.worker.receive)
	if err := c.worker.conn.Send(&wire.Message{Kind: wire.Ask, ID: c.id, Body: body}); err != nil {
		return nil, ErrOver
	}
	select {
	case m := <-c.answers:
		return outcome(m)
	case <-c.Done():
	case <-c.over:
	}
	return nil, ErrOver
}

// begin has answers come here, and reports whether the call goes on.
func (c *callContext) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended && c.answers == nil {
		c.over, c.answers = make(chan struct{}), make(chan *wire.Message, 1)
		c.worker.asking.Store(c.id, c)
	}
	c.drop()
	c.awaits = !c.ended
	return !c.ended
}

// drop says that the last answer is held no more. mu is held.
func (c *callContext) drop() {
	c.job.bytes.Add(-c.held)
	c.held = 0
}

// end ends the call, for what is being asked as well.
func (c *callContext) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	if c.answers != nil {
		c.drop()
		c.worker.asking.Delete(c.id)
		close(c.over)
	}
}

// take takes an answer, if one is awaited. The host holds it like what calls bring.
func (c *callContext) take(m *wire.Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.awaits || c.ended {
		return
	}
	c.awaits, c.held = false, int64(len(m.Body))
	if c.job.bytes.Add(c.held) > c.worker.room {
		c.worker.stuffed.Store(true)
		c.worker.proc.kill()
		return
	}
	select {
	case c.answers <- m:
	default: // one that was not asked for is there already
	}
}
