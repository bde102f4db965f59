package os

import (
	"io"
	"io/fs"
	"path"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// Files returns the script's files. Members that need them are not there where a
// policy gives none; the check is for tables that are put together otherwise.
func Files(e *shim.Env) *vfs.FS {
	if e.FS == nil {
		panic(shim.RuntimeError("this run has no files"))
	}
	return e.FS
}

func OsChdir(e *shim.Env) func(dir string) error                     { return Files(e).Chdir }
func OsChmod(e *shim.Env) func(name string, mode fs.FileMode) error  { return Files(e).Chmod }
func OsCreate(e *shim.Env) func(name string) (*vfs.File, error)      { return Files(e).Create }
func OsDirFS(e *shim.Env) func(dir string) fs.FS                     { return Files(e).DirFS }
func OsGetwd(e *shim.Env) func() (string, error)                     { return Files(e).Getwd }
func OsLink(e *shim.Env) func(oldname, newname string) error         { return Files(e).Link }
func OsLstat(e *shim.Env) func(name string) (fs.FileInfo, error)     { return Files(e).Lstat }
func OsMkdir(e *shim.Env) func(name string, perm fs.FileMode) error  { return Files(e).Mkdir }
func OsOpen(e *shim.Env) func(name string) (*vfs.File, error)        { return Files(e).Open }
func OsReadDir(e *shim.Env) func(name string) ([]fs.DirEntry, error) { return Files(e).ReadDir }
func OsReadFile(e *shim.Env) func(name string) ([]byte, error)       { return Files(e).ReadFile }
func OsReadlink(e *shim.Env) func(name string) (string, error)       { return Files(e).Readlink }
func OsRemove(e *shim.Env) func(name string) error                   { return Files(e).Remove }
func OsRename(e *shim.Env) func(oldpath, newpath string) error       { return Files(e).Rename }
func OsStat(e *shim.Env) func(name string) (fs.FileInfo, error)      { return Files(e).Stat }
func OsSymlink(e *shim.Env) func(oldname, newname string) error      { return Files(e).Symlink }
func OsTempDir(e *shim.Env) func() string                            { return Files(e).TempDir }
func OsTruncate(e *shim.Env) func(name string, size int64) error     { return Files(e).Truncate }

func OsMkdirAll(e *shim.Env) func(path string, perm fs.FileMode) error { return Files(e).MkdirAll }

// The errors of those that make names have copies of them.

func OsCreateTemp(e *shim.Env) func(dir, pattern string) (*vfs.File, error) {
	return func(dir, pattern string) (*vfs.File, error) {
		e.PayCopies(1, len(dir)+len(pattern))
		return Files(e).CreateTemp(dir, pattern)
	}
}

func OsMkdirTemp(e *shim.Env) func(dir, pattern string) (string, error) {
	return func(dir, pattern string) (string, error) {
		e.PayCopies(1, len(dir)+len(pattern))
		return Files(e).MkdirTemp(dir, pattern)
	}
}

func OsRemoveAll(e *shim.Env) func(path string) error {
	return func(path string) error {
		e.PayCopies(1, len(path))
		return Files(e).RemoveAll(path)
	}
}

func OsChtimes(e *shim.Env) func(name string, atime, mtime time.Time) error { return Files(e).Chtimes }

func OsOpenFile(e *shim.Env) func(name string, flag int, perm fs.FileMode) (*vfs.File, error) {
	return Files(e).OpenFile
}

func OsWriteFile(e *shim.Env) func(name string, data []byte, perm fs.FileMode) error {
	return Files(e).WriteFile
}

// IoutilReadDir is os.ReadDir with what is known of each file.
func IoutilReadDir(e *shim.Env) func(dirname string) ([]fs.FileInfo, error) {
	return func(dirname string) ([]fs.FileInfo, error) {
		entries, err := Files(e).ReadDir(dirname)
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

// OsCopyFS copies a tree into the script's files. It stops at the first file that
// is there already.
func OsCopyFS(e *shim.Env) func(dir string, fsys fs.FS) error {
	return func(dir string, fsys fs.FS) error {
		return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
			walked(e, name)
			if err != nil {
				return err
			}
			to := path.Join(dir, name)
			switch d.Type() {
			case fs.ModeDir:
				return Files(e).MkdirAll(to, 0o777)
			case fs.ModeSymlink:
				target, err := fs.ReadLink(fsys, name)
				if err != nil {
					return err
				}
				return Files(e).Symlink(target, to)
			case 0:
				return copyIn(e, to, fsys, name)
			}
			return &fs.PathError{Op: "CopyFS", Path: name, Err: fs.ErrInvalid}
		})
	}
}

// copyIn copies one file of fsys.
func copyIn(e *shim.Env, to string, fsys fs.FS, name string) error {
	in, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	st, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := Files(e).OpenFile(to, writeNew, 0o666|st.Mode()&0o777)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, e.Reader(in)); err != nil {
		out.Close()
		return &fs.PathError{Op: "Copy", Path: to, Err: err}
	}
	return out.Close()
}

// FileWriteString copies a text for a stream in pieces.
func FileWriteString(e *shim.Env) func(*vfs.File, string) (int, error) {
	return func(f *vfs.File, s string) (int, error) {
		if std := e.StdStreams(); f != nil && (f == std.Out || f == std.Err) {
			return e.TextInPieces(shim.Piece, s, shim.Into(f))
		}
		e.Charge(int64(len(s)))
		return f.WriteString(s)
	}
}
