package vfs

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/spf13/afero"
)

// withoutLinks is a view of base whose operations fail with errLinked where a path goes through a symbolic link, or ends in one that
// would be followed. A file system of the host's stays as it is.
func withoutLinks(base afero.Fs) afero.Fs {
	switch b := base.(type) {
	case *mountFs:
		return mount(withoutLinks(b.base), b.at, withoutLinks(b.sub), b.hidden)
	case *hideFs:
		return &hideFs{base: withoutLinks(b.base), names: b.names, change: b.change}
	case readOnly:
		return ReadOnly(withoutLinks(b.base))
	case *Layer:
		return &Layer{base: withoutLinks(b.base), noLinks: true, layered: b.layered}
	case *memFs:
		return &memFs{b.memTree, true}
	case *dirFs:
		return &straightDir{b.root}
	}
	return base
}

// straightDir is a dirFs that follows no links, however they change meanwhile: it goes from directory to directory, each by the
// handle of the one before.
type straightDir struct{ root *os.Root }

func (d *straightDir) Name() string { return "directory" }

// in calls do with the directory that a path is in, and the last name of the path.
func (d *straightDir) in(name string, do func(dir *dirFs, last string) error) error {
	dir, last := path.Split(inside(name))
	at := d.root
	for part := range strings.SplitSeq(strings.TrimSuffix(dir, "/"), "/") {
		if part == "" {
			continue
		}
		next, err := enter(at, part)
		if at != d.root {
			_ = at.Close() // nothing was written
		}
		if err != nil {
			return err
		}
		at = next
	}
	if at != d.root {
		defer at.Close()
	}
	return do(&dirFs{at}, last)
}

// enter opens a directory in a directory.
func enter(dir *os.Root, name string) (*os.Root, error) {
	next, err := dir.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	st, err := next.Stat(".")
	if err == nil {
		err = isThere(dir, name, st)
	}
	if err != nil {
		_ = next.Close()
		return nil, err
	}
	return next, nil
}

// isThere fails if what was opened is not what has that name in the directory itself: there is, or was, a link.
func isThere(dir *os.Root, name string, opened fs.FileInfo) error {
	st, err := dir.Lstat(name)
	if err == nil && !os.SameFile(st, opened) {
		err = errLinked
	}
	return err
}

func (d *straightDir) Create(name string) (afero.File, error) {
	return d.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

func (d *straightDir) Open(name string) (afero.File, error) { return d.OpenFile(name, os.O_RDONLY, 0) }

func (d *straightDir) OpenFile(name string, flag int, perm fs.FileMode) (f afero.File, err error) {
	err = d.in(name, func(dir *dirFs, last string) error {
		f, err = dir.openStraight(last, flag, perm)
		return err
	})
	return f, err
}

// openStraight opens a name of the directory. One that was a link is not made and not emptied.
func (d *dirFs) openStraight(name string, flag int, perm fs.FileMode) (afero.File, error) {
	how := flag &^ os.O_TRUNC
	switch st, err := d.root.Lstat(name); {
	case isMissing(err) && flag&os.O_CREATE != 0:
		how |= os.O_EXCL
	case err != nil:
		return nil, err
	case st.Mode()&fs.ModeSymlink != 0:
		return nil, errLinked
	case flag&os.O_EXCL == 0:
		how &^= os.O_CREATE
	}
	f, err := d.OpenFile(name, how, perm)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err == nil {
		err = isThere(d.root, name, st)
	}
	if err == nil && flag&os.O_TRUNC != 0 {
		err = f.Truncate(0)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

func (d *straightDir) Mkdir(name string, perm fs.FileMode) error {
	return d.in(name, func(dir *dirFs, last string) error { return dir.Mkdir(last, perm) })
}

func (d *straightDir) MkdirAll(name string, perm fs.FileMode) error {
	return d.in(name, func(dir *dirFs, last string) error { return dir.MkdirAll(last, perm) })
}

func (d *straightDir) Remove(name string) error {
	return d.in(name, func(dir *dirFs, last string) error { return dir.Remove(last) })
}

func (d *straightDir) RemoveAll(name string) error {
	return d.in(name, func(dir *dirFs, last string) error { return dir.RemoveAll(last) })
}

func (d *straightDir) Stat(name string) (st fs.FileInfo, err error) {
	st, _, err = d.LstatIfPossible(name)
	if err == nil && st.Mode()&fs.ModeSymlink != 0 {
		return nil, errLinked
	}
	return st, err
}

// LstatIfPossible is Lstat.
func (d *straightDir) LstatIfPossible(name string) (st fs.FileInfo, can bool, err error) {
	err = d.in(name, func(dir *dirFs, last string) error {
		st, can, err = dir.LstatIfPossible(last)
		return err
	})
	return st, can, err
}

// Chmod opens what it changes, so it fails for a file that the host may neither read nor write.
func (d *straightDir) Chmod(name string, mode fs.FileMode) error {
	f, err := d.OpenFile(name, os.O_RDONLY, 0)
	if err != nil && cause(err) == errDenied {
		f, err = d.OpenFile(name, os.O_WRONLY, 0)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return f.(*os.File).Chmod(mode & fs.ModePerm)
}

func (d *straightDir) Chown(name string, _, _ int) error {
	return pathError("chown", name, errNotAllowed)
}

// Chtimes may change the times of another file in the same directory, if a link takes the place of this one at the same moment.
func (d *straightDir) Chtimes(name string, atime, mtime time.Time) error {
	return d.in(name, func(dir *dirFs, last string) error {
		if st, err := dir.root.Lstat(last); err != nil || st.Mode()&fs.ModeSymlink != 0 {
			return errLinked
		}
		return dir.Chtimes(last, atime, mtime)
	})
}

// SymlinkIfPossible makes a symbolic link.
func (d *straightDir) SymlinkIfPossible(target, name string) error {
	return d.in(name, func(dir *dirFs, last string) error { return dir.SymlinkIfPossible(target, last) })
}

// ReadlinkIfPossible returns where a symbolic link leads.
func (d *straightDir) ReadlinkIfPossible(name string) (target string, err error) {
	err = d.in(name, func(dir *dirFs, last string) error {
		target, err = dir.ReadlinkIfPossible(last)
		return err
	})
	return target, err
}
