package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// A journal is a text of lines: each is a JSON object. The first is the Header, then come a line for each call that has
// returned, in that order. They are followed by a Pause and the calls that wait, by the End of the run, or by nothing if the process
// of the run has ended before.

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
	Script  Script          `json:"script"`
	Host    json.RawMessage `json:"host,omitempty"` // whatever its host needs to make the policy again
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

// A Return is a call that has returned, and when.
type Return struct {
	Call   int             `json:"call"`
	Name   string          `json:"name"`
	Args   string          `json:"args"` // their hash
	Rest   int64           `json:"rest"` // see engine.Rest
	Result json.RawMessage `json:"result,omitempty"`
	Err    string          `json:"err,omitempty"`   // see carry.Errors
	Panic  string          `json:"panic,omitempty"` // likewise
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
}

// An End says what became of a run that is over.
type End struct {
	Kind   string `json:"end"` // of the error, "ok" without one
	Text   string `json:"text,omitempty"`
	Ticks  int64  `json:"ticks"`
	Output string `json:"output"` // the hash of what it has printed
}

// A File is a journal that was read.
type File struct {
	Header
	Returns []Return
	Pause   Pause
	Waiting []Waiting
	End     *End // nil while the run is not over

	calls map[int]bool // by number, while it is read
}

// Write writes the file. It is an error if Read would not take it.
func (f *File) Write(w io.Writer) error {
	head := f.Header
	head.Version = version
	list := []any{&head}
	for i := range f.Returns {
		list = append(list, &f.Returns[i])
	}
	return write(w, append(list, f.tail()...)...)
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
	return list
}

// write writes lines, all at once.
func write(w io.Writer, list ...any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, line := range list {
		if err := e.Encode(line); err != nil {
			return err
		}
	}
	if b.Len() == 0 {
		return nil
	}
	if err := fits(b.Bytes()); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// fits checks the bounds of Read.
func fits(text []byte) error {
	if n := bytes.Count(text, []byte("\n")); n > maxLines || len(text) > maxFile {
		return fmt.Errorf("the journal has %d lines and %d bytes, and there may be %d and %d: have functions return less, or fewer of them", n, len(text), maxLines, maxFile)
	}
	for n := 1; len(text) > 0; n++ {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if len(line) >= maxLine {
			return fmt.Errorf("line %d of the journal has %d bytes, and there may be %d: have the function return parts", n, len(line), maxLine)
		}
		text = rest
	}
	return nil
}

// linesOf gives the lines of a journal. A last one that was not written to its end is none, and sets torn.
func linesOf(text io.Reader, torn *bool) *bufio.Scanner {
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, maxLine)
	lines.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		if n := bytes.IndexByte(data, '\n'); n >= 0 {
			return n + 1, data[:n], nil
		}
		if !atEOF || len(data) == 0 {
			return 0, nil, nil
		}
		*torn = true // its write was the last
		return len(data), nil, nil
	})
	return lines
}

// ReadHeader reads the first line alone of what Write wrote. An error about the text matches ErrFormat.
func ReadHeader(r io.Reader) (*Header, error) {
	torn := false
	lines, f := linesOf(r, &torn), &File{}
	if !lines.Scan() {
		return nil, unscanned(lines.Err(), 0, torn)
	}
	if err := f.line(1, lines.Bytes()); err != nil {
		return nil, fmt.Errorf("%w: line 1: %w", ErrFormat, err)
	}
	return &f.Header, nil
}

// unscanned is the error of a journal that has n lines and then err, nil if there is none.
func unscanned(err error, n int, torn bool) error {
	switch {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("%w: line %d is longer than %d bytes", ErrFormat, n+1, maxLine)
	case err != nil:
		return err
	case n == 0 && torn:
		return fmt.Errorf("%w: line 1: it ends too early", ErrFormat)
	case n == 0:
		return fmt.Errorf("%w: it is empty", ErrFormat)
	}
	return nil
}

// Read reads what Write wrote. An error about the text matches ErrFormat.
func Read(r io.Reader) (*File, error) {
	text, torn := &io.LimitedReader{R: r, N: maxFile + 1}, false
	lines := linesOf(text, &torn)
	f := &File{calls: map[int]bool{}}
	n := 0
	for lines.Scan() {
		n++
		if err := f.line(n, lines.Bytes()); err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrFormat, n, err)
		}
	}
	if err := unscanned(lines.Err(), n, torn); err != nil {
		return nil, err
	}
	switch {
	case text.N <= 0:
		return nil, fmt.Errorf("%w: it is longer than %d bytes", ErrFormat, maxFile)
	case torn && len(f.Waiting) < f.Pause.Waiting:
		f.Pause, f.Waiting = Pause{}, nil // as before that was written
	case len(f.Waiting) != f.Pause.Waiting || f.Pause.Rest > 0 && len(f.Waiting) == 0:
		return nil, fmt.Errorf("%w: %d calls wait, and there were %d when it was written", ErrFormat, len(f.Waiting), f.Pause.Waiting)
	}
	return f, nil
}

// last is the rest of the last call that has returned.
func (f *File) last() int64 {
	if n := len(f.Returns); n > 0 {
		return f.Returns[n-1].Rest
	}
	return 0
}

// line takes line n.
func (f *File) line(n int, text []byte) error {
	switch {
	case n > maxLines:
		return fmt.Errorf("there are more than %d", maxLines)
	case n == 1:
		if err := Strict(text, &f.Header); err != nil {
			return err
		}
		if f.Version != version {
			return fmt.Errorf("the journal has version %d, and this program reads %d", f.Version, version)
		}
		return nil
	case f.End != nil:
		return errors.New("there is more after the end of the run")
	case bytes.HasPrefix(text, []byte(`{"end":`)) && f.Pause.Rest == 0:
		f.End = &End{}
		return Strict(text, f.End)
	case bytes.HasPrefix(text, []byte(`{"paused":`)) && f.Pause.Rest == 0:
		if err := Strict(text, &f.Pause); err != nil {
			return err
		}
		if f.Pause.Rest <= f.last() {
			return fmt.Errorf("the run waits at rest %d, and a call returns at %d", f.Pause.Rest, f.last())
		}
		return nil
	case bytes.HasPrefix(text, []byte(`{"waiting":`)) && f.Pause.Rest > 0:
		var w Waiting
		if err := Strict(text, &w); err != nil {
			return err
		}
		f.Waiting = append(f.Waiting, w)
		return f.call(w.Call)
	case f.Pause.Rest > 0:
		return errors.New("there is something else among the calls that wait")
	}
	var r Return
	if err := Strict(text, &r); err != nil {
		return err
	}
	if r.Rest <= f.last() {
		return fmt.Errorf("call %d returns at rest %d, and the one before at %d", r.Call, r.Rest, f.last())
	}
	f.Returns = append(f.Returns, r)
	return f.call(r.Call)
}

// call takes the number of a call.
func (f *File) call(n int) error {
	switch {
	case n < 1 || n > maxLines:
		return fmt.Errorf("there can be no call %d", n)
	case f.calls[n]:
		return fmt.Errorf("call %d is there before", n)
	}
	f.calls[n] = true
	return nil
}

// Strict is Unmarshal without unknown fields.
func Strict(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	switch err := d.Decode(into); err {
	case nil:
	case io.EOF, io.ErrUnexpectedEOF:
		return errors.New("it ends too early")
	default:
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is more than one object")
	}
	return nil
}
