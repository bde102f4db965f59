package rewrite

import (
	"fmt"
	"strings"
)

// Source is a script as it was sent.
type Source struct {
	Name string // for positions; "script.go" if empty
	Text string
}

// Position is a place in the text as sent. Line and Column count from 1, Column
// in bytes; the zero Position is unknown.
type Position struct {
	Name         string
	Line, Column int
}

func (p Position) String() string {
	if p.Line == 0 {
		return p.Name
	}
	return fmt.Sprintf("%s:%d:%d", p.Name, p.Line, p.Column)
}

// A Rejection is one reason why a source does not become a program.
type Rejection struct {
	Code    Code
	Pos     Position
	Name    string // the name or construct the rejection is about: "os.Exit"
	Message string // one line: what is wrong
	Hint    string // one line: what to do; may be empty
}

func (r *Rejection) Error() string {
	s := r.Pos.String() + ": " + r.Message
	if r.Hint != "" {
		s += " (" + r.Hint + ")"
	}
	return s
}

// Rejections are all the reasons found, in order of position. Every error
// that a stage of this package returns is of this type; errors.As finds a single
// *Rejection too.
type Rejections []*Rejection

func (rs Rejections) Error() string {
	lines := make([]string, len(rs))
	for i, r := range rs {
		lines[i] = r.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives errors.Is and errors.As the single rejections.
func (rs Rejections) Unwrap() []error {
	errs := make([]error, len(rs))
	for i, r := range rs {
		errs[i] = r
	}
	return errs
}

// A Group is the class of a code, and becomes the kind of the host's error.
type Group int

const (
	Syntax   Group = iota // not Go
	Rejected              // Go, but of no use in a sandbox: construct, name or bound
	Type                  // does not type-check
	Denied                // there is such a thing, but the policy does not allow it
)

// A Code identifies a kind of rejection. The list is append-only: numbers may
// be stored by hosts.
type Code int

// The codes. Each comment has an example that a test compiles.
const (
	_ Code = iota

	// BadSyntax: the text does not parse.
	// Example: x := := 1
	BadSyntax
)

// Group returns the class of the code.
func (c Code) Group() Group { return codes[c].group }

func (c Code) String() string { return codes[c].name }

var codes = map[Code]struct {
	name  string
	group Group
}{
	BadSyntax: {"BadSyntax", Syntax},
}
