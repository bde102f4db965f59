package os

import (
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimstrings "github.com/sandtrap-go/sandtrap/builtins/internal/shim/strings"
)

// joinRate is a rate for PayText.
const joinRate = 25

// PayAll asks for the time and the memory of texts that are joined. They may be one and the same.
func PayAll(e *shim.Env, rate int, list []string) {
	size := len(list)
	for _, s := range list {
		size += len(s)
	}
	e.Charge(int64(size))
	e.PayText(rate, size)
}

// Joining is for functions that make one path of several.
func Joining(f func(elem ...string) string) func(*shim.Env) func(elem ...string) string {
	return func(e *shim.Env) func(elem ...string) string {
		return func(elem ...string) string {
			PayAll(e, joinRate, elem)
			return f(elem...)
		}
	}
}

func FilepathSplitList(e *shim.Env) func(string) []string {
	return func(list string) []string {
		shimstrings.ChargeSplit(e, list, string(filepath.ListSeparator), -1)
		return filepath.SplitList(list)
	}
}

// Matching is for functions that compare a name with a pattern.
func Matching(f func(pattern, name string) (bool, error)) func(*shim.Env) func(pattern, name string) (bool, error) {
	return func(e *shim.Env) func(pattern, name string) (bool, error) {
		return func(pattern, name string) (bool, error) {
			payMatch(e, len(pattern), len(name))
			return f(pattern, name)
		}
	}
}

// payMatch asks for the time to compare a name with a pattern: what is after a star may
// be tried at each place of the name.
func payMatch(e *shim.Env, pattern, name int) {
	if int64(pattern)*int64(name+1) >= shim.LargeText {
		e.WorkProduct(int64(pattern), int64(name+1))
	}
}

// globbed is a tree in which names are compared with a pattern.
type globbed struct {
	fs.FS
	env     *shim.Env
	pattern int
}

func (g globbed) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(g.FS, name)
	for _, d := range list {
		g.env.Stepped(1)
		g.env.Charge(int64(len(name) + len(d.Name())))
		payMatch(g.env, g.pattern, len(d.Name()))
	}
	return list, err
}

func (g globbed) Stat(name string) (fs.FileInfo, error) {
	g.env.Check()
	return fs.Stat(g.FS, name)
}

// maxGlob is how many elements of a pattern Go looks at.
const maxGlob = 10_000

// FsGlob leaves it to trees that have a way of their own. For each element of the pattern Go
// goes over all that is before it.
func FsGlob(e *shim.Env) func(fs.FS, string) ([]string, error) {
	return func(fsys fs.FS, pattern string) ([]string, error) {
		if m, ok := fsys.(MapFS); ok {
			fsys = onlyFS{&checkedMapFS{m, e}}
		}
		if own, ok := fsys.(fs.GlobFS); ok {
			return own.Glob(pattern)
		}
		payMatch(e, len(pattern), min(maxGlob, strings.Count(pattern, "/")))
		return fs.Glob(globbed{fsys, e, len(pattern)}, pattern)
	}
}

func MapGlob(e *shim.Env) func(MapFS, string) ([]string, error) {
	return func(m MapFS, pattern string) ([]string, error) { return FsGlob(e)(m, pattern) }
}
