package parse

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// room is free before the positions of a text. It lets a piece be parsed with a prefix
// in front and still have the positions of the text as sent; see parsePiece.
const room = 64

// A script is the text as sent, with the one file that all positions are of.
// The file has the lines of the text: no //line comment reaches it.
type script struct {
	source Source
	fset   *token.FileSet
	file   *token.File
}

func newScript(src Source) *script { return NewScriptIn(token.NewFileSet(), src) }

// NewScriptIn puts the text behind those that fset has.
func NewScriptIn(fset *token.FileSet, src Source) *script {
	if src.Name == "" {
		src.Name = "script.go"
	}
	file := fset.AddFile(src.Name, max(fset.Base(), src.Base)+room, len(src.Text))
	file.SetLinesForContent([]byte(src.Text))
	return &script{source: src, fset: fset, file: file}
}

// position is the place of the byte at offset. The end of the text is where the
// last line that is not blank ends.
func (s *script) position(offset int) diag.Position {
	if offset >= s.file.Size() {
		offset = len(strings.TrimRight(s.source.Text, " \t\r\n"))
	}
	p := s.file.Position(s.file.Pos(max(offset, 0)))
	return diag.Position{Name: p.Filename, Line: p.Line, Column: p.Column}
}

func (s *script) Offset(p token.Pos) int { return int(p) - s.file.Base() }

func (s *script) Reject(offset int, code diag.Code, name, message, hint string) *diag.Rejection {
	return &diag.Rejection{Code: code, Pos: s.position(offset), Name: Printable(name), Message: Printable(message), Hint: Printable(hint)}
}

// maxMessage bounds a message in bytes: the parser quotes tokens whole.
const maxMessage = 240

// Printable makes text fit to be shown: short, and without line ends and the like.
func Printable(text string) string {
	if len(text) > maxMessage {
		text = strings.ToValidUTF8(text[:maxMessage], "") + "..."
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}

// Admit is the error of Parse for a source that is too large, nil for others: for who has to send it
// elsewhere to be parsed.
func (b Bounds) Admit(src Source) error {
	if b = b.OrDefault(); len(src.Text) > b.Bytes {
		return newScript(src).tooLarge(b)
	}
	return nil
}

func (s *script) tooLarge(b Bounds) diag.Rejections {
	return diag.Rejections{s.Reject(b.Bytes, diag.TooLarge, "source", fmt.Sprintf("the source has %s bytes; the limit is %s", grouped(len(s.source.Text)), grouped(b.Bytes)), "send a shorter program")}
}

// TooLargeTogether refuses a file of a package by which a script and its packages have n bytes.
func (s *script) TooLargeTogether(b Bounds, n int) *diag.Rejection {
	return s.Reject(0, diag.TooLarge, "source", fmt.Sprintf("the program and the packages that it imports have %s bytes together, as far as they were read; the limit is %s", grouped(n), grouped(b.Bytes)), "import fewer packages, or shorter ones")
}

// grouped is n with a comma after each thousand.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// CheckText refuses what is no text at all, or too much of it.
func (s *script) CheckText(b Bounds) diag.Rejections {
	text := s.source.Text
	if len(text) > b.Bytes {
		return s.tooLarge(b)
	}
	if i := strings.IndexByte(text, 0); i >= 0 {
		return diag.Rejections{s.Reject(i, diag.BadText, "NUL", "a NUL byte in the source", "send the source as UTF-8 text")}
	}
	if utf8.ValidString(text) {
		return nil
	}
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)) {
			return diag.Rejections{s.Reject(i, diag.BadText, "UTF-8", "the source is not valid UTF-8", "send the source as UTF-8 text")}
		}
	}
	return nil
}

// A parseError is an error of go/parser at an offset in the text as sent.
type parseError struct {
	off int
	msg string
}

// parsePiece parses prefix + code + suffix so that the positions of code are those
// it has in the script's file: in a FileSet of its own, the file is put just so
// far before it as the prefix is long. code is as long as the text, and has no
// comments, so nothing in it can move positions.
func (s *script) parsePiece(prefix string, code []byte, suffix string) (*ast.File, []parseError) {
	fset := token.NewFileSet()
	fset.AddFile("", 1, s.file.Base()-len(prefix)-2) // one more than its size is the next base
	text := code
	if prefix != "" || suffix != "" {
		text = slices.Concat([]byte(prefix), code, []byte(suffix))
	}
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err == nil {
		return file, nil
	}
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		return nil, []parseError{{0, err.Error()}}
	}
	errs := make([]parseError, 0, len(list))
	for _, e := range list {
		errs = append(errs, parseError{e.Pos.Offset - len(prefix), e.Msg})
	}
	return nil, errs
}

// Source is a script as it was sent.
type Source struct {
	Name string // for positions; "script.go" if empty
	Text string
	Find Finder // the packages that come with it; nil if there are none

	// Base is less than all its positions. Texts of which one can use what another declares have different ones: go/ssa
	// goes by the positions of a type and a generic function whether that one declares it.
	Base int

	// Keep names functions that the host calls when the program has run. Those that it declares are among its variables.
	Keep []string
}

// FileName of the source for positions.
func (s Source) FileName() string {
	if s.Name == "" {
		return "script.go"
	}
	return s.Name
}

// A Finder gives the files of the package at an import path, for packages that
// come with a script. Without files there is none; the error says what is wrong with
// one that is there. The universe is asked first.
type Finder func(path string) ([]Source, error)

// An Echo is a bare top-level expression of a snippet.
type Echo struct {
	Pos  token.Pos
	Type types.Type // a *types.Tuple for a call with several results
	Last bool       // the last statement of the snippet
}
