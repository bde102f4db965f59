package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// memoryFiles are files in memory, gone with the run. Scripts start in a directory
// that is empty.
func memoryFiles() *sandtrap.Files {
	return &sandtrap.Files{Cwd: "/work", ModuleRoot: "/work", Open: func() (afero.Fs, error) { return vfs.Mem(), nil }}
}

// parseFS reads none, mem and dir:PATH, which may end in :ro or :rw.
func parseFS(s string, to **sandtrap.Files) error {
	path, dir := strings.CutPrefix(s, "dir:")
	switch {
	case s == "none":
		setFiles(to, nil)
		return nil
	case s == "mem":
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
	setFiles(to, &sandtrap.Files{ModuleRoot: "/", Open: func() (afero.Fs, error) {
		base, err := vfs.Dir(path)
		if err == nil && !write {
			base = vfs.ReadOnly(base)
		}
		return base, err
	}})
	return nil
}

// setFiles says where files are, beside the paths that are allowed.
func setFiles(to **sandtrap.Files, files *sandtrap.Files) {
	if before := *to; before != nil && len(before.Paths) > 0 {
		if files == nil {
			files = &sandtrap.Files{}
		}
		files.Paths = before.Paths
	}
	*to = files
}

// allowPath adds a directory that scripts see where it is.
func allowPath(s string, to **sandtrap.Files) error {
	if _, err := vfs.Give([]string{s}); err != nil {
		return err
	}
	if *to == nil {
		*to = &sandtrap.Files{}
	}
	(*to).Paths = append((*to).Paths, s)
	return nil
}
