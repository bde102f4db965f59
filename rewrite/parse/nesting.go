package parse

import (
	"fmt"
	"go/token"
	"strings"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// nesting follows the brackets, and how deep the syntax tree can be at most. A tree can
// be no deeper than the number of tokens since the last separator, summed over the
// open brackets: a+a+a, ****T, L1: L2: L3:, f()()() all grow by one level or less
// per token. An else if may have separators in its header, so elses count until
// their block ends, or another if statement begins in it.
type nesting struct {
	script *script
	limit  int
	open   []level
	top    level // outside of all brackets
	depth  int   // sum of all levels
	before token.Token
	broken *diag.Rejection
	odd    *level // the first brace closed by one that is indented less
}

type level struct {
	tok
	tokens, elses int
	group         bool // of declarations: its lines end by themselves
	end           tok  // of the first line that ends in it
}

// closer is what closes a bracket, token.ILLEGAL for what is none.
func closer(open token.Token) token.Token {
	switch open {
	case token.LPAREN:
		return token.RPAREN
	case token.LBRACE:
		return token.RBRACE
	case token.LBRACK:
		return token.RBRACK
	}
	return token.ILLEGAL
}

// opensGroup reports the keywords that a group of declarations stands after.
func opensGroup(keyword token.Token) bool {
	switch keyword {
	case token.IMPORT, token.CONST, token.VAR, token.TYPE:
		return true
	}
	return false
}

func (n *nesting) current() *level {
	if len(n.open) == 0 {
		return &n.top
	}
	return &n.open[len(n.open)-1]
}

func (n *nesting) add(t tok) *diag.Rejection {
	l := n.current()
	before := n.before
	n.before = t.kind
	if t.kind == token.SEMICOLON && t.lit == "\n" && l.end.kind == token.ILLEGAL {
		l.end = t
	}
	switch t.kind {
	case token.SEMICOLON, token.COMMA, token.CASE, token.DEFAULT:
		n.depth -= l.tokens
		l.tokens = 0
		return nil
	case token.ELSE: // the if before it is not above what follows, but for its node
		n.depth -= l.tokens
		l.tokens = 0
		l.elses++
	case token.IF:
		if before != token.ELSE {
			n.depth -= l.elses
			l.elses = 0
		}
		l.tokens++
	case token.RPAREN, token.RBRACE, token.RBRACK:
		n.close(t)
		return nil
	default:
		l.tokens++
	}
	n.depth++
	if limit := n.limit * treeFactor; n.depth > limit {
		return n.script.Reject(t.off, diag.TooDeep, "nesting", fmt.Sprintf("an expression, type or chain of more than %d parts", limit), "split it into smaller ones")
	}
	if closer(t.kind) != token.ILLEGAL {
		n.open = append(n.open, level{tok: t, group: opensGroup(before)})
		if len(n.open) > n.limit {
			return n.script.Reject(t.off, diag.TooDeep, "nesting", fmt.Sprintf("brackets nested more than %d deep", n.limit), "split it into smaller functions")
		}
	}
	return nil
}

func (n *nesting) close(t tok) {
	if n.broken != nil {
		return
	}
	if len(n.open) == 0 {
		n.broken = n.script.Reject(t.off, diag.Unbalanced, t.kind.String(), fmt.Sprintf("unexpected %s: nothing is open here", t.kind), "remove it, or add the opening bracket")
		return
	}
	l := n.current()
	if want := closer(l.kind); t.kind != want {
		if l.end.kind != token.ILLEGAL && l.kind != token.LBRACE && !l.group {
			n.broken = n.script.Reject(l.end.off, diag.Unbalanced, l.kind.String(), fmt.Sprintf("this line ends before the %s opened on line %d is closed", l.kind, n.script.position(l.off).Line), fmt.Sprintf("add the missing %s, or a comma if the list goes on", want))
			return
		}
		n.broken = n.script.Reject(t.off, diag.Unbalanced, t.kind.String(), fmt.Sprintf("%s closes nothing: the %s opened on line %d wants %s first", t.kind, l.kind, n.script.position(l.off).Line, want), "")
		return
	}
	if n.odd == nil && t.kind == token.RBRACE && n.script.indentOf(t.off, true) < n.script.indentOf(l.off, false) {
		odd := *l
		n.odd = &odd
	}
	n.depth -= l.tokens + l.elses
	n.open = n.open[:len(n.open)-1]
}

// maxIndent bounds what is looked at of each line.
const maxIndent = 100

// indentOf is the width of the white space at the start of the line of off. If
// first is set and something else than that stands before off: more than any.
func (s *script) indentOf(off int, first bool) int {
	start := s.Offset(s.file.LineStart(s.file.Line(s.file.Pos(off))))
	before := s.source.Text[start:min(off, start+maxIndent)]
	indent := len(before) - len(strings.TrimLeft(before, " \t"))
	if first && indent < off-start {
		return maxIndent + 1
	}
	return indent
}

// end reports the first bracket that does not match, at the end of the code. Of
// open braces, indentation tells which one was forgotten.
func (n *nesting) end() *diag.Rejection {
	if n.broken != nil || len(n.open) == 0 {
		return n.broken
	}
	l := n.current()
	if n.odd != nil && l.kind == token.LBRACE {
		l = n.odd
	}
	return n.script.Reject(l.off, diag.Unbalanced, l.kind.String(), fmt.Sprintf("this %s is never closed", l.kind), fmt.Sprintf("add the missing %s; or the text was cut off", closer(l.kind)))
}
