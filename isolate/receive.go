package isolate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// receive takes what the worker sends until that ends. A call is answered where it was
// read, which wakes nobody; where that takes long another goroutine goes on with reading.
func (w *Worker) receive() {
	for {
		m, err := w.conn.Receive()
		if err != nil {
			if errors.Is(err, wire.ErrProtocol) {
				w.broken = err
				w.proc.kill()
			}
			w.reset = errors.Is(err, syscall.ECONNRESET)
			w.silent.Store(true)
			close(w.messages)
			return
		}
		if !w.handle(m) {
			return
		}
	}
}

// handle does what m asks for, or passes it on, and reports whether this goroutine is
// still the one that reads.
func (w *Worker) handle(m *wire.Message) bool {
	j := w.job.Load()
	switch {
	case j == nil && w.chatters(m):
		w.broken = fmt.Errorf("%w: it talks without having anything to do", wire.ErrProtocol)
		w.silent.Store(true)
		w.proc.kill()
	case m.Skipped > 0: // a job may have begun since then: it is none of that
	case m.Kind == wire.Stream:
		if j.of(m.ID) && j.Stream != nil && !streams(j, m) {
			w.broken = fmt.Errorf("%w: the host's handler of streams panicked", wire.ErrProtocol)
			w.proc.kill()
		}
	case m.Kind == wire.Answer:
		if a, ok := w.asking.Load(m.ID); ok {
			a.(*callContext).take(m)
		}
	case m.Kind == wire.Call:
		return !j.of(m.Job) || w.answer(j, m)
	case w.wants(j, m):
		select {
		case w.messages <- m:
			runtime.Gosched() // who waits for it goes on with this thread, and reading waits for another
		case <-w.closed:
		}
	}
	return true
}

// streams hands m to the handler of streams, and is false if that panics.
func streams(j *job, m *wire.Message) (ok bool) {
	defer func() { ok = recover() == nil }()
	j.Stream(m.Name, m.Body)
	return true
}

// What a worker may say between two jobs, for which its host reads: what the last one has left may
// still ask for something.
const (
	maxIdle      = 16 * wire.MaxCalls // messages
	maxIdleBytes = 16 << 20
)

// holds says how many bytes a frame of the worker may have, and whether it is held: while there is no job
// nothing is, since nobody waits for it.
func (w *Worker) holds(kind wire.Kind, name string) (most int, hold bool) {
	switch {
	case !w.ready.Load():
		return wire.Most(w.frames, wire.Hello, ""), true
	case w.job.Load() == nil:
		return wire.MaxFrame, false
	}
	return wire.Most(w.frames, kind, name), true
}

// chatters counts a message that comes while there is no job, and reports that there are too many.
func (w *Worker) chatters(m *wire.Message) bool {
	if !w.ready.Load() {
		return false
	}
	messages, bytes := w.idle.messages.Add(1), w.idle.bytes.Add(int64(len(m.Body)+m.Skipped))
	return messages > maxIdle || bytes > maxIdleBytes
}

// wants says whether somebody waits for m. What else a worker says is passed over, so that nothing is
// held of one that does nothing.
func (w *Worker) wants(j *job, m *wire.Message) bool {
	if !w.ready.Load() {
		return true
	}
	return m.Kind == wire.Outcome && j != nil && m.ID == j.id && j.hears()
}

// answer answers a call. A worker that makes more at a time than it may, or has the host hold
// more for them, is none of ours any more.
func (w *Worker) answer(j *job, m *wire.Message) (reads bool) {
	size := int64(len(m.Body))
	flood, stuff := j.calls.Add(1) > wire.MaxCalls, j.bytes.Add(size) > w.room
	if flood || stuff {
		w.flooded.Store(flood)
		w.stuffed.Store(stuff)
		w.proc.kill()
		return true
	}
	turn := w.reading.begin(w.receive, j.Long != nil && j.Long(m.Name))
	ctx := &callContext{Context: j.ctx, worker: w, job: j, id: m.ID, turn: turn}
	began, left := time.Now(), true
	defer func() {
		if left && w.reply(ctx, size, began, nil, ErrLeft) { // this goroutine ends here
			go w.receive()
		}
	}()
	body, err := call(ctx, j.Handlers, m)
	left = false
	return w.reply(ctx, size, began, body, err)
}

// ErrLeft is the answer of a function, or a reader or writer, that calls runtime.Goexit, as failing tests do.
var ErrLeft = errors.New("the host's function ended its goroutine")

// reply ends a call, which brought size bytes, with its answer. It reports whether nobody else reads.
func (w *Worker) reply(c *callContext, size int64, began time.Time, body []byte, err error) (reads bool) {
	out := &wire.Message{Kind: wire.Return, ID: c.id, Body: body, Took: int64(time.Since(began))}
	c.end()
	if err != nil {
		out.Error = cmp.Or(err.Error(), "error")
	}
	c.job.bytes.Add(-size)
	c.job.calls.Add(-1) // before the worker knows that it may ask for the next
	if c.Err() != nil { // the worker is told that the job is over, and is not to go on with what that has made of the call
		return w.reading.end(c.turn)
	}
	if err := w.conn.Send(out); errors.Is(err, wire.ErrTooLarge) {
		w.conn.Send(&wire.Message{Kind: wire.Return, ID: c.id, Error: err.Error()})
	} // else, if it is dead, messages is closed
	return w.reading.end(c.turn)
}

// room is how many bytes the calls of a worker may bring at a time: one frame of what its script may hold or,
// where that has no bound, a part of what the worker may have itself, since its host holds them as they came
// and as what they say.
func (s Spec) room() int64 {
	const part, frames = 4, 2
	switch {
	case s.Frames.Call > 0:
		return int64(s.Frames.Call)
	case s.Memory > 0:
		return max(s.Memory/part, wire.MaxFrame)
	}
	return frames * wire.MaxFrame
}

func call(ctx context.Context, h Handlers, m *wire.Message) (body []byte, err error) {
	defer func() {
		if recover() != nil { // what a handler panics with stays on this side
			body, err = nil, fmt.Errorf("%s: the host's function panicked", m.Name)
		}
	}()
	if h.Call == nil {
		return nil, fmt.Errorf("%s: there is no such function", m.Name)
	}
	sent := m.Body
	m.Body = nil // what is called holds it, as long as it needs it
	return h.Call(ctx, m.Name, sent)
}

// patience is how long a call may take, about, before another goroutine reads on.
const patience = time.Millisecond

// A handover finds another goroutine to read when the one that does answers a call for too
// long. Its timer is not set for each call: it goes on while there are calls.
type handover struct {
	mu    sync.Mutex
	turns uint64 // so many calls have begun
	now   uint64 // the one whose goroutine is to read on after it; 0 for none
	seen  uint64 // the one that the timer saw last
	timer *time.Timer
	on    bool // the timer is
}

// begin says that the goroutine that reads answers a call. If that will be long, next
// reads on at once.
func (h *handover) begin(next func(), long bool) (turn uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.turns++
	if long {
		h.now = 0
		go next()
		return h.turns
	}
	h.now = h.turns
	switch {
	case h.timer == nil:
		h.timer = time.AfterFunc(patience, func() { h.look(next) })
	case !h.on:
		h.timer.Reset(patience)
	}
	h.on = true
	return h.turns
}

// end reports whether nobody else reads.
func (h *handover) end(turn uint64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.now != turn {
		return false
	}
	h.now = 0
	return true
}

// leave has next read: the call waits for something that it has to read.
func (h *handover) leave(turn uint64, next func()) {
	if h.end(turn) {
		go next()
	}
}

// look has next read if the call is the one that it was when the timer looked last.
func (h *handover) look(next func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.on = h.now != 0; !h.on {
		return
	}
	if h.now == h.seen {
		h.now, h.on = 0, false
		go next()
		return
	}
	h.seen = h.now
	h.timer.Reset(patience)
}
