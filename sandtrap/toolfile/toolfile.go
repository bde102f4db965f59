// Package toolfile makes functions for scripts of a file of Go declarations without bodies, for tools that a client in
// any language implements: arguments and results cross as JSON.
//
//	package tools
//
//	// Hit is a found page.
//	type Hit struct {
//		Title string  `json:"title"`
//		Score float64 `json:"score,omitempty"`
//	}
//
//	// Search finds pages.
//	func Search(query string, limit int) ([]Hit, error)
//
// Scripts call the functions, and know the types by their names.
//
// It may not read other files, or run anything but the Call of its host.
package toolfile

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
)

// The limits on a file.
const (
	maxBytes = 1 << 20
	maxFuncs = 1000
	maxTypes = 1000
	maxDepth = 100 // of a type expression
	maxName  = 255
)

// A File is a file of declarations that was parsed.
type File struct {
	funcs []*function
	types []namedType
	docs  map[string]string
	names names
}

// Parse reads a file of declarations. Functions have no bodies, and named parameters. Types are structs with
// exported fields, basic types, lists, maps, any, time.Time and time.Duration, pointers in results, and names for
// structs, for basic types and for some lists and maps of these. An error has the positions of what is refused.
//
// The types that a file makes stay in the process, so a host parses a file once. A policy takes the members of one
// file: names for what is no struct are of a stock, which each file begins anew.
func Parse(filename string, src []byte) (*File, error) {
	return ParsePackage(predeclared, filename, src)
}

// ParsePackage is Parse for members of the package with an import path, which scripts import: they go into Package.Members. A
// package takes the members of several files if no two declare the same name.
func ParsePackage(path, filename string, src []byte) (*File, error) {
	r := &refusals{fset: token.NewFileSet()}
	if len(src) > maxBytes {
		return nil, tooLarge(filename, len(src))
	}
	f, err := parser.ParseFile(r.fset, filename, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, r.parser(err)
	}
	(&syntax{refusals: r}).file(f)
	if err := r.err(); err != nil {
		return nil, err
	}
	pkg := r.checked(f)
	if err := r.err(); err != nil {
		return nil, err
	}
	file := newMaker(r, path, pkg).file(f)
	if err := r.err(); err != nil {
		return nil, err
	}
	file.docs = docs(f)
	return file, nil
}

// Docs are the comments of functions, types and fields, for Policy.Docs.
func (f *File) Docs() map[string]string { return maps.Clone(f.docs) }

func docs(f *ast.File) map[string]string {
	list := map[string]string{}
	add := func(name string, groups ...*ast.CommentGroup) {
		for _, g := range groups {
			if text := trimmed(g); text != "" {
				list[name] = text
				return
			}
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(d.Name.Name, d.Doc)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				s, ok := s.(*ast.TypeSpec)
				if !ok {
					continue
				}
				groups := []*ast.CommentGroup{s.Doc, s.Comment}
				if !d.Lparen.IsValid() {
					groups = append(groups, d.Doc)
				}
				add(s.Name.Name, groups...)
				for field, name := range fieldsOf(s) {
					add(s.Name.Name+"."+name.Name, field.Doc, field.Comment)
				}
			}
		}
	}
	return list
}
