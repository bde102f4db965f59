package batches

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

const (
	lookEach   = time.Second     // for batches that others have sent or cancelled
	retryAfter = time.Second     // where nothing says when
	retryMost  = 5 * time.Second // a batch may be cancelled meanwhile
)

// wakeUp has work look for more to do.
func (m *Manager) wakeUp() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// pause waits, and not longer than lines are begun.
func (m *Manager) pause(d time.Duration) {
	select {
	case <-time.After(d):
	case <-m.ctx.Done():
	}
}

// work has the lines of each tenant begin, until Stop.
func (m *Manager) work() {
	tick := time.NewTicker(lookEach)
	defer tick.Stop()
	for m.ctx.Err() == nil {
		if err := m.look(); err != nil && m.ctx.Err() == nil {
			m.o.Log.Error("batches", "error", err)
		}
		select {
		case <-m.wake:
		case <-tick.C:
		case <-m.ctx.Done():
		}
	}
}

// look begins a feeder for each tenant that has batches, and ends the runs of those that were cancelled.
func (m *Manager) look() error {
	before := m.allStopped()
	cancelled, err := m.o.Store.CancelledBatches(m.ctx)
	if err == nil {
		m.forgetStopped(before, cancelled)
	}
	err = errors.Join(err, m.endCancelled(cancelled))
	tenants, failed := m.o.Store.BatchTenants(m.ctx)
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, tenant := range tenants {
		if !m.feeding[tenant] {
			m.feeding[tenant] = true
			m.group.Go(func() { m.feed(tenant) })
		}
	}
	return errors.Join(err, failed)
}

// A feeder begins the lines of one tenant, so that none waits for the limits of another one.
type feeder struct {
	*Manager
	tenant string
	slots  chan struct{} // has one for each line in flight
	ended  chan struct{} // has one when a line has ended
	since  time.Time     // nothing has begun here, or lines that are lost were looked for
	look   bool          // for these
}

// feed begins lines of a tenant as long as it has batches that have not ended.
func (m *Manager) feed(tenant string) {
	f := &feeder{m, tenant, make(chan struct{}, m.o.InFlight), make(chan struct{}, 1), time.Now(), false}
	for m.ctx.Err() == nil {
		open, err := f.round()
		if err != nil && m.ctx.Err() == nil {
			m.o.Log.Error("lines of a batch could not be begun", "tenant", tenant, "error", err)
		}
		if !open && err == nil {
			break
		}
		select {
		case <-f.ended:
		case <-time.After(lookEach):
		case <-m.ctx.Done():
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.feeding, tenant)
	m.wakeUp() // one may have come meanwhile
}

// round begins the lines that can be taken, those of the oldest batch first. It reports whether a batch has not ended.
func (f *feeder) round() (open bool, err error) {
	if f.look = len(f.slots) == 0 && time.Since(f.since) > lostAfter; f.look {
		f.since = time.Now()
	}
	for after := int64(0); f.ctx.Err() == nil; {
		list, err := f.o.Store.OpenBatches(f.ctx, f.tenant, after, 100)
		if err != nil || len(list) == 0 {
			return open, err
		}
		for _, b := range list {
			after = b.Seq
			ended, err := f.batch(b)
			if err != nil {
				return true, err
			}
			open = open || !ended
		}
	}
	return open, nil
}

// batch begins the lines of a batch that can be taken. It reports whether the batch has ended.
func (f *feeder) batch(b *store.Batch) (ended bool, err error) {
	of := Name{b.Tenant, b.ID}
	for b.Cancelled.IsZero() && f.ctx.Err() == nil {
		select {
		case f.slots <- struct{}{}:
		case <-f.ctx.Done():
			return false, nil
		}
		items, err := f.o.Queue.Take(f.ctx, of, 1)
		if err != nil || len(items) == 0 {
			<-f.slots
			if err != nil {
				return false, err
			}
			break
		}
		f.begin(of, items[0])
		f.since = time.Now()
	}
	if !b.Cancelled.IsZero() || f.isStopped(of) {
		return false, nil // look ends it
	}
	if ended, err = f.end(b); ended || err != nil || !f.look {
		return ended, err
	}
	return false, f.lost(b)
}

// end notes that a batch has ended, if it has.
func (m *Manager) end(b *store.Batch) (ended bool, err error) {
	if ended, err = m.o.Store.EndBatch(b.Tenant, b.ID, time.Now()); !ended {
		return ended, err
	}
	of := Name{b.Tenant, b.ID}
	m.mu.Lock()
	delete(m.stopped, of)
	m.mu.Unlock()
	return true, m.o.Queue.Drop(context.WithoutCancel(m.ctx), of)
}

// begin begins a line, as soon as the limits of the tenant let it, and has its end be noted.
func (f *feeder) begin(of Name, item Item) {
	r, err := f.start(of, item)
	if err != nil {
		f.o.Log.Error("a line was not begun", "batch", of.Batch, "line", item.Number, "error", err)
	}
	if r == nil {
		<-f.slots
		if !f.isStopped(of) {
			return
		}
		if err := item.Done(); err != nil {
			f.o.Log.Error("a line of a batch that was cancelled is not done", "batch", of.Batch, "line", item.Number, "error", err)
		}
		return
	}
	f.group.Go(func() {
		f.follow(of, item, r)
		<-f.slots
		select {
		case f.ended <- struct{}{}:
		default:
		}
	})
}

// start starts the run of a line. It is nil if there is none: the line is done, or the next process gets it.
func (f *feeder) start(of Name, item Item) (*runs.Run, error) {
	var line Line
	if err := json.Unmarshal(item.Data, &line); err != nil {
		return nil, errors.Join(err, f.giveUp((&Line{}).request(of, item.Number), item, "it is malformed as the queue has it"))
	}
	q := line.request(of, item.Number)
	for tries := 0; f.ctx.Err() == nil && !f.isStopped(of); {
		r, err := f.o.Runs.Start(f.ctx, f.tenant, q)
		e, limited := errors.AsType[*limits.Error](err)
		switch {
		case err == nil:
			if f.isStopped(of) {
				r.Abandon()
			}
			return r, nil
		case errors.Is(err, runs.ErrDraining):
			return nil, nil
		case limited && e.After > 0:
			f.pause(min(e.After, retryMost))
			continue
		case limited, errors.Is(err, runs.ErrBusy), errors.Is(err, store.ErrDisk), f.ctx.Err() != nil:
			f.pause(retryAfter)
			continue
		case errors.Is(err, runs.ErrRequest), errors.Is(err, runs.ErrMachine):
			return nil, f.giveUp(q, item, strings.TrimPrefix(err.Error(), runs.ErrRequest.Error()+": "))
		}
		if tries++; tries == 3 {
			return nil, errors.Join(err, f.giveUp(q, item, "the server could not begin it; its log says why"))
		}
		f.pause(retryAfter)
	}
	return nil, nil
}

// giveUp has a line have failed that cannot be begun. While that cannot be written it is tried again, until the next process gets the line:
// else nobody would end its batch.
func (f *feeder) giveUp(q runs.Request, item Item, why string) error {
	for {
		err := f.o.Runs.Fail(f.tenant, q, runs.KindUndelivered, why)
		if err == nil || errors.Is(err, store.ErrExists) {
			return item.Done()
		}
		f.o.Log.Error("it is not written that a line was given up", "batch", q.Line.Batch, "line", q.Line.Number, "error", err)
		if f.pause(retryMost); f.ctx.Err() != nil {
			return err
		}
	}
}

// follow waits for the end of the run of a line, and notes that it is done. If the server ends before, the next one finds the line and its run.
func (f *feeder) follow(of Name, item Item, r *runs.Run) {
	for {
		view, err := r.Wait(context.Background()) // each run ends, or is kept, before the server does
		if err != nil {
			f.o.Log.Error("the result of a line is not written", "batch", of.Batch, "line", item.Number, "error", err)
		}
		if err == nil && view.State.Over() {
			if err := item.Done(); err != nil {
				f.o.Log.Error("a line is not done", "batch", of.Batch, "line", item.Number, "error", err)
			}
			return
		}
		f.pause(retryAfter) // another process has the run
		if f.ctx.Err() != nil {
			return
		}
		if again, err := f.o.Runs.Get(f.ctx, f.tenant, r.ID()); err == nil {
			r = again
		}
	}
}

// setStopped has no more lines of a batch begin.
func (m *Manager) setStopped(of Name) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stopped[of] = true
}

func (m *Manager) allStopped() []Name {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Collect(maps.Keys(m.stopped))
}

// forgetStopped forgets batches that were cancelled before, and have ended since, as another server may have noted.
func (m *Manager) forgetStopped(before []Name, open []*store.Batch) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, of := range before {
		if !slices.ContainsFunc(open, func(b *store.Batch) bool { return of == Name{b.Tenant, b.ID} }) {
			delete(m.stopped, of)
		}
	}
}

func (m *Manager) isStopped(of Name) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.stopped[of]
}
