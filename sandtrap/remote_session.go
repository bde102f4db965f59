package sandtrap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// A remoteSession is a session in a worker of its own, which no other scripts get and
// which ends with it.
type remoteSession struct {
	box    *Sandbox
	worker *isolate.Worker
	files  *servedFiles // that the cells have open; nil if there are none
	place  *farPlace

	busy chan struct{} // has room while the worker does nothing
	lost error         // with its worker
	once sync.Once     // closes
	over atomic.Bool   // closed
}

// remoteSessions are those of a sandbox.
type remoteSessions struct {
	mu   sync.Mutex
	open map[*remoteSession]bool
}

func (l *remoteSessions) keep(r *remoteSession) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open = map[*remoteSession]bool{}
	}
	l.open[r] = true
}

func (l *remoteSessions) drop(r *remoteSession) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, r)
}

// close ends all workers, those that run a cell when that has ended.
func (l *remoteSessions) close() {
	l.mu.Lock()
	open := slices.Collect(maps.Keys(l.open))
	l.mu.Unlock()
	for _, r := range open {
		select {
		case r.busy <- struct{}{}:
			r.close()
			<-r.busy
		default:
			go func() {
				r.busy <- struct{}{}
				defer func() { <-r.busy }()
				r.close()
			}()
		}
	}
}

// remoteSession starts a worker with a session, which saved is, if it is not nil.
func (s *Sandbox) remoteSession(saved io.Reader) (*Session, error) {
	if s.closed.Load() {
		return nil, ErrClosed
	}
	ctx := context.Background()
	worker, err := s.workers.own(ctx)
	if err != nil {
		return nil, err
	}
	r := &remoteSession{box: s, worker: worker, busy: make(chan struct{}, 1)}
	r.place = &farPlace{box: s, worker: r, objects: s.plan.types.OnHost()}
	if s.files != nil {
		r.files = newServedFiles(s.files)
	}
	s.workers.sessions.keep(r)
	op := wire.CellOpen
	if saved != nil {
		op = wire.CellLoad
	}
	call := r.remoteCall(ctx, Script{})
	call.load = saved
	if _, err := r.ask(&wire.Cell{Op: op}, call); err != nil {
		r.close()
		return nil, err
	}
	return &Session{box: s, turn: newTurn(), remote: r}, nil
}

// remoteCall implements farWorker. The files stay open.
func (r *remoteSession) remoteCall(ctx context.Context, script Script) *remoteCall {
	return &remoteCall{plan: r.box.plan, script: script, feed: newFeed(ctx, script), files: r.files, worker: r.worker, place: r.place}
}

// job implements farWorker. A worker that fails takes the session with it.
func (r *remoteSession) job(ctx context.Context, c *remoteCall, task wire.Task, res *Result) ([]byte, error) {
	select {
	case r.busy <- struct{}{}:
		defer func() { <-r.busy }()
	case <-ctx.Done():
		return nil, r.box.plan.cancelled(ctx)
	}
	return r.exchange(ctx, c, task, res)
}

// exchange is job for who has the worker.
func (r *remoteSession) exchange(ctx context.Context, c *remoteCall, task wire.Task, res *Result) ([]byte, error) {
	switch {
	case r.lost != nil:
		return nil, r.lost
	case r.over.Load():
		return nil, ErrRunOver
	}
	body, failed, err := r.box.plan.exchange(ctx, c, task, res)
	if failed {
		err = r.lose(err)
	}
	return body, err
}

// cellResult is what a worker has sent.
func cellResult(body []byte, err error) (*wire.CellResult, error) {
	if err != nil {
		return nil, err
	}
	out := new(wire.CellResult)
	if err := wire.Decode(body, out); err != nil {
		return nil, &Error{Kind: KindWorker, Message: "the worker's answer is none"}
	}
	return out, nil
}

// lose ends the session, whose worker has failed, and returns err with the news.
func (r *remoteSession) lose(err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	r.lost = &Error{Kind: KindWorker, Message: "the session is lost with its worker: " + e.Message, Hint: "begin another one"}
	r.close()
	e.Hint = "the session is lost: begin another one"
	return e
}

// ask has the worker do what is no run, if it does nothing else.
func (r *remoteSession) ask(c *wire.Cell, call *remoteCall) (*wire.CellResult, error) {
	select {
	case r.busy <- struct{}{}:
		defer func() { <-r.busy }()
	default:
		return nil, ErrReentrant
	}
	out, err := cellResult(r.exchange(context.Background(), call, wire.Task{Cell: c}, &Result{}))
	switch {
	case err != nil:
		return nil, err
	case out.Error != nil:
		return nil, receivedError(out.Error, 0)
	case out.Failed != "":
		return nil, errors.New(out.Failed)
	}
	return out, nil
}

// run runs a cell and fills res.
func (r *remoteSession) run(ctx context.Context, script Script, res *Result) (err error) {
	call := r.remoteCall(ctx, script)
	defer func() { call.feed.finish(res, err) }()
	job, err := r.box.plan.remoteScript(script)
	if err != nil {
		return err
	}
	r.place.runs(&script)
	out, err := cellResult(r.job(ctx, call, wire.Task{Cell: &wire.Cell{Op: wire.CellRun, Script: job}}, res))
	switch {
	case err != nil:
		return err
	case out.Run != nil:
		return r.box.plan.take(ctx, out.Run, call, res)
	case out.Failed != "":
		return errors.New(out.Failed)
	}
	return &Error{Kind: KindWorker, Message: "the worker's result is none"}
}

// close ends the worker.
func (r *remoteSession) close() {
	r.once.Do(func() {
		r.over.Store(true)
		r.box.workers.sessions.drop(r)
		r.box.workers.end(r.worker)
		if r.files != nil {
			r.files.close()
		}
	})
}

// bindings lists what names mean now.
func (r *remoteSession) bindings() ([]SessionBinding, error) {
	out, err := r.ask(&wire.Cell{Op: wire.CellBindings}, r.remoteCall(context.Background(), Script{}))
	if err != nil {
		return nil, err
	}
	list := []SessionBinding{}
	for _, n := range out.Names {
		list = append(list, SessionBinding{Kind: n.Kind, Name: n.Name, Type: n.Type})
	}
	return list, nil
}

// typeOf is the type of an expression.
func (r *remoteSession) typeOf(expr string) (string, error) {
	out, err := r.ask(&wire.Cell{Op: wire.CellType, Text: expr}, r.remoteCall(context.Background(), Script{}))
	if err != nil {
		return "", err
	}
	return out.Text, nil
}

// complete lists names.
func (r *remoteSession) complete(text string, offset int) (names []string, err error) {
	out, err := r.ask(&wire.Cell{Op: wire.CellComplete, Text: text, Offset: offset}, r.remoteCall(context.Background(), Script{}))
	if err != nil {
		return nil, err
	}
	for _, n := range out.Names {
		names = append(names, n.Name)
	}
	return names, nil
}

// reset makes it one without cells.
func (r *remoteSession) reset() error {
	_, err := r.ask(&wire.Cell{Op: wire.CellReset}, r.remoteCall(context.Background(), Script{}))
	return err
}

// save writes the session to w.
func (r *remoteSession) save(w io.Writer) error {
	sized := &bounded{to: w, room: maxSaved}
	call := r.remoteCall(context.Background(), Script{})
	call.save = sized
	_, err := r.ask(&wire.Cell{Op: wire.CellSave}, call)
	if sized.err != nil {
		return sized.err
	}
	return err
}

// A bounded is a writer of so many bytes.
type bounded struct {
	to   io.Writer
	room int64
	err  error // of to
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.room -= int64(len(p)); b.room < 0 {
		b.err = fmt.Errorf("sandtrap: the session has more than %d bytes", int64(maxSaved))
	}
	if b.err != nil {
		return 0, b.err
	}
	var n int
	n, b.err = b.to.Write(p)
	return n, b.err
}
