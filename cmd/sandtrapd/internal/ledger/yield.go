package ledger

import (
	"context"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
)

// ServeSessions has sessions go to the servers that ask for them, by a func that returns when nothing goes on in one, and has let go of it,
// until end is called; and tells another func of those that others have deleted.
func (l *Ledger) ServeSessions(idle func(ctx context.Context, tenant, id string) (end func(), err error), deleted func(id string)) error {
	var mu sync.Mutex
	asked := map[string]bool{}
	sub, err := l.conn.Subscribe(asks+l.id, func(m *nats.Msg) {
		tenant, id, ok := strings.Cut(string(m.Data), "\x00")
		mu.Lock()
		defer mu.Unlock()
		switch {
		case !ok || asked[id]:
			return
		case !l.hasLease(id):
			_ = m.Respond([]byte(noLease))
			return
		}
		asked[id] = true
		l.done.Go(func() {
			l.yield(tenant, id, idle)
			mu.Lock()
			delete(asked, id)
			mu.Unlock()
			_ = m.Respond(nil)
		})
	})
	if err != nil {
		return err
	}
	l.servers.mu.Lock()
	l.servers.subs = append(l.servers.subs, sub)
	l.servers.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.deleted = deleted
	return nil
}

// yield gives up a session when nothing goes on in it.
func (l *Ledger) yield(tenant, id string, idle func(context.Context, string, string) (func(), error)) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-l.stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	end, err := idle(ctx, tenant, id)
	if err == nil {
		err = l.Release(ctx, tenant, id)
		end()
	}
	if err != nil && ctx.Err() == nil {
		l.log.Warn("a session stays here that another server has asked for", "session", id, "error", err)
	}
}
