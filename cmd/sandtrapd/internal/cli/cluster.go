package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cluster"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// embedded is the value of --cluster for a server of NATS in this process.
const embedded = "embedded"

// A clusterConfig is what the flags of serve say about workers.
type clusterConfig struct{ url, listen, key string }

func (cfg *clusterConfig) flags(fs *flag.FlagSet) {
	fs.StringVar(&cfg.url, "cluster", "", "`URL` of NATS, as tls://nats.example.com:4222, by which workers do runs; embedded has a server for them in this process")
	fs.StringVar(&cfg.listen, "cluster-listen", "", "`address` for workers, with --cluster embedded: 127.0.0.1:4222; without it there is one worker, this process")
	fs.StringVar(&cfg.key, "cluster-key", "", "`file` with the key of workers (default: with --cluster embedded, cluster.key in the data directory, which is made)")
}

// The workers of a server are reached by its connection with them.
type workers struct {
	queue dispatch.Queue // nil for none
	about string         // for who starts workers; empty if none can join
	close []func()
}

// Close ends it, the last thing that was made first.
func (p *workers) Close() {
	for i := range p.close {
		p.close[len(p.close)-1-i]()
	}
}

// open has runs done by workers, if the flags say so. One of them is in this process, with its plans, if the server of NATS is.
func (cfg *clusterConfig) open(data string, isolation sandtrap.Isolation, set *plans.Set, log *slog.Logger) (p *workers, err error) {
	p = &workers{}
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	switch {
	case cfg.url == "" && (cfg.listen != "" || cfg.key != ""):
		return p, errors.New("--cluster-listen and --cluster-key are about workers: want --cluster too")
	case cfg.url == "":
		return p, nil
	case cfg.url != embedded && cfg.listen != "":
		return p, errors.New("--cluster-listen is for --cluster embedded: an external cluster listens by itself")
	case cfg.url == embedded:
		err = cfg.embed(p, data, isolation, set, log)
	default:
		err = cfg.external(p, isolation, log)
	}
	return p, err
}

// embed starts a server of NATS, and a worker.
func (cfg *clusterConfig) embed(p *workers, data string, isolation sandtrap.Isolation, set *plans.Set, log *slog.Logger) error {
	path := cfg.key
	if path == "" {
		path = filepath.Join(data, "cluster.key")
	}
	key, err := cluster.Key(path)
	if err != nil {
		return fmt.Errorf("--cluster-key: %w", err)
	}
	server, err := cluster.Start(cfg.listen, key)
	if err != nil {
		return err
	}
	p.close = append(p.close, server.Close)
	conn, err := server.Connect()
	if err != nil {
		return err
	}
	front, err := cluster.NewFront(conn, string(isolation), log)
	if err != nil {
		return err
	}
	p.queue = front
	p.close = append(p.close, func() { _ = front.Close() })
	own, err := server.ConnectWorker("self", key)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() {
		err := cluster.Work(ctx, own, cluster.WorkerOptions{
			Name: "self", Slots: 2 * runtime.GOMAXPROCS(0), Level: string(isolation), Version: version(), Handler: (&runs.Worker{Plans: set}).Do, Log: log,
		})
		if err != nil {
			log.Error("the worker of this process has ended", "error", err)
		}
	})
	p.close = append(p.close, func() { stop(); working.Wait() })
	if cfg.listen != "" {
		p.about = fmt.Sprintf("sandtrapd: workers: sandtrapd worker --cluster %s --cluster-key %s\n", server.URL(), path)
	}
	return nil
}

// external connects to a cluster that others keep.
func (cfg *clusterConfig) external(p *workers, isolation sandtrap.Isolation, log *slog.Logger) error {
	key := ""
	if cfg.key != "" {
		var err error
		if key, err = cluster.ReadKey(cfg.key); err != nil {
			return fmt.Errorf("--cluster-key: %w", err)
		}
	}
	conn, err := cluster.Connect(cfg.url, "front", key, log)
	if err != nil {
		return err
	}
	p.close = append(p.close, conn.Close)
	front, err := cluster.NewFront(conn, string(isolation), log)
	if err != nil {
		return err
	}
	p.queue = front
	p.close = append(p.close, func() { _ = front.Close() })
	return nil
}
