package batches

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/subjects"
)

// The stream of lines. Its name has the version of what its messages are.
const (
	linesStream  = "sandtrap_1_batches"
	linesSubject = "sandtrap.1.batch."
)

const (
	packLines   = 16               // of a message: the disk takes few messages each second
	packBytes   = 64 << 10         // of its lines, unless it has one
	maxLines    = 2 << 30          // bytes of all
	takenFor    = 20 * time.Second // a message whose server is silent for so long is given to another one
	keptEach    = takenFor / 4
	answerLines = 5 * time.Second
	addWithin   = 15 * time.Second // lines that come together are on disk, or are refused

	discardAtOnce = 256 // messages
)

// A Shared is the Queue of several servers: a work queue of JetStream. A line is with a server as long as that says so.
type Shared struct {
	js     jetstream.JetStream
	stream jetstream.Stream
	log    *slog.Logger
	stop   chan struct{}
	done   sync.WaitGroup

	mu    sync.Mutex
	packs map[*pack]bool
	ready map[Name][]Item // of messages that were taken, not given yet
}

// A pack is a message: some lines of a batch.
type pack struct {
	m    jetstream.Msg
	of   Name
	left int // lines without a result
}

// NewShared is a queue in a stream, on so many servers of NATS.
func NewShared(ctx context.Context, conn *nats.Conn, replicas int, log *slog.Logger) (*Shared, error) {
	q := &Shared{log: log, stop: make(chan struct{}), packs: map[*pack]bool{}, ready: map[Name][]Item{}}
	var err error
	if q.js, err = jetstream.New(conn); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	q.stream, err = q.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: linesStream, Subjects: []string{linesSubject + ">"}, Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew, MaxBytes: maxLines,
		Replicas: replicas, Compression: jetstream.S2Compression,
	})
	if err != nil {
		return nil, fmt.Errorf("the queue of batches: %w", err)
	}
	q.done.Go(q.keep)
	return q, nil
}

// Close gives back what was taken and has no result.
func (q *Shared) Close() {
	close(q.stop)
	q.done.Wait()
	q.mu.Lock()
	defer q.mu.Unlock()
	for p := range q.packs {
		_ = p.m.Nak() // it is given to another one later
	}
	clear(q.packs)
}

// keep says that what was taken is in work.
func (q *Shared) keep() {
	tick := time.NewTicker(keptEach)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-q.stop:
			return
		}
		q.mu.Lock()
		for p := range q.packs {
			_ = p.m.InProgress() // likewise
		}
		q.mu.Unlock()
	}
}

// consumer is the name of the consumer of a batch, and its subject.
func consumer(of Name) (name, subject string) {
	return of.Batch, linesSubject + subjects.Tenant(of.Tenant) + "." + of.Batch
}

// A message is some lines.
type message struct {
	First int               `json:"first"`
	Lines []json.RawMessage `json:"lines"`
}

// Add is a method of Queue.
func (q *Shared) Add(ctx context.Context, of Name, first int, lines [][]byte) error {
	_, subject := consumer(of)
	ctx, cancel := context.WithTimeout(ctx, addWithin)
	defer cancel()
	var acks []jetstream.PubAckFuture
	for at := 0; at < len(lines); {
		n, size := 0, 0
		for at+n < len(lines) && n < packLines && (n == 0 || size+len(lines[at+n]) <= packBytes) {
			size += len(lines[at+n])
			n++
		}
		text := message{First: first + at}
		for _, line := range lines[at : at+n] {
			text.Lines = append(text.Lines, line)
		}
		data, err := json.Marshal(text)
		if err != nil {
			return err
		}
		id := fmt.Sprint(of.Batch, ".", first+at)
		ack, err := q.js.PublishAsync(subject+"."+strconv.Itoa(first+at), data, jetstream.WithMsgID(id), jetstream.WithStallWait(answerLines))
		if err != nil {
			return unreachable(err)
		}
		acks = append(acks, ack)
		at += n
	}
	for _, ack := range acks {
		select {
		case <-ack.Ok():
		case err := <-ack.Err():
			return unreachable(err)
		case <-ctx.Done():
			return unreachable(ctx.Err())
		}
	}
	return nil
}

// Take is a method of Queue.
func (q *Shared) Take(ctx context.Context, of Name, n int) ([]Item, error) {
	if items := q.give(of, n); len(items) > 0 {
		return items, nil
	}
	list, err := q.fetch(ctx, of, 1)
	if err != nil {
		return nil, err
	}
	for _, m := range list {
		if err := q.open(of, m); err != nil {
			q.log.Error("a message of the queue of batches cannot be read", "batch", of.Batch, "error", err)
			_ = m.Term()
		}
	}
	return q.give(of, n), nil
}

// give gives lines of messages that were taken.
func (q *Shared) give(of Name, n int) (items []Item) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n = min(n, len(q.ready[of]))
	items = q.ready[of][:n]
	if q.ready[of] = q.ready[of][n:]; len(q.ready[of]) == 0 {
		delete(q.ready, of)
	}
	return items
}

// fetch takes messages of a batch that nobody has.
func (q *Shared) fetch(ctx context.Context, of Name, n int) (list []jetstream.Msg, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerLines)
	defer cancel()
	name, subject := consumer(of)
	c, err := q.stream.Consumer(ctx, name)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		c, err = q.stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: name, FilterSubject: subject + ".>", AckPolicy: jetstream.AckExplicitPolicy, AckWait: takenFor, MaxAckPending: -1, InactiveThreshold: time.Hour,
		})
	}
	if err != nil {
		return nil, fmt.Errorf("the queue of batches: %w", err)
	}
	some, err := c.FetchNoWait(n)
	if err != nil {
		return nil, fmt.Errorf("the queue of batches: %w", err)
	}
	for m := range some.Messages() {
		list = append(list, m)
	}
	return list, q.unlessDropped(ctx, name, some.Error())
}

// Discard is a method of Queue. A message is there until its server knows what has become of its lines.
func (q *Shared) Discard(ctx context.Context, of Name) (left bool, err error) {
	for _, item := range q.give(of, math.MaxInt) {
		if err := item.Done(); err != nil {
			return true, err
		}
	}
	name, _ := consumer(of)
	for ctx.Err() == nil {
		list, err := q.fetch(ctx, of, discardAtOnce)
		if err != nil {
			return true, err
		}
		if len(list) == 0 {
			break
		}
		for i, m := range list {
			if i < len(list)-1 {
				_ = m.Ack() // one that is lost comes again
			} else if err := q.unlessDropped(ctx, name, m.DoubleAck(ctx)); err != nil {
				return true, fmt.Errorf("the queue of batches: %w", err)
			}
		}
	}
	return q.Left(ctx, of)
}

// open has the lines of a message be ready.
func (q *Shared) open(of Name, m jetstream.Msg) error {
	var text message
	if err := json.Unmarshal(m.Data(), &text); err != nil {
		return err
	}
	if len(text.Lines) == 0 || !strings.HasSuffix(m.Subject(), "."+strconv.Itoa(text.First)) {
		return errors.New("malformed")
	}
	p := &pack{m, of, len(text.Lines)}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.packs[p] = true
	for i, data := range text.Lines {
		q.ready[of] = append(q.ready[of], Item{Number: text.First + i, Data: data, Done: sync.OnceValue(func() error { return q.lineDone(p) })})
	}
	return nil
}

// lineDone notes that a line of a message has a result; with the last one the message is done.
func (q *Shared) lineDone(p *pack) error {
	q.mu.Lock()
	p.left--
	last := p.left == 0
	q.mu.Unlock()
	if !last {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), answerLines)
	defer cancel()
	err := p.m.DoubleAck(ctx)
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.packs, p)
	return err
}

// Counts is a method of Queue.
func (q *Shared) Counts() bool { return false }

// Drop is a method of Queue.
func (q *Shared) Drop(ctx context.Context, of Name) error {
	ctx, cancel := context.WithTimeout(ctx, answerLines)
	defer cancel()
	q.mu.Lock()
	delete(q.ready, of)
	for p := range q.packs {
		if p.of == of {
			delete(q.packs, p)
		}
	}
	q.mu.Unlock()
	name, subject := consumer(of)
	if err := q.stream.DeleteConsumer(ctx, name); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return fmt.Errorf("the queue of batches: %w", err)
	}
	if err := q.stream.Purge(ctx, jetstream.WithPurgeSubject(subject+".>")); err != nil {
		return fmt.Errorf("the queue of batches: %w", err)
	}
	return nil
}
