package cli

import (
	"bufio"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"
)

// newLines reads from a terminal with editing, if both ends are one, else line by line.
// end puts the terminal back as it was.
func (c *call) newLines(complete func(string, int, rune) (string, int, bool)) (lines lineReader, end func()) {
	in, ok := c.stdin.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) || !isTerminal(c.stdout) {
		return &pipeLines{r: bufio.NewReader(c.stdin)}, func() {}
	}
	t := &termLines{fd: int(in.Fd()), interrupts: &interrupts{r: in}}
	t.terminal = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{t.interrupts, c.stdout}, "")
	t.terminal.AutoCompleteCallback = complete
	history := openHistory()
	t.terminal.History = history
	return t, history.close
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

func (p *pipeLines) show(string)       {}
func (p *pipeLines) interactive() bool { return false }

// termLines are those of a terminal. It is raw only while a line is read, so that Ctrl-C
// is a signal while a cell runs.
type termLines struct {
	fd         int
	terminal   *term.Terminal
	interrupts *interrupts
}

func (t *termLines) read(prompt string) (string, error) {
	old, err := term.MakeRaw(t.fd)
	if err != nil {
		return "", err
	}
	defer term.Restore(t.fd, old)
	if w, h, err := term.GetSize(t.fd); err == nil && w > 0 && h > 0 {
		t.terminal.SetSize(w, h)
	}
	t.terminal.SetPrompt(prompt)
	line, err := t.terminal.ReadLine()
	if t.interrupts.seen {
		t.interrupts.seen = false
		return "", errInterrupted
	}
	return line, err
}

func (t *termLines) show(text string)  { fmt.Fprint(t.terminal, text) }
func (t *termLines) interactive() bool { return true }

// interrupts makes Ctrl-C drop the line: for the terminal it would end the input.
type interrupts struct {
	r    io.Reader
	seen bool
}

const (
	ctrlC = 3
	ctrlU = 21 // drops what is before the cursor
	ctrlE = 5  // goes to the end
)

func (i *interrupts) Read(p []byte) (int, error) {
	if len(p) < 4 {
		return i.r.Read(p)
	}
	n, err := i.r.Read(p[:1])
	if n == 1 && p[0] == ctrlC {
		i.seen = true
		return copy(p, []byte{ctrlE, ctrlU, '\r'}), nil
	}
	return n, err
}

// unfinished says whether a text leaves something open: a bracket, a literal, a comment, or
// a line that Go would not end with a semicolon.
func unfinished(text string) bool {
	open, unterminated := 0, false
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), func(_ token.Position, msg string) {
		unterminated = unterminated || strings.Contains(msg, "comment not terminated") || strings.Contains(msg, "raw string literal not terminated")
	}, 0)
	last := token.SEMICOLON
	for {
		_, tok, _ := s.Scan()
		switch tok {
		case token.EOF:
			return unterminated || open > 0 || last != token.SEMICOLON && last != token.EOF
		case token.LPAREN, token.LBRACE, token.LBRACK:
			open++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			open--
		}
		last = tok
	}
}

// A history is the lines that were typed, in a file of the user's.
type history struct {
	lines []string
	file  *os.File // nil if there is none
}

const maxHistory = 1000

// openHistory reads the file that SANDTRAP_HISTORY names, or .sandtrap_history in the home
// directory. Where it cannot be had there is none.
func openHistory() *history {
	path := os.Getenv("SANDTRAP_HISTORY")
	if home, err := os.UserHomeDir(); path == "" && err == nil {
		path = filepath.Join(home, ".sandtrap_history")
	}
	h := &history{}
	if text, err := os.ReadFile(path); err == nil {
		for line := range strings.Lines(string(text)) {
			h.keep(strings.TrimRight(line, "\n"))
		}
	}
	h.file, _ = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	return h
}

func (h *history) keep(line string) {
	h.lines = append(h.lines, line)
	h.lines = h.lines[max(0, len(h.lines)-maxHistory):]
}

func (h *history) Add(line string) {
	if line == "" || h.Len() > 0 && h.At(0) == line {
		return
	}
	h.keep(line)
	if h.file != nil {
		fmt.Fprintln(h.file, line)
	}
}

func (h *history) Len() int { return len(h.lines) }

// At is the line that was typed n lines ago.
func (h *history) At(n int) string { return h.lines[len(h.lines)-1-n] }

func (h *history) close() {
	if h.file != nil {
		h.file.Close()
	}
}
