package cli

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// parts are copies of a cell with the same places: one has its constants, types and functions, the other its statements,
// variables among them. What is pasted has both.
func parts(text string) (decls, stmts string) {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), []byte(text), func(token.Position, string) {}, 0)
	depth, start := 0, 0
	for tok := token.EOF + 1; tok != token.EOF; {
		var pos token.Pos
		pos, tok, _ = s.Scan()
		switch tok {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth--
		}
		if tok != token.EOF && (depth > 0 || tok != token.SEMICOLON) {
			continue
		}
		end := len(text)
		if tok == token.SEMICOLON {
			end = min(int(pos), end) // positions begin with 1
		}
		item := text[start:end]
		isImport, isDecl := declares(item)
		decls += blankUnless(isDecl, item)
		stmts += blankUnless(!isDecl && !isImport, item)
		start = end
	}
	return decls, stmts
}

// declares says whether an item of a cell is an import, or a declaration of constants, types or a function.
func declares(item string) (isImport, isDecl bool) {
	f, err := parser.ParseFile(token.NewFileSet(), "", typedHead+item, parser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 {
		return false, false
	}
	g, ok := f.Decls[0].(*ast.GenDecl)
	return ok && g.Tok == token.IMPORT, !ok || g.Tok == token.CONST || g.Tok == token.TYPE
}

// blankUnless is item, or as many spaces, with its ends of lines.
func blankUnless(keep bool, item string) string {
	if keep {
		return item
	}
	text := []byte(strings.Repeat(" ", len(item)))
	for i := range text {
		if item[i] == '\n' {
			text[i] = '\n'
		}
	}
	return string(text)
}
