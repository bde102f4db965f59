package broker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/peercred"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// Serve is a broker: it answers hosts that connect to l by asking d and a, which are called from any goroutine, each call with
// a context of its own, which ends when the host no longer waits. A nil d or a refuses all that it would be asked, and so do
// their errors and panics.
//
// It closes l, a unix socket, whose file it gives mode 0600, and serves processes of its own effective user and of root alone;
// where a system does not say whose a process is, it fails when one connects, as Dial does. When ctx ends, it returns nil, once all calls of d and a have
// returned. Any other end is an error.
func Serve(ctx context.Context, l net.Listener, d decide.Decider, a decide.Approver) error {
	defer l.Close()
	unix, ok := l.(*net.UnixListener)
	if !ok {
		return fmt.Errorf("broker: the listener is a %T, not a unix socket", l)
	}
	if err := os.Chmod(unix.Addr().String(), 0o600); err != nil {
		return fmt.Errorf("broker: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	var serving sync.WaitGroup
	defer serving.Wait()
	defer cancel()
	defer context.AfterFunc(ctx, func() { l.Close() })()
	for {
		c, err := unix.AcceptUnix()
		switch {
		case ctx.Err() != nil:
			if err == nil {
				c.Close()
			}
			return nil
		case err != nil:
			return fmt.Errorf("broker: %w", err)
		}
		peer, err := peercred.Of(c)
		if err != nil || peer.UID != os.Geteuid() && peer.UID != 0 {
			c.Close()
			if err != nil {
				return fmt.Errorf("broker: %w", err)
			}
			continue
		}
		serving.Go(func() {
			defer c.Close()
			(&host{socket: c, decider: d, approver: a, open: map[int64]context.CancelFunc{}}).serve(ctx)
		})
	}
}

// A host is a connection to one.
type host struct {
	socket   *net.UnixConn
	decider  decide.Decider
	approver decide.Approver

	writing sync.Mutex

	mu   sync.Mutex
	open map[int64]context.CancelFunc // of the questions without an answer
}

// writeTime is how long a host may take to read an answer.
const writeTime = 10 * time.Second

// serve answers until the host is gone, or does what it may not.
func (h *host) serve(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	var answering sync.WaitGroup
	defer answering.Wait()
	defer cancel()
	defer context.AfterFunc(ctx, func() { h.socket.Close() })()
	r := bufio.NewReader(h.socket)
	for {
		line, err := readLine(r, longestLine)
		if err != nil {
			return
		}
		var q question
		if decode(line, &q) != nil || !q.valid() {
			return
		}
		if q.Kind == kindCancel {
			h.cancel(q.ID)
			continue
		}
		ctx, cancel, ok := h.begin(ctx, q.ID)
		if !ok {
			return
		}
		answering.Go(func() {
			defer cancel()
			h.answer(ctx, &q)
		})
	}
}

// valid reports that q is a question of this version.
func (q *question) valid() bool {
	switch q.Kind {
	case kindDecide:
		return q.Version == version && q.Call != nil && q.Requests == nil
	case kindAsk:
		return q.Version == version && q.Call == nil && q.Requests != nil
	case kindCancel:
		return q.Version == version && q.Call == nil && q.Requests == nil
	}
	return false
}

// begin opens a question, unless there is one with its id.
func (h *host) begin(ctx context.Context, id int64) (context.Context, context.CancelFunc, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open[id] != nil {
		return nil, nil, false
	}
	ctx, cancel := context.WithCancel(ctx)
	h.open[id] = cancel
	return ctx, cancel, true
}

func (h *host) end(id int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.open, id)
}

// cancel ends the context of a question, if it is still open: its answer may be on the way.
func (h *host) cancel(id int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if cancel := h.open[id]; cancel != nil {
		cancel()
	}
}

// answer asks who is to be asked, and sends the answer. A panic is an error, and so is the end of the goroutine.
func (h *host) answer(ctx context.Context, q *question) {
	var a answer
	err := errors.New("the broker has failed")
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the broker has failed: %v", p)
		}
		if err == nil {
			err = ctx.Err() // it denies, whatever the answer is
		}
		if err != nil {
			a = answer{Error: err.Error()}
			if a.Error == "" {
				a.Error = "an error without a text"
			}
		}
		a.ID = q.ID
		h.end(q.ID)
		h.send(&a)
	}()
	switch {
	case q.Kind == kindDecide && h.decider != nil:
		var r decide.Ruling
		r, err = h.decider.Decide(ctx, *q.Call)
		a.Ruling = &r
	case q.Kind == kindAsk && h.approver != nil:
		a.Answers, err = h.approver.Ask(ctx, q.Requests)
		if a.Answers == nil {
			a.Answers = []decide.Answer{}
		}
	default:
		err = fmt.Errorf("the broker has nobody to %s", q.Kind)
	}
}

// send writes an answer. A host that does not take it is not served any more.
func (h *host) send(a *answer) {
	line, err := encode(a)
	h.writing.Lock()
	defer h.writing.Unlock()
	if err == nil {
		err = h.socket.SetWriteDeadline(time.Now().Add(writeTime))
	}
	if err == nil {
		_, err = h.socket.Write(line)
	}
	if err != nil {
		h.socket.Close()
	}
}
