package rewrite

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// Parsed is source that parses, holds only syntax that the node table allows
// and no reserved name, and is small enough for the stages that follow.
type Parsed struct {
	source Source
	fset   *token.FileSet
	file   *ast.File // package main; every position is one of source

	// Of snippets only (source without a package clause):
	snippet bool
	body    *ast.FuncDecl // the function that holds the top-level statements
	tops    []*topVar     // statements of body that declare variables
	echoes  []Echo        // by id, as in the calls of the Echo gate in body
}

// A topVar is a top-level statement of a snippet that declares variables, such
// as x := f(). The variables are package-level, so that functions and results
// see them; the values are assigned where the statement stands.
type topVar struct {
	placeholder *ast.EmptyStmt // stands in body.Body.List in place of the statement
	spec        *ast.ValueSpec // at package level, with the values for Check
	assign      []assignBack   // a, err := f() with err declared before
}

// An assignBack assigns to a variable that exists what a temporary name of the spec
// was given: err = __st_t1.
type assignBack struct {
	to   *ast.Ident
	temp *ast.Ident
}

// Parse finds the code in src, bounds it and parses it. The error is of type
// Rejections.
func Parse(src Source, b Bounds) (*Parsed, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, src.Name, src.Text, 0)
	if err != nil {
		return nil, Rejections{{Code: BadSyntax, Message: err.Error()}}
	}
	return &Parsed{source: src, fset: fset, file: file}, nil
}

// Bounds limit what Parse and Check take on. Zero fields mean the default.
type Bounds struct {
	Bytes   int // of source; default 256 KiB
	Nesting int // of syntax; default 200
}
