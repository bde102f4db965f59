package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// A journal is a text of lines: each is a JSON object. The first is the Header, then come a line for each call that has
// returned, in that order. They are followed by a Pause and the calls that wait, by the End of the run, or by nothing if the process
// of the run has ended before. The last ones are answers that the run has not come to. With a key each line has a MAC, see chain.
//
// The journal of a session has the Header and then a Cell with the lines of its run, as above, for each of its scripts. A run that
// has waited may go on in the same journal, behind a Resumed.

// version is that of the format.
const version = 1

// Bounds of a file that anybody may have written, in bytes and lines.
const (
	maxLine  = 64 << 20
	maxFile  = 512 << 20
	maxLines = 1 << 20
)

// ErrFormat is matched by errors about a text that is no journal.
var ErrFormat = errors.New("not a journal")

// A Header is all that a run is made of, beside its policy.
type Header struct {
	Version int             `json:"journal"`
	Policy  string          `json:"policy"` // its hash
	Seed    uint64          `json:"seed"`
	Epoch   time.Time       `json:"epoch"`
	Script  Script          `json:"script,omitzero"`
	Session bool            `json:"session,omitempty"` // then the scripts are in its Cells
	From    string          `json:"from,omitempty"`    // of a cell by itself: what it began with
	Host    json.RawMessage `json:"host,omitempty"`    // whatever its host needs to make the policy again
}

// A Script is the script of a run with what it gets.
type Script struct {
	Text   string            `json:"text"`
	Name   string            `json:"name,omitempty"`
	Args   []string          `json:"args,omitempty"`
	Stdin  []byte            `json:"stdin,omitempty"`
	Inputs map[string][]byte `json:"inputs,omitempty"` // see package carry
	Echo   string            `json:"echo,omitempty"`
	Prints bool              `json:"prints,omitempty"`
	Limits json.RawMessage   `json:"limits,omitempty"`
}

// A Cell is a script of a session.
type Cell struct {
	Script Script `json:"cell"`
}

// A Resumed says that the run goes on that has waited as the Pause before says, or had answers that it had not come to.
type Resumed struct {
	Rest int64 `json:"resumed"` // of the Pause; 0 if there is none
}

// A Return is a call that has returned, and when.
type Return struct {
	Call   int             `json:"call"`
	Name   string          `json:"name"`
	Args   string          `json:"args"` // their hash
	Rest   int64           `json:"rest"` // see engine.Rest
	Result json.RawMessage `json:"result,omitempty"`
	Err    string          `json:"err,omitempty"`    // see carry.Errors
	Panic  string          `json:"panic,omitempty"`  // likewise
	Denied string          `json:"denied,omitempty"` // why the call was not made; of a function without an error result, why the run ends
}

// A Pause says when the run has ended to wait, and for how many calls.
type Pause struct {
	Rest    int64 `json:"paused"` // see engine.Rest; 0 for none
	Waiting int   `json:"calls"`
}

// A Waiting is a call that has not returned.
type Waiting struct {
	Call int             `json:"waiting"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"` // an object by the names of the parameters
	At   string          `json:"at,omitempty"`
	Ask  string          `json:"ask,omitempty"` // why it needs approval, which it waits for

	Question int       `json:"question,omitempty"` // see decide.Deferred
	Heard    []Verdict `json:"heard,omitempty"`    // on other questions about the call
}

// A Verdict is the answer to a question about a call.
type Verdict struct {
	Question int            `json:"question,omitempty"` // see decide.Deferred
	Ask      string         `json:"ask,omitempty"`      // likewise
	Verdict  decide.Verdict `json:"verdict,omitempty"`
	Reason   string         `json:"reason,omitempty"`
	By       string         `json:"by,omitempty"`
}

// An Answered is a call that has an answer, which the run was told of when it was resumed, and has not come to before it was ended.
type Answered struct {
	Call   int             `json:"answered"`
	Result json.RawMessage `json:"result,omitempty"`
	Err    string          `json:"err,omitempty"`   // see carry.Errors
	Panic  string          `json:"panic,omitempty"` // likewise

	Verdict        // of a call that waits for approval
	Name    string `json:"name,omitempty"` // of its function
	Args    string `json:"args,omitempty"` // the hash of its arguments
}

// An End says what became of a run that is over.
type End struct {
	Kind   string `json:"end"` // of the error, "ok" without one
	Text   string `json:"text,omitempty"`
	Ticks  int64  `json:"ticks"`
	Output string `json:"output"` // the hash of what it has printed

	// Calls is the number of the last call that has begun in the cells of a session up to this one. It may be another when a
	// cell is repeated, since calls that begin at its end may be too late.
	Calls int `json:"calls,omitempty"`
}

// A File is a journal that was read, or of it the run of a cell, which has no Header but its Script.
type File struct {
	Header
	Cells   []*File // of a session
	IsCell  bool
	Before  int // of a cell
	Returns []Return
	Pause   Pause
	Waiting []Waiting
	Answers []Answered
	End     *End // nil while the run is not over

	calls    map[int]bool // by number, while it is read
	answered map[int]bool // whether calls that wait have an answer, likewise
}

// AddCell adds the run of a script to the journal of a session, whose last one is over.
func (f *File) AddCell(s Script) *File {
	c := &File{Header: Header{Script: s}, IsCell: true}
	if last := f.Last(); last != nil {
		c.Before = last.End.Calls
	}
	f.Cells = append(f.Cells, c)
	return c
}

// Last is the last cell of a session, nil if there is none.
func (f *File) Last() *File {
	if len(f.Cells) == 0 {
		return nil
	}
	return f.Cells[len(f.Cells)-1]
}

// Waits reports that the run can go on only behind a Resumed.
func (f *File) Waits() bool { return f.Pause.Rest > 0 || len(f.Answers) > 0 }

// Write writes the file, with MACs if there is a key. It is an error if Read would not take it.
func (f *File) Write(w io.Writer, key []byte) error { return NewLog(w, key).add(f.all()...) }

// all are the lines of the file.
func (f *File) all() []any {
	list := append(f.body(), f.tail()...)
	for _, c := range f.Cells {
		list = append(list, c.all()...)
	}
	return list
}

// body are the lines up to those of calls that have returned.
func (f *File) body() []any {
	head := f.Header
	head.Version = version
	list := []any{&head}
	if f.IsCell {
		list[0] = &Cell{f.Script}
	}
	for i := range f.Returns {
		list = append(list, &f.Returns[i])
	}
	return list
}

// tail are the lines behind those of calls that have returned.
func (f *File) tail() (list []any) {
	if f.End != nil {
		return []any{f.End}
	}
	if f.Pause.Rest > 0 {
		list = append(list, &Pause{f.Pause.Rest, len(f.Waiting)})
	}
	for i := range f.Waiting {
		list = append(list, &f.Waiting[i])
	}
	for i := range f.Answers {
		list = append(list, &f.Answers[i])
	}
	return list
}

// A Log is where a journal is written as it grows; nil is nowhere.
type Log struct {
	to    io.Writer
	macs  *chain
	lines int // that were written, and their bytes
	bytes int
}

// NewLog is one that writes to w, nil if that is nil, with MACs if there is a key.
func NewLog(w io.Writer, key []byte) *Log {
	if w == nil {
		return nil
	}
	return &Log{to: w, macs: newChain(key)}
}

// Begin writes the journal of a run up to its calls that have returned, or all of that of a session.
func (l *Log) Begin(f *File) error {
	if f.Session {
		return l.add(f.all()...)
	}
	return l.add(f.body()...)
}

// Resume writes that a run goes on which Waits.
func (l *Log) Resume(f *File) error { return l.add(&Resumed{f.Pause.Rest}) }

// add writes the next lines of a journal, all at once.
func (l *Log) add(list ...any) error {
	if l == nil {
		return nil
	}
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	var text []byte
	for _, v := range list {
		line.Reset()
		if err := e.Encode(v); err != nil {
			return err
		}
		text = append(l.macs.seal(text, bytes.TrimSuffix(line.Bytes(), []byte("\n"))), '\n')
	}
	if len(text) == 0 {
		return nil
	}
	if err := l.fits(text); err != nil {
		return err
	}
	l.lines, l.bytes = l.lines+len(list), l.bytes+len(text)
	_, err := l.to.Write(text)
	return err
}

// fits checks the bounds of Read for what is written next.
func (l *Log) fits(text []byte) error {
	if n, size := l.lines+bytes.Count(text, []byte("\n")), l.bytes+len(text); n > maxLines || size > maxFile {
		return fmt.Errorf("the journal has %d lines and %d bytes, and there may be %d and %d: have functions return less, or fewer of them", n, size, maxLines, maxFile)
	}
	for n := l.lines + 1; len(text) > 0; n++ {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if len(line) >= maxLine {
			return fmt.Errorf("line %d of the journal has %d bytes, and there may be %d: have the function return parts", n, len(line), maxLine)
		}
		text = rest
	}
	return nil
}
