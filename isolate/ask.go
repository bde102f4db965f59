package isolate

import (
	"context"
	"errors"
	"sync"

	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// Ask asks the worker something during a call of the handler that was given ctx: what waits
// there for the call answers, on its goroutine. One thing is asked at a time. An error of
// the worker's is a *wire.HostError; it is ErrOver if there is no such call, or no more.
func Ask(ctx context.Context, body []byte) ([]byte, error) {
	a, ok := ctx.Value(askerKey{}).(*asker)
	if !ok {
		return nil, ErrOver
	}
	return a.ask(body)
}

// ErrOver is what Ask returns when nothing waits for its answer.
var ErrOver = errors.New("isolate: the call is over")

type askerKey struct{}

// An asker asks what waits for one call.
type asker struct {
	conn    *wire.Conn
	call    uint64
	mu      sync.Mutex // held while an answer is waited for
	answers chan *wire.Message
	job     <-chan struct{} // closed with the job
	over    chan struct{}   // closed with the call
	leave   func()          // has another goroutine read what comes
}

func (a *asker) ask(body []byte) ([]byte, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	select {
	case <-a.job:
		return nil, ErrOver
	case <-a.over:
		return nil, ErrOver
	default:
	}
	a.leave()
	if err := a.conn.Send(&wire.Message{Kind: wire.Ask, ID: a.call, Body: body}); err != nil {
		return nil, ErrOver
	}
	select {
	case m := <-a.answers:
		return outcome(m)
	case <-a.job:
	case <-a.over:
	}
	return nil, ErrOver
}

// take takes an answer, of which there is one at a time.
func (a *asker) take(m *wire.Message) {
	select {
	case a.answers <- m:
	default:
	}
}
