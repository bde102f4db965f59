// Package diag holds the reasons why a source does not become a program: codes,
// their classes, and rejections with their places. It finds none itself: the
// stages of package rewrite do, and engines for what they cannot run.
//
// It may not decide: it holds the words for what others decided.
package diag

import (
	"fmt"
	"strings"
)

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
// that a stage of package rewrite returns is of this type; errors.As finds a single
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

	// BadText: the source is not UTF-8 text, or holds a NUL byte, or a bidirectional control outside of
	// a literal.
	// Example: "x := 1 // \x00"
	BadText

	// TooLarge: the source, a name or a number is longer than the bounds.
	// Example: x := 1e999999999
	TooLarge

	// TooDeep: the syntax nests deeper than the bounds, which for this example are 20.
	// Example: x := (((((((((((((((((((((1)))))))))))))))))))))
	TooDeep

	// Unbalanced: a bracket has no partner.
	// Example: f(1, 2
	Unbalanced

	// NoCode: there is no Go code in the text.
	// Example: "```bash\nls\n```"
	NoCode

	// BadPackage: the package clause is not package main, not the first thing,
	// or not the only one.
	// Example: package lib
	BadPackage

	// NoMain: package main lacks func main.
	// Example: package main
	NoMain

	// BadNode: syntax that the node table does not allow. No example can be had
	// while the table allows all that the parser knows.
	BadNode

	// ReservedName: a name that belongs to lowered code.
	// Example: __st := 1
	ReservedName

	// BadDirective: a comment that asks the toolchain for what a sandbox does not give.
	// Example: //go:linkname f runtime.f
	BadDirective

	// BadImport: C, unsafe, dot imports, and blank ones of what has names.
	// Example: import "unsafe"
	BadImport

	// NoBody: a function without a body.
	// Example: func f()
	NoBody

	// NoNewVariables: := at top level of a snippet declares nothing.
	// Example: x := 1; x := 2
	NoNewVariables

	// Elided: dots stand in place of code.
	// Example: func f() { ... }
	Elided

	// MarkdownLeft: Markdown or prose is left in the code.
	// Example: "x := f(\nThis is where the magic happens.\n)"
	MarkdownLeft

	// OtherLanguage: a word, operator or literal that other languages have.
	// Example: while x < 3 { x++ }
	OtherLanguage
)

// Group returns the class of the code.
func (c Code) Group() Group { return c.row().group }

func (c Code) String() string { return c.row().name }

func (c Code) row() codeRow {
	if row, ok := checkCodes[c]; ok {
		return row
	}
	return codes[c]
}

// A codeRow is the name of a code and its class.
type codeRow struct {
	name  string
	group Group
}

// codes are the rows of the codes of Parse.
var codes = map[Code]codeRow{
	BadSyntax:      {"BadSyntax", Syntax},
	BadText:        {"BadText", Syntax},
	TooLarge:       {"TooLarge", Rejected},
	TooDeep:        {"TooDeep", Rejected},
	Unbalanced:     {"Unbalanced", Syntax},
	NoCode:         {"NoCode", Syntax},
	BadPackage:     {"BadPackage", Syntax},
	NoMain:         {"NoMain", Type},
	BadNode:        {"BadNode", Rejected},
	ReservedName:   {"ReservedName", Rejected},
	BadDirective:   {"BadDirective", Rejected},
	BadImport:      {"BadImport", Rejected},
	NoBody:         {"NoBody", Rejected},
	NoNewVariables: {"NoNewVariables", Syntax},
	Ungated:        {"Ungated", Rejected},
	Unverified:     {"Unverified", Rejected},
	Elided:         {"Elided", Syntax},
	MarkdownLeft:   {"MarkdownLeft", Syntax},
	OtherLanguage:  {"OtherLanguage", Syntax},
	EngineCannot:   {"EngineCannot", Rejected},
}
