package ledger

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// asks is the subject by which a server is asked for the lease of a session.
const asks = "sandtrap.1.lease."

// How long an answer is waited for, and what waits for something before it looks again.
const (
	askFor  = time.Second
	askEach = 250 * time.Millisecond
)

var errEnds = unreachable{errors.New("the server ends")}

// A lease is a session that this server has: as its entry is, whose revision fences what others write.
type lease struct {
	session  session
	revision uint64
	object   string
}

func (l *Ledger) leaseOf(id string) *lease {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.leases[id]
}

func (l *Ledger) leased(le *lease) {
	l.mu.Lock()
	defer l.mu.Unlock()
	le.session.Contents.Data = nil // they are in the store
	l.leases[le.session.Row.ID] = le
}

// taking notes that this server takes a session just now, until the func is called.
func (l *Ledger) taking(id string) func() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.takes[id]++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.takes[id]--; l.takes[id] == 0 {
			delete(l.takes, id)
		}
	}
}

// hasLease reports that this server has a session, or takes it just now.
func (l *Ledger) hasLease(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.leases[id] != nil || l.takes[id] > 0
}

func (l *Ledger) unlease(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.leases, id)
}

// Lease has a session be that of this server until another one asks for it. Fresh says that it was not until now: another one may have
// changed it. All that others have written of it and of its runs is here then.
func (l *Ledger) Lease(ctx context.Context, tenant, id string) (fresh bool, err error) {
	if l.leaseOf(id) != nil {
		return false, nil
	}
	select {
	case <-l.stop:
		return false, errEnds
	default:
	}
	defer l.taking(id)() // it may be given to this server, which does not let it go before who waits here has it
	for last, tries := uint64(0), 0; ; {
		e, revision, err := l.sessionOf(ctx, tenant, id)
		if err != nil {
			return false, err
		}
		if revision == last { // what was asked has changed nothing
			if err := l.pause(ctx, askEach); err != nil {
				return false, err
			}
		}
		last = revision
		if free, err := l.free(ctx, e.Session.Owner, tenant, id); err != nil {
			return false, err
		} else if !free {
			continue
		}
		err = l.take(ctx, e, revision)
		if err == nil {
			return true, nil
		}
		if tries++; !errors.Is(err, store.ErrState) && !(errors.Is(err, errMissing) && tries < missingTries) { // else it has changed meanwhile
			return false, err
		}
		if last = 0; l.changing(ctx) != nil {
			return false, err
		}
	}
}

// free reports that this server may take a session: it is nobody's, or that of a server that is gone, or the server that has it says so when it
// is asked.
func (l *Ledger) free(ctx context.Context, owner, tenant, id string) (bool, error) {
	if owner == "" || owner == l.id || l.Silent(owner, time.Now()) {
		return true, nil
	}
	free, err := l.ask(ctx, owner, tenant, id)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if errors.Is(err, nats.ErrNoResponders) {
		return l.Missed(owner, time.Now()), nil
	}
	l.Answers(owner)
	return free, nil // who does not answer is asked again
}

// pause waits before the same is asked again. It is an error if ctx, or the server, ends.
func (l *Ledger) pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-l.stop:
		return errEnds
	}
}

// changing waits before an entry is changed again that another server has changed just now.
func (l *Ledger) changing(ctx context.Context) error { return l.pause(ctx, askEach/10) }

// noLease is the answer of a server that does not have a session: it may have ended since it had it.
const noLease = "none"

// ask asks a server for the lease of a session. It gives it up when what goes on in the session has ended. Free says that it does not have it.
func (l *Ledger) ask(ctx context.Context, server, tenant, id string) (free bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, askFor)
	defer cancel()
	m, err := l.conn.RequestMsgWithContext(ctx, &nats.Msg{Subject: asks + server, Data: []byte(tenant + "\x00" + id), Header: nats.Header{ofServer: {l.id}}})
	return err == nil && string(m.Data) == noLease, err
}

// take has a session be that of this server.
func (l *Ledger) take(ctx context.Context, e *entry, revision uint64) error {
	now := *e.Session
	now.Owner, now.Epoch = l.id, now.Epoch+1
	tenant, id := now.Row.Tenant, now.Row.ID
	defer l.taking(id)()
	if done := now.Done; done != nil { // its server may have ended before it has written that
		if _, err := l.settleRun(ctx, store.Owned{Tenant: tenant, ID: done.ID, Session: id}); err != nil {
			return err
		}
		now.Done = nil
	}
	if err := l.bringNow(ctx, e, revision); err != nil { // before it is that of a server that may lack a part of it
		return err
	}
	at, object, err := l.putEntry(ctx, tenant, id, entry{Session: &now}, e.Object, revision)
	if err != nil {
		return err
	}
	if err := l.bring(ctx, &entry{Session: &now}, at); err != nil {
		return l.here(tenant, id, err)
	}
	if err := l.reach(ctx, at); err != nil {
		return err
	}
	l.leased(&lease{session: now, revision: at, object: object})
	return nil
}

// release gives up the lease of a session, which the caller has to itself, to another server, or to whoever needs it.
func (l *Ledger) release(ctx context.Context, tenant, id, to string) error {
	le := l.leaseOf(id)
	if le == nil {
		return nil
	}
	l.unlease(id)
	e, revision, err := l.sessionOf(ctx, tenant, id)
	if err != nil || revision != le.revision {
		return err // another one has it
	}
	e.Session.Owner = to
	_, _, err = l.putEntry(ctx, tenant, id, *e, e.Object, revision)
	if errors.Is(err, store.ErrState) {
		err = nil
	}
	return err
}

// releaseAll gives up all leases, since the server ends.
func (l *Ledger) releaseAll() {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	l.mu.Lock()
	var all []store.Session
	for _, le := range l.leases {
		all = append(all, le.session.Row)
	}
	l.mu.Unlock()
	for _, row := range all {
		if err := l.release(ctx, row.Tenant, row.ID, ""); err != nil { // they are asked for
			return
		}
	}
}
