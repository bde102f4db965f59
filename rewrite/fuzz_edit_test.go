package rewrite

import (
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// The edits that a byte chooses from.
const (
	opGenerate   = iota // insert generated statements
	opSameKind          // replace a token by another one of its kind
	opOtherToken        // replace a token by any
	opDelete            // leave a statement out
	opCopy              // put a statement in another place too
	opSwap              // exchange two parts within brackets
	opCount
)

// edited is src, or more often one of the programs, after a few edits that the
// bytes say: most texts that bytes were changed in do not parse, and have no
// statement that an edit could move.
func edited(src string, programs []string, edits []byte) string {
	f := &feed{edits}
	if f.upTo(4) > 0 {
		src = programs[f.upTo(len(programs))]
	}
	for n := 0; len(f.data) > 0 && n < 8; n++ {
		src = edit(src, f)
	}
	return src
}

func edit(src string, f *feed) string {
	op := f.upTo(opCount + 3)
	if op == opGenerate || op >= opCount {
		return generateInto(src, f)
	}
	toks := tokensOf(src)
	if len(toks) == 0 {
		return src
	}
	i := f.upTo(len(toks))
	switch op {
	case opSameKind:
		same := slices.DeleteFunc(slices.Clone(toks), func(t span) bool { return t.kind != toks[i].kind })
		return splice(src, toks[i], same[f.upTo(len(same))].of(src))
	case opOtherToken:
		return splice(src, toks[i], toks[f.upTo(len(toks))].of(src))
	case opDelete:
		return splice(src, statementAt(toks, i), "")
	case opCopy:
		to := statementAt(toks, f.upTo(len(toks)))
		return splice(src, span{start: to.start, end: to.start}, statementAt(toks, i).of(src)+"\n")
	}
	a, b := bracketAt(toks, i), bracketAt(toks, f.upTo(len(toks)))
	if b.start < a.end {
		return splice(src, a, b.of(src))
	}
	return splice(splice(src, b, a.of(src)), a, b.of(src))
}

// A span is a token or a run of tokens.
type span struct {
	start, end int
	kind       token.Token
}

func (s span) of(src string) string { return src[s.start:s.end] }

func splice(src string, s span, text string) string { return src[:s.start] + text + src[s.end:] }

func tokensOf(src string) []span {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	var sc scanner.Scanner
	sc.Init(file, []byte(src), func(token.Position, string) {}, 0)
	var list []span
	for len(list) < 10_000 {
		pos, kind, lit := sc.Scan()
		if kind == token.EOF {
			break
		}
		if kind == token.SEMICOLON && lit == "\n" {
			lit = ""
		} else if lit == "" {
			lit = kind.String()
		}
		start := file.Offset(pos)
		list = append(list, span{start, min(start+len(lit), len(src)), kind})
	}
	return list
}

// statementAt is the run of tokens around i between semicolons and braces of the
// same depth.
func statementAt(toks []span, i int) span {
	first, depth := i, 0
	for ; first > 0; first-- {
		switch toks[first-1].kind {
		case token.RBRACE, token.RPAREN, token.RBRACK:
			depth++
		case token.LBRACE, token.LPAREN, token.LBRACK:
			depth--
		}
		if depth < 0 || depth == 0 && toks[first-1].kind == token.SEMICOLON {
			break
		}
	}
	last := i
	for depth = 0; last < len(toks)-1; last++ {
		switch toks[last].kind {
		case token.RBRACE, token.RPAREN, token.RBRACK:
			depth--
		case token.LBRACE, token.LPAREN, token.LBRACK:
			depth++
		}
		if depth < 0 || depth == 0 && toks[last].kind == token.SEMICOLON {
			break
		}
	}
	return span{start: toks[first].start, end: max(toks[last].start, toks[first].start)}
}

// bracketAt is what the next bracket at or after i encloses.
func bracketAt(toks []span, i int) span {
	for ; i < len(toks); i++ {
		if k := toks[i].kind; k == token.LPAREN || k == token.LBRACE || k == token.LBRACK {
			break
		}
	}
	depth := 0
	for j := i; j < len(toks); j++ {
		switch toks[j].kind {
		case token.LBRACE, token.LPAREN, token.LBRACK:
			depth++
		case token.RBRACE, token.RPAREN, token.RBRACK:
			depth--
		}
		if depth == 0 {
			return span{start: toks[i].end, end: toks[j].start}
		}
	}
	return span{start: toks[len(toks)-1].end, end: toks[len(toks)-1].end}
}

// generateInto puts generated statements at the start of a statement, and what
// they need at the end; whole programs also need the imports.
func generateInto(src string, f *feed) string {
	at := 0
	if toks := tokensOf(src); len(toks) > 0 {
		at = statementAt(toks, f.upTo(len(toks))).start
	} else {
		f.upTo(2)
	}
	src = src[:at] + "\n" + newGenerator(f).stmts() + "\n" + src[at:]
	if !strings.Contains(src, generatedDecls) {
		src += "\n" + generatedDecls
	}
	clause := strings.Index(src, "package main")
	if clause < 0 {
		return src
	}
	head, rest := src[:clause+len("package main")], src[clause+len("package main"):]
	for _, path := range generatedImports {
		name := path[strings.LastIndex(path, "/")+1:]
		if strings.Contains(rest, name+".") && !strings.Contains(rest, `"`+path+`"`) {
			head += "; import \"" + path + "\""
		}
	}
	return head + rest
}

var generatedImports = []string{
	"bufio", "bytes", "cmp", "errors", "fmt", "io", "iter", "maps", "math", "math/bits", "math/cmplx", "slices", "sort",
	"strconv", "strings", "sync", "sync/atomic", "time", "unicode", "unicode/utf8",
}
