package sandtrap

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// PoolLimits say how many workers a Pool has, and for how long. Zero means the default.
type PoolLimits struct {
	Size int // workers that are kept ready; 2, at most 32, and -1 for none

	// Max is how many workers there are in all; 8, at most 64, and Size if that is more. Each depth of
	// nested runs, which host functions start, has as many more.
	Max int

	// Idle is how long a worker waits for its tenant; five minutes, at least 30 seconds.
	// Session is how long it serves that tenant; an hour, at least a minute.
	Idle, Session time.Duration
}

// A Pool has workers ready for the sandboxes of a Plan with isolation. They are started and locked
// down in advance. A worker that has run a script serves only the same tenant from then on. Any
// number of goroutines may use a Pool.
//
// A run that finds no free worker waits for one, in order of arrival, within its Timeout.
// A Session keeps a worker for itself, and so does a Result with functions in it: neither
// the limits of time nor waiting runs end these workers.
type Pool struct {
	plan    *Plan
	workers pools
	unnamed atomic.Int64
	kept    workerReclaim
	closed  atomic.Bool
}

// Pool makes a pool for the plan. It returns when the first worker has started, so that
// faults show at once; if none is kept ready, the first run starts it.
func (p *Plan) Pool(ctx context.Context, limits PoolLimits) (*Pool, error) {
	if err := limits.complete(); err != nil {
		return nil, err
	}
	if p.policy.Isolation == None {
		return nil, policyError("Isolation", "a pool needs process or kernel: with none there are no workers")
	}
	files, err := p.standIn()
	if err != nil {
		return nil, err
	}
	start, err := p.starter(files)
	if err != nil {
		return nil, err
	}
	var first *isolate.Worker
	if limits.Size > 0 {
		if first, err = start(ctx); err == nil {
			err = warm(ctx, first)
		}
	}
	var all pools
	if err == nil {
		all, err = newPools(limits, start, first)
	}
	if err != nil {
		if first != nil {
			first.Close()
		}
		return nil, err
	}
	return &Pool{plan: p, workers: all}, nil
}

// pools are those of a Pool, by the depth of the runs that they have workers for. Those of nested runs
// keep none ready.
type pools [maxNested + 1]*isolate.Pool[*isolate.Worker]

// newPools makes them; ready is a worker that is warm, nil for none.
func newPools(limits PoolLimits, start starter, ready *isolate.Worker) (all pools, err error) {
	first := make(chan *isolate.Worker, 1)
	if ready != nil {
		first <- ready
	}
	startFirst := func(ctx context.Context) (*isolate.Worker, error) {
		select {
		case worker := <-first:
			return worker, nil
		default:
			return start(ctx)
		}
	}
	warmOthers := func(ctx context.Context, w *isolate.Worker) error {
		if w == ready {
			return nil
		}
		return warm(ctx, w)
	}
	l := isolate.PoolLimits{Size: max(0, limits.Size), Max: limits.Max, Idle: limits.Idle, Session: limits.Session}
	for depth := range all {
		if all[depth], err = isolate.NewPool(l, startFirst, warmOthers); err != nil {
			break
		}
		l.Size = 0
	}
	return all, err
}

func (all *pools) join(tenant string) {
	for _, p := range all {
		p.Join(tenant)
	}
}

func (all *pools) leave(tenant string) {
	for _, p := range all {
		p.Leave(tenant)
	}
}

// release gives a worker back to the one that it is of.
func (all *pools) release(worker *isolate.Worker, failed bool) {
	for _, p := range all {
		p.Release(worker, failed)
	}
}

// close closes all at a time: the runs of one may wait for those of the next.
func (all *pools) close(ctx context.Context) error {
	var closing sync.WaitGroup
	var errs [len(all)]error
	for depth, p := range all {
		closing.Go(func() { errs[depth] = p.Close(ctx) })
	}
	closing.Wait()
	return cmp.Or(errs[:]...)
}

// warmUps are what a worker runs before it has a tenant: much is made when it is first needed, and
// would be made in the tenant's time. A policy may refuse one; the next is for that.
var warmUps = []string{
	`all := map[string][]int{}; for i := range 3 { all["a"] = append(all["a"], i) }; fmt.Println("ready", len(all))`,
	`all := map[string][]int{}; for i := range 3 { all["a"] = append(all["a"], i) }; println(len(all))`,
}

// warm has a worker run one of them.
func warm(ctx context.Context, worker *isolate.Worker) error {
	for _, text := range warmUps {
		job, err := wire.Encode(jobs.Task{Run: &jobs.Script{Text: text}})
		if err != nil {
			return err
		}
		var got jobs.Result
		body, err := worker.Do(ctx, job, isolate.Handlers{})
		if err == nil {
			err = wire.Decode(body, &got)
		}
		if err != nil {
			return &Error{Kind: KindWorker, Message: "the worker does not run: " + err.Error()}
		}
		if got.Error == nil {
			break
		}
	}
	return nil
}

// maxWorkers is how many workers there may be for runs of a depth.
const maxWorkers = 64

// complete fills in the defaults, and names the field that is wrong.
func (l *PoolLimits) complete() error {
	if l.Size == 0 {
		l.Size = 2
	}
	if l.Max == 0 {
		l.Max = max(8, l.Size)
	}
	if l.Idle == 0 {
		l.Idle = 5 * time.Minute
	}
	if l.Session == 0 {
		l.Session = time.Hour
	}
	for _, f := range []struct {
		field string
		wrong bool
		want  string
	}{
		{"Size", l.Size < -1 || l.Size > 32, "from 1 to 32, or -1 for none"},
		{"Max", l.Max < 1 || l.Max > maxWorkers, fmt.Sprintf("from 1 to %d", maxWorkers)},
		{"Max", l.Max < l.Size, "at least Size"},
		{"Idle", l.Idle < 30*time.Second, "at least 30s"},
		{"Session", l.Session < time.Minute, "at least 1m"},
	} {
		if f.wrong {
			return fmt.Errorf("%w: PoolLimits.%s: it has to be %s", ErrPolicy, f.field, f.want)
		}
	}
	return nil
}

// standIn is for workers that make their sandbox before it is known whose files are
// theirs; nil if the plan has none.
func (p *Plan) standIn() (*vfs.Volume, error) {
	f := p.policy.Files
	if f == nil {
		return nil, nil
	}
	return vfs.New(afero.NewMemMapFs(), vfs.Options{Cwd: f.Cwd, Given: p.given})
}

// Sandbox makes a sandbox whose scripts run in workers of the pool. Sandboxes of the same tenant may
// run in the same workers, one after another; those of others never do. With the empty name each
// sandbox is a tenant of its own. Close of the last sandbox with a name ends the workers of that
// tenant.
func (p *Pool) Sandbox(ctx context.Context, tenant string) (*Sandbox, error) {
	if p.closed.Load() {
		return nil, ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s, err := p.plan.sandbox(ctx)
	if err != nil {
		return nil, err
	}
	s.workers = &workers{plan: p.plan, files: s.files, pool: &p.workers, tenant: p.tenant(tenant)}
	s.workers.kept.pooled = &p.kept
	p.workers.join(s.workers.tenant)
	return s, nil
}

// Stats reports what the workers of the pool do now, including those for nested runs, and how many runs wait for
// one.
func (p *Pool) Stats() (all isolate.PoolStats) {
	for _, pool := range p.workers {
		all.Add(pool.Stats())
	}
	all.Tenants = p.workers[0].Stats().Tenants // each has them all
	return all
}

// tenant is what a tenant is called in the pool: no name can be that of one that has none.
func (p *Pool) tenant(name string) string {
	if name == "" {
		return fmt.Sprintf("unnamed %d", p.unnamed.Add(1))
	}
	return "named " + name
}

// Close ends the pool: runs that wait and later ones fail with ErrClosed, and so does Sandbox. It waits for runs in
// progress until ctx ends, then ends their workers, and returns when no worker is left. The
// error is that of ctx.
func (p *Pool) Close(ctx context.Context) error {
	p.closed.Store(true)
	err := p.workers.close(ctx)
	isolate.Rest()
	return err
}

// Usage reports what the sandbox's workers use now: those that run a script, or keep a session or functions of a
// Result. It includes all that a worker needs to run scripts, and its earlier runs for the same sandbox or
// tenant. With isolation none there are no workers.
func (s *Sandbox) Usage() []isolate.Usage {
	if s.workers == nil {
		return nil
	}
	s.workers.mu.Lock()
	defer s.workers.mu.Unlock()
	list := []isolate.Usage{}
	for worker := range s.workers.used {
		if u, err := worker.Usage(); err == nil { // else it has ended
			list = append(list, u)
		}
	}
	return list
}
