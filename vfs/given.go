package vfs

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/afero"
)

// A Given is a directory of the host that scripts see at its host path.
type Given struct {
	Path  string // absolute, with slashes
	Write bool   // scripts may change its contents
	Whole bool   // secrets are not hidden, see Dir

	// Dir is the open directory, for a process that reads files in it.
	Dir *os.File

	files *dirFs
}

// SplitPath parses a path that may end in :ro, the default, or :rw, and may begin with ~ for
// the user's home directory. It makes the path absolute.
func SplitPath(text string) (dir string, write bool, err error) {
	dir, write = strings.CutSuffix(text, ":rw")
	if !write {
		dir = strings.TrimSuffix(dir, ":ro")
	}
	if dir == "" {
		return "", false, fmt.Errorf("%q has no path; want PATH, PATH:ro or PATH:rw", text)
	}
	if rest, ok := strings.CutPrefix(dir, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", false, err
		}
		dir = filepath.Join(home, rest)
	}
	dir, err = filepath.Abs(dir)
	return dir, write, err
}

// Give opens the directories of a list of paths in the form of SplitPath, until the process
// ends or the list is freed. A missing or repeated one is an error. With whole they show what Dir hides.
func Give(texts []string, whole bool) ([]*Given, error) {
	list := []*Given{}
	for _, text := range texts {
		dir, write, err := SplitPath(text)
		if err != nil {
			return nil, err
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, err
		}
		itself, err := root.Open(".")
		if err != nil {
			return nil, err
		}
		at := path.Join("/", filepath.ToSlash(dir))
		list = append(list, &Given{Path: at, Write: write, Whole: whole, Dir: itself, files: &dirFs{root}})
	}
	// Of two where one is in the other, that one comes later and is seen.
	slices.SortFunc(list, func(a, b *Given) int {
		return cmp.Or(cmp.Compare(len(a.Path), len(b.Path)), strings.Compare(a.Path, b.Path))
	})
	for i, g := range list {
		if i > 0 && g.Path == list[i-1].Path {
			return nil, fmt.Errorf("%s stands twice", g.Path)
		}
	}
	return list, nil
}

// over is base with the directory where it is.
func (g *Given) over(base afero.Fs) afero.Fs {
	var files afero.Fs = g.files
	if !g.Whole {
		files = hide(files, secrets)
	}
	if !g.Write {
		files = ReadOnly(files)
	}
	return Mount(base, g.Path, files)
}
