package builtins

import (
	"io"
	"io/fs"
	"path"
	"time"

	"github.com/sandtrap-go/sandtrap/vfs"
)

// files returns the script's files. Members that need them are not there where a
// policy gives none; the check is for tables that are put together otherwise.
func (e *Env) files() *vfs.FS {
	if e.FS == nil {
		panic(runtimeError("this run has no files"))
	}
	return e.FS
}

func osChdir(e *Env) func(dir string) error                     { return e.files().Chdir }
func osChmod(e *Env) func(name string, mode fs.FileMode) error  { return e.files().Chmod }
func osCreate(e *Env) func(name string) (*vfs.File, error)      { return e.files().Create }
func osDirFS(e *Env) func(dir string) fs.FS                     { return e.files().DirFS }
func osGetwd(e *Env) func() (string, error)                     { return e.files().Getwd }
func osLink(e *Env) func(oldname, newname string) error         { return e.files().Link }
func osLstat(e *Env) func(name string) (fs.FileInfo, error)     { return e.files().Lstat }
func osMkdir(e *Env) func(name string, perm fs.FileMode) error  { return e.files().Mkdir }
func osOpen(e *Env) func(name string) (*vfs.File, error)        { return e.files().Open }
func osReadDir(e *Env) func(name string) ([]fs.DirEntry, error) { return e.files().ReadDir }
func osReadFile(e *Env) func(name string) ([]byte, error)       { return e.files().ReadFile }
func osReadlink(e *Env) func(name string) (string, error)       { return e.files().Readlink }
func osRemove(e *Env) func(name string) error                   { return e.files().Remove }
func osRename(e *Env) func(oldpath, newpath string) error       { return e.files().Rename }
func osStat(e *Env) func(name string) (fs.FileInfo, error)      { return e.files().Stat }
func osSymlink(e *Env) func(oldname, newname string) error      { return e.files().Symlink }
func osTempDir(e *Env) func() string                            { return e.files().TempDir }
func osTruncate(e *Env) func(name string, size int64) error     { return e.files().Truncate }

func osMkdirAll(e *Env) func(path string, perm fs.FileMode) error { return e.files().MkdirAll }

// The errors of those that make names have copies of them.

func osCreateTemp(e *Env) func(dir, pattern string) (*vfs.File, error) {
	return func(dir, pattern string) (*vfs.File, error) {
		e.payCopies(1, len(dir)+len(pattern))
		return e.files().CreateTemp(dir, pattern)
	}
}

func osMkdirTemp(e *Env) func(dir, pattern string) (string, error) {
	return func(dir, pattern string) (string, error) {
		e.payCopies(1, len(dir)+len(pattern))
		return e.files().MkdirTemp(dir, pattern)
	}
}

func osRemoveAll(e *Env) func(path string) error {
	return func(path string) error {
		e.payCopies(1, len(path))
		return e.files().RemoveAll(path)
	}
}

func osChtimes(e *Env) func(name string, atime, mtime time.Time) error { return e.files().Chtimes }

func osOpenFile(e *Env) func(name string, flag int, perm fs.FileMode) (*vfs.File, error) {
	return e.files().OpenFile
}

func osWriteFile(e *Env) func(name string, data []byte, perm fs.FileMode) error {
	return e.files().WriteFile
}

// ioutilReadDir is os.ReadDir with what is known of each file.
func ioutilReadDir(e *Env) func(dirname string) ([]fs.FileInfo, error) {
	return func(dirname string) ([]fs.FileInfo, error) {
		entries, err := e.files().ReadDir(dirname)
		if err != nil {
			return nil, err
		}
		list := make([]fs.FileInfo, 0, len(entries))
		for _, entry := range entries {
			info, err := entry.Info()
			if err != nil {
				return nil, err
			}
			list = append(list, info)
		}
		return list, nil
	}
}

// osCopyFS copies a tree into the script's files. It stops at the first file that
// is there already.
func osCopyFS(e *Env) func(dir string, fsys fs.FS) error {
	return func(dir string, fsys fs.FS) error {
		return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
			e.walked(name)
			if err != nil {
				return err
			}
			to := path.Join(dir, name)
			switch d.Type() {
			case fs.ModeDir:
				return e.files().MkdirAll(to, 0o777)
			case fs.ModeSymlink:
				target, err := fs.ReadLink(fsys, name)
				if err != nil {
					return err
				}
				return e.files().Symlink(target, to)
			case 0:
				return e.copyIn(to, fsys, name)
			}
			return &fs.PathError{Op: "CopyFS", Path: name, Err: fs.ErrInvalid}
		})
	}
}

// copyIn copies one file of fsys.
func (e *Env) copyIn(to string, fsys fs.FS, name string) error {
	in, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	st, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := e.files().OpenFile(to, writeNew, 0o666|st.Mode()&0o777)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, e.reader(in)); err != nil {
		out.Close()
		return &fs.PathError{Op: "Copy", Path: to, Err: err}
	}
	return out.Close()
}

// fileWriteString copies a text for a stream in pieces.
func fileWriteString(e *Env) func(*vfs.File, string) (int, error) {
	return func(f *vfs.File, s string) (int, error) {
		if std := e.std(); f != nil && (f == std.out || f == std.err) {
			return e.textInPieces(piece, s, into(f))
		}
		e.charge(int64(len(s)))
		return f.WriteString(s)
	}
}
