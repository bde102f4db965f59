package ledger

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/objects"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// runPrefix begins the IDs of runs, and of no other entries.
const runPrefix = "run_"

// inlineContents bounds the contents, in bytes, that are in the entry of what has them. Of a larger one each is an object.
const inlineContents = 64 << 10

// contents are those of a session or a snapshot. Who writes the entry writes and deletes the objects, which nothing else has.
type contents struct {
	Data    []content    `cbor:"1,keyasint,omitempty"`
	Objects []store.Hash `cbor:"2,keyasint,omitempty"`
	Under   string       `cbor:"3,keyasint,omitempty"` // begins the names of the objects, if it is not the ID: a snapshot that is made again has others
}

// under begins the names of the objects of an entry.
func (c contents) under(id string) string { return cmp.Or(c.Under, id) }

// again is the beginning of names of objects that no entry had before.
func again(id string) string { return id + "." + rand.Text() }

type content struct {
	Hash store.Hash `cbor:"1,keyasint"`
	Data []byte     `cbor:"2,keyasint"`
}

// A session is the entry of one.
type session struct {
	Row      store.Session `cbor:"1,keyasint"`
	Contents contents      `cbor:"2,keyasint"`
	Owner    string        `cbor:"3,keyasint,omitempty"` // the server that has the lease
	Epoch    uint64        `cbor:"4,keyasint"`           // how often it has changed hands
	Done     *store.Run    `cbor:"5,keyasint,omitempty"` // the outcome of its last cell, which the entry of that run may not have yet
}

// A snapshot is the entry of one.
type snapshot struct {
	Row      store.Snapshot `cbor:"1,keyasint"`
	Contents contents       `cbor:"2,keyasint"`
}

var errNoSession = fmt.Errorf("session: %w", store.ErrNone)

// gather makes the contents of an entry from those that are needed: new ones, and those that are here. Had are the objects that it has, and under
// begins the names of all.
func (l *Ledger) gather(ctx context.Context, tenant, under string, needed map[store.Hash]bool, new map[store.Hash][]byte, bytes int64, had []store.Hash) (c contents, err error) {
	read := func(h store.Hash) ([]byte, error) {
		if data, ok := new[h]; ok {
			return data, nil
		}
		return l.Blob(ctx, tenant, h)
	}
	there := map[store.Hash]bool{}
	for _, h := range had {
		there[h] = true
	}
	for _, h := range slices.SortedFunc(maps.Keys(needed), func(a, b store.Hash) int { return strings.Compare(a.String(), b.String()) }) { // the same each time
		if bytes <= inlineContents {
			data, err := read(h)
			if err != nil {
				return c, err
			}
			c.Data = append(c.Data, content{h, data})
			continue
		}
		c.Objects = append(c.Objects, h)
		if there[h] {
			continue
		}
		data, err := read(h)
		if err != nil {
			return c, err
		}
		if err := l.putObject(ctx, objectOf(under, h), data); err != nil {
			return c, err
		}
	}
	return c, nil
}

// objectOf is the name of the object of a content.
func objectOf(under string, h store.Hash) string { return under + "." + h.String() }

// leaves are the objects of what an entry will have no more, as they are now.
func (l *Ledger) leaves(ctx context.Context, under string, before, after []store.Hash) (list []objects.Version) {
	stays := map[store.Hash]bool{}
	for _, h := range after {
		stays[h] = true
	}
	for _, h := range before {
		if !stays[h] {
			list = append(list, l.version(ctx, objectOf(under, h)))
		}
	}
	return list
}

// fetch brings the contents of an entry that are not here, each checked against its hash.
func (l *Ledger) fetch(ctx context.Context, tenant, id string, c contents) (needed map[store.Hash]bool, new map[store.Hash][]byte, err error) {
	needed, new = map[store.Hash]bool{}, map[store.Hash][]byte{}
	add := func(h store.Hash, data []byte) error {
		if store.HashOf(data) != h {
			return fmt.Errorf("the ledger: content %s of %s: %w", h, id, store.ErrCorrupt)
		}
		new[h] = data
		return nil
	}
	for _, one := range c.Data {
		needed[one.Hash] = true
		if err := add(one.Hash, one.Data); err != nil {
			return nil, nil, err
		}
	}
	for _, h := range c.Objects {
		needed[h] = true
		if data, err := l.Blob(ctx, tenant, h); err == nil {
			new[h] = data // what has it here may be deleted meanwhile
			continue
		}
		data, err := l.object(ctx, objectOf(c.under(id), h))
		if err == nil {
			err = add(h, data)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return needed, new, nil
}

func errNewer(revision uint64) error {
	return fmt.Errorf("the ledger: entry %d is of a newer version", revision)
}

// bring writes here what an entry has that is not a run.
func (l *Ledger) bring(ctx context.Context, e *entry, revision uint64) error {
	switch {
	case e.Session != nil:
		row := e.Session.Row
		if le := l.leaseOf(row.ID); le != nil && le.revision < revision && e.Session.Owner != l.id {
			l.unlease(row.ID) // another one has taken it
		}
		if is, err := l.deleteAgain(ctx, row.Tenant, row.ID, e, revision); is || err != nil {
			return err
		}
		needed, new, err := l.fetch(ctx, row.Tenant, row.ID, e.Session.Contents)
		if err != nil {
			return err
		}
		row.Revision = revision
		return l.PutSession(&row, &store.Kept{Tenant: row.Tenant, Session: row.ID, Head: row.Head, Needed: needed, New: new, Bytes: row.Bytes, Used: row.Used})
	case e.Snapshot != nil:
		row := e.Snapshot.Row
		if is, err := l.deleteAgain(ctx, row.Tenant, row.ID, e, revision); is || err != nil {
			return err
		}
		needed, new, err := l.fetch(ctx, row.Tenant, row.ID, e.Snapshot.Contents)
		if err != nil {
			return err
		}
		row.Revision = revision
		return l.PutSnapshot(&row, &store.Kept{Tenant: row.Tenant, Head: row.Head, Needed: needed, New: new, Bytes: row.Bytes})
	case e.Key != nil:
		return l.bringKey(e.Key, revision)
	case e.Policy != nil:
		return l.bringPolicy(e.Policy, revision)
	case e.Named != nil:
		return nil
	}
	return errNewer(revision)
}

// sessionOf is the entry of a session as it is now. The error matches store.ErrNone if there is none.
func (l *Ledger) sessionOf(ctx context.Context, tenant, id string) (*entry, uint64, error) {
	e, revision, err := l.getEntry(ctx, tenant, id)
	switch {
	case errors.Is(err, store.ErrNone):
		return nil, 0, errNoSession
	case err != nil:
		return nil, 0, err
	case e.Session == nil || e.Session.Row.Tenant != tenant:
		return nil, 0, errNoSession
	}
	return e, revision, nil
}

// thereIs is for claimName: the error of a func matches store.ErrNone if a session is not there.
func (l *Ledger) thereIs(ctx context.Context, tenant string) func(id string) error {
	return func(id string) error {
		_, _, err := l.sessionOf(ctx, tenant, id)
		return err
	}
}

// Session is the session of a tenant as the ledger has it now.
func (l *Ledger) Session(ctx context.Context, tenant, id string) (*store.Session, error) {
	if l.leaseOf(id) == nil {
		if err := l.refreshSession(ctx, tenant, id); err != nil {
			return nil, err
		}
		if err := l.reachNow(ctx); err != nil { // for its runs
			return nil, err
		}
	}
	row, err := l.Store.Session(ctx, tenant, id)
	if err != nil || row.Waits == "" {
		return row, err
	}
	if err := l.refresh(tenant, row.Waits); err != nil { // it may wait no more
		return nil, err
	}
	return l.Store.Session(ctx, tenant, id)
}

// refreshSession brings a session from the ledger, if it is newer there.
func (l *Ledger) refreshSession(ctx context.Context, tenant, id string) error {
	return l.whole(ctx, func() error {
		for {
			e, revision, err := l.sessionOf(ctx, tenant, id)
			if err != nil {
				return err
			}
			if err := l.bringNow(ctx, e, revision); !errors.Is(err, store.ErrState) {
				return err
			}
		}
	})
}

// goneHeld deletes here what the ledger has no more since a revision.
func (l *Ledger) goneHeld(id string, revision uint64) error {
	l.mu.Lock()
	delete(l.leases, id)
	told := l.deleted
	l.mu.Unlock()
	err := l.Forget(id, revision)
	if told != nil {
		told(id)
	}
	return err
}

// AddSession writes a session that begins, with what it has, and the lease here.
func (l *Ledger) AddSession(row *store.Session, k *store.Kept) error {
	ctx := context.Background()
	if row.Name != "" {
		if err := l.claimName(ctx, row.Tenant, row.Name, row.ID, l.thereIs(ctx, row.Tenant)); err != nil {
			return err
		}
	}
	err := l.addSession(ctx, row, k)
	if err != nil && row.Name != "" && !errors.Is(err, store.ErrDoubt) {
		l.freeName(ctx, row.Tenant, row.Name, row.ID)
	}
	return err
}

func (l *Ledger) addSession(ctx context.Context, row *store.Session, k *store.Kept) error {
	defer l.taking(row.ID)()
	row.Seq = l.seq(row.Created)
	c, err := l.gather(ctx, row.Tenant, row.ID, k.Needed, k.New, k.Bytes, nil)
	if err != nil {
		return err
	}
	now := &session{Row: *row, Contents: c, Owner: l.id, Epoch: 1}
	revision, object, err := l.putEntry(ctx, row.Tenant, row.ID, entry{Session: now}, "", 0)
	if err != nil {
		return err
	}
	row.Revision = revision
	if err := l.PutSession(row, k); err != nil {
		return l.here(row.Tenant, row.ID, err)
	}
	l.leased(&lease{session: *now, revision: revision, object: object})
	return nil
}
