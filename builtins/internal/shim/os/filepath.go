package os

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/vfs"
)

func FilepathAbs(e *shim.Env) func(path string) (string, error) {
	return func(name string) (string, error) {
		if path.IsAbs(name) {
			return path.Clean(name), nil
		}
		dir, err := Files(e).Getwd()
		return path.Join(dir, name), err
	}
}

func FilepathEvalSymlinks(e *shim.Env) func(path string) (string, error) {
	return Files(e).EvalSymlinks
}

// osTree is the script's files as an fs.FS that takes paths as package os does.
type osTree struct{ *vfs.FS }

func (t osTree) Open(name string) (fs.File, error) {
	f, err := t.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Stat does not follow links: walks do not.
func (t osTree) Stat(name string) (fs.FileInfo, error) { return t.FS.Lstat(name) }

func FilepathWalkDir(e *shim.Env) func(root string, fn fs.WalkDirFunc) error {
	return func(root string, fn fs.WalkDirFunc) error { return FsWalkDir(e)(osTree{Files(e)}, root, fn) }
}

func FilepathGlob(e *shim.Env) func(pattern string) ([]string, error) {
	return func(pattern string) ([]string, error) {
		list, err := FsGlob(e)(osTree{Files(e)}, pattern)
		if err == path.ErrBadPattern { // which is not that of filepath
			err = filepath.ErrBadPattern
		}
		return list, err
	}
}

// maxDirs is how deep a walk goes: Go's takes a part of its stack for each directory.
const maxDirs = 10_000

// walked lets a stop through at an entry of a walk, which is not too deep.
func walked(e *shim.Env, name string) {
	e.Check()
	if strings.Count(name, "/") > maxDirs {
		panic(shim.RuntimeError("io/fs: directories are nested too deeply, or in a circle"))
	}
}

// FsWalkDir looks for a stop at each entry.
func FsWalkDir(e *shim.Env) func(fsys fs.FS, root string, fn fs.WalkDirFunc) error {
	return func(fsys fs.FS, root string, fn fs.WalkDirFunc) error {
		return fs.WalkDir(fsys, root, func(name string, d fs.DirEntry, err error) error {
			walked(e, name)
			return fn(name, d, err)
		})
	}
}

// FsReadFile charges for the file where its size is known, else as it is read.
func FsReadFile(e *shim.Env) func(fsys fs.FS, name string) ([]byte, error) {
	return func(fsys fs.FS, name string) ([]byte, error) {
		if st, err := fs.Stat(fsys, name); err == nil {
			e.Charge(st.Size())
		}
		return fs.ReadFile(fsys, name)
	}
}

// FilepathWalk walks in lexical order and gives fn what is known of each file.
func FilepathWalk(e *shim.Env) func(root string, fn filepath.WalkFunc) error {
	return func(root string, fn filepath.WalkFunc) error {
		st, err := Files(e).Lstat(root)
		if err != nil {
			err = fn(root, nil, err)
		} else {
			err = walk(e, root, st, fn)
		}
		if err == filepath.SkipDir || err == filepath.SkipAll {
			return nil
		}
		return err
	}
}

// walk visits a file, and what is below it. The depth of a tree has a bound.
func walk(e *shim.Env, name string, st fs.FileInfo, fn filepath.WalkFunc) error {
	e.Check()
	if !st.IsDir() {
		return fn(name, st, nil)
	}
	list, listErr := Files(e).ReadDir(name)
	err := fn(name, st, listErr)
	if listErr != nil || err != nil {
		return err // after a listing that failed, fn has the last word
	}
	for _, d := range list {
		kid := path.Join(name, d.Name())
		info, err := Files(e).Lstat(kid)
		if err != nil {
			err = fn(kid, info, err)
		} else {
			err = walk(e, kid, info, fn)
		}
		if err != nil && !(err == filepath.SkipDir && (info == nil || info.IsDir())) {
			return err
		}
	}
	return nil
}
