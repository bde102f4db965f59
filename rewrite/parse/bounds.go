package parse

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"strings"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/internal/plaintext"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/checkcost"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/markdown"
)

// What Bounds does not name is bounded by these. go/parser, go/types and what
// comes after recurse over the syntax on the Go stack, whose overflow cannot be
// recovered from, so all of it is bounded here, by a scan that does not recurse.
const (
	maxName     = 256  // bytes of an identifier
	maxDigits   = 1024 // bytes of a number
	treeFactor  = 10   // times Bounds.Nesting: depth of what nests without brackets
	maxReported = 10   // rejections of one kind
)

// There is room for so many tokens, and open brackets, from the start.
const (
	fewToks   = 256
	fewLevels = 4
)

// A tok is a token of the code. Automatic semicolons have the literal "\n".
type tok struct {
	off  int
	kind token.Token
	lit  string
}

// scanned is code within bounds, without comments.
type scanned struct {
	code    []byte
	toks    []tok
	lexical []parseError    // of the scanner: code with any does not parse
	bidi    diag.Rejections // of bidirectional controls in code and comments
	shown   []string        // warnings about those in literals
	bracket *diag.Rejection // the first bracket without partner
}

// scan cuts code into tokens and blanks its comments. It refuses code that is
// out of bounds or holds a reserved name or a directive.
func (s *script) scan(code []byte, b Bounds) (*scanned, diag.Rejections) {
	out := &scanned{code: bytes.Clone(code), toks: make([]tok, 0, min(len(code)/3, fewToks))}
	if mark := []byte("\uFEFF"); bytes.HasPrefix(code, mark) {
		markdown.Blank(out.code, 0, len(mark))
	}
	fset := token.NewFileSet()
	file := fset.AddFile("", 1, len(code))
	file.SetLines(s.file.Lines()) // for the scanner not to find them again
	var sc scanner.Scanner
	sc.Init(file, code, func(p token.Position, msg string) {
		out.lexical = append(out.lexical, parseError{p.Offset, msg})
	}, scanner.ScanComments)

	_, hasBidi := plaintext.Bidi(code)
	var refused diag.Rejections
	n := nesting{script: s, limit: b.Nesting, open: make([]level, 0, fewLevels)}
	for len(refused) < maxReported && len(out.lexical) < 10*maxReported {
		pos, kind, lit := sc.Scan()
		off := int(pos) - 1
		if kind == token.EOF {
			break
		}
		if hasBidi != 0 {
			s.lookForBidi(out, code, off, kind, lit)
		}
		if kind == token.COMMENT {
			markdown.Blank(out.code, off, commentEnd(code, off))
			for n := len(out.lexical); n > 0 && out.lexical[n-1].off > off; n-- {
				out.lexical = out.lexical[:n-1] // of a //line that has no effect
			}
			if r := s.checkDirective(off, lit); r != nil {
				refused = append(refused, r)
			}
			continue
		}
		out.toks = append(out.toks, tok{off, kind, lit})
		if r := s.checkToken(out.toks[len(out.toks)-1]); r != nil {
			refused = append(refused, r)
		}
		if r := n.add(out.toks[len(out.toks)-1]); r != nil {
			return nil, diag.Rejections{r}
		}
		if limit := b.Bytes / 2; len(out.toks) > limit {
			return nil, diag.Rejections{s.Reject(off, diag.TooLarge, "tokens", fmt.Sprintf("more than %d tokens", limit), "send a shorter program")}
		}
	}
	out.bracket = n.end()
	return out, refused
}

// commentEnd is the offset past the comment at off. The scanner's literal will
// not do: it has lost its carriage returns.
func commentEnd(code []byte, off int) int {
	text, closing, past := code[off+len("//"):], "\n", 0
	if code[off+1] == '*' {
		closing, past = "*/", len("*/")
	}
	if i := bytes.Index(text, []byte(closing)); i >= 0 {
		return off + len("//") + i + past
	}
	return len(code)
}

// checkToken bounds one token, and refuses the names that lowered code uses.
func (s *script) checkToken(t tok) *diag.Rejection {
	switch t.kind {
	case token.IDENT:
		if len(t.lit) > maxName {
			return s.Reject(t.off, diag.TooLarge, t.lit[:20], fmt.Sprintf("an identifier of %d bytes; the limit is %d", len(t.lit), maxName), "")
		}
		if Reserved(t.lit) {
			return s.Reject(t.off, diag.ReservedName, t.lit, fmt.Sprintf("the name %s is reserved: names that start with %s belong to the sandbox", t.lit, abi.Prefix), "choose another name")
		}
	case token.INT, token.FLOAT, token.IMAG:
		if len(t.lit) > maxDigits {
			return s.Reject(t.off, diag.TooLarge, t.lit[:20], fmt.Sprintf("a number of %d digits; the limit is %d", len(t.lit), maxDigits), "")
		}
		if checkcost.Exponent(t.lit) > checkcost.MaxExponent {
			return s.Reject(t.off, diag.TooLarge, t.lit, fmt.Sprintf("a number with an exponent above %d", checkcost.MaxExponent), "")
		}
	}
	return nil
}

// Reserved tells whether name starts with abi.Prefix in any case of letters,
// Unicode's too.
func Reserved(name string) bool {
	n := 0 // bytes of as many letters as the prefix has
	for range abi.Prefix {
		_, size := utf8.DecodeRuneInString(name[n:])
		n += size
	}
	return strings.EqualFold(name[:n], abi.Prefix)
}
