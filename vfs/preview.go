package vfs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/afero"
)

// A Preview shows files as the scripts of a Volume see them, and keeps all changes in memory: each file system that they could
// write to has a [Layer] over it, below what hides files or refuses changes. It is safe for concurrent use if the base is.
type Preview struct {
	before, after afero.Fs
	layers        []previewed
}

// A previewed is a layer, and the path at which scripts see it.
type previewed struct {
	at    string
	layer *Layer
}

// NewPreview makes a preview of a volume with this base and these directories. What is made over a directory of the host has the
// permissions that the umask of the process leaves, on Linux. It is an error if a commit to a part of base was interrupted, since
// to make a layer finishes it, and if base depends on the run that uses it.
//
// What scripts put into a /tmp that the volume makes for them, or the empty one of Mem, is no difference.
func NewPreview(base afero.Fs, given []*Given) (*Preview, error) {
	if m, ok := base.(*memFs); ok && m.emptyTemp() {
		temp := newMem(m.at)
		temp.root = newDir(0o777|fs.ModeSticky, m.now())
		base = mount(base, tempDir, temp, true)
	}
	p := &Preview{before: shown(base, given)}
	var err error
	p.after, err = p.layered(p.before, "/")
	return p, err
}

// emptyTemp reports that there is nothing in /tmp.
func (m *memFs) emptyTemp() bool {
	list, err := listing(m, tempDir)
	return err == nil && len(list) == 0
}

// layered is base, seen at a path, with layers.
func (p *Preview) layered(base afero.Fs, seen string) (afero.Fs, error) {
	switch b := base.(type) {
	case *mountFs:
		below, err := p.layered(b.base, seen)
		if err != nil || b.hidden { // what is mounted so is new, and nobody else's
			return mount(below, b.at, b.sub, b.hidden), err
		}
		sub, err := p.layered(b.sub, path.Join(seen, b.at))
		return mount(below, b.at, sub, b.hidden), err
	case *hideFs:
		below, err := p.layered(b.base, seen)
		return &hideFs{base: below, names: b.names, change: b.change}, err
	case *afero.ReadOnlyFs, readOnly:
		return base, nil
	case interface {
		For(run func() context.Context) afero.Fs
	}:
		return nil, errors.New("vfs: files that depend on the run which uses them have no preview")
	}
	if _, err := lstat(base, stage); err == nil {
		return nil, fmt.Errorf("vfs: a commit to the files at %s was interrupted: NewLayer finishes it", seen)
	}
	var at time.Time
	var mask fs.FileMode
	switch b := base.(type) {
	case *memFs:
		at = b.at
	case *dirFs:
		mask = processUmask() | ^fs.ModePerm
	}
	l := newLayer(base, at, mask)
	p.layers = append(p.layers, previewed{seen, l})
	return l, nil
}

// Files returns the files, for use in place of the base and the directories of the volume.
func (p *Preview) Files() (afero.Fs, error) { return p.after, nil }

// A Difference is a path that differs from the base, and what is known of it before and after the changes; nil where nothing is
// there.
type Difference struct {
	Change
	Before, After fs.FileInfo
}

// Diff lists the differences, sorted by path. It omits changes that were reverted, and times.
func (p *Preview) Diff() (list []Difference, err error) {
	for _, one := range p.layers {
		changes, err := one.layer.Diff()
		if err != nil {
			return nil, err
		}
		for _, c := range changes {
			d := Difference{Change: c}
			d.Path = path.Join(one.at, c.Path)
			if c.Kind != Added {
				d.Before, err = lstat(one.layer.base, c.Path)
			}
			if c.Kind != Deleted && err == nil {
				d.After, _, err = one.layer.LstatIfPossible(c.Path)
			}
			if err != nil {
				return nil, err
			}
			list = append(list, d)
		}
	}
	slices.SortFunc(list, func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// Open opens a file as scripts saw it before the changes, or as they see it now.
func (p *Preview) Open(name string, after bool) (io.ReadCloser, error) { return p.at(after).Open(name) }

// Readlink returns where a symbolic link leads, likewise.
func (p *Preview) Readlink(name string, after bool) (string, error) {
	return readlink(p.at(after), name)
}

func (p *Preview) at(after bool) afero.Fs {
	if after {
		return p.after
	}
	return p.before
}
