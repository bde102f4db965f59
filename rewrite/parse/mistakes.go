package parse

import (
	"fmt"
	"go/token"
	"slices"
	"sort"
	"strings"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/markdown"
)

// tokenErrors reports code that cannot be parsed for its tokens alone. A bracket
// without partner often follows from a broken literal, and then is not reported.
func (s *script) tokenErrors(scan *scanned) diag.Rejections {
	if scan.bidi != nil {
		return scan.bidi
	}
	if len(scan.lexical) > 0 {
		return s.syntaxErrors(scan, nil)
	}
	return diag.Rejections{scan.bracket}
}

// syntaxErrors reports the errors of the scanner and the parser, explained: the
// first of each line only, since the others follow from it.
func (s *script) syntaxErrors(scan *scanned, errs []parseError) diag.Rejections {
	all := slices.Concat(scan.lexical, errs)
	sort.SliceStable(all, func(i, j int) bool { return all[i].off < all[j].off })
	var rs diag.Rejections
	for _, e := range all {
		if len(rs) > 0 && (rs[len(rs)-1].Pos.Line == s.position(e.off).Line || s.follows(e) || s.inLostBlock(scan.toks, e, rs)) {
			continue
		}
		r := s.explain(scan.toks, e)
		if len(rs) > 0 && rs[len(rs)-1].Pos == r.Pos { // of a block, where each line is an error
			continue
		}
		if rs = append(rs, r); len(rs) == maxReported {
			break
		}
	}
	return rs
}

// follows tells whether e comes from an earlier error only: brackets are in
// balance when the parser runs, so it can miss or find one too many only after it
// lost its way.
func (s *script) follows(e parseError) bool {
	return strings.HasSuffix(e.msg, "found 'EOF'") || strings.HasSuffix(e.msg, "found '}'") || e.off >= s.file.Size()
}

// inLostBlock tells whether e is about a block as about a list of values, which the parser takes it for if its first line
// is of another language: for x in xs {.
func (s *script) inLostBlock(toks []tok, e parseError, rs diag.Rejections) bool {
	if !strings.HasSuffix(e.msg, "in composite literal") {
		return false
	}
	i, _ := slices.BinarySearchFunc(toks, e.off, func(t tok, off int) int { return t.off - off })
	at := place{toks: toks, i: i}
	brace := at.opening()
	if brace < 0 || at.kind(0) == token.RBRACE { // what stands behind the block
		return false
	}
	line := s.position(toks[brace].off).Line
	return slices.ContainsFunc(rs, func(r *diag.Rejection) bool { return r.Code == diag.OtherLanguage && r.Pos.Line == line })
}

// A mistake is a row of the table of what is often written wrongly. It explains an
// error if the parser's message and the tokens around agree with it.
type mistake struct {
	says          string           // part of the parser's message; "" for any
	at            func(place) bool // a place on the line of the error; nil: the error itself
	code          diag.Code
	message, hint string // %s is the text at the place
}

// A place is a token on the line of an error.
type place struct {
	toks   []tok
	i      int
	error  int  // offset of the error
	blamed *int // index of the token that a mistake is shown at; this one unless a row says otherwise
}

// next is the place n tokens further on.
func (p place) next(n int) place {
	p.i += n
	return p
}

func (p place) blaming(blamed *int) place {
	p.blamed = blamed
	return p
}

// kind and text are of the token n further on; ILLEGAL and "" outside of the code.
func (p place) kind(n int) token.Token {
	if i := p.i + n; i >= 0 && i < len(p.toks) {
		return p.toks[i].kind
	}
	return token.ILLEGAL
}

func (p place) text(n int) string {
	if p.kind(n) == token.ILLEGAL {
		return ""
	}
	if t := p.toks[p.i+n]; t.lit != "" && t.lit != "\n" {
		return t.lit
	}
	return p.kind(n).String()
}

// starts tells whether the place is where a statement starts.
func (p place) starts() bool {
	switch p.kind(-1) {
	case token.ILLEGAL, token.SEMICOLON, token.LBRACE, token.RBRACE:
		return true
	}
	return false
}

// pair tells whether a and b stand here without space between: what other
// languages write as one operator.
func (p place) pair(a, b token.Token) bool {
	return p.kind(0) == a && p.kind(1) == b && p.touches()
}

// explain makes a rejection of e, with the first row of the table that fits.
func (s *script) explain(toks []tok, e parseError) *diag.Rejection {
	line := s.lineAt(e.off)
	if fence, _, ok := markdown.FenceLine(line); ok {
		return s.Reject(e.off, diag.MarkdownLeft, fence, "a Markdown fence is left in the code", "remove the line, or close each fence that is opened")
	}
	if markdown.IsProse(line) {
		return s.Reject(e.off, diag.MarkdownLeft, "", "this line reads like prose, not like Go", "remove it, or make it a comment with //")
	}
	for _, m := range mistakes {
		if !strings.Contains(e.msg, m.says) {
			continue
		}
		if m.at == nil {
			return s.Reject(e.off, m.code, "", m.message, m.hint)
		}
		for _, p := range s.placesOn(toks, e.off) {
			if blamed := p.i; m.at(p.blaming(&blamed)) {
				p.i = blamed
				return s.Reject(p.toks[blamed].off, m.code, p.text(0), filled(m.message, p), filled(m.hint, p))
			}
		}
	}
	message, hint := s.plain(e)
	return s.Reject(e.off, diag.BadSyntax, "", message, hint)
}

func filled(text string, p place) string {
	if !strings.Contains(text, "%s") {
		return text
	}
	return fmt.Sprintf(text, p.text(0))
}

// plain is the parser's own message in words of a Go compiler.
func (s *script) plain(e parseError) (message, hint string) {
	if e.off >= s.file.Size() {
		return "the code ends in the middle of a statement", "finish it; or the text was cut off"
	}
	if what, ok := strings.CutPrefix(e.msg, "expected ';', found "); ok {
		return "unexpected " + what + " at the end of a statement", "put each statement on a line of its own"
	}
	return e.msg, ""
}

// maxPlaces bounds the search for the cause of one error.
const maxPlaces = 200

// placesOn lists the tokens on the line of an error, those near it if there are
// many.
func (s *script) placesOn(toks []tok, off int) []place {
	from, to := s.lineBounds(off)
	lo, _ := slices.BinarySearchFunc(toks, max(from, off-maxPlaces), func(t tok, off int) int { return t.off - off })
	var list []place
	for i := lo; i < len(toks) && toks[i].off < to && len(list) < maxPlaces; i++ {
		list = append(list, place{toks: toks, i: i, error: off})
	}
	return list
}

func (s *script) lineBounds(off int) (from, to int) {
	text := s.source.Text
	off = min(off, len(text))
	from = strings.LastIndexByte(text[:off], '\n') + 1
	if i := strings.IndexByte(text[off:], '\n'); i >= 0 {
		return from, off + i
	}
	return from, len(text)
}

func (s *script) lineAt(off int) string {
	from, to := s.lineBounds(off)
	return s.source.Text[from:to]
}
