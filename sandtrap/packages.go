package sandtrap

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/internal/nearest"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// A finder gives scripts the packages that are in their files, beneath the module
// root.
type finder struct {
	fs       *vfs.FS
	root     string // directory
	universe universe
	limit    int // bytes of a file
	mod      *modfile.File
	modErr   error
	found    []found // what was looked for, in order
}

// found is a package, as it was when a script was compiled with it.
type found struct {
	path string
	sum  [sha256.Size]byte
}

// finder returns nil if scripts have no packages of their own. It reads for the run that the meter is of.
func (p *Plan) finder(files *vfs.Volume, meter *gates.Meter) *finder {
	if files == nil || p.policy.Files.ModuleRoot == "" {
		return nil
	}
	f := &finder{fs: files.RunFS(meter.Context), root: path.Join("/", p.policy.Files.ModuleRoot), universe: p.universe, limit: p.bounds.Bytes}
	f.mod, f.modErr = f.module()
	return f
}

// module reads the go.mod of the root; nil if there is none.
func (f *finder) module() (*modfile.File, error) {
	name := path.Join(f.root, "go.mod")
	st, err := f.fs.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if st.Size() > int64(f.limit) {
		return nil, fmt.Errorf("%s has %d bytes; the limit is %d", name, st.Size(), f.limit)
	}
	text, err := f.fs.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(name, text, nil)
}

// find is a rewrite.Finder.
func (f *finder) find(importPath string) ([]parse.Source, error) {
	files, err := f.files(importPath)
	if err == nil {
		f.found = append(f.found, found{importPath, sum(files)})
	}
	return files, err
}

// unchanged reports that the packages a script was compiled with are as they were.
func (f *finder) unchanged(list []found) bool {
	return !slices.ContainsFunc(list, func(was found) bool {
		files, err := f.files(was.path)
		return err != nil || sum(files) != was.sum
	})
}

func sum(files []parse.Source) [sha256.Size]byte {
	h := sha256.New()
	for _, src := range files {
		fmt.Fprintf(h, "%d %s %d %s", len(src.Name), src.Name, len(src.Text), src.Text)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func (f *finder) files(importPath string) ([]parse.Source, error) {
	dir, err := f.directory(importPath)
	if err != nil {
		return nil, err
	}
	if dir != "" {
		list, err := f.sources(dir)
		if err != nil || len(list) > 0 {
			return list, err
		}
	}
	if f.universe.Explain(importPath, "").Exists {
		return nil, nil // the policy has a reason of its own
	}
	return nil, f.meant(importPath)
}

// directory is where the package at an import path would be, "" if nowhere.
func (f *finder) directory(importPath string) (string, error) {
	if f.modErr != nil {
		return "", f.modErr
	}
	if strings.HasPrefix(importPath, ".") || strings.HasPrefix(importPath, "/") || path.Clean(importPath) != importPath {
		return "", fmt.Errorf("packages are imported by their path from %s, not by %q; nothing outside of it can be", f.root, importPath)
	}
	if f.mod == nil || f.mod.Module == nil {
		return path.Join(f.root, importPath), nil
	}
	if rest, ok := below(importPath, f.mod.Module.Mod.Path); ok {
		return path.Join(f.root, rest), nil
	}
	for _, r := range f.mod.Replace {
		if rest, ok := below(importPath, r.Old.Path); ok {
			return f.replacement(r, rest)
		}
	}
	for _, r := range f.mod.Require {
		if _, ok := below(importPath, r.Mod.Path); ok {
			return "", fmt.Errorf("module %s of %s/go.mod is not here, and modules cannot be downloaded", r.Mod.Path, f.root)
		}
	}
	return "", nil
}

func (f *finder) replacement(r *modfile.Replace, rest string) (string, error) {
	dir := path.Join(f.root, r.New.Path)
	if r.New.Version != "" || !modfile.IsDirectoryPath(r.New.Path) {
		return "", fmt.Errorf("%s/go.mod replaces %s by %s, which cannot be downloaded", f.root, r.Old.Path, r.New.Path)
	}
	if _, ok := below(dir, f.root); !ok || path.IsAbs(r.New.Path) {
		return "", fmt.Errorf("%s/go.mod replaces %s by %s, which is outside of %s", f.root, r.Old.Path, r.New.Path, f.root)
	}
	return path.Join(dir, rest), nil
}

// below is the rest of a path after a prefix of whole elements.
func below(full, prefix string) (string, bool) {
	if full == prefix {
		return "", true
	}
	return strings.CutPrefix(full, strings.TrimSuffix(prefix, "/")+"/")
}

// sources reads the Go files of a directory, without those of tests.
func (f *finder) sources(dir string) ([]parse.Source, error) {
	list, err := f.fs.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var files []parse.Source
	left := f.limit
	for _, entry := range list {
		name := path.Join(dir, entry.Name())
		if entry.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(entry.Name(), "_") || strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		st, err := f.fs.Stat(name)
		if err != nil {
			return nil, err
		}
		if left -= int(min(st.Size(), int64(f.limit)+1)); left < 0 {
			return nil, fmt.Errorf("the files of %s have more than %d bytes, which is the limit", dir, f.limit)
		}
		text, err := f.fs.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, parse.Source{Name: strings.TrimPrefix(strings.TrimPrefix(name, f.root), "/"), Text: string(text)})
	}
	return files, nil
}

// importPath is the path by which the package in a directory is imported.
func (f *finder) importPath(dir string) string {
	rest := strings.TrimPrefix(strings.TrimPrefix(dir, f.root), "/")
	if f.mod != nil && f.mod.Module != nil {
		return path.Join(f.mod.Module.Mod.Path, rest)
	}
	return rest
}

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
