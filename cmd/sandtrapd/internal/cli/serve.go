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

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/conns"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/pace"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/page"
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
	beside                     bool // of doctor: another process has the data directory
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

// run serves until ctx ends, and then until what goes on has ended.
func (cfg *config) run(ctx context.Context, out io.Writer, log *slog.Logger) (err error) {
	if err := cfg.setData(); err != nil {
		return err
	}
	outside := ctx
	ctx, fail := context.WithCancelCause(outside)
	defer fail(nil)
	p := &parts{cfg: cfg, log: log, fail: fail}
	defer func() { err = errors.Join(err, p.close()) }()
	for _, open := range []func(context.Context) error{p.openKept, p.openPlans, p.openRuns, p.listen} {
		if err := open(ctx); err != nil {
			return err
		}
	}
	s, err := p.api(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "sandtrapd: %s\n%s", address(p.listener, log), p.joins)
	if err := firstKey(p.keys, p.keyStore(), out); err != nil {
		return err
	}
	err = cfg.until(ctx, p.listener, s.Named(page.Handler(p.keys, s.Handler(), pace.Bounds{})), p.drain)
	if outside.Err() == nil {
		err = errors.Join(err, context.Cause(ctx))
	}
	return err
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

// drain has no more runs and lines begin, and waits for those that go on, or until ctx ends.
func (p *parts) drain(ctx context.Context) {
	p.batches.Stop()
	p.runs.Drain(ctx)
}

// until serves until ctx ends, and then drains.
func (cfg *config) until(ctx context.Context, l net.Listener, h http.Handler, drain func(context.Context)) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10, ConnContext: conns.Context}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), cfg.grace)
	defer cancel()
	drain(grace)
	last, cancel := context.WithTimeout(context.Background(), 5*time.Second) // for the responses
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		return server.Close()
	}
	return nil
}
