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
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// A remoteSession is a session in a worker of its own, which no other scripts get and
// which ends with it.
type remoteSession struct {
	box    *Sandbox
	worker *isolate.Worker
	depth  int          // of the run that asked for it, or more
	files  *servedFiles // that the cells have open; nil if there are none
	place  *remoteFuncs

	busy chan struct{} // has room while the worker does nothing
	lost error         // with its worker
	once sync.Once     // closes
	over atomic.Bool   // closed
}

// remoteSessions are those of a sandbox.
type remoteSessions struct {
	mu     sync.Mutex
	open   map[*remoteSession]bool
	closed bool
}

// keep is false if the sandbox was closed meanwhile, which then knows nothing of r.
func (l *remoteSessions) keep(r *remoteSession) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	if l.open == nil {
		l.open = map[*remoteSession]bool{}
	}
	l.open[r] = true
	return true
}

func (l *remoteSessions) drop(r *remoteSession) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, r)
}

// close ends all workers, those that run a cell when that has ended.
func (l *remoteSessions) close() {
	l.mu.Lock()
	l.closed = true
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
	l, err := s.workers.own(ctx)
	if err != nil {
		return nil, err
	}
	r := &remoteSession{box: s, worker: l.worker, depth: l.depth, busy: make(chan struct{}, 1)}
	r.place = &remoteFuncs{box: s, worker: r, objects: s.plan.objects(), errors: s.plan.errors.OfRun(true), decides: s.plan.session()}
	if s.files != nil {
		r.files = newServedFiles(s.files, s.plan)
	}
	if !s.workers.sessions.keep(r) {
		r.close()
		return nil, ErrClosed
	}
	op := jobs.CellOpen
	if saved != nil {
		op = jobs.CellLoad
	}
	call := r.remoteCall(ctx, Script{})
	call.load = saved
	if _, err := r.ask(&jobs.Cell{Op: op}, call); err != nil {
		r.close()
		if s.closed.Load() {
			err = ErrClosed
		}
		return nil, err
	}
	return &Session{box: s, turn: newTurn(), remote: r}, nil
}

// remoteCall implements funcWorker. The files stay open.
func (r *remoteSession) remoteCall(ctx context.Context, script Script) *remoteCall {
	c := r.box.remoteCall(ctx, script)
	c.files, c.worker, c.place, c.depth = r.files, r.worker, r.place, max(r.depth, depthOf(ctx))
	return c
}

// job implements funcWorker: functions of a session that has ended are over.
func (r *remoteSession) job(ctx context.Context, c *remoteCall, task jobs.Task, res *Result, taken taker) error {
	err := r.inTurn(ctx, c, task, res, taken)
	if err == ErrClosed {
		return ErrRunOver
	}
	return err
}

// inTurn has the worker do something when it has done what it does.
func (r *remoteSession) inTurn(ctx context.Context, c *remoteCall, task jobs.Task, res *Result, taken taker) error {
	select {
	case r.busy <- struct{}{}:
		defer func() { <-r.busy }()
	case <-ctx.Done():
		return r.box.plan.cancelled(ctx)
	}
	return r.exchange(ctx, c, task, res, taken)
}

// exchange is inTurn for who has the worker. One that fails takes the session with it.
func (r *remoteSession) exchange(ctx context.Context, c *remoteCall, task jobs.Task, res *Result, taken taker) error {
	switch {
	case r.lost != nil:
		return r.lost
	case r.over.Load():
		return ErrClosed
	}
	failed, err := r.box.plan.exchange(ctx, c, task, res, taken)
	if failed {
		err = r.lose(err)
	}
	return err
}

// cellResult takes what a worker has sent of a cell.
func cellResult(take func(*jobs.CellResult) error) taker {
	return func(body []byte) error {
		var out jobs.CellResult
		if err := wire.Decode(body, &out); err != nil || tooMuch(out.Failed) {
			return malformed("answer")
		}
		return take(&out)
	}
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
func (r *remoteSession) ask(c *jobs.Cell, call *remoteCall) (*jobs.CellResult, error) {
	select {
	case r.busy <- struct{}{}:
		defer func() { <-r.busy }()
	default:
		return nil, errSessionBusy
	}
	var out *jobs.CellResult
	err := r.exchange(context.Background(), call, jobs.Task{Cell: c}, &Result{}, cellResult(func(got *jobs.CellResult) error {
		out = got
		switch {
		case got.Error != nil:
			return receivedError(got.Error)
		case got.Failed != "":
			return errors.New(got.Failed)
		}
		return nil
	}))
	return out, err
}

// run runs a cell and fills res.
func (r *remoteSession) run(ctx context.Context, script Script, res *Result) (err error) {
	call := r.remoteCall(ctx, script)
	defer func() { call.events.finish(res, err) }()
	job, err := r.box.plan.remoteScript(script)
	if err != nil {
		return err
	}
	r.place.runs(&script)
	cell := jobs.Task{Cell: &jobs.Cell{Op: jobs.CellRun, Script: job}}
	return r.inTurn(ctx, call, cell, res, cellResult(func(out *jobs.CellResult) error {
		switch {
		case out.Run != nil:
			return r.box.plan.take(ctx, out.Run, call, res)
		case out.Failed != "":
			return errors.New(out.Failed)
		}
		return malformed("result")
	}))
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
func (r *remoteSession) bindings() ([]Binding, error) {
	out, err := r.ask(&jobs.Cell{Op: jobs.CellBindings}, r.remoteCall(context.Background(), Script{}))
	if err != nil {
		return nil, err
	}
	list := []Binding{}
	for _, n := range out.Names {
		list = append(list, Binding{Kind: n.Kind, Name: n.Name, Type: n.Type})
	}
	return list, nil
}

// typeOf is the type of an expression.
func (r *remoteSession) typeOf(expr string) (string, error) {
	out, err := r.ask(&jobs.Cell{Op: jobs.CellType, Text: expr}, r.remoteCall(context.Background(), Script{}))
	if err != nil {
		return "", err
	}
	return out.Text, nil
}

// complete lists names.
func (r *remoteSession) complete(text string, offset int) (names []string, err error) {
	out, err := r.ask(&jobs.Cell{Op: jobs.CellComplete, Text: text, Offset: offset}, r.remoteCall(context.Background(), Script{}))
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
	_, err := r.ask(&jobs.Cell{Op: jobs.CellReset}, r.remoteCall(context.Background(), Script{}))
	return err
}

// save writes the session to w, without what the worker says that it skips; all says that there may be nothing such.
func (r *remoteSession) save(w io.Writer, all bool) (skipped map[string]string, err error) {
	sized := &bounded{to: w, room: maxSaved}
	call := r.remoteCall(context.Background(), Script{})
	call.save = sized
	op := jobs.CellSave
	if all {
		op = jobs.CellSaveAll
	}
	out, err := r.ask(&jobs.Cell{Op: op}, call)
	if sized.err != nil {
		return nil, sized.err
	}
	if err != nil || len(out.Names) == 0 {
		return nil, err
	}
	skipped = map[string]string{}
	for _, n := range out.Names {
		if tooMuch(n.Name, n.Type) {
			return nil, malformed("name")
		}
		skipped[n.Name] = n.Type
	}
	return skipped, nil
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
