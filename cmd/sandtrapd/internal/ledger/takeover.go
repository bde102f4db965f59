package ledger

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/peers"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// stops is the subject by which servers tell each other of a run that is to stop.
const stops = "sandtrap.1.stop."

// An Adopt has a run go on here that goes on nowhere. One that has not begun is as if it had never been tried. The error matches store.ErrState
// if it goes on here.
type Adopt func(ctx context.Context, tenant, id string, begun bool) error

// Serve has the runs of servers that are silent go on here, by a func that has one go on, and stops those that go on here, by another one,
// if another server is told so.
func (l *Ledger) Serve(adopt Adopt, stop func(tenant, id string)) error {
	sub, err := l.conn.Subscribe(stops+"*", func(m *nats.Msg) { stop(string(m.Data), strings.TrimPrefix(m.Subject, stops)) })
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.adopt, l.subs = adopt, append(l.subs, sub)
	return nil
}

// unsubscribe has nobody ask this server for anything.
func (l *Ledger) unsubscribe() error {
	l.mu.Lock()
	subs := l.subs
	l.subs = nil
	l.mu.Unlock()
	err := l.Group.Close()
	for _, sub := range subs {
		if e := sub.Unsubscribe(); !errors.Is(e, nats.ErrConnectionClosed) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// adopter is the func that has a run go on here, nil if there is none yet.
func (l *Ledger) adopter() Adopt {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.adopt
}

// tend tells that this server is there, and looks after the runs of those that are not.
func (l *Ledger) tend() {
	tick := time.NewTicker(peers.BeatEach)
	defer tick.Stop()
	for n := 0; ; n++ {
		l.mu.Lock()
		leases := len(l.leases)
		l.mu.Unlock()
		l.Beat(leases)
		if n%4 == 0 {
			if err := l.takeOver(); err != nil {
				l.log.Error("the runs of a server that is silent do not go on yet", "error", err)
			}
		}
		select {
		case <-tick.C:
		case <-l.stop:
			return
		}
	}
}

// Unfinished are the runs that went on in this server when it ended, and that no other one has taken over, the oldest first.
func (l *Ledger) Unfinished(ctx context.Context) (list []store.Owned, err error) {
	all, err := l.Running(ctx, l.id)
	for _, o := range all {
		done, err := l.settleRun(ctx, o)
		if err != nil {
			return nil, err
		}
		if !done {
			list = append(list, o)
		}
	}
	return list, err
}

// takeOver has the runs of servers that are silent go on here.
func (l *Ledger) takeOver() error {
	adopt := l.adopter()
	if adopt == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	owners, err := l.Owners(ctx)
	if err != nil {
		return err
	}
	for _, server := range owners {
		if server == l.id || !l.Silent(server, time.Now()) {
			continue
		}
		list, err := l.Running(ctx, server)
		if err != nil {
			return err
		}
		for _, o := range list {
			if err := l.takeOne(ctx, o, server, adopt); errors.Is(err, store.ErrDisk) {
				return err
			} else if err != nil { // the others need not wait for it
				l.log.Error("a run of a server that is silent does not go on yet", "run", o.ID, "error", err)
			}
			if !l.Silent(server, time.Now()) {
				break
			}
		}
	}
	return nil
}

// takeOne has a run go on here.
func (l *Ledger) takeOne(ctx context.Context, o store.Owned, server string, adopt Adopt) error {
	if done, err := l.settleRun(ctx, o); done || err != nil {
		return err
	}
	err := l.claim(o, server)
	if errors.Is(err, store.ErrState) || errors.Is(err, store.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	l.log.Warn("the run of a server that is silent goes on here", "run", o.ID, "server", server)
	if err := adopt(ctx, o.Tenant, o.ID, true); err != nil {
		l.doubt(o.Tenant, o.ID) // it is tried again: nobody else does
		return err
	}
	return nil
}

// Stop has the server where a run goes on stop it.
func (l *Ledger) Stop(tenant, id string) {
	_ = l.conn.PublishMsg(&nats.Msg{Subject: stops + id, Data: []byte(tenant)}) // who waits for its end notices
}
