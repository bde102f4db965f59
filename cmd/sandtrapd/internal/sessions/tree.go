package sessions

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// A fetch gets a content.
type fetch func(context.Context, store.Hash) ([]byte, error)

// newTree makes the files that are listed, in memory. What changes in it has changed at a time, if that is not zero.
func newTree(ctx context.Context, at time.Time, entries []entry, get fetch) (afero.Fs, error) {
	tree := vfs.MemAt(at)
	if err := tree.RemoveAll("/tmp"); err != nil { // scripts have another one
		return nil, err
	}
	return tree, update(ctx, tree, nil, entries, get)
}

// update has a tree become another one. Both lists are valid.
func update(ctx context.Context, tree afero.Fs, from, to []entry, get fetch) error {
	old, new := index(from), index(to)
	for _, e := range slices.Backward(from) { // what is in a directory before it
		if n, stays := new[e.Path]; !stays || !e.Mode.IsDir() && !e.equals(n) {
			if err := tree.Remove(at(e.Path)); err != nil {
				return err
			}
		}
	}
	for i := range to {
		if o := old[to[i].Path]; o == nil || !o.equals(&to[i]) {
			if err := to[i].make(ctx, tree, o != nil, get); err != nil {
				return err
			}
		}
	}
	for _, e := range slices.Backward(to) { // to write in a directory changes its time
		if e.Mode.IsDir() {
			if err := tree.Chtimes(at(e.Path), time.Unix(0, e.MTime), time.Unix(0, e.MTime)); err != nil {
				return err
			}
		}
	}
	return nil
}

func index(list []entry) map[string]*entry {
	m := make(map[string]*entry, len(list))
	for i := range list {
		m[list[i].Path] = &list[i]
	}
	return m
}

func at(p string) string { return "/" + p }

func (e *entry) equals(o *entry) bool {
	return e.Mode == o.Mode && e.MTime == o.MTime && e.Link == o.Link && (e.Data == nil) == (o.Data == nil) && (e.Data == nil || *e.Data == *o.Data)
}

// make makes what e lists. A directory may be there.
func (e *entry) make(ctx context.Context, tree afero.Fs, there bool, get fetch) error {
	name, mtime := at(e.Path), time.Unix(0, e.MTime)
	switch {
	case e.Link != "":
		return tree.(afero.Linker).SymlinkIfPossible(e.Link, name)
	case e.Mode.IsDir() && there:
		return tree.Chmod(name, e.Mode)
	case e.Mode.IsDir():
		return tree.Mkdir(name, e.Mode)
	}
	data, err := get(ctx, e.Data.Hash)
	if err != nil {
		return err
	}
	if int64(len(data)) != e.Data.Size {
		return fmt.Errorf("%q has %d bytes, not %d: %w", e.Path, len(data), e.Data.Size, store.ErrCorrupt)
	}
	file, err := tree.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, e.Mode)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	_ = file.Close()
	if err != nil {
		return err
	}
	return tree.Chtimes(name, mtime, mtime)
}

// list lists a tree. New gets the contents that are not in had. Nobody may change the tree meanwhile.
func list(tree afero.Fs, had map[store.Hash]bool, new map[store.Hash][]byte) (entries []entry, err error) {
	var size int64
	err = afero.Walk(tree, "/", func(name string, info fs.FileInfo, err error) error {
		if err != nil || name == "/" {
			return err
		}
		e := entry{Path: name[1:], Mode: info.Mode(), MTime: info.ModTime().UnixNano()}
		if entries = append(entries, e); len(entries) > MaxFiles {
			return fmt.Errorf("it has more than %d files and directories", MaxFiles)
		}
		last := &entries[len(entries)-1]
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			last.Link, err = tree.(afero.LinkReader).ReadlinkIfPossible(name)
		case !info.IsDir():
			if size += info.Size(); size > MaxFileBytes {
				return fmt.Errorf("its files have more than %d bytes", MaxFileBytes)
			}
			last.Data, err = read(tree, name, info.Size(), had, new)
		}
		return err
	})
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.Path, b.Path) })
	return entries, err
}

// read is the content of a file.
func read(tree afero.Fs, name string, size int64, had map[store.Hash]bool, new map[store.Hash][]byte) (*content, error) {
	file, err := tree.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.CopyBuffer(struct{ io.Writer }{sum}, file, make([]byte, min(size+1, 256<<10))); err != nil {
		return nil, err
	}
	c := &content{Hash: store.Hash(sum.Sum(nil)), Size: size}
	if !had[c.Hash] && new[c.Hash] == nil {
		data, err := afero.ReadFile(tree, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path.Base(name), err)
		}
		new[c.Hash] = data
	}
	return c, nil
}
