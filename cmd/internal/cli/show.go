package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/plaintext"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

const (
	red   = "\x1b[31m"
	dim   = "\x1b[2m"
	bold  = "\x1b[1m"
	plain = "\x1b[0m"
)

// paint colours s where colours are wanted.
func (c *call) paint(color, s string) string {
	if !c.color {
		return s
	}
	return color + s + plain
}

func (c *call) printEchoes(res *sandtrap.Result) {
	for _, e := range res.Echo {
		fmt.Fprintf(c.stdout, "%s %s\n", printable(e.Text), c.paint(dim, "// "+printable(e.Type)))
	}
}

// printWarningsOf prints warnings and reminders. It leaves out warnings about values that a worker has and this process has not:
// only --json prints values that this matters to.
func (c *call) printWarningsOf(res *sandtrap.Result) {
	c.printWarnings(slices.DeleteFunc(slices.Clone(res.Warnings), func(w string) bool { return slices.Contains(res.NotCopied, w) }))
	for _, r := range res.Reminders {
		fmt.Fprintln(c.stderr, c.paint(dim, "reminder: "+printable(r)))
	}
}

func (c *call) printWarnings(list []string) {
	for _, w := range list {
		fmt.Fprintln(c.stderr, c.paint(dim, "warning: "+printable(w)))
	}
}

// printError prints one block about e: every reason of a refusal, or what ended
// the run and where.
func (c *call) printError(e *sandtrap.Error) {
	for _, one := range e.All() {
		fmt.Fprintln(c.stderr, c.headline(one))
		c.printExcerpt(one)
		if one.Hint != "" {
			fmt.Fprintf(c.stderr, "\t%s\n", printable(one.Hint))
		}
	}
	if len(e.Tasks) == 0 && len(e.Stack) > 0 {
		fmt.Fprintln(c.stderr)
		c.printStack(e.Stack)
	}
	for _, t := range e.Tasks {
		fmt.Fprintf(c.stderr, "\ngoroutine %d [%s]:\n", t.ID, printable(t.State))
		c.printStack(t.Stack)
		if t.Creator > 0 {
			fmt.Fprintf(c.stderr, "created by %s in goroutine %d\n\t%s\n", printable(t.Created.Func), t.Creator, place(t.Created.Pos))
		}
	}
}

// printStack prints calls in progress as Go does, and those that are one call over and over once.
func (c *call) printStack(stack []sandtrap.Frame) {
	for len(stack) > 0 {
		f, equal := stack[0], 1
		for equal < len(stack) && stack[equal] == f {
			equal++
		}
		fmt.Fprintf(c.stderr, "%s(...)\n\t%s\n", printable(f.Func), place(f.Pos))
		if equal > 1 {
			fmt.Fprintf(c.stderr, "... %d more of %s\n", equal-1, printable(f.Func))
		}
		stack = stack[equal:]
	}
}

// place is pos as it is printed: the name is one of the script's files.
func place(pos diag.Position) string { return printable(pos.String()) }

// headline is the message of e as the Go compiler, or the Go runtime, has it.
func (c *call) headline(e *sandtrap.Error) string {
	text := printable(e.Message)
	switch e.Kind {
	case sandtrap.KindPanic:
		if fatal, ok := strings.CutPrefix(text, fatalError); ok {
			return c.paint(red, fatalError) + fatal
		}
		return c.paint(red, "panic: ") + text
	case sandtrap.KindDeadlock:
		text, _, _ = strings.Cut(text, "! goroutine ") // each is told of below
		return c.paint(red, fatalError) + strings.TrimSuffix(text, "!") + "!"
	case sandtrap.KindExit:
		return text
	}
	if !aboutText(e.Kind) {
		text = c.paint(red, "stopped ("+string(e.Kind)+")") + ": " + text
	}
	if e.Pos.Line > 0 {
		text = place(e.Pos) + ": " + text
	}
	return text
}

// fatalError is how Go begins what no program recovers from.
const fatalError = "fatal error: "

// aboutText says whether errors of this kind are about the text of a script.
func aboutText(k sandtrap.Kind) bool {
	switch k {
	case sandtrap.KindSyntax, sandtrap.KindRejected, sandtrap.KindType, sandtrap.KindDenied:
		return true
	}
	return false
}

// printExcerpt prints the line that e is about, and a caret below it.
func (c *call) printExcerpt(e *sandtrap.Error) {
	if line, caret, ok := strings.Cut(e.Excerpt(), "\n"); ok {
		fmt.Fprintf(c.stderr, "\t%s\n\t%s%s\n", line, strings.TrimSuffix(caret, "^"), c.paint(red, "^"))
	}
}

// printable is text of an unknown author without what a terminal would obey.
func printable(line string) string { return plaintext.Escape(line) }
