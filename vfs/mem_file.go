package vfs

import (
	"io"
	"io/fs"
	"os"
	"path"
)

// memFile is an open node. What is open stays when its name is removed.
type memFile struct {
	fs     *memFs
	node   *node
	name   string
	flag   int
	at     int64
	list   []fs.FileInfo // of a directory: what Readdir has still to give
	listed bool
	closed bool
}

// use takes the lock of the tree if the file may be used for op.
func (f *memFile) use(op string, dir, write bool) (func(), error) {
	f.fs.mu.Lock()
	var err error
	switch {
	case f.closed:
		err = fs.ErrClosed
	case f.node.mode.IsDir() && !dir:
		err = errIsDir
	case !f.node.mode.IsDir() && dir:
		err = errNotDir
	case write && !writes(f.flag), !write && !dir && f.flag&os.O_WRONLY != 0:
		err = errBadFile
	}
	if err != nil {
		f.fs.mu.Unlock()
		return nil, pathError(op, f.name, err)
	}
	return f.fs.mu.Unlock, nil
}

func (f *memFile) Name() string { return f.name }

func (f *memFile) Close() error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if f.closed {
		return pathError("close", f.name, fs.ErrClosed)
	}
	if f.node.holders--; f.node.holders == 0 && f.node.lost {
		f.fs.bytes -= int64(len(f.node.data))
	}
	f.closed, f.node = true, &node{} // who keeps the file does not keep what is in it
	return nil
}

func (f *memFile) Read(p []byte) (int, error) {
	unlock, err := f.use("read", false, false)
	if err != nil {
		return 0, err
	}
	defer unlock()
	n, err := f.read(p, f.at)
	f.at += int64(n)
	return n, err
}

func (f *memFile) read(p []byte, off int64) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if off >= int64(len(f.node.data)) {
		return 0, io.EOF
	}
	return copy(p, f.node.data[off:]), nil
}

func (f *memFile) ReadAt(p []byte, off int64) (int, error) {
	unlock, err := f.use("read", false, false)
	if err != nil {
		return 0, err
	}
	defer unlock()
	if off < 0 {
		return 0, pathError("readat", f.name, errInvalid)
	}
	n, err := f.read(p, off)
	if n < len(p) && err == nil {
		err = io.EOF
	}
	return n, err
}

func (f *memFile) Write(p []byte) (int, error) {
	unlock, err := f.use("write", false, true)
	if err != nil {
		return 0, err
	}
	defer unlock()
	if f.flag&os.O_APPEND != 0 {
		f.at = int64(len(f.node.data))
	}
	n, err := f.write(p, f.at)
	f.at += int64(n)
	return n, err
}

func (f *memFile) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

func (f *memFile) WriteAt(p []byte, off int64) (int, error) {
	unlock, err := f.use("write", false, true)
	if err != nil {
		return 0, err
	}
	defer unlock()
	return f.write(p, off)
}

func (f *memFile) write(p []byte, off int64) (n int, err error) {
	size := int64(len(f.node.data))
	if over := f.fs.over(off + int64(len(p)) - size); over > 0 && over < int64(len(p)) { // the rest fits
		p, err = p[:int64(len(p))-over], pathError("write", f.name, errQuota)
	}
	if err := f.resize(max(off+int64(len(p)), size)); err != nil {
		return 0, err
	}
	f.node.mtime = f.fs.now()
	return copy(f.node.data[off:], p), err
}

// maxFile is the size of the largest file in memory.
const maxFile = 1 << 40

// resize makes the file so large, with zeros where it grows.
func (f *memFile) resize(size int64) error {
	n, more := f.node, size-int64(len(f.node.data))
	switch {
	case size < 0:
		return pathError("truncate", f.name, errInvalid)
	case size > maxFile:
		return pathError("truncate", f.name, errTooLarge)
	case more > 0 && f.fs.over(more) > 0:
		return pathError("write", f.name, errQuota)
	case size <= int64(len(n.data)):
		clear(n.data[size:])
		n.data = n.data[:size]
	case size <= int64(cap(n.data)):
		n.data = n.data[:size]
	default:
		data := make([]byte, size, n.roomFor(size))
		copy(data, n.data)
		n.data = data
	}
	f.fs.bytes += more
	return nil
}

// roomFor is the capacity that a file gets when it needs a larger one.
func (n *node) roomFor(size int64) int64 { return max(size, int64(cap(n.data))/4*5) }

// needs is how many bytes resize is going to allocate, at most.
func (f *memFile) needs(size int64) int64 {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if size <= int64(cap(f.node.data)) || size > maxFile {
		return 0
	}
	return f.node.roomFor(size)
}

func (f *memFile) Truncate(size int64) error {
	unlock, err := f.use("truncate", false, true)
	if err != nil {
		return err
	}
	defer unlock()
	f.node.mtime = f.fs.now()
	return f.resize(size)
}

func (f *memFile) Seek(offset int64, whence int) (int64, error) {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	switch {
	case f.closed:
		return 0, pathError("seek", f.name, fs.ErrClosed)
	case whence == io.SeekCurrent:
		offset += f.at
	case whence == io.SeekEnd:
		offset += int64(len(f.node.data))
	case whence != io.SeekStart:
		return 0, pathError("seek", f.name, errInvalid)
	}
	if offset < 0 {
		return 0, pathError("seek", f.name, errInvalid)
	}
	f.at, f.list, f.listed = offset, nil, false
	return offset, nil
}

func (f *memFile) Stat() (fs.FileInfo, error) {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if f.closed {
		return nil, pathError("stat", f.name, fs.ErrClosed)
	}
	return f.node.info(path.Base(f.name)), nil
}

func (f *memFile) Sync() error { return nil }

func (f *memFile) Readdir(count int) ([]fs.FileInfo, error) {
	unlock, err := f.use("readdirent", true, false)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if !f.listed {
		f.listed, f.list = true, make([]fs.FileInfo, 0, len(f.node.kids))
		for name, n := range f.node.kids {
			f.list = append(f.list, n.info(name))
		}
		sortByName(f.list)
	}
	return next(&f.list, count)
}

func (f *memFile) Readdirnames(count int) ([]string, error) {
	infos, err := f.Readdir(count)
	return names(infos), err
}

// next takes up to count entries of a listing; all that are left if count is not
// positive. It gives io.EOF as os.File does.
func next[T any](list *[]T, count int) ([]T, error) {
	n := len(*list)
	if count > 0 {
		if n == 0 {
			return nil, io.EOF
		}
		n = min(n, count)
	}
	head := (*list)[:n:n]
	*list = (*list)[n:]
	return head, nil
}

func names(infos []fs.FileInfo) []string {
	list := make([]string, len(infos))
	for i, st := range infos {
		list[i] = st.Name()
	}
	return list
}
