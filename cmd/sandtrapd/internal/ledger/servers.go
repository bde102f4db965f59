package ledger

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// The subjects by which servers tell each other that they are there, and of a run that is to stop.
const (
	here  = "sandtrap.1.server."
	stops = "sandtrap.1.stop."
)

const (
	beatEach   = 250 * time.Millisecond
	silentFor  = 16 * beatEach // a server that is silent for so long is lost: less would be a machine that is busy
	maxServers = 1024
)

// servers are those that share the ledger, by when they were heard.
type servers struct {
	mu    sync.Mutex
	heard map[string]time.Time
	told  map[string]beat // what they tell of themselves
	own   beat
	other string    // the instance of another process that says that it is this server
	twice func()    // another process is this server; nil for nobody
	since time.Time // when this server began to hear itself without a gap
	live  int       // how many were there when this server was last heard
	adopt func(ctx context.Context, tenant, id string) error
	subs  []*nats.Subscription
}

func (s *servers) unsubscribe() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sub := range s.subs {
		if e := sub.Unsubscribe(); !errors.Is(e, nats.ErrConnectionClosed) {
			err = errors.Join(err, e)
		}
	}
	s.subs = nil
	return err
}

// hear listens for the servers.
func (l *Ledger) hear() error {
	s := &l.servers
	s.heard, s.told = map[string]time.Time{}, map[string]beat{}
	sub, err := l.conn.Subscribe(here+"*", func(m *nats.Msg) {
		id, b := strings.TrimPrefix(m.Subject, here), beatOf(m.Data)
		if id == l.id && b.Instance != "" && b.Instance != s.own.Instance {
			l.second(b)
			return
		}
		s.hears(id, l.id, b, time.Now())
	})
	if err == nil {
		s.subs = append(s.subs, sub)
	}
	return err
}

// hears notes that a server was heard, and what it tells of itself.
func (s *servers) hears(id, own string, b beat, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id == own && now.Sub(s.heard[id]) > silentFor/4 {
		s.since = now
	}
	if _, known := s.heard[id]; known || isServer(id) && s.room(now) {
		s.heard[id], s.told[id] = now, b
	}
	s.count(own, now)
}

// room reports that there is room for one more server: those that are silent give way. The caller holds the lock.
func (s *servers) room(now time.Time) bool {
	if len(s.heard) < maxServers {
		return true
	}
	maps.DeleteFunc(s.heard, func(_ string, at time.Time) bool { return now.Sub(at) > silentFor })
	maps.DeleteFunc(s.told, func(id string, _ beat) bool { _, known := s.heard[id]; return !known })
	return len(s.heard) < maxServers
}

// Serve has the runs of servers that are silent go on here, by a func that has one go on, and stops those that go on here, by another one,
// if another server is told so.
func (l *Ledger) Serve(adopt func(ctx context.Context, tenant, id string) error, stop func(tenant, id string)) error {
	s := &l.servers
	sub, err := l.conn.Subscribe(stops+"*", func(m *nats.Msg) { stop(string(m.Data), strings.TrimPrefix(m.Subject, stops)) })
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.adopt, s.subs = adopt, append(s.subs, sub)
	return nil
}

// tend tells that this server is there, and looks after the runs of those that are not.
func (l *Ledger) tend() {
	tick := time.NewTicker(beatEach)
	defer tick.Stop()
	for n := 0; ; n++ {
		_ = l.conn.Publish(here+l.id, l.beat()) // the others notice if none come
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

// silent reports that a server was not heard, by one that hears.
func (s *servers) silent(id, own string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	hears := now.Sub(s.heard[own]) < silentFor/4 && now.Sub(s.since) > silentFor
	at, known := s.heard[id]
	return hears && now.Sub(at) > silentFor && (known || s.room(now)) // there may have been no room for it
}

// first reports that no server that is there has an ID before this one.
func (s *servers) first(own string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, at := range s.heard {
		if id < own && now.Sub(at) <= silentFor {
			return false
		}
	}
	return true
}

// Live is how many servers are there, this one among them. A server that is cut off, and hears none, goes on with those of before.
func (l *Ledger) Live() int {
	s := &l.servers
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(1, s.live)
}

// count counts those who were heard, by one that hears: the others are heard a beat after itself when it was cut off. The lock is held.
func (s *servers) count(own string, now time.Time) {
	if s.live > 0 && (now.Sub(s.heard[own]) > silentFor/4 || now.Sub(s.since) < 2*beatEach) {
		return
	}
	s.live = 0
	for _, at := range s.heard {
		if now.Sub(at) <= silentFor {
			s.live++
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
	l.servers.mu.Lock()
	adopt := l.servers.adopt
	l.servers.mu.Unlock()
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
		if server == l.id || !l.servers.silent(server, l.id, time.Now()) {
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
			if !l.servers.silent(server, l.id, time.Now()) {
				break
			}
		}
	}
	return nil
}

// takeOne has a run go on here.
func (l *Ledger) takeOne(ctx context.Context, o store.Owned, server string, adopt func(context.Context, string, string) error) error {
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
	if err := adopt(ctx, o.Tenant, o.ID); err != nil {
		l.doubt(o.Tenant, o.ID) // it is tried again: nobody else does
		return err
	}
	return nil
}

// Stop has the server where a run goes on stop it.
func (l *Ledger) Stop(tenant, id string) {
	_ = l.conn.PublishMsg(&nats.Msg{Subject: stops + id, Data: []byte(tenant)}) // who waits for its end notices
}
