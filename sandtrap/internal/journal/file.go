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
// returned, in that order, and those for the calls that wait, or one for the
// end of the run.

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
	Policy  string          `json:"policy"` // see Plan
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
	Waiting []Waiting
	End     *End // nil while the run is not over
}

// Write writes the file.
func (f *File) Write(w io.Writer) error {
	f.Version = version
	list := []any{&f.Header}
	for i := range f.Returns {
		list = append(list, &f.Returns[i])
	}
	for i := range f.Waiting {
		list = append(list, &f.Waiting[i])
	}
	if f.End != nil {
		list = append(list, f.End)
	}
	return write(w, list...)
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
	_, err := w.Write(b.Bytes())
	return err
}

// Read reads what Write wrote. An error about the text matches ErrFormat.
func Read(r io.Reader) (*File, error) {
	lines := bufio.NewScanner(io.LimitReader(r, maxFile))
	lines.Buffer(nil, maxLine)
	f := &File{}
	n := 0
	for lines.Scan() {
		n++
		if err := f.line(n, lines.Bytes()); err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrFormat, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			return nil, fmt.Errorf("%w: line %d is longer than %d bytes", ErrFormat, n+1, maxLine)
		}
		return nil, err
	}
	if n == 0 {
		return nil, fmt.Errorf("%w: it is empty", ErrFormat)
	}
	return f, nil
}

// line takes line n.
func (f *File) line(n int, text []byte) error {
	switch {
	case n > maxLines:
		return fmt.Errorf("there are more than %d", maxLines)
	case n == 1:
		if err := strict(text, &f.Header); err != nil {
			return err
		}
		if f.Version != version {
			return fmt.Errorf("the journal has version %d, and this program reads %d", f.Version, version)
		}
		return nil
	case f.End != nil:
		return errors.New("there is more after the end of the run")
	case bytes.HasPrefix(text, []byte(`{"end":`)):
		f.End = &End{}
		return strict(text, f.End)
	case bytes.HasPrefix(text, []byte(`{"waiting":`)):
		var w Waiting
		if err := strict(text, &w); err != nil {
			return err
		}
		f.Waiting = append(f.Waiting, w)
		return nil
	case len(f.Waiting) > 0:
		return errors.New("a call that has returned comes after those that wait")
	}
	var r Return
	if err := strict(text, &r); err != nil {
		return err
	}
	last := int64(0)
	if k := len(f.Returns); k > 0 {
		last = f.Returns[k-1].Rest
	}
	if r.Call < 1 || r.Rest <= last {
		return errors.New("its numbers are out of order")
	}
	f.Returns = append(f.Returns, r)
	return nil
}

// strict is Unmarshal without unknown fields.
func strict(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is more than one object")
	}
	return nil
}
