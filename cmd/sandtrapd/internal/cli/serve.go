package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/net/netutil"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/api"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/mcpserver"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/pace"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/page"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/telemetry"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A config is what the flags of serve say.
type config struct {
	listen, keys, data, limits string
	policies, otlp, upstream   string
	cloneHosts                 string
	hosts                      []string
	isolation                  sandtrap.Isolation
	allowDegraded              bool
	cluster                    clusterConfig
	grace                      time.Duration
	keepDays, keepPending      days
	keepRuns                   int
}

func (c *call) serve(args []string) error {
	cfg := config{}
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	fs.SetOutput(c.stderr)
	cfg.flags(fs)
	if err := parse(fs, args); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return fmt.Errorf("serve takes no arguments, got %q", fs.Args())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process
	return cfg.run(ctx, c.stdout, slog.New(slog.NewTextHandler(c.stderr, nil)))
}

// setData has the data directory be the user's if no flag names one.
func (cfg *config) setData() (err error) {
	if cfg.data == "" {
		cfg.data, err = stateDir()
	}
	return err
}

// stateDir is the directory of the user for what programs keep.
func stateDir() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "sandtrapd"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("--data is needed: %w", err)
	}
	return filepath.Join(home, ".local", "state", "sandtrapd"), nil
}

// liveSessions is how many sessions have workers at a time.
const liveSessions = 16

// run serves until ctx ends, and then until what goes on has ended.
func (cfg *config) run(ctx context.Context, out io.Writer, log *slog.Logger) (err error) {
	if err := cfg.setData(); err != nil {
		return err
	}
	table, err := cfg.table()
	if err != nil {
		return err
	}
	cloner, err := newCloner(cfg.cloneHosts, log)
	if err != nil {
		return err
	}
	defer cloner.Close()
	status, err := cfg.probe(ctx)
	if err != nil {
		return err
	}
	st, err := store.Open(cfg.data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	ring, err := cfg.ring(ctx, st)
	if err != nil {
		return err
	}
	w, err := cfg.watch(ctx, st, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	servers, err := cfg.servers(ctx, log)
	if err != nil {
		return err
	}
	defer servers.Close()
	set := plans.New(plans.Options{
		Isolation: cfg.isolation, AllowDegraded: cfg.allowDegraded, MaxTimeout: maxTimeout, Kept: 16, Workers: 8 + liveSessions,
		Policies: w.policies, Record: w.trail, Requests: w.trail.Request, Upstream: servers, Log: log,
	})
	defer set.Close()
	limit, err := limits.New(ctx, table, st)
	if err != nil {
		return err
	}
	live := sessions.New(sessions.Options{Plans: set, Store: st, Room: limit.Room, Live: liveSessions})
	defer live.Close()
	pool, err := cfg.cluster.open(cfg.data, cfg.isolation, set, log)
	if err != nil {
		return err
	}
	defer pool.Close()
	manager, err := runs.New(ctx, runs.Options{Queue: pool.queue, Plans: set, Store: st, Sessions: live, Trail: w.trail, Watch: w.telemetry, Limits: limit, Log: log})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", cfg.listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	cfg.reloads(ctx, ring, limit, log)
	defer cfg.retain(ctx, st, log)()
	web, err := newMCP(ctx, set, mcpserver.Options{Runs: mcpserver.Of(manager, st), Sessions: mcpserver.OfSessions(live), Version: version(), Log: log})
	if err != nil {
		return err
	}
	s := &api.Server{
		Runs: manager, Sessions: live, Store: st, Keys: ring, Limits: limit, Hosts: cfg.hosts, Log: log, MCP: web, Clone: cloner,
		Policies: w.policies, Plans: set, Trail: w.trail, Metrics: w.telemetry.Metrics(), Machine: api.Machine{Version: version(), Status: status},
	}
	if err := w.telemetry.Watch(telemetry.Sources{Runs: manager.Stats, Plans: set.Stats, Store: st.Stats, Streams: s.Streams, Sessions: func() int64 { return int64(live.Live()) }}); err != nil {
		return err
	}
	fmt.Fprintf(out, "sandtrapd: %s\n%s", address(listener, log), pool.about)
	if err := firstKey(ring, st, out); err != nil {
		return err
	}
	return cfg.until(ctx, listener, s.Named(page.Handler(ring, s.Handler(), pace.Bounds{})), manager)
}

// probe refuses to serve with an isolation that this machine has not, unless that is allowed.
func (cfg *config) probe(ctx context.Context) (sandtrap.Status, error) {
	if cfg.isolation == sandtrap.None {
		return sandtrap.Status{Mode: sandtrap.None}, nil
	}
	status, err := sandtrap.Probe(ctx, cfg.isolation, "")
	if err != nil {
		return status, fmt.Errorf("isolation %s: %w", cfg.isolation, err)
	}
	if len(status.Missing) > 0 && !cfg.allowDegraded {
		return status, fmt.Errorf("isolation %s: this machine lacks %q; \"sandtrapd doctor\" says how to get them, --allow-degraded does without, and --isolation process or none has other layers", cfg.isolation, status.Missing)
	}
	return status, nil
}

// maxConnections bounds those that are open at a time, of all clients. Further ones wait until another one ends.
const maxConnections = 8192

// until serves until ctx ends, and then drains.
func (cfg *config) until(ctx context.Context, l net.Listener, h http.Handler, m *runs.Manager) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(netutil.LimitListener(l, maxConnections)) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), cfg.grace)
	defer cancel()
	m.Drain(grace)
	last, cancel := context.WithTimeout(context.Background(), 5*time.Second) // for the responses
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		return server.Close()
	}
	return nil
}
