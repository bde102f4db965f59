package inspect

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/ledger"
)

// maxClock is how far the clock of a server may be from that of NATS: servers say by it how long a name is claimed, and runs have its times.
const maxClock = 10 * time.Second

// An Inspection says what a cluster has of a ledger. It changes nothing.
type Inspection struct {
	conn   *nats.Conn
	js     jetstream.JetStream
	stream jetstream.Stream // nil if there is none yet
}

// JetStream says how much JetStream keeps. It comes first.
func (i *Inspection) JetStream(ctx context.Context) (string, error) {
	js, err := jetstream.New(i.conn)
	if err != nil {
		return "", err
	}
	account, err := js.AccountInfo(ctx)
	switch {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount), errors.Is(err, nats.ErrNoResponders):
		return "", errors.New("NATS keeps nothing: its configuration wants jetstream")
	case err != nil:
		return "", fmt.Errorf("JetStream does not answer: %w", err)
	}
	i.js = js
	i.stream, err = js.Stream(ctx, ledger.Stream)
	if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return "", fmt.Errorf("JetStream does not tell of the ledger: %w", err)
	}
	most := "no bound"
	if account.Limits.MaxStore > 0 {
		most = fmt.Sprintf("%d MiB at most", account.Limits.MaxStore>>20)
	}
	return fmt.Sprintf("%s of %d MiB, %s", count(account.Streams, "stream", "streams"), account.Store>>20, most), nil
}

// Ledger says whether the ledger is one that this program reads, and on how many servers of NATS it is, or can be.
func (i *Inspection) Ledger(ctx context.Context, replicas int) (string, error) {
	if i.js == nil {
		return "", errors.New("JetStream does not answer")
	}
	if err := ledger.CheckFormat(ctx, i.js); err != nil {
		return "", err
	}
	if i.stream == nil {
		if n := len(i.conn.Servers()); n < replicas {
			return "", fmt.Errorf("--cluster-replicas %d, and NATS tells of %s", replicas, count(n, "server", "servers"))
		}
		return fmt.Sprintf("none yet, serve makes it on %d of %s", replicas, count(len(i.conn.Servers()), "server", "servers")), nil
	}
	info, err := i.stream.Info(ctx)
	if err != nil {
		return "", fmt.Errorf("the ledger does not answer: %w", err)
	}
	there, all := 1, max(1, info.Config.Replicas)
	if c := info.Cluster; c != nil {
		for _, r := range c.Replicas {
			if r.Current && !r.Offline {
				there++
			}
		}
	} else {
		all = 1
	}
	text := fmt.Sprintf("%s, on %d of %s", count(info.State.Msgs, "entry", "entries"), there, count(all, "server", "servers"))
	switch {
	case there < all:
		return "", errors.New(text + ": the others are not there, or late")
	case all != replicas:
		return "", fmt.Errorf("%s, and --cluster-replicas is %d: servers with different ones change it at each start", text, replicas)
	}
	return text, nil
}

// Clock says how far the clock of this machine is from that of NATS.
func (i *Inspection) Clock(ctx context.Context) (string, error) {
	if i.stream == nil {
		return "not known, as there is no ledger yet", nil
	}
	before := time.Now()
	info, err := i.stream.Info(ctx)
	if err != nil {
		return "", err
	}
	took := time.Since(before)
	off := info.TimeStamp.Sub(before.Add(took / 2)).Round(time.Millisecond)
	text := fmt.Sprintf("%s from that of NATS", off)
	if off.Abs() > maxClock+took {
		return "", errors.New(text + ": set the clock of this machine, or that of NATS")
	}
	return text, nil
}

// Servers says which servers share the ledger, heard for some time.
func (i *Inspection) Servers(listen time.Duration) (string, error) {
	heard := map[string]string{}
	sub, err := i.conn.SubscribeSync("sandtrap.*.server.*")
	if err != nil {
		return "", err
	}
	defer sub.Unsubscribe()
	for until := time.Now().Add(listen); ; {
		m, err := sub.NextMsg(time.Until(until))
		if err != nil {
			break // that was all
		}
		if parts := strings.Split(m.Subject, "."); len(parts) == 4 {
			heard[parts[3]] = parts[1]
		}
	}
	var others []string
	for _, v := range heard {
		if v != "1" {
			others = append(others, v)
		}
	}
	if len(others) > 0 {
		return "", fmt.Errorf("version %s of the protocol is that of %d of %s, and this one has version 1: they share nothing", others[0], len(others), count(len(heard), "server", "servers"))
	}
	return fmt.Sprintf("%d there", len(heard)), nil
}

// count is how many things there are of a kind.
func count[N int | uint64](n N, one, more string) string {
	if n == 1 {
		more = one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// New begins an inspection.
func New(conn *nats.Conn) *Inspection { return &Inspection{conn: conn} }
