package policyfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// Default is the policy of the command where nobody says otherwise.
func Default() sandtrap.Policy {
	return sandtrap.Policy{
		Std:    sandtrap.StdDefault(),
		Files:  memoryFiles(),
		Env:    map[string]string{},
		Limits: sandtrap.Limits{Timeout: 5 * time.Second, Memory: 256 << 20, Output: 1 << 20},
	}
}

// memoryFiles are files in memory, gone with the run. Scripts start in a directory
// that is empty.
func memoryFiles() *sandtrap.Files {
	return &sandtrap.Files{Cwd: "/work", ModuleRoot: "/work"}
}

// SetFS reads none, mem and dir:PATH, which may end in :ro or :rw.
func (f *File) SetFS(s string) error {
	to := &f.Policy.Files
	path, dir := strings.CutPrefix(s, "dir:")
	switch {
	case s == "none":
		f.dir = ""
		setFiles(to, nil)
		return nil
	case s == "mem":
		f.dir = ""
		setFiles(to, memoryFiles())
		return nil
	case !dir || path == "":
		return fmt.Errorf("want none, mem or dir:PATH[:ro|:rw]")
	}
	path, write, err := vfs.SplitPath(path)
	if err != nil {
		return err
	}
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !st.IsDir() {
		return fmt.Errorf("%s is not a directory", path)
	}
	files := &sandtrap.Files{ModuleRoot: "/"}
	files.Open = func() (afero.Fs, error) {
		open := vfs.Dir
		if files.Secrets {
			open = vfs.WholeDir
		}
		base, err := open(path)
		if err == nil && !write {
			base = vfs.ReadOnly(base)
		}
		return base, err
	}
	setFiles(to, files)
	f.dir = path
	return nil
}

// seenIn is the directory in which scripts see a file of the host; empty if there is none.
func (f *File) seenIn(file string) string {
	if f.Policy.Files == nil {
		return ""
	}
	file = realPath(file)
	dirs := []string{f.dir}
	for _, text := range f.Policy.Files.Paths {
		dir, _, err := vfs.SplitPath(text)
		if err == nil {
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		if rest, err := filepath.Rel(realPath(dir), file); err == nil && filepath.IsLocal(rest) {
			return dir
		}
	}
	return ""
}

// realPath is a path without links, as far as they are known.
func realPath(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}

// setFiles says where files are, beside the paths that are allowed.
func setFiles(to **sandtrap.Files, files *sandtrap.Files) {
	if before := *to; before != nil && (len(before.Paths) > 0 || before.Secrets && files != nil) {
		if files == nil {
			files = &sandtrap.Files{}
		}
		files.Paths, files.Secrets = before.Paths, before.Secrets
	}
	*to = files
}

// ShowSecrets has directories of the host show what vfs.Dir hides.
func ShowSecrets(show bool, to **sandtrap.Files) {
	if *to == nil {
		*to = &sandtrap.Files{}
	}
	(*to).Secrets = show
}

// AllowPath adds a directory that scripts see where it is.
func AllowPath(s string, to **sandtrap.Files) error {
	if _, err := vfs.Give([]string{s}, false); err != nil {
		return err
	}
	if *to == nil {
		*to = &sandtrap.Files{}
	}
	(*to).Paths = append((*to).Paths, s)
	return nil
}
