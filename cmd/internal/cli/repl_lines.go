package cli

import (
	"bufio"
	"go/scanner"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/reeflective/readline"
	"golang.org/x/term"
)

// A completer says what completes the text before an offset, and where in the text that begins.
type completer func(text string, at int) (list []string, start int)

// newLines reads from the terminal of this process with editing, if both ends are that, else line by line.
func (c *call) newLines(complete completer) lineReader {
	if c.stdin == io.Reader(os.Stdin) && c.stdout == io.Writer(os.Stdout) && term.IsTerminal(int(os.Stdin.Fd())) && isTerminal(os.Stdout) {
		return newShell(complete)
	}
	return &pipeLines{r: bufio.NewReader(c.stdin)}
}

// pipeLines are those of a pipe or a file: no prompt is printed.
type pipeLines struct{ r *bufio.Reader }

func (p *pipeLines) read(string) (string, error) {
	line, err := p.r.ReadString('\n')
	if err == io.EOF && line != "" {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}

func (p *pipeLines) interactive() bool { return false }

// shellLines are the cells of a person at a terminal, whole: what leaves something open goes on in the next line of the
// editor, which has the keys that the user's shell has.
type shellLines struct{ shell *readline.Shell }

// newShell makes the editor.
func newShell(complete completer) *shellLines {
	shell := readline.NewShell()
	for _, option := range []string{"enable-bracketed-paste", "menu-complete-display-prefix"} {
		_ = shell.Config.Set(option, true)
	}
	shell.Prompt.Primary(func() string { return "> " })
	shell.Prompt.Secondary(func() string { return ". " })
	shell.AcceptMultiline = func(line []rune) bool {
		text := strings.TrimSpace(string(line))
		return strings.HasPrefix(text, ":") || !unfinished(text+"\n")
	}
	shell.Completer = func(line []rune, cursor int) readline.Completions {
		before := string(line[:cursor])
		list, start := complete(string(line), len(before))
		word := strings.LastIndexAny(before, " \t\n") + 1                                // of which the editor takes values for completions
		values := readline.CompleteValues(list...).Prefix(before[word:max(word, start)]) // with NoSpace the editor takes the last letter for a suffix to drop
		values.PREFIX = before[word:]
		return values
	}
	shell.Keymap.Register(map[string]func(){"complete": tabOr(shell, shell.Keymap.Commands()["complete"])})
	if source := openHistory(); source != nil {
		shell.History.Delete()
		shell.History.Add("cells", source)
	}
	return &shellLines{shell}
}

// tabOr completes, or inserts a tab where there is nothing to complete: at the beginning of a line, in a literal or comment,
// and if more has been typed than anybody could, so that what a terminal without bracketed paste pastes keeps its tabs.
func tabOr(shell *readline.Shell, complete func()) func() {
	return func() {
		before := string((*shell.Line())[:shell.Cursor().Pos()])
		line := before[strings.LastIndexByte(before, '\n')+1:]
		if strings.TrimSpace(line) == "" || !shell.Keys.Empty() || inLiteral(before) {
			shell.Cursor().InsertAt('\t')
			return
		}
		complete()
	}
}

// inLiteral says whether text ends in a literal or comment.
func inLiteral(text string) (open bool) {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), []byte(text), func(_ token.Position, msg string) {
		open = open || strings.Contains(msg, "not terminated")
	}, scanner.ScanComments)
	for {
		switch _, tok, lit := s.Scan(); {
		case tok == token.EOF:
			return open
		case tok == token.COMMENT && strings.HasPrefix(lit, "//"):
			open = open || strings.HasSuffix(text, lit)
		}
	}
}

func (s *shellLines) read(string) (string, error) {
	text, err := s.shell.Readline()
	if err == readline.ErrInterrupt {
		return "", errInterrupted
	}
	return text, err
}

func (s *shellLines) interactive() bool { return true }

// openHistory is the history in the file that SANDTRAP_HISTORY names, or in .sandtrap_history in the home directory; nil
// where it cannot be had.
func openHistory() readline.History {
	path := os.Getenv("SANDTRAP_HISTORY")
	if home, err := os.UserHomeDir(); path == "" && err == nil {
		path = filepath.Join(home, ".sandtrap_history")
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil
	}
	file.Close()
	source, err := readline.NewHistoryFromFile(path)
	if err != nil {
		return nil
	}
	return source
}

// unfinished says whether a text leaves something open: a bracket, a literal, a comment, a line that Go would not end
// with a semicolon, or a program that has a package clause and no main yet.
func unfinished(text string) bool {
	open, unterminated, noMain, before := 0, false, false, token.EOF
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), func(_ token.Position, msg string) {
		unterminated = unterminated || strings.Contains(msg, "comment not terminated") || strings.Contains(msg, "raw string literal not terminated")
	}, 0)
	last := token.SEMICOLON
	for {
		_, tok, lit := s.Scan()
		noMain = (noMain || tok == token.PACKAGE) && !(before == token.FUNC && lit == "main")
		before = tok
		switch tok {
		case token.EOF:
			return noMain || unterminated || open > 0 || last != token.SEMICOLON && last != token.EOF && last != token.ILLEGAL
		case token.LPAREN, token.LBRACE, token.LBRACK:
			open++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			open--
		}
		last = tok
	}
}
