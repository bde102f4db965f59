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

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/api"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A config is what the flags of serve say.
type config struct {
	listen, keys, data string
	isolation          sandtrap.Isolation
	allowDegraded      bool
	grace              time.Duration
	cloneHosts         string
}

func (c *call) serve(args []string) error {
	cfg := config{}
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	fs.SetOutput(c.stderr)
	fs.StringVar(&cfg.listen, "listen", "127.0.0.1:8080", "`address` to listen at")
	fs.StringVar(&cfg.keys, "keys", "", "`file` with keys: lines of token@tenant:role")
	fs.StringVar(&cfg.data, "data", "", "`directory` for all that is kept (default: sandtrapd in the user's state directory)")
	fs.StringVar((*string)(&cfg.isolation), "isolation", string(sandtrap.Kernel), "kernel, process or none")
	fs.BoolVar(&cfg.allowDegraded, "allow-degraded", false, "run even if this machine lacks layers of the isolation")
	fs.DurationVar(&cfg.grace, "grace", 10*time.Second, "how long runs may go on after SIGTERM")
	fs.StringVar(&cfg.cloneHosts, "clone-hosts", "", "`hosts` that git repositories are cloned from, by https, separated by commas: github.com,*.example.com:8443")
	if err := fs.Parse(args); err != nil {
		return errUsage
	}
	if fs.NArg() > 0 {
		return fmt.Errorf("serve takes no arguments, got %q", fs.Args())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return cfg.run(ctx, c.stdout, slog.New(slog.NewTextHandler(c.stderr, nil)))
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
	if cfg.data == "" {
		if cfg.data, err = stateDir(); err != nil {
			return err
		}
	}
	cloner, err := newCloner(cfg.cloneHosts, log)
	if err != nil {
		return err
	}
	defer cloner.Close()
	if err := cfg.probe(ctx); err != nil {
		return err
	}
	st, err := store.Open(cfg.data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	ring, first, err := cfg.ring(ctx, st)
	if err != nil {
		return err
	}
	set := plans.New(plans.Options{Isolation: cfg.isolation, AllowDegraded: cfg.allowDegraded, MaxTimeout: 10 * time.Minute, Kept: 16})
	defer set.Close()
	manager, err := runs.New(ctx, runs.Options{Plans: set, Store: st, Log: log})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", cfg.listen)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "sandtrapd: http://%s\n", listener.Addr())
	if first != "" {
		fmt.Fprintf(out, "sandtrapd: the first key, of the tenant \"default\" with the role admin, shown this once: %s\n", first)
	}
	s := &api.Server{Runs: manager, Store: st, Keys: ring, Log: log, Clone: cloner}
	return cfg.until(ctx, listener, s.Handler(), manager)
}

// probe refuses to serve with an isolation that this machine has not, unless that is allowed.
func (cfg *config) probe(ctx context.Context) error {
	if cfg.isolation == sandtrap.None {
		return nil
	}
	status, err := sandtrap.Probe(ctx, cfg.isolation, "")
	if err != nil {
		return fmt.Errorf("isolation %s: %w", cfg.isolation, err)
	}
	if len(status.Missing) > 0 && !cfg.allowDegraded {
		return fmt.Errorf("isolation %s: this machine lacks %q; \"sandtrapd doctor\" says how to get them, --allow-degraded does without, and --isolation process or none has other layers", cfg.isolation, status.Missing)
	}
	return nil
}

// ring is the keys of the file and of the store. If there are none it makes the first one.
func (cfg *config) ring(ctx context.Context, st *store.Store) (ring *keys.Ring, first string, err error) {
	ring = &keys.Ring{}
	if cfg.keys != "" {
		file, err := os.Open(cfg.keys)
		if err != nil {
			return nil, "", err
		}
		defer file.Close()
		list, err := keys.Parse(cfg.keys, file)
		if err != nil {
			return nil, "", err
		}
		ring.Add(list...)
	}
	rows, err := st.Keys(ctx)
	if err != nil {
		return nil, "", err
	}
	for _, k := range rows {
		ring.Add(keys.Key{Hash: k.Hash, Tenant: k.Tenant, Role: keys.Role(k.Role)})
	}
	if cfg.keys != "" || len(rows) > 0 {
		return ring, "", nil
	}
	first, key, err := keys.New("default", keys.Admin)
	if err != nil {
		return nil, "", err
	}
	ring.Add(key)
	return ring, first, st.AddKey(store.Key{Hash: key.Hash, Tenant: key.Tenant, Role: string(key.Role), Created: time.Now()})
}

// until serves until ctx ends, and then drains.
func (cfg *config) until(ctx context.Context, l net.Listener, h http.Handler, m *runs.Manager) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
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
