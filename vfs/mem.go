package vfs

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/spf13/afero"
)

// A node is a file, a directory or a symbolic link in memory.
type node struct {
	mode  fs.FileMode
	mtime time.Time
	data  []byte
	kids  map[string]*node // of a directory
	in    *node            // the directory that it is in; nil for the root
	link  string           // of a symbolic link: where it leads

	holders int  // files that have it open
	lost    bool // it has no name any more
}

func (n *node) info(name string) *info {
	size := int64(len(n.data))
	if n.mode.IsDir() {
		size = 4096
	} else if n.link != "" {
		size = int64(len(n.link))
	}
	return &info{name: name, size: size, mode: n.mode, mtime: n.mtime, same: n}
}

// memFs is a tree of nodes with the behaviour of a file system of Linux.
type memFs struct {
	*memTree
	noLinks bool // none is followed
}

type memTree struct {
	mu    sync.Mutex // of the tree and of all that hangs in it
	root  *node
	bytes int64     // in all files, open ones without a name too
	most  int64     // that there may be; no bound if it is 0
	at    time.Time // where its clock stands; zero for that of the machine
}

// now is the time of what changes.
func (m *memFs) now() time.Time {
	if m.at.IsZero() {
		return time.Now()
	}
	return m.at
}

// over is how many of n bytes more there is no room for.
func (m *memFs) over(n int64) int64 {
	if m.most == 0 {
		return 0
	}
	return max(0, n-max(0, m.most-m.bytes))
}

// has reports whether there is room for n bytes more, for who does not hold the lock.
func (m *memFs) has(n int64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.over(n) == 0
}

func (m *memFs) bound(bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.most = bytes
}

// lose is for a node that has lost its name. What is in it goes with the last file that has it open.
func (m *memFs) lose(n *node) {
	for _, kid := range n.kids {
		m.lose(kid)
	}
	if n.lost = true; n.holders == 0 {
		m.bytes -= int64(len(n.data))
	}
}

// Mem returns an empty file system in memory that has a /tmp. It is safe for
// concurrent use.
func Mem() afero.Fs {
	return MemAt(time.Time{})
}

// MemAt is Mem with a clock that stands: whatever changes in it has changed at that time.
func MemAt(at time.Time) afero.Fs {
	m := newMem(at)
	m.root.add("tmp", newDir(0o777|fs.ModeSticky, m.now()), m.now())
	return m
}

func newMem(at time.Time) *memFs {
	m := &memFs{memTree: &memTree{at: at}}
	m.root = newDir(0o755, m.now())
	return m
}

func newDir(perm fs.FileMode, now time.Time) *node {
	return &node{mode: fs.ModeDir | perm&(fs.ModePerm|fs.ModeSticky), mtime: now, kids: map[string]*node{}}
}

// maxLinks is how many symbolic links a path may go through, as on Linux.
const maxLinks = 40

// walk finds the directory and the last name of a path, and the node there, nil
// if there is none. With follow a link at the end is gone through.
func (m *memFs) walk(name string, follow bool) (dir *node, base string, n *node, err error) {
	links := 0
	return m.walkFrom("/", name, follow, &links)
}

func (m *memFs) walkFrom(at, name string, follow bool, links *int) (*node, string, *node, error) {
	n := m.root
	base, parent := "", m.root
	if !strings.HasPrefix(name, "/") {
		name = path.Join(at, name)
	}
	at = "/"
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '/' })
	for i, part := range parts {
		if n == nil {
			return nil, "", nil, errNotExist
		}
		if !n.mode.IsDir() {
			return nil, "", nil, errNotDir
		}
		parent, base, n = n, part, n.kids[part]
		last := i == len(parts)-1
		if n != nil && n.link != "" && (!last || follow) {
			if m.noLinks {
				return nil, "", nil, errLinked
			}
			if *links++; *links > maxLinks {
				return nil, "", nil, errLoop
			}
			rest := path.Join(append([]string{n.link}, parts[i+1:]...)...)
			return m.walkFrom(at, rest, follow, links)
		}
		at = path.Join(at, part)
	}
	return parent, base, n, nil
}

// find is walk for what has to be there.
func (m *memFs) find(name string, follow bool) (*node, error) {
	_, _, n, err := m.walk(name, follow)
	if err == nil && n == nil {
		err = errNotExist
	}
	return n, err
}

func (m *memFs) Name() string { return "memory" }

func (m *memFs) Stat(name string) (fs.FileInfo, error) { return m.stat("stat", name, true) }

// LstatIfPossible is Lstat.
func (m *memFs) LstatIfPossible(name string) (fs.FileInfo, bool, error) {
	st, err := m.stat("lstat", name, false)
	return st, true, err
}

func (m *memFs) stat(op, name string, follow bool) (fs.FileInfo, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name, follow)
	if err != nil {
		return nil, pathError(op, name, err)
	}
	return n.info(path.Base(name)), nil
}

func (m *memFs) Create(name string) (afero.File, error) {
	return m.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

func (m *memFs) Open(name string) (afero.File, error) { return m.OpenFile(name, os.O_RDONLY, 0) }

func (m *memFs) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.open(name, flag, perm)
	if err != nil {
		return nil, pathError("open", name, err)
	}
	n.holders++
	return &memFile{fs: m, node: n, name: name, flag: flag}, nil
}

func (m *memFs) open(name string, flag int, perm fs.FileMode) (*node, error) {
	dir, base, n, err := m.walk(name, flag&os.O_EXCL == 0)
	switch {
	case err != nil:
		return nil, err
	case n == nil && flag&os.O_CREATE == 0:
		return nil, errNotExist
	case n == nil:
		n = &node{mode: perm & fs.ModePerm, mtime: m.now()}
		dir.add(base, n, m.now())
	case flag&(os.O_CREATE|os.O_EXCL) == os.O_CREATE|os.O_EXCL:
		return nil, errExist
	case n.mode.IsDir() && (changes(flag) || flag&os.O_CREATE != 0):
		return nil, errIsDir
	}
	if flag&os.O_TRUNC != 0 {
		m.bytes -= int64(len(n.data))
		n.data, n.mtime = nil, m.now()
	}
	return n, nil
}

func writes(flag int) bool { return flag&(os.O_WRONLY|os.O_RDWR) != 0 }

// changes reports that to open a file like that may change it: Linux also empties one that is only read
// then.
func changes(flag int) bool { return writes(flag) || flag&os.O_TRUNC != 0 }

func (n *node) add(name string, kid *node, now time.Time) {
	n.kids[name], kid.in = kid, n
	n.mtime = now
}

// isWithin reports that n is dir, or somewhere below it.
func (n *node) isWithin(dir *node) bool {
	for ; n != nil; n = n.in {
		if n == dir {
			return true
		}
	}
	return false
}

// drop takes away a name, not what it is of.
func (n *node) drop(name string, now time.Time) {
	delete(n.kids, name)
	n.mtime = now
}

// change calls f with the node at name.
func (m *memFs) change(op, name string, f func(*node)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name, true)
	if err == nil {
		f(n)
	}
	return pathError(op, name, err)
}

func (m *memFs) Chmod(name string, mode fs.FileMode) error {
	return m.change("chmod", name, func(n *node) { n.mode = n.mode&fs.ModeType | mode&(fs.ModePerm|fs.ModeSticky) })
}

func (m *memFs) Chown(name string, _, _ int) error { return pathError("chown", name, errNotAllowed) }

func (m *memFs) Chtimes(name string, _, mtime time.Time) error {
	return m.change("chtimes", name, func(n *node) {
		if !mtime.IsZero() {
			n.mtime = mtime
		}
	})
}
