package sessions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A File is a file of a session, in the working directory of its runs or below it.
type File struct {
	Path     string    `json:"path"`
	Size     int64     `json:"size"`
	Mode     string    `json:"mode"` // permissions, in octal
	Modified time.Time `json:"modified"`
}

func (e *entry) file() File {
	return File{e.Path, e.size(), fmt.Sprintf("%04o", e.Mode.Perm()), time.Unix(0, e.MTime).UTC()}
}

// Files lists the files that a session has after its last cell.
func (m *Manager) Files(ctx context.Context, tenant, id string) (list []File, err error) {
	err = m.look(ctx, tenant, id, func(_ *store.Session, man *manifest) error {
		list = []File{}
		for i := range man.Entries {
			if e := &man.Entries[i]; e.Data != nil {
				list = append(list, e.file())
			}
		}
		return nil
	})
	return list, err
}

// ReadFile is a file that a session has after its last cell. Release is to be called when the data is not needed any more. Links are not
// followed.
func (m *Manager) ReadFile(ctx context.Context, tenant, id, path string) (f File, data []byte, release func(), err error) {
	release = func() {}
	err = m.look(ctx, tenant, id, func(_ *store.Session, man *manifest) error {
		release()
		release = func() {}
		at, found := man.find(path)
		if !found || man.Entries[at].Data == nil {
			return fmt.Errorf("file: %w", store.ErrNone)
		}
		e := &man.Entries[at]
		h, err := m.held.take(tenant, e.Data.Size)
		if err != nil {
			return err
		}
		release, f = h.release, e.file()
		data, err = m.o.Store.Blob(ctx, tenant, e.Data.Hash)
		return err
	})
	return f, data, release, err
}

// WriteFile puts a file, with the directories that it is in. It waits for its turn, when it has the data.
func (m *Manager) WriteFile(ctx context.Context, tenant, id, path string, from io.Reader, mode fs.FileMode) (f File, err error) {
	if err := checkPath(path); err != nil {
		return f, fmt.Errorf("%w: path: %w", runs.ErrRequest, err)
	}
	if _, err := m.o.Store.Session(ctx, tenant, id); err != nil {
		return f, err
	}
	h, err := m.held.take(tenant, 0)
	if err != nil {
		return f, err
	}
	defer h.release()
	data, err := h.read(from, MaxFileBytes)
	if err != nil {
		return f, err
	}
	e := entry{Path: path, Mode: mode & fs.ModePerm, MTime: time.Now().UnixNano(), Data: &content{store.HashOf(data), int64(len(data))}}
	return e.file(), m.change(ctx, tenant, id, map[store.Hash][]byte{e.Data.Hash: data}, func(man *manifest) error { return man.set(e) })
}

// RemoveFile removes a file, a link, or a directory with all that is in it. It waits for its turn.
func (m *Manager) RemoveFile(ctx context.Context, tenant, id, path string) error {
	return m.change(ctx, tenant, id, nil, func(man *manifest) error {
		if !man.remove(path) {
			return fmt.Errorf("file: %w", store.ErrNone)
		}
		return nil
	})
}

// change changes the files of a session in its turn, whole or not at all.
func (m *Manager) change(ctx context.Context, tenant, id string, new map[store.Hash][]byte, do func(*manifest) error) error {
	t, err := m.take(ctx, tenant, id)
	if err != nil {
		return err
	}
	defer t.Release()
	row, err := m.o.Store.Session(ctx, tenant, id)
	if err != nil {
		return err
	}
	before, err := m.manifest(ctx, tenant, row.Head)
	if err != nil {
		return err
	}
	after := before.clone()
	if err := do(after); errors.Is(err, store.ErrNone) || errors.Is(err, ErrTooLarge) {
		return err
	} else if err != nil {
		return fmt.Errorf("%w: %w", runs.ErrRequest, err)
	}
	k, err := after.kept(tenant, id)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrTooLarge, err)
	}
	var bytes int64
	for hash, data := range new {
		k.New[hash] = data
		bytes += int64(len(data))
	}
	if len(new) > 0 {
		if err := m.o.Room(ctx, tenant, bytes); err != nil {
			return err
		}
	}
	if err := m.o.Store.Keep(k); err != nil {
		return err
	}
	m.follow(ctx, t, before, after, k)
	return nil
}

// follow has the worker's files of a session be what is written. If that fails the session is loaded when it is used again.
func (m *Manager) follow(ctx context.Context, t *ticket, before, after *manifest, k *store.Kept) {
	m.mu.Lock()
	l := t.seat.live
	t.seat.busy = l != nil
	m.mu.Unlock()
	if l == nil {
		return
	}
	defer m.done(t.seat)
	err := update(ctx, l.tree, before.Entries, after.Entries, func(ctx context.Context, h store.Hash) ([]byte, error) {
		if data, ok := k.New[h]; ok {
			return data, nil
		}
		return m.o.Store.Blob(ctx, t.seat.tenant, h)
	})
	if err != nil {
		m.lose(t.seat, l)
		return
	}
	l.has, l.head = after, k.Head
}

// ErrTooLarge is matched by errors about files that are too large or too many.
var ErrTooLarge = errors.New("too large")

// held bounds the bytes of files that are on their way: in all, and a quarter of that for one tenant.
type held struct {
	mu   sync.Mutex
	most int64
	all  int64
	by   map[string]int64
}

// A holding is what one request holds.
type holding struct {
	held   *held
	tenant string
	n      int64
}

func (h *held) take(tenant string, n int64) (*holding, error) {
	own := &holding{held: h, tenant: tenant}
	return own, own.grow(n)
}

func (o *holding) grow(n int64) error {
	h := o.held
	h.mu.Lock()
	defer h.mu.Unlock()
	if n > h.most-h.all || n > h.most/4-h.by[o.tenant] {
		return fmt.Errorf("%w: files of %d MiB are on their way", runs.ErrBusy, h.by[o.tenant]>>20)
	}
	h.all += n
	h.by[o.tenant] += n
	o.n += n
	return nil
}

func (o *holding) release() {
	h := o.held
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all -= o.n
	if h.by[o.tenant] -= o.n; h.by[o.tenant] == 0 {
		delete(h.by, o.tenant)
	}
	o.n = 0
}

// read reads all of a reader, and holds it.
func (o *holding) read(from io.Reader, most int64) ([]byte, error) {
	var data bytes.Buffer
	for {
		n, err := io.CopyN(&data, from, 64<<10)
		if int64(data.Len()) > most {
			return nil, fmt.Errorf("%w: the files have more than %d bytes", ErrTooLarge, MaxFileBytes)
		}
		if e := o.grow(2 * n); e != nil { // a buffer that grows is there twice
			return nil, e
		}
		switch {
		case err == io.EOF:
			return data.Bytes(), nil
		case err != nil:
			return nil, err
		}
	}
}
