package cli

import (
	"fmt"
	"go/token"
	"os"
	"strconv"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

const (
	maxRows    = 50 // of a table
	maxColumns = 40
	minWidth   = 5 // that a column is narrowed to
	cutMark    = " ..."
)

// A grid is a list of structs, or of maps with the same keys, as its echo has them.
type grid struct {
	columns []string
	rows    [][]string
	more    bool // the echo was cut
}

// showEchoes prints the echoes of a cell: at a terminal lists of structs as tables.
func (r *repl) showEchoes(res *sandtrap.Result) {
	width, _, err := term.GetSize(int(os.Stdout.Fd()))
	if !r.lines.interactive() || err != nil {
		r.printEchoes(res)
		return
	}
	for _, e := range res.Echo {
		g, ok := gridOf(e.Text)
		if !ok {
			r.printEchoes(&sandtrap.Result{Echo: []sandtrap.Echo{e}})
			continue
		}
		lines := g.lines(width)
		fmt.Fprintf(r.stdout, "%s\n%s\n", r.paint(bold, lines[0]), strings.Join(lines[1:], "\n"))
		fmt.Fprintln(r.stdout, r.paint(dim, "// "+printable(e.Type)+g.note()))
	}
}

// note says how many rows there are.
func (g grid) note() string {
	switch n := len(g.rows); {
	case g.more:
		return fmt.Sprintf(", the first %d rows", min(n, maxRows))
	case n > maxRows:
		return fmt.Sprintf(", the first %d of %d rows", maxRows, n)
	}
	return ""
}

// gridOf reads an echo, which is Go syntax: []main.P{main.P{A:1, B:"b"}}. It is no grid if the elements have not all the same
// type and the same names.
func gridOf(echo string) (g grid, ok bool) {
	text, cut := strings.CutSuffix(echo, cutMark)
	open, closed := lastGroup(text)
	if open < 0 || closed == cut || !strings.HasPrefix(text, "[") {
		return g, false
	}
	inside := text[open+1:]
	if closed {
		inside = inside[:len(inside)-1]
	}
	elements := split(inside, ',')
	if cut {
		elements = elements[:len(elements)-1] // that is not whole
	}
	kind := ""
	for i, e := range elements {
		e = strings.TrimSpace(e)
		open, closed := lastGroup(e)
		if open < 0 || !closed || i > 0 && e[:open] != kind {
			return g, false
		}
		kind = e[:open]
		names, cells := fields(e[open+1 : len(e)-1])
		if len(names) == 0 || len(names) > maxColumns || i > 0 && strings.Join(names, "\n") != strings.Join(g.columns, "\n") {
			return g, false
		}
		g.columns, g.rows = names, append(g.rows, cells)
	}
	g.more = cut
	return g, len(g.rows) > 0
}

// fields are the names and values of a struct or a map of strings; there are no names if it is neither.
func fields(inside string) (names, values []string) {
	for _, f := range split(inside, ',') {
		pair := split(strings.TrimSpace(f), ':')
		if len(pair) < 2 {
			return nil, nil
		}
		name, value := pair[0], strings.TrimSpace(f)[len(pair[0])+1:]
		if !token.IsIdentifier(name) && name != "_" {
			if _, err := strconv.Unquote(name); err != nil || name[0] != '"' {
				return nil, nil
			}
		}
		names, values = append(names, shown(name)), append(values, shown(value))
	}
	return names, values
}

// shown is a value as a cell of a table: text without its quotes if these are not needed to tell what it is.
func shown(value string) string {
	text, err := strconv.Unquote(value)
	plain := err == nil && value[0] == '"' && text != "" && strings.TrimSpace(text) == text && strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
	switch {
	case plain:
		return printable(text)
	case strings.ContainsAny(value, "\n\t"):
		return strconv.Quote(value)
	}
	return printable(value)
}

// lastGroup is where the braces open that text ends with, or where those do that it does not close; -1 if there are none.
func lastGroup(text string) (open int, closed bool) {
	var stack []int
	last := -1
	scan(text, func(i int, c byte) {
		switch c {
		case '{', '[', '(':
			stack = append(stack, i)
		case '}', ']', ')':
			last = -1
			if len(stack) > 0 {
				last, stack = stack[len(stack)-1], stack[:len(stack)-1]
			}
		}
	})
	switch {
	case len(stack) > 0 && text[stack[0]] == '{':
		return stack[0], false
	case len(stack) > 0 || !strings.HasSuffix(text, "}"):
		return -1, false
	}
	return last, true
}

// split is text between the separators that are in no braces.
func split(text string, separator byte) (list []string) {
	depth, from := 0, 0
	scan(text, func(i int, c byte) {
		switch c {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		case separator:
			if depth == 0 {
				list, from = append(list, text[from:i]), i+1
			}
		}
	})
	return append(list, text[from:])
}

// scan passes the bytes of text on that are in no literal of it.
func scan(text string, see func(i int, c byte)) {
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\' && quote != '`':
			i++
		case c == quote:
			quote = 0
		case quote != 0:
		case c == '"' || c == '`' || c == '\'':
			quote = c
		default:
			see(i, c)
		}
	}
}

// lines is the table, at most width wide.
func (g grid) lines(width int) (list []string) {
	rows := append([][]string{g.columns}, g.rows[:min(len(g.rows), maxRows)]...)
	widths := g.widths(rows, width)
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			cell = narrow(cell, widths[i])
			blank := strings.Repeat(" ", widths[i]-uniseg.StringWidth(cell))
			if b.WriteString("  "); g.isNumbers(i) {
				cell, blank = blank, cell
			}
			b.WriteString(cell + blank)
		}
		list = append(list, strings.TrimRight(narrow(b.String(), width-1), " "))
	}
	return list
}

// widths are those of the columns: the widest give way until all fit.
func (g grid) widths(rows [][]string, width int) []int {
	widths, sum := make([]int, len(g.columns)), 1
	for i := range widths {
		for _, row := range rows {
			widths[i] = max(widths[i], min(uniseg.StringWidth(row[i]), width))
		}
		sum += widths[i] + 2
	}
	for ; sum > width; sum-- {
		widest := 0
		for i := range widths {
			if widths[i] > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= minWidth {
			break
		}
		widths[widest]--
	}
	return widths
}

// isNumbers says whether all of column i are, which are aligned at their right.
func (g grid) isNumbers(i int) bool {
	for _, row := range g.rows {
		if _, err := strconv.ParseFloat(row[i], 64); err != nil {
			return false
		}
	}
	return true
}

// narrow is text cut to a width.
func narrow(text string, width int) string {
	if uniseg.StringWidth(text) <= width {
		return text
	}
	var b strings.Builder
	used := 0
	for g := uniseg.NewGraphemes(text); g.Next() && used+g.Width() < width; used += g.Width() {
		b.WriteString(g.Str())
	}
	return b.String() + "…"
}
