package vfs

import (
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/spf13/afero"
)

// What a Layer does as an afero.Fs.

func clean(name string) string { return path.Clean("/" + name) }

// follow goes through the symbolic links of a path, over both parts.
func (l *Layer) follow(name string) (string, error) {
	at := clean(name)
	for range maxLinks {
		end, err := firstLink(at, l.onTheWay())
		if err != nil || end == 0 {
			return at, nil // the caller finds out what is wrong
		}
		if l.noLinks {
			return "", errLinked
		}
		target, err := l.readlink(at[:end])
		if err != nil {
			return "", err
		}
		at = clean(through(at, end, target))
	}
	return "", errLoop
}

// place goes through the symbolic links on the way to a path, not through one that is there.
func (l *Layer) place(name string) (string, error) {
	at := clean(name)
	if at == "/" {
		return at, nil
	}
	dir, err := l.follow(path.Dir(at))
	return path.Join(dir, path.Base(at)), err
}

// readlink is ReadlinkIfPossible for callers that hold the lock.
func (l *Layer) readlink(at string) (string, error) {
	if _, err := lstat(l.upper, at); err == nil {
		return readlink(l.upper, at)
	}
	return readlink(l.base, at)
}

// Stat returns what is known of a file.
func (l *Layer) Stat(name string) (fs.FileInfo, error) {
	defer l.lock()()
	at, err := l.follow(name)
	if err != nil {
		return nil, pathError("stat", name, err)
	}
	st, err := l.stat(at)
	return st, pathError("stat", name, err)
}

// LstatIfPossible is Lstat.
func (l *Layer) LstatIfPossible(name string) (fs.FileInfo, bool, error) {
	defer l.lock()()
	at, err := l.place(name)
	if err != nil {
		return nil, true, pathError("lstat", name, err)
	}
	st, err := l.stat(at)
	return st, true, pathError("lstat", name, err)
}

// Create makes or empties a file.
func (l *Layer) Create(name string) (afero.File, error) {
	return l.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

// Open opens a file for reading.
func (l *Layer) Open(name string) (afero.File, error) { return l.OpenFile(name, os.O_RDONLY, 0) }

// OpenFile opens a file; for writing, its copy in the layer.
func (l *Layer) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	defer l.lock()()
	f, err := l.openFile(name, flag, perm)
	return f, pathError("open", name, err)
}

func (l *Layer) openFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	at, err := l.follow(name)
	if err != nil {
		return nil, err
	}
	st, err := l.stat(at)
	switch {
	case err != nil && (!isMissing(err) || flag&os.O_CREATE == 0):
		return nil, err
	case err != nil:
		if err := l.parents(at); err != nil {
			return nil, err
		}
		if err := l.note(at); err != nil {
			return nil, err
		}
		return l.upper.OpenFile(at, flag, perm&^l.mask)
	case st.IsDir() && !changes(flag):
		list, err := l.list(at)
		return &listFile{name: name, st: st, list: list}, err
	case changes(flag) && !st.IsDir():
		if err := l.lift(at, flag&os.O_TRUNC != 0); err != nil {
			return nil, err
		}
		return l.upper.OpenFile(at, flag, perm)
	}
	if _, err := lstat(l.upper, at); err == nil {
		return l.upper.OpenFile(at, flag, perm)
	}
	return l.base.OpenFile(at, flag, perm)
}

// Mkdir makes a directory.
func (l *Layer) Mkdir(name string, perm fs.FileMode) error {
	defer l.lock()()
	at, err := l.place(name)
	if err == nil {
		err = l.mkdir(at, perm)
	}
	return pathError("mkdir", name, err)
}

func (l *Layer) mkdir(at string, perm fs.FileMode) error {
	if _, err := l.stat(at); err == nil {
		return errExist
	}
	return l.makeDir(at, perm)
}

// makeDir is mkdir where nothing is yet.
func (l *Layer) makeDir(at string, perm fs.FileMode) error {
	if err := l.parents(at); err != nil {
		return err
	}
	if err := l.note(at); err != nil {
		return err
	}
	return l.upper.Mkdir(at, perm&^l.mask)
}

// MkdirAll makes a directory and those on the way to it.
func (l *Layer) MkdirAll(name string, perm fs.FileMode) error {
	defer l.lock()()
	at, err := l.place(name)
	if err == nil {
		err = l.mkdirAll(at, perm)
	}
	return pathError("mkdir", name, err)
}

func (l *Layer) mkdirAll(at string, perm fs.FileMode) error {
	find := l.onTheWay()
	for end := 1; end <= len(at); end++ {
		if end < len(at) && at[end] != '/' || at == "/" {
			continue
		}
		switch st, err := find(at[:end]); {
		case err == nil && !st.IsDir():
			return errNotDir
		case err == nil:
		case !isMissing(err):
			return err
		default:
			if err := l.makeDir(at[:end], perm); err != nil {
				return err
			}
		}
	}
	return nil
}

// Remove removes a file or an empty directory.
func (l *Layer) Remove(name string) error {
	defer l.lock()()
	at, err := l.place(name)
	if err == nil {
		err = l.remove(at)
	}
	return pathError("remove", name, err)
}

func (l *Layer) remove(at string) error {
	st, err := l.stat(at)
	if err != nil {
		return err
	}
	if at == "/" {
		return errNotAllowed
	}
	if st.IsDir() {
		list, err := l.list(at)
		if err != nil {
			return err
		}
		if len(list) > 0 {
			return errNotEmpty
		}
	}
	return l.hide(at)
}

// hide takes away what both have at a path.
func (l *Layer) hide(at string) error {
	if err := l.note(at); err != nil {
		return err
	}
	if err := l.upper.RemoveAll(at); err != nil {
		return err
	}
	if _, err := lstat(l.base, at); err == nil {
		l.gone[at] = true
	}
	return nil
}

// RemoveAll removes a tree.
func (l *Layer) RemoveAll(name string) error {
	defer l.lock()()
	at, err := l.place(name)
	if err == nil {
		_, err = l.stat(at)
	}
	if isMissing(err) {
		return nil
	}
	if err == nil {
		err = l.hideAll(at)
	}
	return pathError("unlinkat", name, err)
}

// hideAll hides a tree from its leaves up, so that each deletion is noted.
func (l *Layer) hideAll(at string) error {
	st, err := l.stat(at)
	if err != nil {
		return err
	}
	if st.IsDir() {
		list, err := l.list(at)
		if err != nil {
			return err
		}
		for _, kid := range list {
			if err := l.hideAll(path.Join(at, kid.Name())); err != nil {
				return err
			}
		}
	}
	if at == "/" {
		return nil
	}
	return l.hide(at)
}

// Rename moves a file or a tree; it is copied into the layer first.
func (l *Layer) Rename(old, new string) error {
	defer l.lock()()
	from, err := l.place(old)
	if err != nil {
		return linkError("rename", old, new, err)
	}
	to, err := l.place(new)
	if err == nil {
		err = l.rename(from, to)
	}
	return linkError("rename", old, new, err)
}

func (l *Layer) rename(from, to string) error {
	if from == to {
		_, err := l.stat(from)
		return err
	}
	bytes, err := l.bytesBelow(from)
	switch {
	case err != nil:
		return err
	case !l.memory.has(bytes):
		return errQuota
	}
	if err := l.liftAll(from); err != nil {
		return err
	}
	if err := l.parents(to); err != nil {
		return err
	}
	if there, err := l.stat(to); err == nil && there.IsDir() {
		return errExist
	}
	if err := l.noteAll(from, to); err != nil {
		return err
	}
	if err := l.upper.Rename(from, to); err != nil {
		return err
	}
	if _, err := lstat(l.base, from); err == nil {
		l.gone[from] = true
	}
	return nil
}

// noteAll notes the new places of a tree that is about to be moved.
func (l *Layer) noteAll(from, to string) error {
	if err := l.note(to); err != nil {
		return err
	}
	st, err := lstat(l.upper, from)
	if err != nil || !st.IsDir() {
		return err
	}
	list, err := listing(l.upper, from)
	if err != nil {
		return err
	}
	for _, kid := range list {
		if err := l.noteAll(path.Join(from, kid.Name()), path.Join(to, kid.Name())); err != nil {
			return err
		}
	}
	return nil
}

// Chmod changes permissions.
func (l *Layer) Chmod(name string, mode fs.FileMode) error {
	return l.edit("chmod", name, func(at string) error { return l.upper.Chmod(at, mode) })
}

// Chown is not permitted.
func (l *Layer) Chown(name string, _, _ int) error { return pathError("chown", name, errNotAllowed) }

// Chtimes changes times.
func (l *Layer) Chtimes(name string, atime, mtime time.Time) error {
	return l.edit("chtimes", name, func(at string) error { return l.upper.Chtimes(at, atime, mtime) })
}

// edit lifts what is at a path and changes it.
func (l *Layer) edit(op, name string, change func(at string) error) error {
	defer l.lock()()
	at, err := l.follow(name)
	if err == nil {
		err = l.lift(at, false)
	}
	if err == nil {
		err = change(at)
	}
	return pathError(op, name, err)
}

// SymlinkIfPossible makes a symbolic link.
func (l *Layer) SymlinkIfPossible(target, name string) error {
	defer l.lock()()
	return linkError("symlink", target, name, l.symlink(target, name))
}

func (l *Layer) symlink(target, name string) error {
	at, err := l.place(name)
	if err != nil {
		return err
	}
	if _, err := l.stat(at); err == nil {
		return errExist
	}
	if err := l.parents(at); err != nil {
		return err
	}
	if err := l.note(at); err != nil {
		return err
	}
	return symlink(l.upper, target, at)
}

// ReadlinkIfPossible returns where a symbolic link leads.
func (l *Layer) ReadlinkIfPossible(name string) (string, error) {
	defer l.lock()()
	at, err := l.place(name)
	if err == nil {
		_, err = l.stat(at)
	}
	if err != nil {
		return "", pathError("readlink", name, err)
	}
	target, err := l.readlink(at)
	return target, pathError("readlink", name, err)
}
