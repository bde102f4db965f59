package vfs

import (
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/afero"
)

// A File is an os.File for scripts: an open file of their volume, or a stream. A nil File
// returns Go's error for it. It is safe for concurrent use.
type File struct {
	name  string
	fs    *FS // nil for a stream
	inner afero.File
	flag  int
	isDir bool

	at     string  // its path while it has one; of the volume's lock, and so is
	orphan *orphan // nil while it has

	mu     sync.Mutex
	list   []fs.DirEntry // of a directory: what ReadDir has still to give
	listed bool
	closed bool

	in  io.Reader // of a stream
	out io.Writer
}

// NewStream makes a File of a reader or a writer, or both; a script cannot seek in it.
// Close does not close r or w.
func NewStream(name string, r io.Reader, w io.Writer) *File { return &File{name: name, in: r, out: w} }

// Name returns the path that the file was opened with.
func (f *File) Name() string {
	if f == nil {
		return ""
	}
	return f.name
}

// use checks that op is possible and locks the file.
func (f *File) use(op string, write bool) error {
	if f == nil {
		return fs.ErrInvalid
	}
	f.mu.Lock()
	var err error
	switch {
	case f.closed:
		err = fs.ErrClosed
	case f.fs == nil && (write && f.out == nil || !write && op == "read" && f.in == nil):
		err = errBadFile
	case f.fs == nil && op != "read" && op != "write" && op != "sync" && op != "stat" && op != "close":
		err = errInvalid
	case f.fs != nil && op == "truncate" && !writes(f.flag):
		err = errInvalid
	case f.fs != nil && write && !writes(f.flag):
		err = errBadFile
	case f.fs != nil && (op == "read" || op == "pread") && f.flag&os.O_WRONLY != 0:
		err = errBadFile
	case f.isDir && (op == "read" || op == "pread"):
		op, err = "read", errIsDir
	case op == "readdirent" && !f.isDir:
		err = errNotDir
	}
	if err != nil {
		f.mu.Unlock()
		return pathError(op, f.name, err)
	}
	return nil
}

// Close closes the file. A second call is an error.
func (f *File) Close() error {
	if err := f.use("close", false); err != nil {
		return err
	}
	defer f.mu.Unlock()
	f.closed = true
	if f.fs == nil {
		return nil
	}
	return pathError("close", f.name, f.fs.release(f))
}

// Read reads up to len(p) bytes.
func (f *File) Read(p []byte) (int, error) {
	if err := f.use("read", false); err != nil {
		return 0, err
	}
	defer f.mu.Unlock()
	if f.fs == nil {
		return f.in.Read(p)
	}
	n, err := f.inner.Read(p)
	return n, pathError("read", f.name, err)
}

// ReadAt reads len(p) bytes at an offset.
func (f *File) ReadAt(p []byte, off int64) (int, error) {
	if err := f.use("pread", false); err != nil {
		return 0, err
	}
	defer f.mu.Unlock()
	if off < 0 {
		return 0, &fs.PathError{Op: "readat", Path: f.name, Err: errNegative}
	}
	n, err := f.inner.ReadAt(p, off)
	if n < len(p) && err == nil {
		err = io.EOF // not every file system says so
	}
	return n, pathError("read", f.name, err)
}

// Write writes p, or as much of it as the quota allows.
func (f *File) Write(p []byte) (int, error) {
	if err := f.use("write", true); err != nil {
		return 0, err
	}
	defer f.mu.Unlock()
	if f.fs == nil {
		return f.out.Write(p)
	}
	if f.flag&os.O_APPEND != 0 { // what was opened for that does it itself, and others at the same time
		if _, err := f.inner.Seek(0, io.SeekEnd); err != nil {
			return 0, pathError("write", f.name, err)
		}
	}
	at, err := f.inner.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, pathError("write", f.name, err)
	}
	return f.put(p, at, f.inner.Write)
}

// WriteString is Write for a string.
func (f *File) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

// WriteAt writes at an offset.
func (f *File) WriteAt(p []byte, off int64) (int, error) {
	if f != nil && f.flag&os.O_APPEND != 0 {
		return 0, errAppendAt
	}
	if err := f.use("pwrite", true); err != nil {
		return 0, err
	}
	defer f.mu.Unlock()
	if off < 0 {
		return 0, &fs.PathError{Op: "writeat", Path: f.name, Err: errNegative}
	}
	return f.put(p, off, func(p []byte) (int, error) { return f.inner.WriteAt(p, off) })
}

// put writes p at an offset. As on a full disk, what fits is written, and the rest is an error: a write from a
// worker comes in parts, so its first ones cannot wait for the last.
func (f *File) put(p []byte, at int64, write func([]byte) (int, error)) (int, error) {
	fits, undo, err := f.grow(p, at)
	if err != nil {
		return 0, pathError("write", f.name, err)
	}
	n, err := write(fits)
	if err != nil {
		undo()
	} else if len(fits) < len(p) {
		err = errQuota
	}
	return n, pathError("write", f.name, err)
}

// ReadFrom writes the rest of r.
func (f *File) ReadFrom(r io.Reader) (int64, error) { return io.Copy(justWriter{f}, r) }

// WriteTo reads the rest into w.
func (f *File) WriteTo(w io.Writer) (int64, error) { return io.Copy(w, justReader{f}) }

// These keep io.Copy from calling ReadFrom and WriteTo again.
type (
	justWriter struct{ io.Writer }
	justReader struct{ io.Reader }
)

// grow takes quota for as much of p, which is to be written at an offset, as fits. A hole counts as if it were
// full.
func (f *File) grow(p []byte, at int64) (fits []byte, undo func(), err error) {
	st, err := f.inner.Stat()
	if err != nil {
		return nil, nil, err
	}
	more := max(0, at+int64(len(p))-st.Size())
	taken := f.fs.vol.takeSome(more)
	fits = p[:max(0, int64(len(p))-(more-taken))]
	if taken < more && len(fits) == 0 {
		f.fs.vol.give(taken, 0)
		return nil, nil, errQuota
	}
	size := at + int64(len(fits))
	f.pay(taken, size)
	return fits, func() { // of what was not written
		if now, end, err := f.shrinks(); err == nil {
			defer end()
			f.fs.vol.give(min(taken, max(0, size-now.Size())), 0)
		}
	}, nil
}

func (f *File) shrinks() (st fs.FileInfo, end func(), err error) {
	return f.fs.vol.shrinks(f.fs.vol.at(f), f.inner.Stat)
}

// pay charges the run for the memory of a file in memory that is to be so large, for which n bytes of quota are
// taken. They are given back if the run ends for it.
func (f *File) pay(n, size int64) {
	in, ok := f.inner.(*memFile)
	if !ok {
		return
	}
	refused := true
	defer func() {
		if refused {
			f.fs.vol.give(n, 0)
		}
	}()
	f.fs.charge(in.needs(size))
	refused = false
}

// Truncate sets the size of the file.
func (f *File) Truncate(size int64) error {
	if err := f.use("truncate", true); err != nil {
		return err
	}
	defer f.mu.Unlock()
	if size < 0 {
		return pathError("truncate", f.name, errInvalid)
	}
	st, end, err := f.shrinks()
	if err != nil {
		return pathError("truncate", f.name, err)
	}
	defer end()
	was := st.Size() // some infos follow their file
	if err := f.fs.vol.take(max(0, size-was), 0); err != nil {
		return pathError("truncate", f.name, err)
	}
	f.pay(max(0, size-was), size)
	if err := f.inner.Truncate(size); err != nil {
		f.fs.vol.give(max(0, size-was), 0)
		return pathError("truncate", f.name, err)
	}
	f.fs.vol.give(max(0, was-size), 0)
	return nil
}

// Seek sets the offset of the next Read or Write.
func (f *File) Seek(offset int64, whence int) (int64, error) {
	if err := f.use("seek", false); err != nil {
		return 0, err
	}
	defer f.mu.Unlock()
	f.list, f.listed = nil, false
	if whence == io.SeekStart && offset < 0 {
		return 0, pathError("seek", f.name, errInvalid)
	}
	at, err := f.inner.Seek(offset, whence)
	return at, pathError("seek", f.name, err)
}

// Stat returns what is known of the file.
func (f *File) Stat() (fs.FileInfo, error) {
	if err := f.use("stat", false); err != nil {
		return nil, err
	}
	defer f.mu.Unlock()
	if f.fs == nil {
		return &info{name: path.Base(f.name), mode: fs.ModeDevice | fs.ModeCharDevice | 0o620, same: f}, nil
	}
	st, err := f.inner.Stat()
	if err != nil {
		return nil, pathError("stat", f.name, err)
	}
	return bare(st, path.Base(f.name)), nil
}

// Sync has nothing to do for a stream.
func (f *File) Sync() error {
	if err := f.use("sync", false); err != nil {
		return err
	}
	defer f.mu.Unlock()
	if f.fs == nil {
		return nil
	}
	return pathError("sync", f.name, f.inner.Sync())
}

// Chmod changes the permissions of the file.
func (f *File) Chmod(mode fs.FileMode) error {
	if err := f.use("chmod", false); err != nil {
		return err
	}
	defer f.mu.Unlock()
	return f.fs.Chmod(f.name, mode)
}

// Chdir makes the directory the working directory of the run.
func (f *File) Chdir() error {
	if err := f.use("chdir", false); err != nil {
		return err
	}
	defer f.mu.Unlock()
	return f.fs.Chdir(f.name)
}

// ReadDir returns the next n entries of a directory, all that are left if n is not
// positive, sorted by name.
func (f *File) ReadDir(n int) ([]fs.DirEntry, error) {
	if err := f.use("readdirent", false); err != nil {
		return nil, err
	}
	defer f.mu.Unlock()
	if !f.listed {
		list, err := f.entries()
		if err != nil {
			return nil, pathError("readdirent", f.name, err)
		}
		f.list, f.listed = list, true
	}
	return next(&f.list, n)
}

// entryBytes is what an entry of a listing holds, about.
const entryBytes = 160

// entries reads the whole directory, a part at a time.
func (f *File) entries() ([]fs.DirEntry, error) {
	var list []fs.DirEntry
	for {
		part, err := f.inner.Readdir(1000)
		f.fs.charge(int64(len(part)) * entryBytes)
		for _, st := range part {
			list = append(list, entry{bare(st, st.Name())})
		}
		if err == io.EOF || err == nil && len(part) == 0 {
			slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
			return list, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// Readdir is ReadDir with the FileInfo of each entry.
func (f *File) Readdir(n int) ([]fs.FileInfo, error) {
	list, err := f.ReadDir(n)
	infos := make([]fs.FileInfo, len(list))
	for i, e := range list {
		infos[i] = e.(entry).info
	}
	return infos, err
}

// Readdirnames is ReadDir with the names alone.
func (f *File) Readdirnames(n int) ([]string, error) {
	infos, err := f.Readdir(n)
	return names(infos), err
}
