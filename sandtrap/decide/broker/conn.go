package broker

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// A conn is a connection to a broker. Its two goroutines, read and write, end when it is lost.
type conn struct {
	socket  *net.UnixConn
	timeout time.Duration // for a line to be taken
	maxLine int

	queued chan struct{} // has one element if queue may have some
	ended  chan struct{} // closed when it is lost

	mu        sync.Mutex
	err       error // why it was lost; constant once ended is closed
	queue     net.Buffers
	waiting   map[int64]*waiter // questions without an answer
	abandoned int               // of these, those whose callers have gone
}

// A waiter is a question whose answer is waited for.
type waiter struct {
	question question
	answered chan answer // has room for the one that comes
	gone     bool        // nobody waits any more
}

// maxAbandoned is how many questions without an answer a broker may have whose callers have gone. One that has more does not
// answer at all, or forgets some: it is connected to anew.
const maxAbandoned = 1024

func newConn(socket *net.UnixConn, o Options) *conn {
	return &conn{
		socket: socket, timeout: o.Timeout, maxLine: o.MaxLine,
		queued: make(chan struct{}, 1), ended: make(chan struct{}), waiting: map[int64]*waiter{},
	}
}

// lost reports that the connection is of no use any more.
func (k *conn) lost() bool {
	select {
	case <-k.ended:
		return true
	default:
		return false
	}
}

// fail ends the connection: who waits is denied. The first reason counts.
func (k *conn) fail(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err == nil {
		k.err = err
		close(k.ended)
		k.socket.Close()
	}
}

// ask queues a question.
func (k *conn) ask(q question) (*waiter, error) {
	q.Version = version
	q.ID = 1 + rand.Int64N(1<<53-1) // exact in every language's numbers
	line, err := encode(q)
	if err == nil && len(line) > k.maxLine {
		err = fmt.Errorf("the question has %d bytes; the limit is %d", len(line), k.maxLine)
	}
	if err != nil {
		return nil, fmt.Errorf("broker: %w", err)
	}
	w := &waiter{question: q, answered: make(chan answer, 1)}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.waiting[q.ID] != nil {
		return nil, errors.New("broker: an id came twice")
	}
	k.waiting[q.ID] = w
	k.enqueue(line)
	return w, nil
}

// enqueue hands a line to write. The lock is held.
func (k *conn) enqueue(line []byte) {
	k.queue = append(k.queue, line)
	select {
	case k.queued <- struct{}{}:
	default:
	}
}

// abandon says that nobody waits for w any more.
func (k *conn) abandon(w *waiter) {
	line, err := encode(question{Version: version, ID: w.question.ID, Kind: kindCancel})
	k.mu.Lock()
	if k.waiting[w.question.ID] == w {
		w.gone = true
		k.abandoned++
		k.enqueue(line)
	}
	if k.abandoned > maxAbandoned {
		err = fmt.Errorf("broker: it has not answered %d questions that were given up", k.abandoned)
	}
	k.mu.Unlock()
	if err != nil {
		k.fail(err)
	}
}

// write sends what is queued.
func (k *conn) write() {
	for {
		select {
		case <-k.ended:
			return
		case <-k.queued:
		}
		k.mu.Lock()
		lines := k.queue
		k.queue = nil
		k.mu.Unlock()
		err := k.socket.SetWriteDeadline(time.Now().Add(k.timeout))
		if err == nil {
			_, err = lines.WriteTo(k.socket)
		}
		if err != nil {
			k.fail(fmt.Errorf("broker: %w", err))
		}
	}
}

// read hands out answers, until there is anything else.
func (k *conn) read() {
	r := bufio.NewReader(k.socket)
	for {
		line, err := readLine(r, k.maxLine)
		if err == nil {
			err = k.answer(line)
		}
		if err == io.EOF {
			err = errors.New("it has ended the connection")
		}
		if err != nil {
			k.fail(fmt.Errorf("broker: %w", err))
			return
		}
	}
}

// answer hands an answer to its caller.
func (k *conn) answer(line []byte) error {
	a, err := decodeAnswer(line)
	if err != nil {
		return fmt.Errorf("malformed answer: %w", err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	w := k.waiting[a.ID]
	if w == nil {
		return fmt.Errorf("an answer to question %d, which is unknown or answered", a.ID)
	}
	if err := a.fits(&w.question); err != nil {
		return err
	}
	delete(k.waiting, a.ID)
	if w.gone {
		k.abandoned--
	} else {
		w.answered <- a
	}
	return nil
}
