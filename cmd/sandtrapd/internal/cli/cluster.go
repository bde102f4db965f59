package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/nats-io/nats.go"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cluster"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/ledger"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
)

// embedded is the value of --cluster for a server of NATS in this process.
const embedded = "embedded"

// A clusterConfig is what the flags say about workers.
type clusterConfig struct {
	url, listen, key string
	replicas         int
}

func (cfg *clusterConfig) flags(fs *flag.FlagSet) {
	fs.StringVar(&cfg.url, "cluster", "", "`URL` of NATS, as tls://nats.example.com:4222, by which workers do runs; embedded has a server for them in this process")
	fs.StringVar(&cfg.listen, "cluster-listen", "", "`address` for workers, with --cluster embedded: 127.0.0.1:4222; without it there is one worker, this process")
	fs.StringVar(&cfg.key, "cluster-key", "", "`file` with the key of workers (default: with --cluster embedded, cluster.key in the data directory, which is made)")
	fs.IntVar(&cfg.replicas, "cluster-replicas", 1, "on how many servers of an external cluster the runs are kept: 3 outlive the loss of one")
}

// readKey is the key in the file that a flag names, empty if none does.
func (cfg *clusterConfig) readKey() (key string, err error) {
	if cfg.key == "" {
		return "", nil
	}
	if key, err = cluster.ReadKey(cfg.key); err != nil {
		return "", fmt.Errorf("--cluster-key: %w", err)
	}
	return key, nil
}

// openWorkers has runs done by workers, if the flags say so. One of them is in this process, with its plans, if the server of NATS is.
func (p *parts) openWorkers(ctx context.Context) error {
	cfg := &p.cfg.cluster
	switch {
	case cfg.url == "" && (cfg.listen != "" || cfg.key != ""):
		return errors.New("--cluster-listen and --cluster-key are about workers: want --cluster too")
	case cfg.url == "":
		return nil
	case cfg.url != embedded && cfg.listen != "":
		return errors.New("--cluster-listen is for --cluster embedded: an external cluster listens by itself")
	case cfg.url == embedded:
		return p.embed(ctx)
	}
	key, err := cfg.readKey()
	if err != nil {
		return err
	}
	conn, err := cluster.Connect(cfg.url, "front", key, p.log)
	if err != nil {
		return err
	}
	p.ending(conn.Close)
	if err := p.openLedger(ctx, conn, cfg.replicas); err != nil {
		return err
	}
	return p.dispatch(cluster.NewFront(conn, string(p.cfg.isolation), p.log))
}

// openLedger has runs be shared with the other servers of a cluster.
func (p *parts) openLedger(ctx context.Context, conn *nats.Conn, replicas int) (err error) {
	if p.ledger, err = ledger.Open(ctx, conn, p.store, replicas, p.log); err != nil {
		return err
	}
	p.ending(func() { _ = p.ledger.Close() }) // the cluster may be gone
	return nil
}

// dispatch has runs be jobs of a front, if there is no error.
func (p *parts) dispatch(front *cluster.Front, err error) error {
	if err == nil {
		p.queue = front
		p.ending(func() { _ = front.Close() }) // the cluster may be gone
	}
	return err
}

// embed starts a server of NATS, and a worker.
func (p *parts) embed(ctx context.Context) error {
	path := p.cfg.cluster.key
	if path == "" {
		path = filepath.Join(p.cfg.data, "cluster.key")
	}
	key, err := cluster.Key(path)
	if err != nil {
		return fmt.Errorf("--cluster-key: %w", err)
	}
	server, err := cluster.Start(p.cfg.cluster.listen, key, filepath.Join(p.cfg.data, "cluster"))
	if err != nil {
		return err
	}
	p.ending(server.Close)
	conn, err := server.Connect()
	if err != nil {
		return err
	}
	p.ending(conn.Close)
	if err := p.openLedger(ctx, conn, 1); err != nil {
		return err
	}
	if err := p.dispatch(cluster.NewFront(conn, string(p.cfg.isolation), p.log)); err != nil {
		return err
	}
	own, err := server.ConnectWorker("self", key)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() {
		err := cluster.Work(ctx, own, cluster.WorkerOptions{
			Name: "self", Slots: 2 * runtime.GOMAXPROCS(0), Level: string(p.cfg.isolation), Version: version(), Handler: (&runs.Worker{Plans: p.plans}).Do, Log: p.log,
		})
		if err != nil {
			p.log.Error("the worker of this process has ended", "error", err)
		}
	})
	p.ending(func() { stop(); working.Wait() })
	if p.cfg.cluster.listen != "" {
		p.joins = fmt.Sprintf("sandtrapd: workers: sandtrapd worker --cluster %s --cluster-key %s\n", server.URL(), path)
	}
	return nil
}
