package vfs

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/spf13/afero"
)

// dirFs is a directory of the host beneath an os.Root: whatever a path says and
// however links change meanwhile, it ends inside or fails.
type dirFs struct{ root *os.Root }

// Close gives the directory back. What is open stays open.
func (d *dirFs) Close() error { return d.root.Close() }

func (d *dirFs) Name() string { return "directory" }

// inside is the path as os.Root takes it.
func inside(name string) string {
	name = strings.TrimLeft(path.Clean("/"+name), "/")
	if name == "" {
		return "."
	}
	return name
}

func (d *dirFs) Create(name string) (afero.File, error) {
	return d.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

func (d *dirFs) Open(name string) (afero.File, error) { return d.OpenFile(name, os.O_RDONLY, 0) }

func (d *dirFs) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	// Opening a pipe or a device could block the host, or do worse.
	if st, err := d.root.Stat(inside(name)); err == nil && !ordinary(st) {
		return nil, pathError("open", name, errDenied)
	}
	f, err := d.root.OpenFile(inside(name), flag|noWait, perm&fs.ModePerm)
	if err != nil {
		return nil, err
	}
	if st, err := f.Stat(); err != nil || !ordinary(st) { // another one than a moment ago
		_ = f.Close()
		return nil, pathError("open", name, errDenied)
	}
	return f, nil
}

// ordinary reports that st is of what scripts may open.
func ordinary(st fs.FileInfo) bool { return st.Mode().IsRegular() || st.IsDir() }

func (d *dirFs) Mkdir(name string, perm fs.FileMode) error {
	return d.root.Mkdir(inside(name), perm&fs.ModePerm)
}

func (d *dirFs) MkdirAll(name string, perm fs.FileMode) error {
	return d.root.MkdirAll(inside(name), perm&fs.ModePerm)
}

func (d *dirFs) Remove(name string) error    { return d.root.Remove(inside(name)) }
func (d *dirFs) RemoveAll(name string) error { return d.root.RemoveAll(inside(name)) }

func (d *dirFs) Rename(old, new string) error { return d.root.Rename(inside(old), inside(new)) }

func (d *dirFs) Stat(name string) (fs.FileInfo, error) { return d.root.Stat(inside(name)) }

func (d *dirFs) Chmod(name string, mode fs.FileMode) error {
	return d.root.Chmod(inside(name), mode&fs.ModePerm)
}

func (d *dirFs) Chown(name string, _, _ int) error { return pathError("chown", name, errNotAllowed) }

func (d *dirFs) Chtimes(name string, atime, mtime time.Time) error {
	return d.root.Chtimes(inside(name), atime, mtime)
}

// LstatIfPossible is Lstat.
func (d *dirFs) LstatIfPossible(name string) (fs.FileInfo, bool, error) {
	st, err := d.root.Lstat(inside(name))
	return st, true, err
}

// SymlinkIfPossible makes a symbolic link; one that leads outside can be made, not
// followed.
func (d *dirFs) SymlinkIfPossible(target, name string) error {
	return d.root.Symlink(target, inside(name))
}

// ReadlinkIfPossible returns where a symbolic link leads. Of one that leads outside
// it does not say.
func (d *dirFs) ReadlinkIfPossible(name string) (string, error) {
	target, err := d.root.Readlink(inside(name))
	if err == nil && path.IsAbs(target) {
		return "", pathError("readlink", name, errEscapes)
	}
	return target, err
}

// ReadOnly returns base without write access: changes are not permitted.
func ReadOnly(base afero.Fs) afero.Fs {
	if m, ok := base.(*mountFs); ok { // what is mounted stays known to be
		return mount(ReadOnly(m.base), m.at, ReadOnly(m.sub), m.hidden)
	}
	return readOnly{afero.NewReadOnlyFs(base).(*afero.ReadOnlyFs), base}
}

// readOnly knows what it is of.
type readOnly struct {
	*afero.ReadOnlyFs
	base afero.Fs
}

// From adapts an io/fs file system to a read-only afero.Fs.
func From(base fs.FS) afero.Fs { return ReadOnly(ioFs{afero.FromIOFS{FS: base}}) }

// ioFs takes the paths that an afero.Fs gets.
type ioFs struct{ afero.FromIOFS }

func (f ioFs) Open(name string) (afero.File, error) { return f.FromIOFS.Open(inside(name)) }

func (f ioFs) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	return f.FromIOFS.OpenFile(inside(name), flag, perm)
}

func (f ioFs) Stat(name string) (fs.FileInfo, error) { return f.FromIOFS.Stat(inside(name)) }
