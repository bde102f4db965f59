package ledger

import (
	"context"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
)

// askers are the servers that have asked for sessions which are to be given up, by the ID of the session, the one that was first before the others.
type askers struct {
	mu sync.Mutex
	of map[string][]*nats.Msg
}

// maxAskers bounds them for one session: those of one server that asks again are one.
const maxAskers = 64

// add notes who asks, and reports whether it is the first one.
func (a *askers) add(id string, m *nats.Msg) (first bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := a.of[id]
	for i, other := range list {
		if other.Header.Get(ofServer) == m.Header.Get(ofServer) {
			list[i] = m // it waits for this answer now
			return false
		}
	}
	if len(list) < maxAskers {
		a.of[id] = append(list, m)
	}
	return len(list) == 0
}

// first is the server that has asked first.
func (a *askers) first(id string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.of[id][0].Header.Get(ofServer)
}

// answer answers all that have asked: the others ask the first one now.
func (a *askers) answer(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, m := range a.of[id] {
		_ = m.Respond(nil) // who gets no answer asks again
	}
	delete(a.of, id)
}

// ServeSessions has sessions go to the servers that ask for them, by a func that returns when nothing goes on in one, and has let go of it,
// until end is called; and tells another func of those that others have deleted.
func (l *Ledger) ServeSessions(idle func(ctx context.Context, tenant, id string) (end func(), err error), deleted func(id string)) error {
	asked := &askers{of: map[string][]*nats.Msg{}}
	sub, err := l.conn.Subscribe(asks+l.id, func(m *nats.Msg) {
		tenant, id, ok := strings.Cut(string(m.Data), "\x00")
		switch {
		case !ok:
		case !l.hasLease(id):
			_ = m.Respond([]byte(noLease))
		case asked.add(id, m):
			if !l.goes(func() { l.yield(tenant, id, asked, idle) }) {
				asked.answer(id)
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
func (l *Ledger) yield(tenant, id string, asked *askers, idle func(context.Context, string, string) (func(), error)) {
	ctx, cancel := l.until()
	defer cancel()
	end, err := idle(ctx, tenant, id)
	if err == nil {
		err = l.release(ctx, tenant, id, asked.first(id))
		asked.answer(id)
		end()
	} else {
		asked.answer(id)
	}
	if err != nil && ctx.Err() == nil {
		l.log.Warn("a session stays here that another server has asked for", "session", id, "error", err)
	}
}
