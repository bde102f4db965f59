package parse

import (
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// directives decides on the //go: comments and their like, by the word after the
// slashes; a row that ends in * is a prefix. Comments are blanked before parsing,
// so an ignored one has no effect. What has no row is refused.
var directives = map[string]nodeRow{
	"go:linkname":    {false, "it reaches functions and variables that no import gives"},
	"go:embed":       {false, "it reads files of the machine that compiles; read files with os or io/fs instead, where the policy gives them"},
	"go:cgo_*":       {false, "it is part of cgo, which a sandbox does not have"},
	"go:wasmimport":  {false, "it calls functions of the machine's host"},
	"go:wasmexport":  {false, "it gives functions to the machine's host"},
	"export":         {true, "only cgo reads it, and import \"C\" is refused"},
	"extern":         {true, "only gccgo reads it"},
	"line":           {true, "positions are always those of the text as sent"},
	"go:build":       {true, "go run ignores it too for a file given by name"},
	"go:generate":    {true, "only go generate reads it"},
	"go:debug":       {true, "settings of a runtime that the script does not have"},
	"go:fix":         {true, "only go fix reads it"},
	"go:noinline":    {true, "a hint for a compiler that is not used"},
	"go:noline":      {true, "unknown to the compiler too; Go's own tests hold it"},
	"go:nosplit":     {true, "as go:noinline"},
	"go:noescape":    {true, "as go:noinline"},
	"go:norace":      {true, "as go:noinline"},
	"go:nocheckptr":  {true, "as go:noinline"},
	"go:nointerface": {true, "an experiment of the compiler's"},
	"go:notinheap":   {true, "means nothing outside of the runtime"},
	"go:uintptr*":    {true, "speaks of uintptr arguments, which point nowhere here"},
	"go:register*":   {true, "a hint for a compiler that is not used"},
	"go:yeswrite*":   {true, "means nothing outside of the runtime"},
	"go:nowrite*":    {true, "means nothing outside of the runtime"},
	"go:systemstack": {true, "means nothing outside of the runtime"},
}

// checkDirective refuses a comment that asks the toolchain for something a
// sandbox does not give.
func (s *script) checkDirective(off int, comment string) *diag.Rejection {
	text, ok := strings.CutPrefix(comment, "//")
	if !ok || !strings.HasPrefix(text, "go:") {
		return nil // export, extern and line have no effect whatever they say
	}
	word, _, _ := strings.Cut(text, " ")
	word, _, _ = strings.Cut(strings.TrimSpace(word), "\t")
	row, known := directiveRow(word)
	if row.Allowed {
		return nil
	}
	if !known {
		row.Why = "a sandbox knows no such directive"
	}
	return s.Reject(off, diag.BadDirective, "//"+word, "the directive //"+word+" is not allowed: "+row.Why, "remove the comment")
}

func directiveRow(word string) (row nodeRow, known bool) {
	if row, known = directives[word]; known {
		return row, true
	}
	for name, row := range directives {
		if prefix, ok := strings.CutSuffix(name, "*"); ok && strings.HasPrefix(word, prefix) {
			return row, true
		}
	}
	return nodeRow{}, false
}

// validate walks file and refuses syntax that no row of the node table allows, and
// the few forms of allowed syntax that reach outside of the script.
func (s *script) validate(file *ast.File) (rs diag.Rejections) {
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			return true
		}
		r, ok := s.checkNode(n)
		if r != nil && len(rs) < maxReported {
			rs = append(rs, r)
		}
		return ok // ast.Inspect panics below a node it does not know
	})
	return rs
}

// checkNode reports what is wrong with n alone, and whether to go on below it.
func (s *script) checkNode(n ast.Node) (r *diag.Rejection, ok bool) {
	name := reflect.TypeOf(n).String()
	row, known := nodes[name]
	if !known {
		return s.rejectNode(n, diag.BadNode, name, "this syntax ("+name+") is not known to the sandbox", "write it another way"), false
	}
	if !row.Allowed {
		return s.rejectNode(n, diag.BadNode, name, "this syntax ("+name+") is not allowed: "+row.Why, ""), false
	}
	switch n := n.(type) {
	case *ast.ImportSpec:
		return s.checkImport(n), true
	case *ast.FuncDecl:
		if n.Body == nil {
			return s.rejectNode(n.Name, diag.NoBody, n.Name.Name, "function "+n.Name.Name+" has no body", "write the body after the signature, with its { on the same line; there is no code from elsewhere"), true
		}
	}
	return nil, true
}

func (s *script) rejectNode(n ast.Node, code diag.Code, name, message, hint string) *diag.Rejection {
	return s.Reject(s.Offset(n.Pos()), code, name, message, hint)
}

// imports that no policy can allow.
var deniedImports = map[string]string{
	"C":      "there is no cgo in a sandbox",
	"unsafe": "it reaches memory outside of the script's values",
}

func (s *script) checkImport(spec *ast.ImportSpec) *diag.Rejection {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return s.rejectNode(spec, diag.BadImport, spec.Path.Value, "import path "+spec.Path.Value+" is not a string", "")
	}
	if why, denied := deniedImports[path]; denied {
		return s.rejectNode(spec, diag.BadImport, path, fmt.Sprintf("import %q is not allowed: %s", path, why), "write it without")
	}
	if path == abi.Path || strings.HasPrefix(path, abi.Path+"/") {
		return s.rejectNode(spec, diag.BadImport, path, fmt.Sprintf("import %q is not allowed: the gates are for lowered code only", path), "remove it")
	}
	switch {
	case spec.Name == nil:
	case spec.Name.Name == ".":
		return s.rejectNode(spec, diag.BadImport, path, "dot import of "+path+" is not allowed: it hides which names come from outside", fmt.Sprintf("import %q", path)+" and write the package name before each use")
	}
	return nil
}

// isOf tells whether d is a declaration with the keyword tok.
func isOf(d ast.Decl, tok token.Token) bool {
	g, ok := d.(*ast.GenDecl)
	return ok && g.Tok == tok
}
