package sandtrap

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/plaintext"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// A Kind says in one word why a script failed. The list is append-only and the words are
// part of the command's JSON. A Kind is an error only for use with errors.Is:
// errors.Is(err, KindTimeout).
type Kind string

// Error returns the word.
func (k Kind) Error() string { return string(k) }

// Before the run; nothing has run.
const (
	KindSyntax   Kind = "syntax"   // not Go
	KindRejected Kind = "rejected" // Go, but not supported in a sandbox
	KindType     Kind = "type"     // does not type-check
	KindDenied   Kind = "denied"   // not allowed by the policy; also during the run
)

// During the run.
const (
	KindPanic     Kind = "panic"
	KindExit      Kind = "exit" // os.Exit with a code that is not 0
	KindTimeout   Kind = "timeout"
	KindTicks     Kind = "ticks"
	KindMemory    Kind = "memory"
	KindDepth     Kind = "depth"
	KindTasks     Kind = "tasks"
	KindOutput    Kind = "output"
	KindCancelled Kind = "cancelled"
	KindDeadlock  Kind = "deadlock"
)

// Before the run or after it.
const KindContract Kind = "contract" // the result is not what the host asked for

// Not the script's doing.
const (
	KindIsolation Kind = "isolation" // the isolation is not available
	KindWorker    Kind = "worker"    // a worker process failed
	KindInternal  Kind = "internal"  // a fault of this package
)

// An Error says why a script was refused or did not end well. It holds text and
// numbers only: no value of the host or of the script can be reached through it.
type Error struct {
	Kind    Kind
	Pos     diag.Position // in the text as sent; zero if there is none
	Name    string        // the name that it is about, if any: "os.Open"
	Message string        // what is wrong: one line, or for KindPanic what Go prints of it
	Hint    string        // one line: what to do; may be empty
	Code    int           // exit code, for KindExit
	Stack   []Frame       // calls of the script, innermost first
	Tasks   []Task        // the goroutines of a deadlock, at most 50; of a panic, the one it was in
	More    []*Error      // the other reasons of a refusal, in order of position
	Err     error         // context.Canceled or context.DeadlineExceeded if that is the cause

	excerpt   string // see Excerpt
	refused   bool   // before the run
	isImport  bool
	malformed bool // a worker's answer was
}

// A Frame is a call in progress.
type Frame struct {
	Func string // main.f, main.(*T).M, main.main.func1
	Pos  diag.Position
}

// A Task is a goroutine of the script at the end of the run.
type Task struct {
	ID      int
	State   string // in Go's words: "running", or what it waits for, as "chan receive"
	Stack   []Frame
	Creator int   // ID of the goroutine that started it, 0 for main's
	Created Frame // where it was started
}

// Error returns the position, the message and the hint of e and, below them, those of More: one
// line for each. Control characters other than line ends and tabs, and bidirectional ones, are
// escaped as in a Go string; the fields hold them unescaped.
func (e *Error) Error() string {
	var b strings.Builder
	for i, one := range e.All() {
		if i > 0 {
			b.WriteByte('\n')
		}
		if one.Pos.Line > 0 {
			b.WriteString(one.Pos.String() + ": ")
		}
		b.WriteString(one.Message)
		if one.Hint != "" {
			b.WriteString(" (" + one.Hint + ")")
		}
	}
	return plaintext.Escape(b.String())
}

// Excerpt returns the line of the script that e is about and, below it, a caret under the place. It is empty if e has no
// position in the text as sent, or the line is longer than 200 bytes. As in Error, control characters are escaped as in a
// Go string.
func (e *Error) Excerpt() string { return e.excerpt }

// excerptOf is the line of text at pos, and a caret.
func excerptOf(text string, pos diag.Position) string {
	const longest = 200
	if pos.Line < 1 || pos.Column < 1 {
		return ""
	}
	n := 0
	for line := range strings.Lines(text) {
		if n++; n < pos.Line {
			continue
		}
		line = strings.TrimRight(line, "\r\n")
		if len(line) > longest || pos.Column > len(line)+1 {
			return ""
		}
		return plaintext.Escape(line) + "\n" + blank(plaintext.Escape(line[:pos.Column-1])) + "^"
	}
	return ""
}

// blank is white space as wide as s.
func blank(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, s)
}

// jsonError is an Error in JSON.
type jsonError struct {
	Kind    Kind        `json:"kind"`
	Message string      `json:"message"`
	Hint    string      `json:"hint,omitempty"`
	Name    string      `json:"name,omitempty"`
	Line    int         `json:"line"`
	Column  int         `json:"column"`
	File    string      `json:"file,omitempty"`
	Excerpt string      `json:"excerpt,omitempty"`
	Code    int         `json:"code,omitempty"`
	Stack   []jsonFrame `json:"stack"`
	More    []*Error    `json:"more,omitempty"`
}

type jsonFrame struct {
	Func   string `json:"func"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	File   string `json:"file,omitempty"`
}

// MarshalJSON encodes e as an object: kind, message, hint, name, line, column, file, excerpt, code, stack (of func, line,
// column and file) and more, the other reasons. Tasks and Err are not in it.
func (e *Error) MarshalJSON() ([]byte, error) {
	out := jsonError{
		Kind: e.Kind, Message: e.Message, Hint: e.Hint, Name: e.Name, File: e.Pos.Name, Line: e.Pos.Line, Column: e.Pos.Column, Excerpt: e.excerpt,
		Code: e.Code, Stack: []jsonFrame{}, More: e.More,
	}
	for _, f := range e.Stack {
		out.Stack = append(out.Stack, jsonFrame{f.Func, f.Pos.Line, f.Pos.Column, f.Pos.Name})
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // who encodes e decides
	err := enc.Encode(out)
	return b.Bytes(), err
}

// All returns e followed by More.
func (e *Error) All() []*Error { return append([]*Error{e}, e.More...) }

// Unwrap gives errors.Is and errors.As the reasons in More, and Err.
func (e *Error) Unwrap() []error {
	var errs []error
	if e == nil {
		return nil
	}
	for _, m := range e.More {
		errs = append(errs, m)
	}
	if e.Err != nil {
		errs = append(errs, e.Err)
	}
	return errs
}

// Is makes e match its kind and the groups of that kind.
func (e *Error) Is(target error) bool {
	if e == nil {
		return false
	}
	if k, ok := target.(Kind); ok {
		return e.Kind == k
	}
	s, ok := target.(*sentinel)
	return ok && s.match(e)
}

// A sentinel is what errors.Is compares with. Scripts cannot make one: their
// panics become text.
type sentinel struct {
	text  string
	match func(*Error) bool
}

func (s *sentinel) Error() string { return "sandtrap: " + s.text }

// ErrPolicy matches the errors of Compile and New about the Policy.
var ErrPolicy = errors.New("sandtrap: wrong policy")

// ErrClosed is returned by a Sandbox after Close.
var ErrClosed = errors.New("sandtrap: the sandbox is closed")

// limitKinds are those of ErrLimit.
var limitKinds = []Kind{KindTimeout, KindTicks, KindMemory, KindDepth, KindTasks, KindOutput}

// Groups of kinds, for errors.Is.
var (
	ErrRefused error = &sentinel{"the script was refused; nothing ran", func(e *Error) bool { return e.refused }}
	ErrImport  error = &sentinel{"an import was refused", func(e *Error) bool { return e.isImport }}
	ErrLimit   error = &sentinel{"a limit was reached", func(e *Error) bool { return slices.Contains(limitKinds, e.Kind) }}
)
