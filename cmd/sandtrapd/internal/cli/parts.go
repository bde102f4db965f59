package cli

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"slices"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/api"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/batches"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/clone"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/conns"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/ledger"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/mcpserver"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/telemetry"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// liveSessions is how many sessions have workers at a time.
const liveSessions = 16

// maxConnections bounds the connections of all clients that are open at a time.
const maxConnections = 8192

// The parts of a server are opened one after the other, and closed the other way round.
type parts struct {
	cfg    *config
	log    *slog.Logger
	closes []func() error
	fail   context.CancelCauseFunc // ends the server with an error

	cloner   *clone.Cloner
	status   sandtrap.Status
	store    *store.Store
	keys     *keys.Ring
	watch    *watch
	plans    *plans.Set
	worker   *runs.Worker // of this process, for jobs of the cluster
	limits   *limits.Set
	sessions *sessions.Manager
	queue    dispatch.Queue // of workers; nil for none
	workers  api.Cluster
	ledger   *ledger.Ledger // of runs, which servers of a cluster share; nil for none
	joins    string         // the line for who starts workers; empty if none can join
	runs     *runs.Manager
	batches  *batches.Manager
	lines    batches.Queue // of a cluster; nil for none
	listener net.Listener
}

// closing has a part be closed at the end.
func (p *parts) closing(f func() error) { p.closes = append(p.closes, f) }

// ending is closing for what cannot fail.
func (p *parts) ending(f func()) { p.closing(func() error { f(); return nil }) }

// close closes the parts that are open.
func (p *parts) close() (err error) {
	for _, f := range slices.Backward(p.closes) {
		err = errors.Join(err, f())
	}
	return err
}

// openKept reads the configuration, and opens what is kept.
func (p *parts) openKept(ctx context.Context) (err error) {
	table, err := p.cfg.table()
	if err != nil {
		return err
	}
	if p.cloner, err = newCloner(p.cfg.cloneHosts, p.log); err != nil {
		return err
	}
	p.closing(p.cloner.Close)
	if p.status, err = p.cfg.probe(ctx); err != nil {
		return err
	}
	if p.store, err = store.Open(p.cfg.data); err != nil {
		return err
	}
	p.closing(p.store.Close)
	if p.keys, err = p.cfg.ring(ctx, p.store); err != nil {
		return err
	}
	p.limits, err = limits.New(ctx, table, p.store)
	return err
}

// openPlans opens what runs are compiled from, and what they are watched by.
func (p *parts) openPlans(ctx context.Context) (err error) {
	if p.watch, err = p.cfg.openWatch(ctx, p.store, p.log); err != nil {
		return err
	}
	p.closing(p.watch.Close)
	servers, err := p.cfg.servers(ctx, p.log)
	if err != nil {
		return err
	}
	p.ending(servers.Close)
	p.worker = &runs.Worker{Others: p.watch.trail}
	p.plans = plans.New(plans.Options{
		Isolation: p.cfg.isolation, AllowDegraded: p.cfg.allowDegraded, MaxTimeout: maxTimeout, Kept: 16, Workers: 8 + liveSessions,
		Policies: p.watch.policies, Record: p.worker, Requests: p.watch.trail.Request, Upstream: servers, Log: p.log,
	})
	p.worker.Plans = p.plans
	p.ending(p.plans.Close)
	return nil
}

// openRuns has the runs go on that went on when the server ended.
func (p *parts) openRuns(ctx context.Context) (err error) {
	if err := p.openWorkers(ctx); err != nil {
		return err
	}
	live := sessions.Options{Plans: p.plans, Store: p.store, Room: p.limits.Room, Live: liveSessions}
	if p.ledger != nil {
		live.Store = p.ledger
	}
	p.sessions = sessions.New(live)
	p.ending(p.sessions.Close)
	if p.ledger != nil {
		if err := p.ledger.ServeSessions(p.sessions.Idle, p.sessions.Deleted); err != nil {
			return err
		}
	}
	o := runs.Options{
		Plans: p.plans, Store: p.store, Sessions: p.sessions, Queue: p.queue, Trail: p.watch.trail, Watch: p.watch.telemetry, Limits: p.limits, Log: p.log,
	}
	if p.ledger != nil {
		o.Store, o.ID, o.Stop, o.Reached = p.ledger, p.ledger.RunID, p.ledger.Stop, p.ledger.Reached
	}
	if p.runs, err = runs.New(ctx, o); err == nil && p.ledger != nil {
		err = p.ledger.Serve(p.runs.Recover, p.runs.Stop)
	}
	if err != nil {
		return err
	}
	many := batches.Options{Store: p.store, Runs: p.runs, Limits: p.limits, Queue: p.lines, Log: p.log}
	if p.ledger != nil {
		many.Store = p.ledger
	} else {
		many.Queue = batches.NewLocal(p.store)
	}
	p.batches = batches.New(many)
	p.ending(p.batches.Close)
	return nil
}

// listen opens the port, and begins what goes on beside requests.
func (p *parts) listen(ctx context.Context) error {
	l, err := net.Listen("tcp", p.cfg.listen)
	if err != nil {
		return err
	}
	most := connections(openFiles(), p.log)
	p.listener = conns.Listen(l, conns.Of(most))
	p.ending(func() { _ = p.listener.Close() }) // once it has served it is closed already
	p.cfg.reloads(ctx, p.keys, p.limits, p.log)
	var kept retainer = p.store
	if p.ledger != nil {
		kept = p.ledger
	}
	p.ending(p.cfg.retain(ctx, kept, p.log))
	return nil
}

// connections is how many may be open where the process may have so many files, 0 for no bound: a quarter of these is for others.
func connections(files uint64, log *slog.Logger) int {
	if files == 0 || files/4*3 >= maxConnections {
		return maxConnections
	}
	most := max(1, int(files/4*3))
	log.Warn("the process may have few files open, so fewer clients are served at a time: raise the limit of open files", "files", files, "connections", most)
	return most
}

// api is the server of the parts.
func (p *parts) api(ctx context.Context) (*api.Server, error) {
	web, err := newMCP(ctx, p.plans, mcpserver.Options{Runs: mcpserver.Of(p.runs, p.store), Sessions: mcpserver.OfSessions(p.sessions), Version: version(), Log: p.log})
	if err != nil {
		return nil, err
	}
	w := p.watch
	s := &api.Server{
		Runs: p.runs, Sessions: p.sessions, Batches: p.batches, Store: p.store, Keys: p.keys, KeyStore: p.keyStore(), Limits: p.limits, Hosts: p.cfg.hosts, Log: p.log, MCP: web, Clone: p.cloner,
		Policies: w.policies, Plans: p.plans, Trail: w.trail, Metrics: w.telemetry.Metrics(), Machine: api.Machine{Version: version(), Status: p.status}, Cluster: p.workers,
	}
	return s, w.telemetry.Watch(telemetry.Sources{
		Runs: p.runs.Stats, Plans: p.plans.Stats, Store: p.store.Stats, Streams: s.Streams, Sessions: func() int64 { return int64(p.sessions.Live()) },
		Cluster: p.workers.Workers,
	})
}
