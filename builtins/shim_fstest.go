package builtins

import (
	"io/fs"
	"testing/fstest"
)

func fstestTestFS(e *Env) func(fs.FS, ...string) error {
	return func(fsys fs.FS, expected ...string) error {
		if m, ok := fsys.(fstest.MapFS); ok {
			fsys = &checkedMapFS{m, e}
		}
		return fstest.TestFS(fsys, expected...)
	}
}

// A checkedMapFS lets a stop through before each thing that it is asked, which goes over
// all of its files.
type checkedMapFS struct {
	fstest.MapFS
	env *Env
}

func (c *checkedMapFS) look() fstest.MapFS {
	c.env.work(int64(len(c.MapFS)) * mapFileTicks)
	c.env.check()
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
