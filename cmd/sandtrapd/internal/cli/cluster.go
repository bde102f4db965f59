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

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/api"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/batches"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cluster"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/ledger"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
)

// embedded is the value of --cluster for a server of NATS in this process.
const embedded = "embedded"

// A clusterConfig is what the flags say about workers.
type clusterConfig struct {
	url, listen, cert, tlsKey, key, ca string
	replicas                           int
}

func (cfg *clusterConfig) flags(fs *flag.FlagSet) {
	fs.StringVar(&cfg.url, "cluster", "", "`URL` of NATS, as tls://nats.example.com:4222, by which workers do runs; embedded has a server for them in this process")
	fs.StringVar(&cfg.listen, "cluster-listen", "", "`address` for workers, with --cluster embedded: 127.0.0.1:4222; without it there is one worker, this process")
	fs.StringVar(&cfg.cert, "cluster-tls-cert", "", "`file` with the certificate of --cluster-listen, which an address that other machines reach needs")
	fs.StringVar(&cfg.tlsKey, "cluster-tls-key", "", "`file` with the key of the certificate")
	cfg.link(fs, "front")
	fs.IntVar(&cfg.replicas, "cluster-replicas", 1, "on how many servers of an external cluster the runs are kept: 3 outlive the loss of one")
}

// link has the flags of who connects to a cluster.
func (cfg *clusterConfig) link(fs *flag.FlagSet, role cluster.Role) {
	fs.StringVar(&cfg.key, "cluster-key", "", fmt.Sprintf("`file` with a key, which \"sandtrapd cluster add-%s NAME\" writes", role))
	fs.StringVar(&cfg.ca, "cluster-ca", "", "`file` with the authority that signs the certificate of the cluster (default: those that this machine trusts)")
}

// connect is the link of a role, with the key in the file that a flag names. out is called when that is let in no more; it may be nil.
func (cfg *clusterConfig) connect(role cluster.Role, out func(), log *slog.Logger) (conn *cluster.Conn, name string, err error) {
	l := cluster.Link{URL: cfg.url, CA: cfg.ca, Out: out}
	if cfg.key != "" {
		if l.Identity, err = cluster.ReadIdentity(cfg.key, role); err != nil {
			return nil, "", fmt.Errorf("--cluster-key: %w", err)
		}
		name = l.Identity.Name
	}
	conn, err = l.Connect(log)
	return conn, name, err
}

// check is an error about flags that are not used.
func (cfg *clusterConfig) check() error {
	switch own := cfg.listen != "" || cfg.cert != "" || cfg.tlsKey != ""; {
	case cfg.url == "" && (own || cfg.key != "" || cfg.ca != ""):
		return errors.New("the flags --cluster-... are about workers: want --cluster too")
	case cfg.url == embedded && (cfg.key != "" || cfg.ca != ""):
		return errors.New("--cluster-key and --cluster-ca are for a cluster that this process connects to: --cluster embedded needs none")
	case cfg.url != embedded && own:
		return errors.New("--cluster-listen and --cluster-tls-... are for --cluster embedded: an external cluster listens by itself")
	case cfg.listen == "" && own:
		return errors.New("--cluster-tls-cert and --cluster-tls-key are for --cluster-listen")
	}
	return nil
}

// openWorkers has runs done by workers, if the flags say so. One of them is in this process, with its plans, if the server of NATS is.
func (p *parts) openWorkers(ctx context.Context) error {
	cfg := &p.cfg.cluster
	if err := cfg.check(); err != nil || cfg.url == "" {
		return err
	}
	if cfg.url == embedded {
		return p.embed(ctx)
	}
	conn, name, err := cfg.connect(cluster.RoleFront, func() { p.fail(errOut) }, p.log)
	if err != nil {
		return err
	}
	p.ending(conn.Close)
	if err := p.openLedger(ctx, conn, name, cfg.replicas); err != nil {
		return err
	}
	return p.dispatch(cluster.NewFront(conn, string(p.cfg.isolation), p.limits.Weight, p.log))
}

// errTwice is the error of a server whose data directory another process has, or a copy of it.
var errTwice = errors.New("another server of the cluster has this data directory, or a copy of it: remove the file named server from the copy, to have it be a new server")

// errOut is the error of a server that its cluster lets in no more.
var errOut = errors.New("the cluster lets this server in no more: its key was removed; \"sandtrapd cluster add-front NAME\" makes another one")

// roster says which workers and fronts the embedded server of a data directory lets in.
func roster(data string) cluster.Roster {
	return cluster.Roster(filepath.Join(data, "cluster-members"))
}

// openLedger has runs be shared with the other servers of a cluster.
func (p *parts) openLedger(ctx context.Context, conn *cluster.Conn, name string, replicas int) (err error) {
	if p.ledger, err = ledger.Open(ctx, conn, p.store, replicas, p.log); err != nil {
		return err
	}
	p.ending(func() { _ = p.ledger.Close() }) // the cluster may be gone
	p.ledger.Describe(name, version(), func() { p.fail(errTwice) })
	p.workers.Servers, p.workers.Reached = p.servers, p.ledger.Reached
	p.keys.While(p.ledger.Current)
	p.limits.Among(p.ledger.Live)
	if err := p.ledger.ServeKeys(func() error { return p.keys.SetStored(storedKeys(context.WithoutCancel(ctx), p.store)) }); err != nil {
		return err
	}
	if err := p.ledger.ServePolicies(func() error { return p.watch.policies.Share(context.WithoutCancel(ctx), p.ledger) }); err != nil {
		return err
	}
	lines, err := batches.NewShared(ctx, conn, replicas, p.log)
	if err != nil {
		return err
	}
	p.ending(lines.Close)
	p.lines = lines
	return lines.Adopt(ctx, p.store)
}

// servers are those that share the ledger.
func (p *parts) servers() (list []api.Peer) {
	for _, one := range p.ledger.Servers() {
		list = append(list, api.Peer(one))
	}
	return list
}

// dispatch has runs be jobs of a front, if there is no error.
func (p *parts) dispatch(front *cluster.Front, err error) error {
	if err == nil {
		front.While(p.ledger.Reached)
		p.queue, p.workers.Mode, p.workers.Workers = front, "external", front.Workers
		if p.cfg.cluster.url == embedded {
			p.workers.Mode = embedded
		}
		p.ending(func() { _ = front.Close() }) // the cluster may be gone
	}
	return err
}

// embed starts a server of NATS, and a worker.
func (p *parts) embed(ctx context.Context) error {
	cfg := &p.cfg.cluster
	server, err := cluster.Start(cluster.ServerOptions{
		Listen: cfg.listen, Roster: roster(p.cfg.data), Dir: filepath.Join(p.cfg.data, "cluster"), Cert: cfg.cert, Key: cfg.tlsKey, Log: p.log,
	})
	if err != nil {
		return err
	}
	p.ending(server.Close)
	conn, err := server.Connect()
	if err != nil {
		return err
	}
	p.ending(conn.Close)
	if err := p.openLedger(ctx, conn, embedded, 1); err != nil {
		return err
	}
	front, err := cluster.NewFront(conn, string(p.cfg.isolation), p.limits.Weight, p.log)
	if err := p.dispatch(front, err); err != nil {
		return err
	}
	front.OnFlood(server.Bar)
	own, name, err := server.ConnectWorker()
	if err != nil {
		return err
	}
	cells, err := sessions.NewWorker(liveSessions)
	if err != nil {
		return err
	}
	p.closing(cells.Close)
	p.worker.Cells = cells
	ctx, stop := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() {
		err := cluster.Work(ctx, own, cluster.WorkerOptions{
			Name: name, Slots: 2 * runtime.GOMAXPROCS(0), Level: string(p.cfg.isolation), Version: version(), Handler: p.worker.Do, Front: front, Log: p.log,
		})
		if err != nil {
			p.log.Error("the worker of this process has ended", "error", err)
		}
	})
	p.ending(func() { stop(); working.Wait() })
	if cfg.listen != "" {
		url, guessed := joinAt(server.URL())
		p.joins = fmt.Sprintf("sandtrapd: workers: sandtrapd cluster add-worker NAME --data %s\nsandtrapd: workers: sandtrapd worker --cluster %s --cluster-key NAME.key\n", p.cfg.data, url)
		if guessed {
			p.joins += "sandtrapd: workers: the address has the name of this machine: put the one by which others reach it, and which its certificate has, in its place\n"
		}
	}
	return nil
}
