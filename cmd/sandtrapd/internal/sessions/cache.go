package sessions

import (
	lru "container/list"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A cache keeps contents that others have given, in a directory of its own. What was used least gives way.
type cache struct {
	dir  string
	lock *os.File // says that the process is there; nil where there are no locks
	most int64

	mu   sync.Mutex
	size int64
	by   map[store.Hash]*lru.Element // of dispatch.Content
	used *lru.List                   // the last used first
}

func newCache(most int64) (*cache, error) {
	dir, lock, err := makeCacheDir()
	if err != nil {
		return nil, err
	}
	return &cache{dir: dir, lock: lock, most: most, by: map[store.Hash]*lru.Element{}, used: lru.New()}, nil
}

func (c *cache) close() error {
	if c.lock != nil {
		_ = c.lock.Close() // it may be closed
	}
	return os.RemoveAll(c.dir)
}

func (c *cache) file(h store.Hash) string { return filepath.Join(c.dir, h.String()) }

// get gets contents: those that are not here from others, as they are wanted.
func (c *cache) get(ctx context.Context, want []dispatch.Content, others dispatch.Contents) (map[store.Hash][]byte, error) {
	all := make(map[store.Hash][]byte, len(want))
	var lacks []dispatch.Content
	for _, w := range want {
		if data := c.read(w); data != nil {
			all[w.Hash] = data
		} else {
			lacks = append(lacks, w)
		}
	}
	if len(lacks) == 0 {
		return all, nil
	}
	data, err := others(ctx, lacks)
	if err != nil {
		return nil, err
	}
	for i, w := range lacks {
		if store.HashOf(data[i]) != w.Hash || int64(len(data[i])) != w.Size {
			return nil, errors.New("a content is another one than the session has")
		}
		all[w.Hash] = data[i]
		c.write(w, data[i])
	}
	return all, nil
}

// read is a content that is here; nil if it is not, or not whole.
func (c *cache) read(w dispatch.Content) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.by[w.Hash]
	if at == nil {
		return nil
	}
	c.used.MoveToFront(at)
	data, err := os.ReadFile(c.file(w.Hash))
	if err != nil || store.HashOf(data) != w.Hash || int64(len(data)) != w.Size {
		c.drop(at)
		return nil
	}
	return data
}

// write keeps a content, if the disk takes it.
func (c *cache) write(w dispatch.Content, data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by[w.Hash] != nil || w.Size > c.most {
		return
	}
	for c.size+w.Size > c.most || c.used.Len() >= maxCached {
		c.drop(c.used.Back())
	}
	if err := os.WriteFile(c.file(w.Hash), data, 0o600); err != nil {
		_ = os.Remove(c.file(w.Hash))
		return
	}
	c.by[w.Hash] = c.used.PushFront(w)
	c.size += w.Size
}

// maxCached bounds the files of a cache.
const maxCached = 50_000

// drop gives a content up. The caller holds the lock.
func (c *cache) drop(at *lru.Element) {
	w := c.used.Remove(at).(dispatch.Content)
	delete(c.by, w.Hash)
	c.size -= w.Size
	_ = os.Remove(c.file(w.Hash))
}
