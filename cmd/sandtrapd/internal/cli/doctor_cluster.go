package cli

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cluster"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/inspect"
)

// listenFor is how long doctor listens to a cluster: each server and worker tells four times a second that it is there.
const listenFor = time.Second

// clusterChecks are of what the flags say about a cluster. The func ends them.
func (cfg *config) clusterChecks(ctx context.Context) (list []check, end func()) {
	c := &cfg.cluster
	end = func() {}
	if err := c.check(); err != nil || c.url == "" {
		return []check{{"cluster", func() (string, error) { return "fine: none, so this process does all runs", err }}}, end
	}
	if c.url == embedded {
		return cfg.embeddedChecks(), end
	}
	if cfg.beside && c.key != "" {
		return []check{{"cluster", func() (string, error) {
			return "", leftOut("all that is asked of the cluster, as the process that has the data directory may have the key too, and of two connections with one key the cluster ends the first one; \"sandtrapd cluster status\" asks the server, and a key of its own with an empty directory for --data has doctor look")
		}}}, end
	}
	conn, _, err := c.connect(cluster.RoleFront, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		return []check{{"cluster", func() (string, error) { return "", err }}}, end
	}
	in := inspect.New(conn)
	fine := func(text string, err error) (string, error) { return "fine: " + text, err }
	return []check{
		{"cluster", func() (string, error) { return fine(cluster.Describe(conn), nil) }},
		{"rights", func() (string, error) { return fine("the key may do what a server does", cluster.Rights(conn)) }},
		{"jetstream", func() (string, error) { return fine(in.JetStream(ctx)) }},
		{"ledger", func() (string, error) { return fine(in.Ledger(ctx, c.replicas)) }},
		{"clock", func() (string, error) { return fine(in.Clock(ctx)) }},
		{"servers", func() (string, error) { return fine(in.Servers(listenFor)) }},
		{"workers", func() (string, error) { return fine(cluster.Workers(conn, string(cfg.isolation), listenFor)) }},
	}, conn.Close
}

// embeddedChecks are for a server of NATS in this process.
func (cfg *config) embeddedChecks() []check {
	c := &cfg.cluster
	return []check{
		{"cluster", func() (string, error) {
			o := cluster.ServerOptions{Listen: c.listen, Cert: c.cert, Key: c.tlsKey}
			if c.listen == "" {
				return "fine: in this process, which no worker and no other server reaches", o.Check()
			}
			if err := o.Check(); err != nil {
				return "", err
			}
			return cfg.free(c.listen)
		}},
		{"members", func() (string, error) {
			if err := cfg.setData(); err != nil {
				return "", err
			}
			list, err := roster(cfg.data).List()
			fronts := 0
			for _, e := range list {
				if e.Role == cluster.RoleFront {
					fronts++
				}
			}
			return fmt.Sprintf("fine: %s and %s are let in", count(len(list)-fronts, "worker"), count(fronts, "server")), err
		}},
	}
}
