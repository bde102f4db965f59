package parse

import (
	"bytes"
	"fmt"
	"go/token"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/internal/plaintext"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// Bidirectional controls change the order in which code is shown: what looks like a comment is run, and
// the other way round (CVE-2021-42574). No code and no comment needs them. Literals of texts that are
// to be shown from right to left do, so they are there with a warning; and comments written from right to left
// have marks, which embed and override nothing.

// isMark reports a bidirectional control that acts on what is next to it only: LRM, RLM or ALM.
func isMark(r rune) bool { return r == '\u200e' || r == '\u200f' || r == '\u061c' }

// lookForBidi looks at one token of code, the first control of which counts.
func (s *script) lookForBidi(out *scanned, code []byte, off int, kind token.Token, lit string) {
	end := off + len(lit)
	switch {
	case kind == token.COMMENT:
		end = commentEnd(code, off)
	case kind == token.STRING && code[off] == '`': // lit has lost its carriage returns
		end = len(code)
		if i := bytes.IndexByte(code[off+1:], '`'); i >= 0 {
			end = off + 1 + i
		}
	}
	text := code[off:min(end, len(code))]
	at, r := plaintext.Bidi(text)
	if kind == token.COMMENT && isMark(r) { // one that is refused may follow
		if i := bytes.IndexFunc(text, func(r rune) bool { return plaintext.IsBidi(r) && !isMark(r) }); i >= 0 {
			at = i
			r, _ = utf8.DecodeRune(text[at:])
		}
	}
	if r == 0 || len(out.bidi) >= maxReported || len(out.shown) >= maxReported {
		return
	}
	at += off
	if kind == token.STRING || kind == token.CHAR {
		out.shown = append(out.shown, fmt.Sprintf("%v: a literal has the bidirectional control %U, which may change the order in which it is shown: write \\u%04x", s.position(at), r, r))
		return
	}
	if kind == token.COMMENT && isMark(r) {
		out.shown = append(out.shown, fmt.Sprintf("%v: a comment has the bidirectional mark %U, which may change the order in which it is shown", s.position(at), r))
		return
	}
	out.bidi = append(out.bidi, s.Reject(at, diag.BadText, fmt.Sprintf("%U", r), fmt.Sprintf("the bidirectional control %U outside of a literal changes the order in which the source is shown", r),
		fmt.Sprintf("remove it; in a string write \\u%04x", r)))
}
