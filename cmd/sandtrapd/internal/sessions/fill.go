package sessions

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// Fill puts what do writes into a file system, all or nothing, with an error of do nothing. The file system has what the session has, by
// name: files in it are empty. It waits for its turn, when it has the files.
func (m *Manager) Fill(ctx context.Context, tenant, id string, do func(afero.Fs) error) error {
	files, had := afero.NewMemMapFs(), map[string]bool{}
	err := m.look(ctx, tenant, id, func(_ *store.Session, man *manifest) error {
		for i := range man.Entries {
			e := &man.Entries[i]
			had[e.Path] = true
			if err := placeholder(files, e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := do(files); err != nil {
		return err
	}
	h, err := m.held.take(tenant, 0)
	if err != nil {
		return err
	}
	defer h.release()
	entries, new, err := written(files, had, h)
	if err != nil {
		return err
	}
	return m.change(ctx, tenant, id, new, func(man *manifest) error {
		for _, e := range entries {
			if err := man.set(e); err != nil {
				return err
			}
		}
		return nil
	})
}

// placeholder is a file or a directory with the name of e.
func placeholder(files afero.Fs, e *entry) error {
	if e.Data == nil && e.Link == "" {
		return files.MkdirAll("/"+e.Path, 0o755)
	}
	return afero.WriteFile(files, "/"+e.Path, nil, 0o644)
}

// written are the files and directories that were not there before, with their contents, which it holds.
func written(files afero.Fs, had map[string]bool, h *holding) (entries []entry, new map[store.Hash][]byte, err error) {
	new = map[store.Hash][]byte{}
	err = afero.Walk(files, "/", func(name string, info fs.FileInfo, err error) error {
		at := strings.TrimPrefix(path.Clean("/"+name), "/")
		if err != nil || at == "" || had[at] {
			return err
		}
		if err := checkPath(at); err != nil {
			return fmt.Errorf("%w: path: %w", runs.ErrRequest, err)
		}
		e := entry{Path: at, Mode: info.Mode(), MTime: info.ModTime().UnixNano()}
		if !info.IsDir() {
			if err := h.grow(info.Size()); err != nil {
				return err
			}
			data, err := afero.ReadFile(files, name)
			if err != nil {
				return err
			}
			e.Mode, e.Data = info.Mode().Perm(), &content{store.HashOf(data), int64(len(data))}
			new[e.Data.Hash] = data
		}
		entries = append(entries, e)
		return nil
	})
	return entries, new, err
}
