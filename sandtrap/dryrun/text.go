package dryrun

import (
	"fmt"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/plaintext"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// mostShown is how many bytes of the arguments of a call String shows.
const mostShown = 2000

// String is the report for a person, who may decide by it: calls, then files. What scripts have written in it is on lines
// that begin with a space, and has no characters that change what is shown.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "calls: %s\n", count(len(r.Calls), r.MoreCalls))
	for i := range r.Calls {
		b.WriteString("  " + r.Calls[i].text() + "\n")
	}
	fmt.Fprintf(&b, "files: %s\n", count(len(r.Files), r.MoreFiles))
	for i := range r.Files {
		c := &r.Files[i]
		b.WriteString("  " + c.text() + "\n")
		for line := range strings.Lines(c.Diff) {
			b.WriteString("    " + plaintext.Escape(strings.TrimSuffix(line, "\n")) + "\n")
		}
	}
	return b.String()
}

// count is n, and how many more there are that are not listed.
func count(n, more int) string {
	if more == 0 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d, of which the first %d are listed", n+more, n)
}

func (c *Call) text() string {
	args := plaintext.Line(string(c.Args[:min(len(c.Args), mostShown)]))
	if more := len(c.Args) - mostShown; more > 0 {
		args += fmt.Sprintf("... (%d bytes more)", more)
	}
	text := fmt.Sprintf("%d %s(%s)", c.N, plaintext.Line(c.Name), args)
	if c.At != "" {
		text += " at " + plaintext.Line(c.At)
	}
	why := plaintext.Line(c.Why)
	if c.Rule != "" {
		why += " (rule " + plaintext.Line(c.Rule) + ")"
	}
	switch c.Decision {
	case record.Ask:
		text += ": needs approval: " + why
	case record.Deny:
		text += fmt.Sprintf(": denied (%s): %s", c.Code, why)
	}
	if c.Withheld != "" {
		text += "; its results are withheld: " + plaintext.Line(c.Withheld)
	}
	if c.Answer == FromZero {
		text += "; answered with zero values"
	}
	return text
}

func (c *Change) text() string {
	text := fmt.Sprintf("%s %s", c.Kind, plaintext.Line(c.Path))
	for _, s := range []*State{c.Before, c.After} {
		if s == c.After && c.Before != nil && s != nil {
			text += " ->"
		}
		if s != nil {
			text += s.text()
		}
	}
	return text
}

func (s *State) text() string {
	text := " " + s.Mode
	if strings.HasPrefix(s.Mode, "-") {
		text += fmt.Sprintf(" %d bytes", s.Size)
	}
	if s.Link != "" {
		text += " to " + plaintext.Line(s.Link)
	}
	if s.SHA256 != "" {
		text += " sha256 " + s.SHA256
	}
	return text
}
