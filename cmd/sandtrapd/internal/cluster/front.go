package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/subjects"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/turns"
	"github.com/sandtrap-go/sandtrap/internal/stack"
)

const (
	maxAttempts  = 3               // of a job whose worker is lost
	acceptWithin = 2 * time.Second // a worker tells that it does a job
	endWithin    = 5 * time.Second // an outcome comes of a job that is to end
)

// noneFor is how long a job waits while there are no workers, or none has room.
const noneFor = 10 * time.Second

// busyFor is how long a job waits while workers say that they are busy: no run takes longer.
const busyFor = 10 * time.Minute

// A Front is a dispatch.Queue whose jobs are done by workers.
type Front struct {
	conn  *nats.Conn
	id    string
	level string // of the workers that it gives jobs to
	turns *turns.Turns
	log   *slog.Logger
	subs  []*nats.Subscription
	stop  chan struct{}

	noneFor time.Duration // as the constant
	done    sync.WaitGroup
	again   atomic.Int64 // jobs that were sent to another worker

	mu      sync.Mutex
	tries   map[string]*try // by their IDs
	members map[string]*member
	strays  map[string]int      // by worker, in this second
	bar     func(worker string) // may be nil
	slots   int                 // of all members of the isolation
	held    int                 // bytes of frames that are not read yet
	near    *worker             // of this process; nil for none
	reached func() error        // is an error while the ledger does not answer; nil for no ledger
	awayAt  time.Time           // when the cluster was away last
}

// A member is a worker that the front knows of.
type member struct {
	beat   beat
	seen   time.Time
	missed int    // how often it was not connected since
	first  string // the instance before this one, which may be there still
	second string // the instance that came to one that is there: it gets no jobs
	unfit  string // why it gets no jobs; empty if it does
}

// NewFront has jobs done by workers of an isolation, in turn of tenants, which have weights.
func NewFront(conn *nats.Conn, level string, weight func(tenant string) int, log *slog.Logger) (*Front, error) {
	f := &Front{
		conn: conn, id: rand.Text(), level: level, turns: turns.New(0), log: log, noneFor: noneFor, stop: make(chan struct{}),
		tries: map[string]*try{}, members: map[string]*member{}, strays: map[string]int{},
	}
	f.turns.Weigh(weight)
	for subject, handle := range map[string]nats.MsgHandler{anyHere: f.heard, back + "*." + f.id + ".*": f.told} {
		sub, err := conn.Subscribe(subject, handle)
		if err != nil {
			return nil, errors.Join(err, f.unsubscribe())
		}
		if err := sub.SetPendingLimits(-1, 2*maxBack); err != nil {
			return nil, errors.Join(err, f.unsubscribe())
		}
		f.subs = append(f.subs, sub)
	}
	if err := conn.FlushTimeout(readyWithin); err != nil {
		return nil, errors.Join(err, f.unsubscribe())
	}
	f.done.Go(f.watch)
	return f, nil
}

func (f *Front) unsubscribe() (err error) {
	for _, sub := range f.subs {
		err = errors.Join(err, sub.Unsubscribe())
	}
	return err
}

// Close ends it. Nothing waits for it any more.
func (f *Front) Close() error {
	close(f.stop)
	f.done.Wait()
	return f.unsubscribe()
}

// Stats are those of now: there are as many turns as workers have slots.
func (f *Front) Stats() dispatch.Stats {
	return dispatch.Stats{Queued: f.turns.Queued(), Turns: f.turns.Size()}
}

// Do has a worker do a job, in its turn: turns are fair to tenants.
func (f *Front) Do(ctx context.Context, job *dispatch.Job, begin func() error, out dispatch.Output) (*dispatch.Outcome, error) {
	give, err := f.turn(ctx, job, out.Away)
	if err != nil {
		return nil, err
	}
	defer give()
	stack.Roomy()
	if err := begin(); err != nil {
		return nil, err
	}
	told := &told{job: job, out: out}
	direct := job.Worker
	begun := time.Now()
	for since, attempts, refused := begun, 0, 0; attempts < maxAttempts; {
		var o *dispatch.Outcome
		workers, fits := f.fit(job.Memory)
		to := direct
		direct = ""
		o, err = f.once(ctx, job, told, to, refused >= workers)
		if o != nil {
			o.Duration = min(o.Duration, time.Since(begun)) // which counts for the limits of the tenant
		}
		switch {
		case ctx.Err() != nil && errors.Is(err, errRefused):
			return nil, ctx.Err() // no worker has it
		case err == nil || ctx.Err() != nil || !elsewhere(err):
			return o, err
		case to != "" && errors.Is(err, errRefused):
			continue // any may do it
		case !errors.Is(err, errRefused):
			f.log.Warn("a job is sent to another worker", "run", job.Run, "error", err)
			attempts++
			since = time.Now()
			f.again.Add(1)
			told.again()
			refused = 0
			continue
		case errors.Is(err, errBusy) && fits && time.Since(begun) < busyFor:
			since = time.Now() // others end
		case f.none(since, out.Away):
			return nil, f.noWorker(job.Memory)
		}
		if refused++; !pause(ctx, refused-workers) {
			return nil, ctx.Err()
		}
	}
	return nil, err
}

// pause waits before a job is sent again: not while there are workers that were not asked, and longer each time then. It is false if ctx ends.
func pause(ctx context.Context, times int) bool {
	if times < 0 {
		return true
	}
	select {
	case <-time.After(min(100*time.Millisecond, time.Duration(times+1)*5*time.Millisecond)):
		return true
	case <-ctx.Done():
		return false
	}
}

// errRefused is the error of a job that no worker has taken yet, errFailed that of one that a worker could not do.
var (
	errRefused = errors.New("no worker has room")
	errFailed  = errors.New("a worker could not do the run")
)

// elsewhere reports that another worker may do a job.
func elsewhere(err error) bool {
	return errors.Is(err, errRefused) || errors.Is(err, errFailed) || errors.Is(err, dispatch.ErrLost)
}

// errBusy is an errRefused.
var errBusy = fmt.Errorf("%w: one has said so", errRefused)

// try sends a job to a worker, or to any, and waits for its outcome. The job may wait at its worker, or wants one that does it now.
func (f *Front) try(ctx context.Context, job *dispatch.Job, told *told, worker string, wait bool) (*dispatch.Outcome, error) {
	t := &try{id: rand.Text(), more: make(chan struct{}, 1)}
	f.mu.Lock()
	f.tries[t.id] = t
	f.mu.Unlock()
	defer f.close(t)
	told.give = (&giving{f: f, id: t.id, job: job, contents: told.out.Contents}).give
	if !f.conn.IsConnected() { // else it would be sent when nobody waits for this try any more
		return nil, errRefused
	}
	data := encode(sent{ID: t.id, Front: f.id, Wait: wait, Job: *job})
	if most := min(maxJob, int(f.conn.MaxPayload())); len(data) > most {
		return nil, fmt.Errorf("%w: it has %d bytes, and the cluster takes %d at a time", dispatch.ErrLarge, len(data), most)
	}
	err := f.conn.PublishMsg(&nats.Msg{Subject: f.subject(job.Tenant, worker), Reply: back + nobody + "." + f.id + "." + t.id, Data: data})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errRefused, err)
	}
	return f.follow(ctx, t, told)
}

// subject is that of a job for a worker, if it is there and takes jobs, or for any.
func (f *Front) subject(tenant, worker string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if one := f.members[worker]; one != nil && f.slotsOf(one) > 0 {
		return owns + worker
	}
	return jobs + f.level + "." + subjects.Tenant(tenant)
}

// close ends a try: a worker that still does the job is to end it.
func (f *Front) close(t *try) {
	f.mu.Lock()
	delete(f.tries, t.id)
	f.held -= t.held
	worker := t.worker
	f.mu.Unlock()
	if worker != "" && !t.over {
		_ = f.conn.Publish(ends+worker, []byte(t.id))
	}
}

// follow reads the frames of a job up to its outcome. When ctx ends the job is to end.
func (f *Front) follow(ctx context.Context, t *try, told *told) (*dispatch.Outcome, error) {
	timer := time.NewTimer(acceptWithin)
	defer timer.Stop()
	over := ctx.Done()
	for asked := false; ; {
		select {
		case <-t.more:
		case <-over:
			over = nil
			timer.Reset(endWithin)
		case <-timer.C:
			return nil, f.silent(t)
		}
		frames, worker, err := f.read(t)
		for _, one := range frames {
			if o, err := told.add(ctx, worker, one); o != nil || err != nil {
				t.over = o != nil
				return o, err
			}
		}
		if err != nil {
			return nil, err
		}
		if worker != "" && over != nil {
			timer.Stop() // from here on its beats are watched
		}
		if worker != "" && over == nil && !asked {
			asked = true
			_ = f.conn.Publish(ends+worker, []byte(t.id)) // timer ends the wait if it does not come
		}
	}
}

// silent is the error of a try about which nothing comes: one that no worker has taken is not done yet.
func (f *Front) silent(t *try) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if t.worker == "" {
		return errRefused
	}
	return lost(t.worker, "it is silent")
}

// read takes what has come of a try.
func (f *Front) read(t *try) (frames []frame, worker string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	frames, t.frames = t.frames, nil
	f.held -= t.held
	t.held = 0
	return frames, t.worker, t.err
}
