package sessions

import (
	"context"
	"fmt"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A Snapshot is what a session had when it was saved. It stays when the session is deleted.
type Snapshot struct {
	ID      string    `json:"id"`
	Session string    `json:"session"` // the session that it is of
	Policy  string    `json:"policy"`
	Created time.Time `json:"created"`
	Bytes   int64     `json:"bytes"`
}

// Save makes a snapshot of what a session has after its last cell that is over: one that runs or waits is not in it. Saving the same again gives the same ID.
func (m *Manager) Save(ctx context.Context, tenant, id string) (snapshot string, err error) {
	row, err := m.o.Store.Session(ctx, tenant, id)
	if err != nil {
		return "", err
	}
	if _, err := m.o.Store.Snapshot(ctx, tenant, store.SnapshotID(row.Head)); err != nil { // another one
		end, err := m.copyOf(ctx, tenant, id, 1)
		if err != nil {
			return "", err
		}
		defer end()
	}
	return m.o.Store.SaveSession(tenant, id, time.Now())
}

// Snapshots lists those of a tenant, the newest first, and gives the Before of the next page, 0 if there is none.
func (m *Manager) Snapshots(ctx context.Context, p store.Page) (list []Snapshot, next int64, err error) {
	rows, err := m.o.Store.Snapshots(ctx, p)
	for _, r := range rows {
		list = append(list, Snapshot{r.ID, r.Session, r.Policy, r.Created, r.Bytes})
	}
	if len(rows) == p.Limit {
		next = rows[len(rows)-1].Seq
	}
	return list, next, err
}

// DeleteSnapshot deletes a snapshot, and what nothing else needs.
func (m *Manager) DeleteSnapshot(ctx context.Context, tenant, id string) error {
	return m.o.Store.DeleteSnapshot(tenant, id)
}

// snapshot is the manifest of a snapshot, all of whose contents are there. What is not as it was written is refused as a whole.
func (m *Manager) snapshot(ctx context.Context, tenant, id string) (*manifest, error) {
	row, err := m.o.Store.Snapshot(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	if store.SnapshotID(row.Head) != id {
		return nil, fmt.Errorf("snapshot %s has the head of another one: %w", id, store.ErrCorrupt)
	}
	man, err := m.manifest(ctx, tenant, row.Head)
	if err != nil {
		return nil, err
	}
	for hash := range man.needed(row.Head) {
		if _, err := m.o.Store.Blob(ctx, tenant, hash); err != nil {
			return nil, err
		}
	}
	man.Policy = row.Policy // another version may have its number since the server has joined a cluster
	return man, nil
}

// Load has a session have what a snapshot has, which has to be of the same session, or of one that both come from. Another one is as
// one that is not there.
func (m *Manager) Load(ctx context.Context, tenant, id, snapshot string) (View, error) {
	t, err := m.take(ctx, tenant, id)
	if err != nil {
		return View{}, err
	}
	defer t.Release()
	row, err := m.o.Store.Session(ctx, tenant, id)
	if err != nil {
		return View{}, err
	}
	man, err := m.snapshot(ctx, tenant, snapshot)
	if err != nil {
		return View{}, err
	}
	if man.Origin != row.Origin || man.Policy != row.Policy {
		return View{}, fmt.Errorf("snapshot: %w", store.ErrNone)
	}
	before, err := m.manifest(ctx, tenant, row.Head)
	if err != nil {
		return View{}, err
	}
	end, err := m.copy(ctx, tenant, 1, man, before)
	if err != nil {
		return View{}, err
	}
	defer end()
	return m.replace(ctx, t, man)
}

// replace has a session have what is in man, without its worker. The caller has its turn.
func (m *Manager) replace(ctx context.Context, t *ticket, man *manifest) (View, error) {
	k, err := man.kept(t.seat.tenant, t.seat.id)
	if err != nil {
		return View{}, err
	}
	if err := m.o.Store.Keep(k); err != nil {
		return View{}, err
	}
	m.mu.Lock()
	m.letGo(t.seat)
	m.mu.Unlock()
	return m.Get(ctx, t.seat.tenant, t.seat.id)
}

// Reset has a session forget what its cells have declared. Its files stay.
func (m *Manager) Reset(ctx context.Context, tenant, id string) (View, error) {
	t, err := m.take(ctx, tenant, id)
	if err != nil {
		return View{}, err
	}
	defer t.Release()
	row, err := m.o.Store.Session(ctx, tenant, id)
	if err != nil {
		return View{}, err
	}
	man, err := m.manifest(ctx, tenant, row.Head)
	if err != nil {
		return View{}, err
	}
	return m.replace(ctx, t, &manifest{Origin: man.Origin, Policy: man.Policy, Tools: man.Tools, Entries: man.Entries})
}

// maxForks bounds how many forks one request makes.
const maxForks = 100

// Fork makes n sessions that have what this one has after its last cell that is over, and go their own ways from there. They have no names.
func (m *Manager) Fork(ctx context.Context, tenant, id string, n int) (list []View, err error) {
	if n < 1 || n > maxForks {
		return nil, fmt.Errorf("%w: n: %d; want 1 to %d", runs.ErrRequest, n, maxForks)
	}
	row, err := m.o.Store.Session(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	end, err := m.copyOf(ctx, tenant, id, n)
	if err != nil {
		return nil, err
	}
	defer end()
	var forks []*store.Session
	for range n {
		now := time.Now()
		forks = append(forks, &store.Session{ID: runs.NewID("ses"), Tenant: tenant, Policy: row.Policy, Origin: row.Origin, Parent: id, Created: now, Used: now})
	}
	if err := m.o.Store.Fork(tenant, id, forks...); err != nil {
		return nil, err
	}
	for _, f := range forks {
		list = append(list, m.view(f, nil))
	}
	return list, nil
}
