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
	"runtime"
	"syscall"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cluster"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A workerConfig is what the flags of worker say.
type workerConfig struct {
	config
	slots  int
	memory int64 // MiB
}

func (c *call) worker(args []string) error {
	cfg := workerConfig{}
	fs := flag.NewFlagSet("worker", flag.ContinueOnError)
	fs.SetOutput(c.stderr)
	fs.StringVar(&cfg.cluster.url, "cluster", "", "`URL` of NATS, as nats://127.0.0.1:4222")
	cfg.cluster.link(fs, cluster.RoleWorker)
	fs.IntVar(&cfg.slots, "slots", 2*runtime.GOMAXPROCS(0), "how many runs go on at a time")
	fs.Int64Var(&cfg.memory, "memory", 0, "how many `MiB` of memory all runs may have together, as the limits of their policies say (default: what the machine has left at the start)")
	fs.StringVar((*string)(&cfg.isolation), "isolation", string(sandtrap.Kernel), "kernel, process or none: that of the servers whose runs the worker does")
	fs.BoolVar(&cfg.allowDegraded, "allow-degraded", false, "run even if this machine lacks layers of the isolation")
	if err := parse(fs, args); err != nil {
		return err
	}
	switch {
	case fs.NArg() > 0:
		return fmt.Errorf("worker takes no arguments, got %q", fs.Args())
	case cfg.cluster.url == "":
		return errors.New("--cluster is needed: the URL of NATS; \"sandtrapd serve --cluster embedded --cluster-listen 127.0.0.1:4222\" prints one")
	case cfg.cluster.key == "":
		return errors.New("--cluster-key is needed: a file that \"sandtrapd cluster add-worker NAME\" has written")
	case cfg.slots < 1 || cfg.slots > 4096:
		return fmt.Errorf("--slots %d: want 1 to 4096", cfg.slots)
	case cfg.memory < 0 || cfg.memory > 1<<30:
		return fmt.Errorf("--memory %d: want 1 to %d", cfg.memory, 1<<30)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process
	return cfg.run(ctx, c.stdout, slog.New(slog.NewTextHandler(c.stderr, nil)))
}

// run does runs until ctx ends, and then those that go on.
func (cfg *workerConfig) run(ctx context.Context, out io.Writer, log *slog.Logger) error {
	if _, err := cfg.probe(ctx); err != nil {
		return err
	}
	w := &runs.Worker{Policies: policies.Builtins()}
	w.Plans = plans.New(plans.Options{
		Isolation: cfg.isolation, AllowDegraded: cfg.allowDegraded, MaxTimeout: maxTimeout, Kept: 16, Workers: 8 + liveSessions, Policies: w.Policies, Record: w, Log: log,
	})
	defer w.Plans.Close()
	cells, err := sessions.NewWorker(liveSessions)
	if err != nil {
		return err
	}
	defer cells.Close()
	w.Cells = cells
	conn, name, err := cfg.cluster.connect(cluster.RoleWorker, nil, log)
	if err != nil {
		return err
	}
	defer conn.Close()
	fmt.Fprintf(out, "sandtrapd: worker %s\n", name)
	return cluster.Work(ctx, conn, cluster.WorkerOptions{
		Name: name, Slots: cfg.slots, Memory: cfg.memory << 20, Level: string(cfg.isolation), Version: version(), Handler: w.Do, Log: log,
	})
}

// maxTimeout bounds the time of a run, whatever its policy says.
const maxTimeout = 10 * time.Minute
