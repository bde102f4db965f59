package vfs

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"sync"

	"github.com/spf13/afero"
)

// A Quota bounds what scripts create in a volume. Files that existed before do not count.
// Zero means the default.
type Quota struct {
	Bytes int64 // added to files, and copied by a Layer for changed files; default 64 MiB
	Files int   // files, directories and links made; default 10,000
	Open  int   // files open at a time in a run; default 256
}

func (q Quota) withDefaults() Quota {
	if q.Bytes == 0 {
		q.Bytes = 64 << 20
	}
	if q.Files == 0 {
		q.Files = 10_000
	}
	if q.Open == 0 {
		q.Open = 256
	}
	return q
}

// Options say how scripts see a volume. The zero value is valid.
type Options struct {
	Quota Quota

	// Cwd is the working directory that each run starts in, made if it is missing;
	// "/" if empty.
	Cwd string

	// Given are directories of the host, mounted over all that the base has there.
	Given []*Given
}

// tempDir is where scripts may put what nobody misses.
const tempDir = "/tmp"

// A Volume is a set of files with a quota and its usage. It is safe for concurrent use if
// its base is.
type Volume struct {
	base  afero.Fs
	quota Quota
	start string

	mu    sync.Mutex // also of the path and the orphan of each file
	bytes int64      // used of the quota
	files int
	open  map[*File]bool // in all runs

	shrinking map[*shrink]bool
}

// New makes a volume of base. If base has no /tmp, scripts get one in memory.
func New(base afero.Fs, o Options) (*Volume, error) {
	if o.Quota.Bytes < 0 || o.Quota.Files < 0 || o.Quota.Open < 0 {
		return nil, fmt.Errorf("vfs: negative quota %+v; 0 means the default", o.Quota)
	}
	base = shown(base, o.Given)
	cwd := path.Join("/", o.Cwd)
	if cwd != "/" {
		if err := base.MkdirAll(cwd, 0o755); err != nil {
			if st, e := base.Stat(cwd); e != nil || !st.IsDir() {
				return nil, fmt.Errorf("vfs: working directory %s: %w", cwd, cause(err))
			}
		}
	}
	quota := o.Quota.withDefaults()
	bound(base, quota.Bytes)
	return &Volume{base: base, quota: quota, start: cwd}, nil
}

// shown is base as scripts see it: with a /tmp, and with directories of the host over it.
func shown(base afero.Fs, given []*Given) afero.Fs {
	if st, err := base.Stat(tempDir); err != nil || !st.IsDir() {
		base = mount(base, tempDir, Mem(), true)
	}
	for _, g := range given {
		base = g.over(base)
	}
	return base
}

// bound bounds what the layers of base keep.
func bound(base afero.Fs, bytes int64) {
	switch b := base.(type) {
	case *Layer:
		b.bound(bytes)
	case *mountFs:
		bound(b.base, bytes)
		bound(b.sub, bytes)
	case *hideFs:
		bound(b.base, bytes)
	}
}

// Used returns how much of the quota is used.
func (v *Volume) Used() (bytes int64, files int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.bytes, v.files
}

// take uses up quota, or fails and takes nothing. Negative amounts give back; what
// was there before the volume cannot be turned into quota.
func (v *Volume) take(bytes int64, files int) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if bytes > 0 && bytes > v.quota.Bytes-v.bytes || files > 0 && files > v.quota.Files-v.files {
		return errQuota
	}
	v.bytes, v.files = max(0, v.bytes+bytes), max(0, v.files+files)
	return nil
}

// takeSome takes as many of the bytes as there are, and returns how many.
func (v *Volume) takeSome(bytes int64) int64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	bytes = min(bytes, max(0, v.quota.Bytes-v.bytes))
	v.bytes += bytes
	return bytes
}

func (v *Volume) give(bytes int64, files int) { _ = v.take(-bytes, -files) } // giving back never fails

// An FS is the view of one run of a volume: package os on the script's paths. It is safe
// for concurrent use.
type FS struct {
	// Charge, if not nil, is called before n bytes of memory are used; it does not return if
	// they are refused.
	Charge func(n int64)

	// Decide, if not nil, is asked before an operation. Its error is that of the operation, which is done to the path that was
	// asked about: if a link has come into it meanwhile it fails. That holds for Dir, Given, Mem, Layer, and what Mount, Hide and
	// ReadOnly make of them; a file system of the host's has to see to it itself.
	Decide func(Operation) error

	vol  *Volume
	base afero.Fs // of vol
	*fsState
}

// An fsState is what the FSs of a run share.
type fsState struct {
	mu   sync.Mutex
	dir  string
	open map[*File]bool

	strict *FS          // follows no links; nil until something is decided
	moving sync.RWMutex // a tree is moved by one that holds it, and grows by others

	opening int // files that are about to be open
	turn    int // how many times it was closed
	temp    int // names of temporary files made so far
}

// FS makes the view of one run. Close it when the run is over.
func (v *Volume) FS() *FS { return &FS{vol: v, base: v.base, fsState: &fsState{dir: v.start}} }

// Deciding is f for operations that decide is asked about. All else is shared with f.
func (f *FS) Deciding(decide func(Operation) error) *FS {
	own := *f
	own.Decide = decide
	return &own
}

// RunFS is FS for a base that needs to know the run: one, mounted or not, with a method For(run
// func() context.Context) afero.Fs, whose result replaces it in the view. run returns the context
// of the current run.
func (v *Volume) RunFS(run func() context.Context) *FS {
	f := v.FS()
	f.base = forRun(v.base, run)
	return f
}

func forRun(base afero.Fs, run func() context.Context) afero.Fs {
	if b, ok := base.(interface {
		For(run func() context.Context) afero.Fs
	}); ok {
		return b.For(run)
	}
	return base
}

// Close closes all that the run left open.
func (f *FS) Close() error {
	f.mu.Lock()
	left := f.open
	f.open = nil
	f.turn++
	f.mu.Unlock()
	for file := range left {
		_ = f.release(file) // nothing is held back that could be lost
	}
	return nil
}

func (f *FS) charge(n int64) {
	if f.Charge != nil && n > 0 {
		f.Charge(n)
	}
}

func (f *FS) cwd() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.dir
}

// Getwd returns the working directory.
func (f *FS) Getwd() (string, error) { return f.cwd(), nil }

// Chdir changes the working directory of this run.
func (f *FS) Chdir(name string) error {
	at, err := f.resolve(name)
	if err == nil {
		err = f.isDir(at)
	}
	if err == nil {
		f.mu.Lock()
		f.dir = at
		f.mu.Unlock()
	}
	return pathError("chdir", name, err)
}

// TempDir returns the directory for temporary files.
func (f *FS) TempDir() string { return tempDir }

// Stat returns what is known of a file.
func (f *FS) Stat(name string) (fs.FileInfo, error) {
	at, err := f.resolve(name)
	if err != nil {
		return nil, pathError("stat", name, err)
	}
	st, err := f.stat(at)
	if err != nil {
		return nil, pathError("stat", name, err)
	}
	return bare(st, path.Base(name)), nil
}

// Lstat is Stat for the link itself.
func (f *FS) Lstat(name string) (fs.FileInfo, error) {
	at, err := f.resolve(name)
	if err != nil {
		return nil, pathError("lstat", name, err)
	}
	st, err := f.lstat(at)
	if err != nil {
		return nil, pathError("lstat", name, err)
	}
	return bare(st, path.Base(name)), nil
}

func lstat(base afero.Fs, at string) (fs.FileInfo, error) {
	if l, ok := base.(afero.Lstater); ok {
		st, _, err := l.LstatIfPossible(at)
		return st, err
	}
	return base.Stat(at)
}

// Chmod changes the permissions of a file.
func (f *FS) Chmod(name string, mode fs.FileMode) error {
	at, err := f.resolve(name)
	if err == nil {
		at, err = f.decide(OpChange, at, "", true)
	}
	if err == nil {
		err = f.missing(at, f.doing().base.Chmod(at, mode))
	}
	return pathError("chmod", name, err)
}

// Truncate sets the size of a file.
func (f *FS) Truncate(name string, size int64) error {
	file, err := f.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return pathError("truncate", name, err)
	}
	err = file.Truncate(size)
	_ = file.Close()
	return pathError("truncate", name, err)
}
