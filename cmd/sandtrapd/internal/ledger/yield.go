package ledger

import (
	"context"
	"strings"

	"github.com/nats-io/nats.go"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/peers"
)

// ServeSessions has sessions go to the servers that ask for them, by a func that returns when nothing goes on in one, and has let go of it,
// until end is called; and tells another func of those that others have deleted.
func (l *Ledger) ServeSessions(idle func(ctx context.Context, tenant, id string) (end func(), err error), deleted func(id string)) error {
	asked := peers.NewAskers()
	sub, err := l.conn.Subscribe(asks+l.id, func(m *nats.Msg) {
		tenant, id, ok := strings.Cut(string(m.Data), "\x00")
		switch {
		case !ok:
		case !l.hasLease(id):
			_ = m.Respond([]byte(noLease))
		case asked.Add(id, m):
			if !l.goes(func() { l.yield(tenant, id, asked, idle) }) {
				asked.Answer(id)
			}
		}
	})
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.subs = append(l.subs, sub)
	l.deleted = deleted
	return nil
}

// yield gives a session to the server that has asked for it first, when nothing goes on in it. It is that one's before anything else can go on
// here, which has to ask for it then: so that a server which uses it all the time does not keep it from others.
func (l *Ledger) yield(tenant, id string, asked *peers.Askers, idle func(context.Context, string, string) (func(), error)) {
	ctx, cancel := l.until()
	defer cancel()
	end, err := idle(ctx, tenant, id)
	if err == nil {
		err = l.release(ctx, tenant, id, asked.First(id))
		asked.Answer(id)
		end()
	} else {
		asked.Answer(id)
	}
	if err != nil && ctx.Err() == nil {
		l.log.Warn("a session stays here that another server has asked for", "session", id, "error", err)
	}
}
