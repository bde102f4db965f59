package template

import (
	"fmt"
	htmltemplate "html/template"
	"io/fs"
	"path"
	"text/template"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimos "github.com/sandtrap-go/sandtrap/builtins/internal/shim/os"
)

// Templates in files are read through the script's files, or through the fs.FS that
// it hands over, and parsed as text is.

// templateKind is one of the two packages of templates.
type templateKind[T templateType[T]] struct {
	path  string
	make  func(name string) T
	parse func(*shim.Env) func(T, string) (T, error)
}

type templateType[T any] interface {
	comparable
	Name() string
	New(name string) T
}

var (
	TextTemplates = templateKind[*template.Template]{"template", template.New, TemplateParse}
	HtmlTemplates = templateKind[*htmltemplate.Template]{"html/template", htmltemplate.New, HtmlParse}
)

// parseNamed parses each file into a template with the last part of its name. The
// first is t itself if that is its name, or if there is no t.
func (k templateKind[T]) parseNamed(e *shim.Env, t T, names []string, read func(string) ([]byte, error)) (T, error) {
	var none T
	if len(names) == 0 {
		return none, fmt.Errorf("%s: no files named in call to ParseFiles", k.path)
	}
	for _, name := range names {
		text, err := read(name)
		if err != nil {
			return none, err
		}
		name = path.Base(name)
		if t == none {
			t = k.make(name)
		}
		into := t
		if name != t.Name() {
			into = t.New(name)
		}
		if _, err := k.parse(e)(into, string(text)); err != nil {
			return none, err
		}
	}
	return t, nil
}

func (k templateKind[T]) noMatch(e *shim.Env, pattern string) error {
	e.PayCopies(shim.Quoted, len(pattern))
	return fmt.Errorf("%s: pattern matches no files: %#q", k.path, pattern)
}

func (k templateKind[T]) glob(e *shim.Env, t T, pattern string) (T, error) {
	var none T
	names, err := shimos.FilepathGlob(e)(pattern)
	if err != nil {
		return none, err
	}
	if len(names) == 0 {
		return none, k.noMatch(e, pattern)
	}
	return k.parseNamed(e, t, names, shimos.Files(e).ReadFile)
}

func (k templateKind[T]) inFS(e *shim.Env, t T, fsys fs.FS, patterns []string) (T, error) {
	var none T
	var names []string
	for _, pattern := range patterns {
		found, err := fs.Glob(fsys, pattern)
		if err != nil {
			return none, err
		}
		if len(found) == 0 {
			return none, k.noMatch(e, pattern)
		}
		names = append(names, found...)
	}
	return k.parseNamed(e, t, names, func(name string) ([]byte, error) { return shimos.FsReadFile(e)(fsys, name) })
}

// The shims of the members that parse files: methods, and functions, which are the
// methods without a template.

func (k templateKind[T]) FilesMethod(e *shim.Env) func(T, ...string) (T, error) {
	return func(t T, names ...string) (T, error) { return k.parseNamed(e, t, names, shimos.Files(e).ReadFile) }
}

func (k templateKind[T]) GlobMethod(e *shim.Env) func(T, string) (T, error) {
	return func(t T, pattern string) (T, error) { return k.glob(e, t, pattern) }
}

func (k templateKind[T]) FsMethod(e *shim.Env) func(T, fs.FS, ...string) (T, error) {
	return func(t T, fsys fs.FS, patterns ...string) (T, error) { return k.inFS(e, t, fsys, patterns) }
}

func (k templateKind[T]) FilesFunc(e *shim.Env) func(...string) (T, error) {
	return func(names ...string) (none T, err error) {
		return k.parseNamed(e, none, names, shimos.Files(e).ReadFile)
	}
}

func (k templateKind[T]) GlobFunc(e *shim.Env) func(string) (T, error) {
	return func(pattern string) (none T, err error) { return k.glob(e, none, pattern) }
}

func (k templateKind[T]) FsFunc(e *shim.Env) func(fs.FS, ...string) (T, error) {
	return func(fsys fs.FS, patterns ...string) (none T, err error) { return k.inFS(e, none, fsys, patterns) }
}
