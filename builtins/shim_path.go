package builtins

import (
	"io/fs"
	"path/filepath"
	"strings"
)

// joinRate is a rate for payText.
const joinRate = 25

// payAll asks for the time and the memory of texts that are joined. They may be one and the same.
func (e *Env) payAll(rate int, list []string) {
	size := len(list)
	for _, s := range list {
		size += len(s)
	}
	e.charge(int64(size))
	e.payText(rate, size)
}

// joining is for functions that make one path of several.
func joining(f func(elem ...string) string) func(*Env) func(elem ...string) string {
	return func(e *Env) func(elem ...string) string {
		return func(elem ...string) string {
			e.payAll(joinRate, elem)
			return f(elem...)
		}
	}
}

func filepathSplitList(e *Env) func(string) []string {
	return func(list string) []string {
		e.chargeSplit(list, string(filepath.ListSeparator), -1)
		return filepath.SplitList(list)
	}
}

// matching is for functions that compare a name with a pattern.
func matching(f func(pattern, name string) (bool, error)) func(*Env) func(pattern, name string) (bool, error) {
	return func(e *Env) func(pattern, name string) (bool, error) {
		return func(pattern, name string) (bool, error) {
			e.payMatch(len(pattern), len(name))
			return f(pattern, name)
		}
	}
}

// payMatch asks for the time to compare a name with a pattern: what is after a star may
// be tried at each place of the name.
func (e *Env) payMatch(pattern, name int) {
	if int64(pattern)*int64(name+1) >= largeText {
		e.workProduct(int64(pattern), int64(name+1))
	}
}

// globbed is a tree in which names are compared with a pattern.
type globbed struct {
	fs.FS
	env     *Env
	pattern int
}

func (g globbed) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(g.FS, name)
	for _, d := range list {
		g.env.stepped(1)
		g.env.charge(int64(len(name) + len(d.Name())))
		g.env.payMatch(g.pattern, len(d.Name()))
	}
	return list, err
}

func (g globbed) Stat(name string) (fs.FileInfo, error) {
	g.env.check()
	return fs.Stat(g.FS, name)
}

// maxGlob is how many elements of a pattern Go looks at.
const maxGlob = 10_000

// fsGlob leaves it to trees that have a way of their own. For each element of the pattern Go
// goes over all that is before it.
func fsGlob(e *Env) func(fs.FS, string) ([]string, error) {
	return func(fsys fs.FS, pattern string) ([]string, error) {
		if m, ok := fsys.(MapFS); ok {
			fsys = onlyFS{&checkedMapFS{m, e}}
		}
		if own, ok := fsys.(fs.GlobFS); ok {
			return own.Glob(pattern)
		}
		e.payMatch(len(pattern), min(maxGlob, strings.Count(pattern, "/")))
		return fs.Glob(globbed{fsys, e, len(pattern)}, pattern)
	}
}

func mapGlob(e *Env) func(MapFS, string) ([]string, error) {
	return func(m MapFS, pattern string) ([]string, error) { return fsGlob(e)(m, pattern) }
}
