package cli

import (
	"fmt"
	"os"
	"path/filepath"
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
		*to = nil
		return nil
	case s == "mem":
		*to = memoryFiles()
		return nil
	case !dir || path == "":
		return fmt.Errorf("want none, mem or dir:PATH[:ro|:rw]")
	}
	path, write := strings.CutSuffix(path, ":rw")
	if !write {
		path = strings.TrimSuffix(path, ":ro")
	}
	path, err := home(path)
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
	*to = &sandtrap.Files{ModuleRoot: "/", Open: func() (afero.Fs, error) {
		base, err := vfs.Dir(path)
		if err == nil && !write {
			base = vfs.ReadOnly(base)
		}
		return base, err
	}}
	return nil
}

// home replaces a ~ at the start of a path.
func home(path string) (string, error) {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path, nil
	}
	dir, err := os.UserHomeDir()
	return filepath.Join(dir, rest), err
}
