package cluster

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/machine"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/turns"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// WorkerOptions are those of a worker.
type WorkerOptions struct {
	Name    string // no other worker has it: a part of subjects
	Slots   int    // how many jobs it does at a time
	Level   string // its isolation
	Version string // of the program
	Memory  int64  // bytes that all its jobs may have together; 0 is what the machine has left at the start
	Handler dispatch.Handler
	Front   *Front // of this process, which gives it jobs without NATS while there is no other worker; nil for none
	Log     *slog.Logger
}

// waitFor is how many jobs a worker takes for each slot: the others wait there for their turn.
const waitFor = 4

// A worker does jobs.
type worker struct {
	o     WorkerOptions
	conn  *nats.Conn
	id    string // its instance
	queue *dispatch.Local
	room  *room
	group sync.WaitGroup
	wants chan struct{} // has one for each job that waits for contents
	near  atomic.Int64  // jobs that the front of this process has given it

	mu      sync.Mutex
	doing   map[string]doing // by the IDs of the jobs
	behind  int              // of them, that nobody waits for
	leaving bool
	twice   error     // another process has the name
	heard   time.Time // when what the cluster has answered last was asked
	asking  bool
}

// Work does jobs until ctx ends, and then those that it has. It tells fronts that it takes no more.
func Work(ctx context.Context, conn *nats.Conn, o WorkerOptions) error {
	if !token(o.Name) || !token(o.Level) {
		return fmt.Errorf("the name of a worker, %q, has other characters than letters, digits, - and _", o.Name)
	}
	w := &worker{o: o, conn: conn, id: rand.Text(), room: newRoom(o.Memory, lately(machine.Free)), doing: map[string]doing{}, wants: make(chan struct{}, maxWants), heard: time.Now()}
	w.queue = &dispatch.Local{Turns: turns.New(o.Slots), Handler: o.Handler}
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	take := func(m *nats.Msg) { w.take(base, m.Data) }
	for subject, handle := range map[string]nats.MsgHandler{ends: func(m *nats.Msg) { w.end(string(m.Data)) }, gives: w.given, owns: take} {
		sub, err := conn.Subscribe(subject+o.Name, handle)
		if err != nil {
			return err
		}
		defer sub.Unsubscribe()
	}
	w.beat() // before the first job
	all, err := conn.QueueSubscribe(jobs+o.Level+".*", workers, take)
	if err != nil {
		return err
	}
	if o.Front != nil {
		o.Front.setNear(w)
		defer o.Front.setNear(nil)
	}
	tick := time.NewTicker(beatEach)
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-tick.C:
			if conn.IsClosed() { // it is not let in again
				return fmt.Errorf("the cluster: %w", cmp.Or(conn.LastError(), nats.ErrConnectionClosed))
			}
			if err := w.isTwice(); err != nil {
				return err
			}
			w.beat()
		}
	}
	return w.leave(all, tick.C)
}

// leave ends a worker when its jobs have ended.
func (w *worker) leave(take *nats.Subscription, tick <-chan time.Time) error {
	w.mu.Lock()
	w.leaving = true
	w.mu.Unlock()
	w.beat()
	err := take.Unsubscribe()
	all := make(chan struct{})
	go func() { w.group.Wait(); close(all) }()
	for {
		select {
		case <-all:
			if !w.conn.IsConnected() { // nobody waits for its jobs any more
				return err
			}
			w.beat() // that none of them goes on
			return errors.Join(err, w.conn.FlushTimeout(5*time.Second))
		case <-tick:
			w.beat() // else its jobs would be given to others
		}
	}
}

// beat tells fronts that the worker is there. If it cannot for so long that its jobs were given to others, it ends them.
func (w *worker) beat() {
	w.mu.Lock()
	if !w.asking && time.Since(w.heard) > askEach {
		w.asking = true
		go w.ask()
	}
	if time.Since(w.heard) > silentFor {
		for id, d := range w.doing {
			if !d.near {
				d.cut = true
				w.doing[id] = d
				d.cancel()
			}
		}
	}
	b := beat{
		Instance: w.id, Slots: w.o.Slots, Running: len(w.doing), Level: w.o.Level, Version: w.o.Version, Memory: w.room.all, Free: w.room.left(), Load: busyness(),
	}
	if w.leaving {
		b.Slots = 0
	}
	w.mu.Unlock()
	_ = w.conn.Publish(here+w.o.Name, encode(b)) // fronts notice if none come
}

// askEach is how often a worker makes sure that the cluster answers: a connection can be there, and carry nothing.
const askEach = time.Second

// ask waits for an answer of the cluster.
func (w *worker) ask() {
	at := time.Now()
	err := w.conn.FlushTimeout(silentFor)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asking = false
	if err == nil {
		w.heard = at
	}
}

// take begins a job, or tells its front that it does not.
func (w *worker) take(base context.Context, data []byte) {
	var s sent
	if err := decode(data, &s); err != nil || !token(s.ID) || !token(s.Front) {
		w.o.Log.Error("a front has sent a malformed job", "error", err)
		return
	}
	to := &sender{conn: w.conn, subject: back + w.o.Name + "." + s.Front + "." + s.ID}
	ctx, cancel := context.WithCancel(base)
	to.cancel = cancel
	memory, ok := w.accept(s.ID, s.Job.Memory, s.Wait, doing{cancel: cancel, gets: make(chan given, maxGive/maxPiece), background: s.Job.Background})
	if !ok {
		cancel()
		to.send(busy, nil, true)
		return
	}
	to.send(accepted, []byte(w.id), false)
	go w.do(ctx, s, to, memory)
}

// accept reserves what a job needs, if there is room for it.
func (w *worker) accept(id string, needs int64, wait bool, d doing) (memory int64, ok bool) {
	most := w.o.Slots
	if wait {
		most *= waitFor
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.leaving || len(w.doing) >= most || w.doing[id].cancel != nil {
		return 0, false
	}
	if d.background && !w.queue.Turns.RoomBehind(w.behind) { // it does not wait here: other fronts send what somebody waits for
		return 0, false
	}
	if memory, ok = w.room.take(needs, wait); ok {
		w.doing[id] = d
		if d.background {
			w.behind++
		}
		w.group.Add(1)
	}
	return memory, ok
}

// do does a job to its end. It has reserved memory.
func (w *worker) do(ctx context.Context, s sent, to *sender, memory int64) {
	defer w.group.Done()
	out := dispatch.Output{Stdout: piece{to, stdout}, Stderr: piece{to, stderr}, Record: record.Func(to.record), Paused: func([]byte) error { return nil }} // its front checks that
	if s.Job.Cell != nil {
		out.Became, out.Contents = func(*dispatch.Become) error { return nil }, w.asks(s.ID, to) // its front checks that
	}
	o, err := w.queue.Do(ctx, &s.Job, func() error { return nil }, out)
	cut := w.over(s.ID, memory) // before its front is told, which may send the next one
	if cut {                    // if its front has not sent it to another one yet, it does now
		to.send(failed, nil, true)
		return
	}
	if errors.Is(err, dispatch.ErrLarge) {
		to.send(large, nil, true)
		return
	}
	if err != nil {
		if ctx.Err() == nil { // else its front wants it no more
			w.o.Log.Error("a job could not be done", "run", s.Job.Run, "error", err)
		}
		to.send(failed, nil, true)
		return
	}
	to.send(outcome, encode(o), true)
}

// isTwice is an error if this process is the second one of its name.
func (w *worker) isTwice() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.twice
}

// end ends a job, if it is here. A front may say instead that the process is to end.
func (w *worker) end(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if id == second+w.id {
		w.twice = fmt.Errorf("another process is the worker %s, with the same key: each process needs its own", w.o.Name)
	}
	if d := w.doing[id]; d.cancel != nil {
		d.cancel()
	}
}

// A sender tells a front of a job.
type sender struct {
	conn    *nats.Conn
	subject string
	cancel  context.CancelFunc // of the job, when its front cannot be told

	mu   sync.Mutex
	next uint64
}

// send sends data, in pieces. The last piece is the last one of its kind if last is set.
func (s *sender) send(k kind, data []byte, last bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		n := min(len(data), maxPiece)
		f := frame{Number: s.next, Kind: k, Data: data[:n], Last: last && n == len(data)}
		s.next++
		if err := s.conn.Publish(s.subject, encode(f)); err != nil {
			s.cancel()
			return
		}
		if data = data[n:]; len(data) == 0 {
			return
		}
	}
}

func (s *sender) record(e record.Event) error {
	text, err := json.Marshal(e)
	if err == nil {
		s.send(recorded, text, true)
	}
	return err
}

// A piece is a Writer of one kind of frames.
type piece struct {
	to   *sender
	kind kind
}

func (p piece) Write(b []byte) (int, error) {
	p.to.send(p.kind, b, false)
	return len(b), nil
}
