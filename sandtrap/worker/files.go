package worker

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// files are those of the host, an operation a call. The host looks after the quota.
type files struct {
	call  func(context.Context, jobs.FileOp) (jobs.FileResult, error)
	run   func() context.Context // of the run that asks
	given []given
	slots slots
}

// file asks the host for an operation.
func (j *worker) file(ctx context.Context, op jobs.FileOp) (jobs.FileResult, error) {
	var got jobs.FileResult
	if err := j.ask(ctx, wire.CallFile, op, &got); err != nil {
		return got, err
	}
	if got.Error != "" {
		return got, vfs.Known(got.Error)
	}
	return got, nil
}

// For are the files for one that has runs: what a run asks for late is none of the next one's.
func (f *files) For(run func() context.Context) afero.Fs {
	own := *f
	own.run = run
	return &own
}

// do does the operation, of which nothing but the error is wanted.
func (f *files) do(op jobs.FileOp) error {
	_, err := f.call(f.run(), op)
	return f.wrap(op, err)
}

func (f *files) wrap(op jobs.FileOp, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op.Op, Path: op.Path, Err: err}
}

func (f *files) Name() string { return "worker" }

func (f *files) Create(name string) (afero.File, error) {
	return f.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

func (f *files) Open(name string) (afero.File, error) { return f.OpenFile(name, os.O_RDONLY, 0) }

func (f *files) OpenFile(name string, flag int, perm os.FileMode) (afero.File, error) {
	if flag == os.O_RDONLY {
		if own := f.openGiven(name); own != nil {
			return own, nil
		}
	}
	op := jobs.FileOp{Op: "open", Path: absolute(name), Flag: flag, Mode: uint32(perm)}
	got, err := f.call(f.run(), op)
	if err != nil {
		return nil, f.wrap(op, err)
	}
	return &file{fs: f, name: name, handle: got.Handle}, nil
}

// absolute is the path that the host is told: the worker has no directory of its own there.
func absolute(name string) string { return path.Join("/", name) }

func (f *files) Mkdir(name string, perm os.FileMode) error {
	return f.do(jobs.FileOp{Op: "mkdir", Path: absolute(name), Mode: uint32(perm)})
}

func (f *files) MkdirAll(name string, perm os.FileMode) error {
	return f.do(jobs.FileOp{Op: "mkdirall", Path: absolute(name), Mode: uint32(perm)})
}

func (f *files) Remove(name string) error {
	return f.do(jobs.FileOp{Op: "remove", Path: absolute(name)})
}

func (f *files) RemoveAll(name string) error {
	return f.do(jobs.FileOp{Op: "removeall", Path: absolute(name)})
}

func (f *files) Rename(old, new string) error {
	return f.do(jobs.FileOp{Op: "rename", Path: absolute(old), Other: absolute(new)})
}

func (f *files) Chmod(name string, mode os.FileMode) error {
	return f.do(jobs.FileOp{Op: "chmod", Path: absolute(name), Mode: uint32(mode)})
}

// Chown is refused without asking: a script's files have no owners.
func (f *files) Chown(name string, _, _ int) error {
	return f.wrap(jobs.FileOp{Op: "chown", Path: absolute(name)}, fs.ErrPermission)
}

func (f *files) Chtimes(name string, access, modify time.Time) error {
	return f.do(jobs.FileOp{Op: "chtimes", Path: absolute(name), Access: access.UnixNano(), Modify: modify.UnixNano()})
}

func (f *files) Stat(name string) (os.FileInfo, error) { return f.info("stat", name) }

func (f *files) LstatIfPossible(name string) (os.FileInfo, bool, error) {
	i, err := f.info("lstat", name)
	return i, true, err
}

func (f *files) info(what, name string) (os.FileInfo, error) {
	op := jobs.FileOp{Op: what, Path: absolute(name)}
	got, err := f.call(f.run(), op)
	if err != nil {
		return nil, f.wrap(op, err)
	}
	if len(got.Infos) != 1 {
		return nil, f.wrap(op, io.ErrUnexpectedEOF)
	}
	return info{got.Infos[0]}, nil
}

func (f *files) SymlinkIfPossible(target, name string) error {
	return f.do(jobs.FileOp{Op: "symlink", Path: absolute(name), Other: target})
}

func (f *files) ReadlinkIfPossible(name string) (string, error) {
	op := jobs.FileOp{Op: "readlink", Path: absolute(name)}
	got, err := f.call(f.run(), op)
	return got.Text, f.wrap(op, err)
}

// An info is what the host says of a file.
type info struct{ file jobs.FileInfo }

func (i info) Name() string       { return i.file.Name }
func (i info) Size() int64        { return i.file.Size }
func (i info) Mode() fs.FileMode  { return fs.FileMode(i.file.Mode) }
func (i info) ModTime() time.Time { return time.Unix(0, i.file.Modify) }
func (i info) IsDir() bool        { return i.Mode().IsDir() }
func (i info) Sys() any           { return nil }

// Same is os.SameFile, as the host has told.
func (i info) Same(other fs.FileInfo) bool {
	o, ok := other.(info)
	return ok && i.file.Same != 0 && i.file.Same == o.file.Same
}
