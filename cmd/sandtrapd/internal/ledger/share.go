package ledger

import (
	"context"
	"errors"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// shareHelds writes sessions and snapshots to the ledger that are here alone. Of a session that is there too the one that was used last
// stays.
func (l *Ledger) shareHelds(ctx context.Context, list []store.Held, in store.Span) error {
	for _, h := range list {
		err := l.shareHeld(ctx, h, in)
		if err != nil && !errors.Is(err, store.ErrState) && !errors.Is(err, store.ErrNone) {
			return err
		}
	}
	return nil
}

func (l *Ledger) shareHeld(ctx context.Context, h store.Held, in store.Span) error {
	there, revision, gone, err := l.before(ctx, h.Tenant, h.ID, h.Revision, in)
	if err != nil || gone {
		return err
	}
	mine, err := l.held(ctx, h)
	if err != nil {
		return err
	}
	if there != nil && (there.Snapshot != nil || there.Session != nil && !there.Session.Row.Used.Before(mine.Session.Row.Used)) {
		h.Revision = 0
		return errors.Join(l.Revise(h), l.bring(ctx, there, revision))
	}
	before := ""
	if there != nil {
		before = there.Object
	}
	if h.Revision, _, err = l.putEntry(ctx, h.Tenant, h.ID, *mine, before, revision); err != nil {
		return err
	}
	return l.Revise(h)
}

// held is the entry of a session or a snapshot that is here. The lease of a session is nobody's.
func (l *Ledger) held(ctx context.Context, h store.Held) (*entry, error) {
	needed, err := l.Contents(ctx, h.Tenant, h.ID)
	if err != nil {
		return nil, err
	}
	if !h.Session {
		row, err := l.Store.Snapshot(ctx, h.Tenant, h.ID)
		if err != nil {
			return nil, err
		}
		under := again(h.ID)
		c, err := l.gather(ctx, h.Tenant, under, needed, nil, row.Bytes, nil)
		c.Under = under
		return &entry{Snapshot: &snapshot{Row: *row, Contents: c}}, err
	}
	row, err := l.Store.Session(ctx, h.Tenant, h.ID)
	if err != nil {
		return nil, err
	}
	if row.Name != "" {
		if err := l.claimName(ctx, row.Tenant, row.Name, row.ID, l.thereIs(ctx, row.Tenant)); errors.Is(err, store.ErrExists) { // of another server
			row.Name = ""
		} else if err != nil {
			return nil, err
		}
	}
	c, err := l.gather(ctx, h.Tenant, h.ID, needed, nil, row.Bytes, nil)
	return &entry{Session: &session{Row: *row, Contents: c, Epoch: 1}}, err
}
