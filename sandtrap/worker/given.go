package worker

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/isolate/confine"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// A given is a directory that the host has handed in. Files in it are read here. All
// else is asked of the host, and so is what fails here: the host looks after what scripts use up, and
// it knows what error there is.
type given struct {
	at    string   // in the paths of the script
	root  *os.Root // nil: the host is asked
	whole bool     // secrets are not hidden
}

// slots has room for the calls of the system that may wait for a disk or a network at a time: each
// has a thread to itself, and there are no more threads to be had than the process has begun with.
// A run makes one such call at a time. Those that one has left behind, when it was given up, go on.
type slots chan struct{}

func newSlots() slots { return make(slots, confine.Waits) }

// do does call when there is room.
func (s slots) do(call func()) {
	s <- struct{}{}
	defer func() { <-s }()
	call()
}

// try does call if there is room.
func (s slots) try(call func()) {
	select {
	case s <- struct{}{}:
		defer func() { <-s }()
		call()
	default:
	}
}

// givens are the directories at the paths that the host names, in its order: of two where one is
// in the other, that one comes later.
func givens(files *jobs.Files) []given {
	list := []given{}
	for i, root := range confine.Given() {
		if i < len(files.Given) {
			dir := files.Given[i]
			if dir.Asked {
				root = nil
			}
			list = append(list, given{dir.Path, root, dir.Whole})
		}
	}
	return list
}

// openGiven opens a file to read, or returns nil: also where others wait so long that it would.
func (f *files) openGiven(name string) afero.File {
	name = absolute(name)
	for i := len(f.given) - 1; i >= 0; i-- {
		g := f.given[i]
		below, ok := strings.CutPrefix(name, strings.TrimSuffix(g.at, "/")+"/")
		switch {
		case !ok:
			continue
		case below == "" || g.root == nil:
			return nil
		}
		var file opened
		f.slots.try(func() { file = g.open(below) })
		if file == nil {
			return nil
		}
		return &ownFile{name: name, file: file, slots: f.slots}
	}
	return nil
}

// open opens what is a file and no other thing, or returns nil. The host is asked for secrets, and for what may be one
// behind a link. The kernel lets nobody follow links who is confined, so readlink need not tell of them.
func (g given) open(name string) opened {
	if !g.whole && (vfs.Secret(name) || g.linked(name)) {
		return nil
	}
	file, err := g.root.OpenFile(name, confine.GivenFlags, 0)
	if err != nil {
		return nil
	}
	if st, err := file.Stat(); err != nil || !st.Mode().IsRegular() {
		file.Close()
		return nil
	}
	return file
}

// linked reports whether there is a link on the way to a file.
func (g given) linked(name string) bool {
	for i := range len(name) + 1 {
		if i == len(name) || name[i] == '/' {
			if _, err := g.root.Readlink(name[:i]); err == nil {
				return true
			}
		}
	}
	return false
}

// opened is what a script does with a file that it reads.
type opened interface {
	io.ReaderAt
	io.Closer
	Stat() (fs.FileInfo, error)
}

// An ownFile is a file that this process has open, to read. It is read at offsets that are kept
// here, so that one call is enough.
type ownFile struct {
	name   string
	file   opened
	slots  slots
	offset int64
}

func (f *ownFile) Name() string { return f.name }

func (f *ownFile) Close() (err error) {
	f.slots.do(func() { err = f.file.Close() })
	return f.err("close", err)
}

func (f *ownFile) readAt(p []byte, off int64) (n int, err error) {
	f.slots.do(func() { n, err = f.file.ReadAt(p, off) })
	return n, err
}

func (f *ownFile) stat() (st fs.FileInfo, err error) {
	f.slots.do(func() { st, err = f.file.Stat() })
	return st, err
}

// err is err with the path of the script, in the words of package vfs.
func (f *ownFile) err(op string, err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	return &fs.PathError{Op: op, Path: f.name, Err: vfs.Known(err.Error())}
}

func (f *ownFile) Read(p []byte) (int, error) {
	n, err := f.readAt(p, f.offset)
	f.offset += int64(n)
	if n > 0 && err == io.EOF {
		err = nil // the next one says so
	}
	return n, f.err("read", err)
}

func (f *ownFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.readAt(p, off)
	return n, f.err("read", err)
}

func (f *ownFile) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += f.offset
	case io.SeekEnd:
		st, err := f.stat()
		if err != nil {
			return 0, f.err("seek", err)
		}
		offset += st.Size()
	}
	if offset < 0 || whence < io.SeekStart || whence > io.SeekEnd {
		return 0, f.err("seek", errInvalid)
	}
	f.offset = offset
	return offset, nil
}

func (f *ownFile) Stat() (fs.FileInfo, error) {
	st, err := f.stat()
	if err != nil {
		return nil, f.err("stat", err)
	}
	return named{st, path.Base(f.name)}, nil
}

// A named is what is known of a file, under the name that the script has for it.
type named struct {
	fs.FileInfo
	name string
}

func (n named) Name() string { return n.name }

// Same is os.SameFile for two files that this process has opened.
func (n named) Same(other fs.FileInfo) bool {
	o, ok := other.(named)
	return ok && os.SameFile(n.FileInfo, o.FileInfo)
}

var (
	errInvalid = errors.New("invalid argument")
	errBadFile = errors.New("bad file descriptor")
	errNotDir  = errors.New("not a directory")
)

// What follows a file that is open to read does not do.

func (f *ownFile) Write([]byte) (int, error)          { return 0, f.err("write", errBadFile) }
func (f *ownFile) WriteAt([]byte, int64) (int, error) { return 0, f.err("write", errBadFile) }
func (f *ownFile) WriteString(string) (int, error)    { return 0, f.err("write", errBadFile) }
func (f *ownFile) Truncate(int64) error               { return f.err("truncate", errInvalid) }
func (f *ownFile) Sync() error                        { return nil } // nothing was written
func (f *ownFile) Readdir(int) ([]fs.FileInfo, error) { return nil, f.err("readdirent", errNotDir) }
func (f *ownFile) Readdirnames(int) ([]string, error) { return nil, f.err("readdirent", errNotDir) }
