package vfs

import (
	"bytes"
	"io"
	"io/fs"
	"maps"
	"slices"

	"github.com/spf13/afero"
)

// A ChangeKind says how a path has changed.
type ChangeKind string

// The kinds of change.
const (
	Added    ChangeKind = "added"
	Modified ChangeKind = "modified" // its content, mode or type
	Deleted  ChangeKind = "deleted"
)

// A Change is one path that differs from the base.
type Change struct {
	Path string // absolute, with slashes
	Kind ChangeKind
	Mode fs.FileMode // now; for a deleted path, before
	Size int64       // now, of a file
}

// Diff lists the changes, sorted by path. It omits changes that were reverted.
func (l *Layer) Diff() ([]Change, error) {
	defer l.lock()()
	return l.diff()
}

func (l *Layer) diff() ([]Change, error) {
	var list []Change
	for _, at := range slices.Sorted(maps.Keys(l.touched)) {
		was := l.touched[at]
		st, err := l.stat(at)
		switch {
		case err != nil && !isMissing(err):
			return nil, err
		case err != nil && was.exists:
			list = append(list, Change{at, Deleted, was.mode, 0})
		case err != nil:
		case !was.exists:
			list = append(list, Change{at, Added, st.Mode(), sizeOf(st)})
		default:
			same, err := l.same(at, st)
			if err != nil {
				return nil, err
			}
			if !same {
				list = append(list, Change{at, Modified, st.Mode(), sizeOf(st)})
			}
		}
	}
	return list, nil
}

// same says that base has at the path what the layer has.
func (l *Layer) same(at string, st fs.FileInfo) (bool, error) {
	before, err := lstat(l.base, at)
	if err != nil || before.Mode() != st.Mode() {
		return false, nil
	}
	switch {
	case st.IsDir():
		return true, nil
	case st.Mode()&fs.ModeSymlink != 0:
		a, err := l.readlink(at)
		if err != nil {
			return false, err
		}
		b, err := readlink(l.base, at)
		return a == b, err
	}
	if before.Size() != st.Size() {
		return false, nil
	}
	return sameBytes(l.upper, l.base, at)
}

func sameBytes(a, b afero.Fs, at string) (bool, error) {
	x, err := a.Open(at)
	if err != nil {
		return isMissing(err), nil // not in the upper part: it is base's own
	}
	defer x.Close()
	y, err := b.Open(at)
	if err != nil {
		return false, err
	}
	defer y.Close()
	p, q := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, err := io.ReadFull(x, p)
		k, _ := io.ReadFull(y, q) // a read that fails gives less, which is different
		if n != k || !bytes.Equal(p[:n], q[:k]) {
			return false, nil
		}
		if err != nil {
			return true, nil
		}
	}
}
