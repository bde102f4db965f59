package sandtrap

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/nearest"
)

// What bounds the search for a package that was perhaps meant: the directories that are
// looked at, and after the first few the time for that, because files may be far away.
const (
	maxSearched = 500
	minSearched = 20
	maxSearch   = 50 * time.Millisecond
)

// meant is an error that tells of a package which an import was perhaps about; nil if there
// is none.
func (f *finder) meant(importPath string) error {
	s := search{finder: f, left: maxSearched, until: time.Now().Add(maxSearch)}
	name := path.Base(importPath)
	dirs := s.packages(f.root, "")
	if near := nearest.Name(name, slices.Sorted(maps.Keys(dirs))); near != "" {
		return fmt.Errorf("there is no package %q in %s; did you mean import %q?", importPath, f.root, f.importPath(dirs[near]))
	}
	if at := s.packages("/", f.root)[name]; at != "" {
		err := fmt.Errorf("there is no package %q in %s; the one in %s is unreachable from there", importPath, f.root, at)
		if dir, _ := f.directory(importPath); dir != "" {
			err = fmt.Errorf("%w: move it to %s", err, dir)
		}
		return err
	}
	return nil
}

// A search looks for packages in directories.
type search struct {
	*finder
	left  int // directories
	until time.Time
}

// packages are the directories beneath root that hold Go files, without those in except, by
// their name; of several with one name the one nearest to root.
func (s *search) packages(root, except string) map[string]string {
	dirs := map[string]string{}
	queue := []string{root}
	for ; len(queue) > 0 && s.more(); s.left-- {
		dir := queue[0]
		queue = queue[1:]
		list, err := s.fs.ReadDir(dir)
		if err != nil || dir == except {
			continue
		}
		hasGo := false
		for _, entry := range list {
			if entry.IsDir() && len(queue) < s.left {
				queue = append(queue, path.Join(dir, entry.Name()))
			}
			hasGo = hasGo || path.Ext(entry.Name()) == ".go"
		}
		if name := path.Base(dir); hasGo && dir != root && dirs[name] == "" {
			dirs[name] = dir
		}
	}
	return dirs
}

func (s *search) more() bool {
	return s.left > maxSearched-minSearched || s.left > 0 && time.Now().Before(s.until)
}
