package vfs

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/afero"
)

// mountFs shows one file system at a path of another.
type mountFs struct {
	base   afero.Fs
	at     string
	sub    afero.Fs
	hidden bool // at is not listed in its directory
}

// Mount shows sub at a path of base, over all that base has there. Missing parent
// directories are shown empty. Mounts nest: mount again on the result.
func Mount(base afero.Fs, at string, sub afero.Fs) afero.Fs { return mount(base, at, sub, false) }

func mount(base afero.Fs, at string, sub afero.Fs, hidden bool) afero.Fs {
	return &mountFs{base: base, at: path.Clean("/" + at), sub: sub, hidden: hidden}
}

// For makes both know which run asks.
func (m *mountFs) For(run func() context.Context) afero.Fs {
	return &mountFs{base: forRun(m.base, run), at: m.at, sub: forRun(m.sub, run), hidden: m.hidden}
}

func (m *mountFs) Name() string { return "mount" }

// route finds the file system of a path and the path there.
func (m *mountFs) route(name string) (afero.Fs, string) {
	name = path.Clean("/" + name)
	switch {
	case name == m.at:
		return m.sub, "/"
	case m.at == "/":
		return m.sub, name
	case strings.HasPrefix(name, m.at+"/"):
		return m.sub, name[len(m.at):]
	}
	return m.base, name
}

// above says that the path is a directory on the way to the mount.
func (m *mountFs) above(name string) bool {
	name = path.Clean("/" + name)
	return name != m.at && (name == "/" || strings.HasPrefix(m.at, name+"/"))
}

// wayInfo is a directory that is there for the mount alone.
func wayInfo(name string) *info {
	return &info{name: path.Base(name), size: 4096, mode: fs.ModeDir | 0o755, same: name}
}

func (m *mountFs) Stat(name string) (fs.FileInfo, error) {
	to, at := m.route(name)
	st, err := to.Stat(at)
	if err != nil && m.above(name) {
		return wayInfo(name), nil
	}
	if err == nil && at == "/" {
		return bare(st, path.Base(name)), nil
	}
	return st, err
}

// LstatIfPossible is Lstat.
func (m *mountFs) LstatIfPossible(name string) (fs.FileInfo, bool, error) {
	to, at := m.route(name)
	st, err := lstat(to, at)
	if err != nil && m.above(name) {
		return wayInfo(name), true, nil
	}
	return st, true, err
}

func (m *mountFs) Create(name string) (afero.File, error) {
	to, at := m.route(name)
	return to.Create(at)
}

func (m *mountFs) Open(name string) (afero.File, error) { return m.OpenFile(name, 0, 0) }

func (m *mountFs) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	to, at := m.route(name)
	f, err := to.OpenFile(at, flag, perm)
	if m.hidden || !m.above(name) || changes(flag) {
		return f, err
	}
	name = path.Clean("/" + name)
	listing, st := []fs.FileInfo{}, fs.FileInfo(wayInfo(name))
	if err == nil {
		st, listing, err = drain(f)
		if err != nil {
			return nil, err
		}
	}
	kid, _, _ := strings.Cut(strings.TrimPrefix(m.at[len(name):], "/"), "/")
	if !slices.ContainsFunc(listing, func(st fs.FileInfo) bool { return st.Name() == kid }) {
		listing = append(listing, wayInfo(kid))
	}
	return &listFile{name: name, st: st, list: listing}, nil
}

// drain reads an open directory and closes it.
func drain(f afero.File) (fs.FileInfo, []fs.FileInfo, error) {
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	list, err := f.Readdir(-1)
	return st, list, err
}

func (m *mountFs) Mkdir(name string, perm fs.FileMode) error {
	to, at := m.route(name)
	if at == "/" || m.above(name) {
		return pathError("mkdir", name, errExist)
	}
	return to.Mkdir(at, perm)
}

func (m *mountFs) MkdirAll(name string, perm fs.FileMode) error {
	if m.above(name) {
		return nil
	}
	to, at := m.route(name)
	return to.MkdirAll(at, perm)
}

func (m *mountFs) Remove(name string) error {
	to, at := m.route(name)
	if at == "/" || m.above(name) {
		return pathError("remove", name, errNotAllowed)
	}
	return to.Remove(at)
}

// RemoveAll removes what is in a mount, not the mount itself.
func (m *mountFs) RemoveAll(name string) error {
	to, at := m.route(name)
	if at == "/" && name != "/" || m.above(name) {
		return pathError("unlinkat", name, errNotAllowed)
	}
	return to.RemoveAll(at)
}

func (m *mountFs) Rename(old, new string) error {
	from, a := m.route(old)
	to, b := m.route(new)
	switch {
	case a == "/" || b == "/" || m.above(old) || m.above(new):
		return linkError("rename", old, new, errNotAllowed)
	case from != to:
		return linkError("rename", old, new, errOtherDevice)
	}
	return from.Rename(a, b)
}

func (m *mountFs) Chmod(name string, mode fs.FileMode) error {
	to, at := m.route(name)
	return to.Chmod(at, mode)
}

func (m *mountFs) Chown(name string, uid, gid int) error {
	to, at := m.route(name)
	return to.Chown(at, uid, gid)
}

func (m *mountFs) Chtimes(name string, atime, mtime time.Time) error {
	to, at := m.route(name)
	return to.Chtimes(at, atime, mtime)
}

// SymlinkIfPossible makes a link in the file system that its name is in. Links do
// not lead across mounts.
func (m *mountFs) SymlinkIfPossible(target, name string) error {
	to, at := m.route(name)
	return symlink(to, target, at)
}

// ReadlinkIfPossible returns where a symbolic link leads.
func (m *mountFs) ReadlinkIfPossible(name string) (string, error) {
	to, at := m.route(name)
	return readlink(to, at)
}

func symlink(base afero.Fs, target, at string) error {
	if l, ok := base.(afero.Linker); ok {
		return l.SymlinkIfPossible(target, at)
	}
	return errUnsupported
}

func readlink(base afero.Fs, at string) (string, error) {
	if l, ok := base.(afero.LinkReader); ok {
		return l.ReadlinkIfPossible(at)
	}
	return "", errUnsupported
}
