package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/mcpserver"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/internal/filelock"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// localTenant is whose the runs of a client on stdio are.
const localTenant = "local"

// A stdio is what the flags of mcp say.
type stdio struct {
	config
	policy, tools string
}

func (c *call) mcp(args []string) error {
	cfg := stdio{}
	fs := flag.NewFlagSet("mcp", flag.ContinueOnError)
	fs.SetOutput(c.stderr)
	fs.StringVar(&cfg.data, "data", "", "`directory` for all that is kept (default: the first of mcp-1, mcp-2 and so on in that of serve that no other process uses)")
	fs.StringVar(&cfg.policy, "policy", policies.Default, "`name` of the policy of the scripts")
	fs.StringVar(&cfg.tools, "tools", "", "`file` with Go declarations of functions whose calls the client answers")
	fs.StringVar((*string)(&cfg.isolation), "isolation", string(sandtrap.Kernel), "kernel, process or none")
	fs.BoolVar(&cfg.allowDegraded, "allow-degraded", false, "run even if this machine lacks layers of the isolation")
	if err := parse(fs, args); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return fmt.Errorf("mcp takes no arguments, got %q", fs.Args())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return cfg.run(ctx, os.Stdin, c.stdout, slog.New(slog.NewTextHandler(c.stderr, nil)))
}

// run serves the client on in and out until it is gone, or ctx ends.
func (cfg *stdio) run(ctx context.Context, in io.ReadCloser, out io.Writer, log *slog.Logger) (err error) {
	if _, err := cfg.probe(ctx); err != nil {
		return err
	}
	tools, err := cfg.readTools()
	if err != nil {
		return err
	}
	st, err := cfg.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	set := plans.New(plans.Options{Isolation: cfg.isolation, AllowDegraded: cfg.allowDegraded, MaxTimeout: maxTimeout, Kept: 4})
	defer set.Close()
	ref, err := set.Resolve(ctx, localTenant, cfg.policy)
	if err != nil {
		return err
	}
	box, err := set.Get(ctx, ref, tools) // a fault is told of before the client sends anything
	if err != nil {
		return err
	}
	find, about, err := mcpserver.SearchOf(box)
	box.Release()
	if err != nil {
		return err
	}
	live := sessions.New(sessions.Options{Plans: set, Store: st, Live: 4})
	defer live.Close()
	manager, err := runs.New(ctx, runs.Options{Plans: set, Store: st, Sessions: live, Log: log})
	if err != nil {
		return err
	}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	defer manager.Drain(over) // nobody is there to hear of runs that go on
	err = mcpserver.Serve(ctx, mcpserver.Options{
		Runs: mcpserver.Of(manager, st), Sessions: mcpserver.OfSessions(live), Search: find, About: about, Policies: []string{cfg.policy}, Tools: tools, Version: version(), Log: log,
	}, localTenant, in, nopCloser{out})
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// newMCP serves MCP over HTTP until ctx ends. A fault of the default policy is told of before a client comes.
func newMCP(ctx context.Context, set *plans.Set, o mcpserver.Options) (*mcpserver.HTTP, error) {
	of := mcpserver.ByPolicy(set, o)
	if _, err := of(ctx, "", policies.Default); err != nil {
		return nil, err
	}
	web := mcpserver.NewHTTP(of)
	context.AfterFunc(ctx, web.Close)
	return web, nil
}

// readTools reads the file of tools.
func (cfg *stdio) readTools() (string, error) {
	if cfg.tools == "" {
		return "", nil
	}
	text, err := os.ReadFile(cfg.tools)
	return string(text), err
}

// maxLocal bounds how many processes have a data directory by default.
const maxLocal = 64

// open opens the data directory. By default that is one that no other process uses.
func (cfg *stdio) open() (*store.Store, error) {
	if cfg.data != "" {
		return store.Open(cfg.data)
	}
	dir, err := stateDir()
	if err != nil {
		return nil, err
	}
	for n := 1; ; n++ {
		st, err := store.Open(filepath.Join(dir, "mcp-"+strconv.Itoa(n)))
		if !errors.Is(err, filelock.ErrLocked) || n == maxLocal {
			return st, err
		}
	}
}

// A nopCloser is a writer that the process closes.
type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
