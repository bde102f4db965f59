package parse

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/markdown"
)

// Parsed is source that parses, holds only syntax that the node table allows
// and no reserved name, and is small enough for the stages that follow.
type Parsed struct {
	Source Source
	Bounds Bounds
	Fset   *token.FileSet
	Path   string    // import path; main for a script
	File   *ast.File // all declarations
	Files  []*ast.File

	Sources []Source // of the files of a package that is imported

	Warnings []string

	// Of snippets only (source without a package clause):
	Snippet    bool
	ReturnsNil bool          // a statement is return nil
	Unechoed   string        // a warning for a run that does not echo the last statement
	Body       *ast.FuncDecl // holds the top-level statements; nil if there are none but a func main
	Tops       []*TopVar     // statements of body that declare variables
	Echoes     []Echo        // by id, as in the calls of the Echo gate in body
	Kept       []string      // functions that Source.Keep names; Keeping is the name of the variable of each, by number

	added int // statements at the end of body that the user did not write
	temps int // names that Tops have for values to assign
}

// IsLast reports whether the i-th statement of p's body is the last one that
// the user wrote.
func (p *Parsed) IsLast(i int) bool { return i == len(p.Body.Body.List)-1-p.added }

// Last is the last statement that the user wrote in p's body; nil if there is none.
func (p *Parsed) Last() ast.Stmt {
	if p.Body == nil || len(p.Body.Body.List) <= p.added {
		return nil
	}
	return p.Body.Body.List[len(p.Body.Body.List)-1-p.added]
}

// A TopVar is one spec of a top-level statement of a snippet that declares
// variables, such as x := f(). The variables are package-level, so that
// functions and results see them; the values are assigned where the statement
// stands.
type TopVar struct {
	Placeholder *ast.EmptyStmt // stands in body.Body.List in place of the statement
	Spec        *ast.ValueSpec // at package level, with the values for Check; none for var x T
	Assign      []assignBack   // a, err := f() with err declared before
	Short       bool           // declared by :=, not var
}

// An assignBack assigns to a variable that exists what a temporary name of the spec
// was given: err = __st_t1.
type assignBack struct {
	To   *ast.Ident
	Temp *ast.Ident
}

// Reuse makes the name with this text in top assign to a variable that exists already, of an earlier cell, instead of
// declaring one.
func (p *Parsed) Reuse(top *TopVar, text string) {
	for i, name := range top.Spec.Names {
		if name.Name == text {
			temp := temporary(p.temps, name.Pos())
			p.temps++
			top.Spec.Names[i] = temp
			top.Assign = append(top.Assign, assignBack{To: name, Temp: temp})
			return
		}
	}
}

// Declare makes the k-th assignment of top declare a variable after all.
func (t *TopVar) Declare(k int) {
	a := t.Assign[k]
	t.Spec.Names[slices.Index(t.Spec.Names, a.Temp)] = a.To
	t.Assign = slices.Delete(t.Assign, k, k+1)
}

// Bounds limit what Parse and Check take on. Zero fields mean the default.
type Bounds struct {
	Bytes   int // of source; default 256 KiB
	Nesting int // of brackets; default 200. Chains and trees without brackets may be ten times as deep
}

// OrDefault is b with the defaults written in.
func (b Bounds) OrDefault() Bounds {
	if b.Bytes <= 0 {
		b.Bytes = 256 << 10
	}
	if b.Nesting <= 0 {
		b.Nesting = 200
	}
	return b
}

// Parse finds the code in src, bounds it and parses it. The error is of type
// Rejections. Parse keeps nothing of src but its strings.
//
// The code is the text as it is, or what its Markdown fences hold, or what is
// left without the prose before and after; whichever parses. A package clause
// makes it a program as go run wants one; without, it is a snippet: statements,
// expressions and declarations in any order.
func Parse(src Source, b Bounds) (*Parsed, error) {
	b = b.OrDefault()
	s := newScript(src)
	if rs := s.CheckText(b); rs != nil {
		return nil, rs
	}
	var errs diag.Rejections
	for c := range markdown.Candidates(src.Text) {
		p, rs := s.parse(c, b)
		if rs == nil {
			p.Bounds, p.Files = b, []*ast.File{p.File}
			if c.Left > 0 {
				p.Warnings = append(p.Warnings, s.position(c.Left).String()+": what follows is left out: it reads like what the program prints")
			}
			p.keep(src.Keep)
			return p, nil
		}
		if p != nil { // this is the code, and is shown as something else
			return nil, rs
		}
		if errs == nil || c.Likelier {
			errs = rs
		}
	}
	return nil, errs
}

// parse parses one candidate for the code of s. Both results are there if it is refused for
// bidirectional controls alone. The parser loses its way after an
// error, so to find the next one it parses again without the line of the first.
func (s *script) parse(c markdown.Candidate, b Bounds) (*Parsed, diag.Rejections) {
	if c.Code == nil {
		return nil, diag.Rejections{s.Reject(c.At, diag.NoCode, "", c.Why, "send Go source, bare or in a fence marked as go")}
	}
	if len(bytes.TrimSpace(c.Code)) == 0 && strings.TrimSpace(s.source.Text) != "" { // that of a saved cell may be empty
		return nil, diag.Rejections{s.Reject(0, diag.NoCode, "", "no Go code in the text: there is nothing in it but tags", "send Go source, bare or in a fence marked as go")}
	}
	p, rs := s.parseOnce(c.Code, b)
	if rs == nil || p != nil {
		return p, rs
	}
	var all diag.Rejections
	code := slices.Clone(c.Code)
	for budget := maxReparsed; rs != nil && len(all) < maxReported; budget -= len(code) {
		if budget <= 0 || !s.blankLine(code, rs[0]) {
			all = append(all, rs...)
			break
		}
		all = append(all, rs[0])
		if _, rs = s.parseOnce(code, b); rs != nil && s.causedBy(rs[0], all) {
			break
		}
	}
	slices.SortStableFunc(all, func(a, b *diag.Rejection) int { return cmp.Compare(a.Pos.Line, b.Pos.Line) })
	return nil, all[:min(len(all), maxReported)]
}

// maxReparsed bounds the bytes parsed to find more errors than the first.
const maxReparsed = 256 << 10

// causedBy tells whether r may come from the lines that were blanked only.
func (s *script) causedBy(r *diag.Rejection, blanked diag.Rejections) bool {
	return r.Code == diag.NoMain || r.Pos == s.position(len(s.source.Text)) ||
		slices.ContainsFunc(blanked, func(b *diag.Rejection) bool { return b.Pos.Line == r.Pos.Line })
}

// blankLine blanks the line of r if the parser can do without.
func (s *script) blankLine(code []byte, r *diag.Rejection) bool {
	switch r.Code {
	case diag.BadSyntax, diag.Elided, diag.MarkdownLeft, diag.OtherLanguage, diag.NoNewVariables:
		start := s.Offset(s.file.LineStart(r.Pos.Line))
		from, to := s.lineBounds(start)
		if isWhole(code[from:to]) {
			markdown.Blank(code, from, to)
			return true
		}
	}
	return false
}

// isWhole tells whether no bracket, raw string or comment of a line starts or ends
// on another.
func isWhole(line []byte) bool {
	if bytes.ContainsRune(line, '`') || bytes.Contains(line, []byte("/*")) || bytes.Contains(line, []byte("*/")) {
		return false
	}
	var sc scanner.Scanner
	sc.Init(token.NewFileSet().AddFile("", 1, len(line)), line, func(token.Position, string) {}, 0)
	for depth := 0; depth >= 0; {
		switch _, kind, _ := sc.Scan(); kind {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth--
		case token.EOF:
			return depth == 0
		}
	}
	return false
}

func (s *script) parseOnce(code []byte, b Bounds) (*Parsed, diag.Rejections) {
	scan, rs := s.scan(code, b)
	if rs != nil {
		return nil, rs
	}
	if len(scan.lexical) > 0 || scan.bracket != nil {
		return nil, s.tokenErrors(scan)
	}
	p := &Parsed{Path: "main", Source: s.source, Fset: s.fset, Warnings: scan.shown}
	if len(scan.toks) > 0 && scan.toks[0].kind == token.PACKAGE {
		rs = s.parseProgram(p, scan)
	} else {
		rs = s.parseSnippet(p, scan)
	}
	if rs != nil {
		return nil, rs
	}
	return p, scan.bidi
}

// parseProgram parses code that has a package clause.
func (s *script) parseProgram(p *Parsed, scan *scanned) diag.Rejections {
	for i, t := range scan.toks {
		if i > 0 && t.kind == token.PACKAGE {
			return diag.Rejections{s.Reject(t.off, diag.BadPackage, "package", "second package clause: the text holds more than one program", "send one program, with one package clause at its top")}
		}
	}
	file, errs := s.parsePiece("", scan.code, "")
	if errs != nil {
		return s.syntaxErrors(scan, errs)
	}
	p.File = file
	if rs := s.validate(file); rs != nil {
		return rs
	}
	return s.checkMain(file)
}

// checkMain refuses a program that go run would refuse: another package than
// main, or no func main.
func (s *script) checkMain(file *ast.File) diag.Rejections {
	if name := file.Name.Name; name != "main" {
		return diag.Rejections{s.Reject(s.Offset(file.Name.Pos()), diag.BadPackage, name, "package "+name+" is not a program", "write package main, or leave the package clause out")}
	}
	if funcNamed(file.Decls, "main") != nil {
		return nil
	}
	hint := "add func main() { ... }, or leave the package clause out"
	if slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return ImportPath(i) == "testing" }) {
		hint = "tests are not run here: write a func main() that calls what they test, without package testing"
	}
	return diag.Rejections{s.Reject(s.Offset(file.Name.Pos()), diag.NoMain, "main", "function main is undeclared in the main package", hint)}
}

func funcNamed(decls []ast.Decl, name string) *ast.FuncDecl {
	for _, d := range decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == name {
			return f
		}
	}
	return nil
}

// ParseFile parses one file of a package that is imported.
func (s *script) ParseFile(b Bounds) (f *ast.File, warnings []string, rs diag.Rejections) {
	scan, rs := s.scan([]byte(s.source.Text), b)
	if rs != nil {
		return nil, nil, rs
	}
	if len(scan.lexical) > 0 || scan.bracket != nil || scan.bidi != nil {
		return nil, nil, s.tokenErrors(scan)
	}
	f, errs := s.parsePiece("", scan.code, "")
	if errs != nil {
		return nil, nil, s.syntaxErrors(scan, errs)
	}
	if f.Name.Name == "main" {
		return nil, nil, diag.Rejections{s.Reject(s.Offset(f.Name.Pos()), diag.BadPackage, "main", "package main cannot be imported", "name it after its directory")}
	}
	return f, scan.shown, s.validate(f)
}

// Merged is all declarations of a package in one file, for what looks at them
// without regard to files.
func Merged(files []*ast.File) *ast.File {
	f := *files[0]
	f.Decls, f.Imports = nil, nil
	for _, each := range files {
		f.Decls = append(f.Decls, each.Decls...)
		f.Imports = append(f.Imports, each.Imports...)
	}
	return &f
}

// ImportPath is the path of s, "" if it is no string.
func ImportPath(s *ast.ImportSpec) string {
	path, err := strconv.Unquote(s.Path.Value)
	if err != nil {
		return ""
	}
	return path
}

// Position of pos in the text as sent; directives in it do not count.
func (p *Parsed) Position(pos token.Pos) diag.Position {
	if !pos.IsValid() {
		return diag.Position{Name: p.Source.FileName()}
	}
	at := p.Fset.PositionFor(pos, false)
	return diag.Position{Name: at.Filename, Line: at.Line, Column: at.Column}
}
