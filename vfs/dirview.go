package vfs

import (
	"io/fs"
	"strings"
)

// DirFS is the tree below a directory as an io/fs file system.
func (f *FS) DirFS(dir string) fs.FS { return dirView{f, dir} }

// dirView is the tree below a directory.
type dirView struct {
	fs  *FS
	dir string
}

func (d dirView) path(op, name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	if d.dir == "" {
		return "", &fs.PathError{Op: op, Path: name, Err: errEmptyRoot}
	}
	return strings.TrimSuffix(d.dir, "/") + "/" + name, nil
}

// named is err with the path as the caller of an fs.FS wrote it.
func named(err error, name string) error {
	if pe, ok := err.(*fs.PathError); ok {
		pe.Path = name
	}
	return err
}

// Open opens a file of the tree.
func (d dirView) Open(name string) (fs.File, error) {
	full, err := d.path("open", name)
	if err != nil {
		return nil, err
	}
	f, err := d.fs.Open(full)
	if err != nil {
		return nil, named(err, name)
	}
	return f, nil
}

// ReadFile, ReadDir and Stat save opening a file.

func (d dirView) ReadFile(name string) ([]byte, error) {
	full, err := d.path("readfile", name)
	if err != nil {
		return nil, err
	}
	data, err := d.fs.ReadFile(full)
	return data, named(err, name)
}

func (d dirView) ReadDir(name string) ([]fs.DirEntry, error) {
	full, err := d.path("readdir", name)
	if err != nil {
		return nil, err
	}
	list, err := d.fs.ReadDir(full)
	return list, named(err, name)
}

func (d dirView) Stat(name string) (fs.FileInfo, error) {
	full, err := d.path("stat", name)
	if err != nil {
		return nil, err
	}
	st, err := d.fs.Stat(full)
	return st, named(err, name)
}

// Lstat is Stat for the link itself.
func (d dirView) Lstat(name string) (fs.FileInfo, error) {
	full, err := d.path("lstat", name)
	if err != nil {
		return nil, err
	}
	st, err := d.fs.Lstat(full)
	return st, named(err, name)
}

// ReadLink returns where a symbolic link leads.
func (d dirView) ReadLink(name string) (string, error) {
	full, err := d.path("readlink", name)
	if err != nil {
		return "", err
	}
	target, err := d.fs.Readlink(full)
	return target, named(err, name)
}

var (
	_ fs.ReadLinkFS  = dirView{}
	_ fs.ReadFileFS  = dirView{}
	_ fs.ReadDirFS   = dirView{}
	_ fs.StatFS      = dirView{}
	_ fs.ReadDirFile = (*File)(nil)
)
