package sandtrap

import (
	"errors"
	"io"
	"io/fs"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// servedFiles are the files of one run that a worker asks for. Paths and quotas are
// looked at here, as for a run in process.
type servedFiles struct {
	fs *vfs.FS

	mu   sync.Mutex
	last uint64
	open map[uint64]*servedFile

	seen    vfs.Identities
	decided bool // operations are
	setup   bool // a worker makes its sandbox
}

// A fileCall is one call for them.
type fileCall struct {
	*servedFiles
	fs *vfs.FS
}

type servedFile struct {
	*vfs.File

	mu     sync.Mutex    // a worker may ask for anything at any time
	list   []fs.FileInfo // what readdir has still to give
	listed bool
}

func newServedFiles(v *vfs.Volume, plan *Plan) *servedFiles {
	return &servedFiles{fs: v.FS(), open: map[uint64]*servedFile{}, decided: plan.guards.Files}
}

func (s *servedFiles) close() { s.fs.Close() }

// maxRead is how much one call reads.
const maxRead = 1 << 20

// do does one operation. What goes wrong is in the result, in the words of Linux.
func (s fileCall) do(op jobs.FileOp) (jobs.FileResult, error) {
	var got jobs.FileResult
	var err error
	if do := treeOps[op.Op]; do != nil {
		err = do(s, op, &got)
	} else if do := fileOps[op.Op]; do != nil {
		s.mu.Lock()
		f := s.open[op.Handle]
		s.mu.Unlock()
		if f == nil {
			err = fs.ErrClosed
		} else {
			err = do(s, f, op, &got)
		}
	} else {
		err = errors.ErrUnsupported
	}
	switch {
	case err == io.EOF:
		got.EOF = true
	case err != nil:
		got.Error = words(err)
	}
	return got, nil
}

// words is the innermost of an error: package vfs has texts of its own for all.
func words(err error) string {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err.Error()
		}
		err = next
	}
}

// treeOps are the operations on paths.
var treeOps = map[string]func(fileCall, jobs.FileOp, *jobs.FileResult) error{
	"open": func(s fileCall, op jobs.FileOp, got *jobs.FileResult) error {
		f, err := s.fs.OpenFile(op.Path, op.Flag, fs.FileMode(op.Mode))
		if err != nil {
			return err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.last++
		s.open[s.last] = &servedFile{File: f}
		got.Handle = s.last
		return nil
	},
	"mkdir": func(s fileCall, op jobs.FileOp, _ *jobs.FileResult) error {
		return s.fs.Mkdir(op.Path, fs.FileMode(op.Mode))
	},
	"mkdirall": func(s fileCall, op jobs.FileOp, _ *jobs.FileResult) error {
		return s.fs.MkdirAll(op.Path, fs.FileMode(op.Mode))
	},
	"remove":    func(s fileCall, op jobs.FileOp, _ *jobs.FileResult) error { return s.fs.Remove(op.Path) },
	"removeall": func(s fileCall, op jobs.FileOp, _ *jobs.FileResult) error { return s.fs.RemoveAll(op.Path) },
	"rename":    func(s fileCall, op jobs.FileOp, _ *jobs.FileResult) error { return s.fs.Rename(op.Path, op.Other) },
	"symlink":   func(s fileCall, op jobs.FileOp, _ *jobs.FileResult) error { return s.fs.Symlink(op.Other, op.Path) },
	"chmod": func(s fileCall, op jobs.FileOp, _ *jobs.FileResult) error {
		return s.fs.Chmod(op.Path, fs.FileMode(op.Mode))
	},
	"chtimes": func(s fileCall, op jobs.FileOp, _ *jobs.FileResult) error {
		return s.fs.Chtimes(op.Path, time.Unix(0, op.Access), time.Unix(0, op.Modify))
	},
	"readlink": func(s fileCall, op jobs.FileOp, got *jobs.FileResult) (err error) {
		got.Text, err = s.fs.Readlink(op.Path)
		return err
	},
	"stat": func(s fileCall, op jobs.FileOp, got *jobs.FileResult) error {
		return s.one(got)(s.fs.Stat(op.Path))
	},
	"lstat": func(s fileCall, op jobs.FileOp, got *jobs.FileResult) error {
		return s.one(got)(s.fs.Lstat(op.Path))
	},
}

// one takes what is known of one file.
func (s fileCall) one(got *jobs.FileResult) func(fs.FileInfo, error) error {
	return func(i fs.FileInfo, err error) error {
		if err == nil {
			got.Infos = []jobs.FileInfo{s.info(i)}
		}
		return err
	}
}

func (s fileCall) info(i fs.FileInfo) jobs.FileInfo {
	return jobs.FileInfo{Name: i.Name(), Size: i.Size(), Mode: uint32(i.Mode()), Modify: i.ModTime().UnixNano(), Same: s.seen.Number(i)}
}

// fileOps are the operations on open files.
var fileOps = map[string]func(fileCall, *servedFile, jobs.FileOp, *jobs.FileResult) error{
	"close": func(s fileCall, f *servedFile, op jobs.FileOp, _ *jobs.FileResult) error {
		s.mu.Lock()
		delete(s.open, op.Handle)
		s.mu.Unlock()
		return f.Close()
	},
	"read": func(_ fileCall, f *servedFile, op jobs.FileOp, got *jobs.FileResult) error {
		buf := make([]byte, min(max(op.N, 0), maxRead))
		n, err := f.Read(buf)
		got.Data = buf[:n]
		return err
	},
	"pread": func(_ fileCall, f *servedFile, op jobs.FileOp, got *jobs.FileResult) error {
		buf := make([]byte, min(max(op.N, 0), maxRead))
		n, err := f.ReadAt(buf, op.Offset)
		got.Data = buf[:n]
		return err
	},
	"write": func(_ fileCall, f *servedFile, op jobs.FileOp, got *jobs.FileResult) error {
		n, err := f.Write(op.Data)
		got.N = int64(n)
		return err
	},
	"pwrite": func(_ fileCall, f *servedFile, op jobs.FileOp, got *jobs.FileResult) error {
		n, err := f.WriteAt(op.Data, op.Offset)
		got.N = int64(n)
		return err
	},
	"seek": func(_ fileCall, f *servedFile, op jobs.FileOp, got *jobs.FileResult) (err error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.list, f.listed = nil, false
		got.N, err = f.Seek(op.Offset, op.Flag)
		return err
	},
	"truncate": func(_ fileCall, f *servedFile, op jobs.FileOp, _ *jobs.FileResult) error { return f.Truncate(op.N) },
	"sync":     func(_ fileCall, f *servedFile, _ jobs.FileOp, _ *jobs.FileResult) error { return f.Sync() },
	"fstat": func(s fileCall, f *servedFile, _ jobs.FileOp, got *jobs.FileResult) error {
		return s.one(got)(f.Stat())
	},
	"readdir": fileCall.readdir,
}

// readdir gives the next entries of a directory.
func (s fileCall) readdir(f *servedFile, op jobs.FileOp, got *jobs.FileResult) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.listed {
		list, err := f.Readdir(-1)
		if err != nil {
			return err
		}
		f.list, f.listed = list, true
	}
	n := min(int(max(op.N, 0)), len(f.list), 1000)
	for _, i := range f.list[:n] {
		got.Infos = append(got.Infos, s.info(i))
	}
	f.list = f.list[n:]
	if len(f.list) == 0 {
		return io.EOF
	}
	return nil
}
