package vfs

import (
	"io/fs"
	"path"
	"strings"
	"time"
)

// Mkdir makes a directory.
func (f *FS) Mkdir(name string, perm fs.FileMode) error {
	at, err := f.resolve(withoutSlashes(name))
	if err == nil {
		err = f.mkdir(at, perm)
	}
	return pathError("mkdir", name, err)
}

func (f *FS) mkdir(at string, perm fs.FileMode) error {
	if _, err := f.lstat(at); err == nil {
		return errExist
	}
	if err := f.parent(at); err != nil {
		return err
	}
	at, err := f.decide(OpMkdir, at, "", false)
	if err != nil {
		return err
	}
	if err := f.vol.take(0, 1); err != nil {
		return err
	}
	defer f.grows()()
	err = f.doing().base.Mkdir(at, perm&^umask)
	if err != nil {
		f.vol.give(0, 1)
	}
	return err
}

// MkdirAll makes a directory and its missing parents, one path element after the other,
// as package os does.
func (f *FS) MkdirAll(name string, perm fs.FileMode) error {
	if name == "" {
		return pathError("mkdir", name, errNotExist)
	}
	w, begin := f.walk(name), 0
	for end := 1; end <= len(name); end++ {
		if end < len(name) && name[end] != '/' || name[end-1] == '/' {
			continue
		}
		if end > maxPath {
			return pathError("mkdir", name[:end], errNameTooLong)
		}
		err := w.enter(strings.TrimLeft(name[begin:end], "/"))
		if err == nil {
			err = f.mkdirIfMissing(w.at, perm)
		}
		if err != nil {
			return pathError("mkdir", name[:end], err)
		}
		begin = end
	}
	return nil
}

func (f *FS) mkdirIfMissing(at string, perm fs.FileMode) error {
	err := f.isDir(at)
	if isMissing(err) {
		err = f.mkdir(at, perm)
		if st, e := f.lstat(at); e == nil && st.IsDir() { // it may have been made meanwhile
			err = nil
		}
	}
	return err
}

// Remove removes a file or an empty directory.
func (f *FS) Remove(name string) error {
	at, err := f.resolve(name)
	if err == nil {
		at, err = f.decide(OpRemove, at, "", false)
	}
	if err == nil {
		err = f.doing().remove(at)
	}
	return pathError("remove", name, err)
}

func (f *FS) remove(at string) error {
	st, end, err := f.vol.shrinks(at, func() (fs.FileInfo, error) { return f.lstat(at) })
	if err != nil {
		return err
	}
	defer end()
	switch {
	case at == "/":
		return errNotAllowed
	case st.IsDir() && !f.empty(at):
		return errNotEmpty
	}
	if err := f.base.Remove(at); err != nil {
		return err
	}
	f.vol.removed(st, at)
	return nil
}

func sizeOf(st fs.FileInfo) int64 {
	if st.Mode().IsRegular() {
		return st.Size()
	}
	return 0
}

func (f *FS) empty(at string) bool {
	dir, err := f.base.Open(at)
	if err != nil {
		return false
	}
	defer dir.Close()
	list, _ := dir.Readdirnames(1) // nothing, an error at the end of the listing too
	return len(list) == 0
}

// RemoveAll removes a path and all below it. A missing path is not an error.
func (f *FS) RemoveAll(name string) error {
	if name == "" {
		return nil
	}
	if name == "." || strings.HasSuffix(name, "/.") {
		return &fs.PathError{Op: "RemoveAll", Path: name, Err: errInvalid}
	}
	bare := withoutSlashes(name) // even a file goes by such a name
	at, err := f.resolve(bare)
	switch {
	case err != nil:
	case f.Decide == nil:
		err = f.removeAll(at, 0)
	default:
		err = f.removeDecided(at)
	}
	if isMissing(err) {
		return nil
	}
	if cut := strings.LastIndexByte(bare, '/'); cut > 0 && err != nil && cause(err) == errNotDir {
		if _, e := f.Stat(bare[:cut]); e != nil {
			return pathError("open", bare[:cut], err)
		}
	}
	return pathError("unlinkat", bare, err)
}

func (f *FS) removeAll(at string, depth int) error {
	st, err := f.lstat(at)
	if err != nil {
		if isMissing(err) {
			return nil
		}
		return err
	}
	if depth > maxDepth {
		return errNameTooLong
	}
	if st.IsDir() {
		dir, err := f.base.Open(at)
		if err != nil {
			return err
		}
		list, err := dir.Readdirnames(-1)
		dir.Close()
		if err != nil {
			return err
		}
		for _, kid := range list {
			if err := f.removeAll(path.Join(at, kid), depth+1); err != nil {
				return err
			}
		}
	}
	if at == "/" {
		return nil
	}
	return f.remove(at)
}

// Rename moves a file or directory. It replaces a file, as on Linux.
func (f *FS) Rename(old, new string) error {
	return linkError("rename", old, new, f.rename(old, new))
}

func (f *FS) rename(old, new string) error {
	from, err := f.place(old)
	if err != nil {
		return err
	}
	to, err := f.place(new)
	if err != nil {
		return err
	}
	st, err := lstat(f.base, from)
	if err != nil {
		return err
	}
	if f.Decide != nil {
		var done func()
		if from, to, done, err = f.decideRename(from, to); err != nil {
			return err
		}
		defer done()
		f = f.doing()
	}
	there, end, err := f.vol.shrinks(to, func() (fs.FileInfo, error) { return lstat(f.base, to) })
	if err == nil {
		defer end()
	}
	replaced := err == nil && from != to
	switch {
	case err == nil && there.IsDir() && (replaced || old == new):
		return errExist
	case from == to:
		return nil
	case strings.HasPrefix(to, strings.TrimSuffix(from, "/")+"/"):
		return errInvalid
	case replaced && st.IsDir(), !st.IsDir() && strings.HasSuffix(new, "/"):
		return errNotDir
	}
	if err := f.base.Rename(from, to); err != nil {
		return err
	}
	if replaced {
		f.vol.removed(there, to)
	}
	f.vol.moved(from, to)
	return nil
}

// place resolves a path to something in a directory that is there.
func (f *FS) place(name string) (string, error) {
	at, err := f.resolve(name)
	if err == nil {
		err = f.parent(at)
	}
	return at, err
}

// Chtimes changes the times of a file.
func (f *FS) Chtimes(name string, atime, mtime time.Time) error {
	at, err := f.resolve(name)
	if err == nil {
		at, err = f.decide(OpChange, at, "", true)
	}
	if err == nil {
		err = f.missing(at, f.doing().base.Chtimes(at, atime, mtime))
	}
	return pathError("chtimes", name, err)
}

// Symlink makes a symbolic link, if the storage supports them.
func (f *FS) Symlink(target, name string) error {
	return linkError("symlink", target, name, f.symlink(target, name))
}

func (f *FS) symlink(target, name string) error {
	at, err := f.resolve(name)
	if err != nil {
		return err
	}
	if _, err := f.lstat(at); err == nil {
		return errExist
	}
	if len(target) > maxPath {
		return errNameTooLong
	}
	if strings.Contains(target, "\x00") {
		return errInvalid
	}
	if err := f.parent(at); err != nil {
		return err
	}
	at, err = f.decide(OpLink, at, target, false)
	if err != nil {
		return err
	}
	if err := f.vol.take(0, 1); err != nil {
		return err
	}
	defer f.grows()()
	if err := symlink(f.doing().base, target, at); err != nil {
		f.vol.give(0, 1)
		return err
	}
	return nil
}

// Readlink returns where a symbolic link leads.
func (f *FS) Readlink(name string) (string, error) {
	at, err := f.resolve(name)
	if err != nil {
		return "", pathError("readlink", name, err)
	}
	target, err := readlink(f.base, at)
	return target, pathError("readlink", name, err)
}

// Link is not supported: a second name for a file would make the quota inexact.
func (f *FS) Link(old, new string) error { return linkError("link", old, new, errNotAllowed) }

// EvalSymlinks returns the path without symbolic links.
func (f *FS) EvalSymlinks(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	for range maxLinks {
		next, err := f.throughLink(name)
		if err != nil {
			return "", err
		}
		if next == name {
			return path.Clean(name), nil
		}
		name = next
	}
	return "", errManyLinks
}

// throughLink replaces the first link in a path of the script's by where it leads.
func (f *FS) throughLink(name string) (string, error) {
	end, err := firstLink(name, f.Lstat)
	if err != nil || end == 0 {
		return name, err
	}
	target, err := f.Readlink(name[:end])
	if err != nil {
		return "", err
	}
	return through(name, end, target), nil
}
