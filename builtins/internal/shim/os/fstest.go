package os

import (
	"io/fs"
	"path"
	"strconv"
	"testing/fstest"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// Opened is a file of a tree that has it.
func Opened(fsys fs.FS, name string) fs.File {
	f, err := fsys.Open(name)
	if err != nil {
		panic(err)
	}
	return f
}

func FstestTestFS(e *shim.Env) func(fs.FS, ...string) error {
	return func(fsys fs.FS, expected ...string) error {
		if m, ok := fsys.(MapFS); ok {
			fsys = &checkedMapFS{m, e}
		}
		return fstest.TestFS(fsys, expected...)
	}
}

// A checkedMapFS lets a stop through before each thing that it is asked, which goes over
// all of its files.
type checkedMapFS struct {
	MapFS
	env *shim.Env
}

func (c *checkedMapFS) look() MapFS {
	c.env.Work(int64(len(c.MapFS)) * mapFileTicks)
	c.env.Check()
	return c.MapFS
}

const mapFileTicks = 10

func (c *checkedMapFS) Open(name string) (fs.File, error)          { return c.look().Open(name) }
func (c *checkedMapFS) ReadFile(name string) ([]byte, error)       { return c.look().ReadFile(name) }
func (c *checkedMapFS) Stat(name string) (fs.FileInfo, error)      { return c.look().Stat(name) }
func (c *checkedMapFS) Lstat(name string) (fs.FileInfo, error)     { return c.look().Lstat(name) }
func (c *checkedMapFS) ReadLink(name string) (string, error)       { return c.look().ReadLink(name) }
func (c *checkedMapFS) ReadDir(name string) ([]fs.DirEntry, error) { return c.look().ReadDir(name) }
func (c *checkedMapFS) Glob(pattern string) ([]string, error)      { return fs.Glob(onlyFS{c}, pattern) }
func (c *checkedMapFS) Sub(dir string) (fs.FS, error)              { return fs.Sub(onlyFS{c}, dir) }

// onlyFS has the method that all file systems have, and ReadDir.
type onlyFS struct{ fs.ReadDirFS }

// MapFS is fstest.MapFS for scripts: that of Go follows links on the Go stack, without end
// where they lead to each other.
type MapFS fstest.MapFS

const (
	maxLinks   = 100  // on the way to one file
	maxMapName = 4096 // bytes: each part of a name is looked up
)

// followed is m for Go, which is to find name there.
func (m MapFS) followed(name string) fstest.MapFS {
	to := name
	for range maxLinks {
		if len(to) > maxMapName {
			panic(shim.RuntimeError("testing/fstest: a name of " + strconv.Itoa(len(to)) + " bytes is too long"))
		}
		next, ok := m.follow(to)
		if !ok {
			return fstest.MapFS(m)
		}
		to = next
	}
	panic(shim.RuntimeError("testing/fstest: links on the way to " + strconv.Quote(name) + " are too many, or lead to each other"))
}

// follow is name with the first link in it replaced, if there is one.
func (m MapFS) follow(name string) (string, bool) {
	if to, ok := m.link(name); ok {
		return to, true
	}
	for i := range len(name) {
		if name[i] == '/' {
			if to, ok := m.link(name[:i]); ok {
				return to + name[i:], true
			}
		}
	}
	return "", false
}

func (m MapFS) link(name string) (string, bool) {
	f := m[name]
	if f == nil || f.Mode.Type() != fs.ModeSymlink || path.IsAbs(string(f.Data)) {
		return "", false
	}
	return path.Join(path.Dir(name), string(f.Data)), true
}

// Lstat and ReadLink follow the links on the way only.

func (m MapFS) Lstat(name string) (fs.FileInfo, error) { return m.followed(path.Dir(name)).Lstat(name) }
func (m MapFS) ReadLink(name string) (string, error) {
	return m.followed(path.Dir(name)).ReadLink(name)
}

func (m MapFS) Open(name string) (fs.File, error)          { return m.followed(name).Open(name) }
func (m MapFS) ReadFile(name string) ([]byte, error)       { return m.followed(name).ReadFile(name) }
func (m MapFS) Stat(name string) (fs.FileInfo, error)      { return m.followed(name).Stat(name) }
func (m MapFS) ReadDir(name string) ([]fs.DirEntry, error) { return m.followed(name).ReadDir(name) }
func (m MapFS) Sub(dir string) (fs.FS, error)              { return fs.Sub(noSub{m}, dir) }

// Glob is for who finds it behind an interface; scripts have MapGlob.
func (m MapFS) Glob(pattern string) ([]string, error) {
	if len(pattern) > maxMapName {
		panic(shim.RuntimeError("testing/fstest: a pattern of " + strconv.Itoa(len(pattern)) + " bytes is too long"))
	}
	return fs.Glob(onlyFS{m}, pattern)
}

// noSub has what a MapFS has but for the method that calls fs.Sub.
type noSub struct{ MapFS }

func (noSub) Sub() {}
