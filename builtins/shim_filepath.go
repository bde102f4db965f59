package builtins

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/sandtrap-go/sandtrap/vfs"
)

func filepathAbs(e *Env) func(path string) (string, error) {
	return func(name string) (string, error) {
		if path.IsAbs(name) {
			return path.Clean(name), nil
		}
		dir, err := e.files().Getwd()
		return path.Join(dir, name), err
	}
}

func filepathEvalSymlinks(e *Env) func(path string) (string, error) { return e.files().EvalSymlinks }

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

func filepathWalkDir(e *Env) func(root string, fn fs.WalkDirFunc) error {
	return func(root string, fn fs.WalkDirFunc) error { return fsWalkDir(e)(osTree{e.files()}, root, fn) }
}

func filepathGlob(e *Env) func(pattern string) ([]string, error) {
	return func(pattern string) ([]string, error) {
		list, err := fsGlob(e)(osTree{e.files()}, pattern)
		if err == path.ErrBadPattern { // which is not that of filepath
			err = filepath.ErrBadPattern
		}
		return list, err
	}
}

// maxDirs is how deep a walk goes: Go's takes a part of its stack for each directory.
const maxDirs = 10_000

// walked lets a stop through at an entry of a walk, which is not too deep.
func (e *Env) walked(name string) {
	e.check()
	if strings.Count(name, "/") > maxDirs {
		panic(runtimeError("io/fs: directories are nested too deeply, or in a circle"))
	}
}

// fsWalkDir looks for a stop at each entry.
func fsWalkDir(e *Env) func(fsys fs.FS, root string, fn fs.WalkDirFunc) error {
	return func(fsys fs.FS, root string, fn fs.WalkDirFunc) error {
		return fs.WalkDir(fsys, root, func(name string, d fs.DirEntry, err error) error {
			e.walked(name)
			return fn(name, d, err)
		})
	}
}

// fsReadFile charges for the file where its size is known, else as it is read.
func fsReadFile(e *Env) func(fsys fs.FS, name string) ([]byte, error) {
	return func(fsys fs.FS, name string) ([]byte, error) {
		if st, err := fs.Stat(fsys, name); err == nil {
			e.charge(st.Size())
		}
		return fs.ReadFile(fsys, name)
	}
}

// filepathWalk walks in lexical order and gives fn what is known of each file.
func filepathWalk(e *Env) func(root string, fn filepath.WalkFunc) error {
	return func(root string, fn filepath.WalkFunc) error {
		st, err := e.files().Lstat(root)
		if err != nil {
			err = fn(root, nil, err)
		} else {
			err = e.walk(root, st, fn)
		}
		if err == filepath.SkipDir || err == filepath.SkipAll {
			return nil
		}
		return err
	}
}

// walk visits a file, and what is below it. The depth of a tree has a bound.
func (e *Env) walk(name string, st fs.FileInfo, fn filepath.WalkFunc) error {
	e.check()
	if !st.IsDir() {
		return fn(name, st, nil)
	}
	list, listErr := e.files().ReadDir(name)
	err := fn(name, st, listErr)
	if listErr != nil || err != nil {
		return err // after a listing that failed, fn has the last word
	}
	for _, d := range list {
		kid := path.Join(name, d.Name())
		info, err := e.files().Lstat(kid)
		if err != nil {
			err = fn(kid, info, err)
		} else {
			err = e.walk(kid, info, fn)
		}
		if err != nil && !(err == filepath.SkipDir && (info == nil || info.IsDir())) {
			return err
		}
	}
	return nil
}
