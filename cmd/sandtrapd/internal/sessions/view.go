package sessions

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A View is a session as a client sees it.
type View struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	Policy    string     `json:"policy"`
	State     string     `json:"state"`           // idle; ready: it has a worker; running: a run of it goes on; pending: a run of it waits
	Waits     string     `json:"waits,omitempty"` // the run that is pending: no other begins until it has its answers
	Created   time.Time  `json:"created"`
	Used      time.Time  `json:"used"`
	Bytes     int64      `json:"bytes"`            // of its files and the values of its variables
	Parent    string     `json:"parent,omitempty"` // the session that it is a fork of
	Tools     string     `json:"tools,omitempty"`  // not in lists
	Variables []Variable `json:"variables,omitempty"`
}

// view is a row as a client sees it, with the variables of its manifest if that is not nil.
func (m *Manager) view(row *store.Session, man *manifest) View {
	v := View{
		ID: row.ID, Name: row.Name, Policy: row.Policy, State: "idle", Created: row.Created.UTC(), Used: row.Used.UTC(), Bytes: row.Bytes, Parent: row.Parent,
		Waits: row.Waits,
	}
	if man != nil {
		v.Variables, v.Tools = man.Variables, man.Tools
	}
	if v.Waits != "" {
		v.State = "pending"
		return v
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.seats[row.ID]; s != nil {
		switch {
		case s.stop != nil:
			v.State = "running"
		case s.live != nil || s.worker != "":
			v.State = "ready"
		}
	}
	return v
}

// Get is a session of a tenant, with its variables.
func (m *Manager) Get(ctx context.Context, tenant, id string) (v View, err error) {
	err = m.look(ctx, tenant, id, func(row *store.Session, man *manifest) error {
		v = m.view(row, man)
		return nil
	})
	return v, err
}

// List lists sessions of a tenant, the newest first, and gives the Before of the next page, 0 if there is none.
func (m *Manager) List(ctx context.Context, p store.Page) (list []View, next int64, err error) {
	rows, err := m.o.Store.Sessions(ctx, p)
	for _, row := range rows {
		list = append(list, m.view(row, nil))
	}
	if len(rows) == p.Limit {
		next = rows[len(rows)-1].Seq
	}
	return list, next, err
}

// look gives f what a session has. F does not change it. If something else was written while f read, f is called again.
func (m *Manager) look(ctx context.Context, tenant, id string, f func(*store.Session, *manifest) error) error {
	for {
		row, err := m.o.Store.Session(ctx, tenant, id)
		if err != nil {
			return err
		}
		man, err := m.manifest(ctx, tenant, row.Head)
		if err == nil {
			err = f(row, man)
		}
		if err == nil {
			return nil
		}
		if now, e := m.o.Store.Session(ctx, tenant, id); e != nil || now.Head == row.Head {
			return cmp.Or(e, err)
		}
	}
}

// manifest reads one.
func (m *Manager) manifest(ctx context.Context, tenant string, head store.Hash) (*manifest, error) {
	text, err := m.o.Store.Blob(ctx, tenant, head)
	if err != nil {
		return nil, err
	}
	man, err := decode(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrCorrupt, err)
	}
	return man, nil
}
