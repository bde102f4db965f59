package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

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

// ReadHeader reads the first line alone of what Write wrote, and checks no MAC. An error about the text matches ErrFormat.
func ReadHeader(r io.Reader) (*Header, error) {
	torn := false
	lines, f := linesOf(r, &torn), &File{}
	if !lines.Scan() {
		return nil, unscanned(lines.Err(), 0, torn)
	}
	line, _ := cutMAC(lines.Bytes())
	if err := f.line(1, line); err != nil {
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

// Read reads what Write wrote with the same key, or without one. An error about the text matches ErrFormat.
func Read(r io.Reader, key []byte) (*File, error) {
	text, torn := &io.LimitedReader{R: r, N: maxFile + 1}, false
	lines := linesOf(text, &torn)
	f, macs := &File{}, newChain(key)
	n := 0
	for lines.Scan() {
		n++
		line, err := macs.open(lines.Bytes())
		if err == nil {
			err = f.line(n, line)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrFormat, n, err)
		}
	}
	if err := unscanned(lines.Err(), n, torn); err != nil {
		return nil, err
	}
	if text.N <= 0 {
		return nil, fmt.Errorf("%w: it is longer than %d bytes", ErrFormat, maxFile)
	}
	of := f
	if c := f.Last(); c != nil {
		of = c
	}
	return f, of.complete(torn)
}

// complete checks that the file has all calls that wait. If the last line is torn it may have none, as before they were written.
func (f *File) complete(torn bool) error {
	switch {
	case torn && len(f.Waiting) < f.Pause.Waiting:
		f.Pause, f.Waiting = Pause{}, nil
	case len(f.Waiting) != f.Pause.Waiting || f.Pause.Rest > 0 && len(f.Waiting) == 0:
		return fmt.Errorf("%w: %d calls wait, and there were %d when it was written", ErrFormat, len(f.Waiting), f.Pause.Waiting)
	}
	return nil
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
	last := f.Last()
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
	case !f.Session:
		return f.runLine(text)
	case bytes.HasPrefix(text, []byte(`{"cell":`)) && (last == nil || last.End != nil):
		return f.cell(text)
	case last == nil:
		return errors.New("there is something else in place of the first cell")
	}
	return last.runLine(text)
}

// cell takes a line with which the run of a cell begins.
func (f *File) cell(text []byte) error {
	var c Cell
	if err := Strict(text, &c); err != nil {
		return err
	}
	f.AddCell(c.Script)
	return nil
}

// runLine takes a line of a run.
func (f *File) runLine(text []byte) error {
	switch {
	case f.End != nil:
		return errors.New("there is more after the end of the run")
	case bytes.HasPrefix(text, []byte(`{"answered":`)):
		return f.answerLine(text)
	case bytes.HasPrefix(text, []byte(`{"resumed":`)):
		return f.resumed(text)
	case len(f.Answers) > 0:
		return errors.New("there is something else among the answers")
	case bytes.HasPrefix(text, []byte(`{"end":`)) && f.Pause.Rest == 0:
		return f.endLine(text)
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
		if err := f.call(w.Call); err != nil {
			return err
		}
		f.answer(w.Call, false)
		return nil
	case f.Pause.Rest > 0:
		return errors.New("there is something else among the calls that wait")
	}
	var r Return
	if !r.read(text) {
		if err := Strict(text, &r); err != nil {
			return err
		}
	}
	if r.Rest <= f.last() {
		return fmt.Errorf("call %d returns at rest %d, and the one before at %d", r.Call, r.Rest, f.last())
	}
	f.Returns = append(f.Returns, r)
	return f.call(r.Call)
}

// endLine takes a line with the end of a run.
func (f *File) endLine(text []byte) error {
	f.End = &End{}
	if err := Strict(text, f.End); err != nil {
		return err
	}
	last := f.Before
	for n := range f.calls {
		last = max(last, n)
	}
	if f.End.Calls > maxLines || f.IsCell && f.End.Calls < last || !f.IsCell && f.End.Calls != 0 {
		return fmt.Errorf("there can be no %d calls when the run ends", f.End.Calls)
	}
	return nil
}

// answerLine takes a line with an answer.
func (f *File) answerLine(text []byte) error {
	var a Answered
	if err := Strict(text, &a); err != nil {
		return err
	}
	answered, waits := f.answered[a.Call]
	if answered || !waits && (f.Pause.Rest > 0 || f.calls[a.Call] || !f.possible(a.Call)) {
		return fmt.Errorf("there can be no answer to call %d", a.Call)
	}
	f.answer(a.Call, true)
	f.Answers = append(f.Answers, a)
	return nil
}

// answer notes whether a call has an answer.
func (f *File) answer(n int, has bool) {
	if f.answered == nil {
		f.answered = map[int]bool{}
	}
	f.answered[n] = has
}

// resumed takes a line that says that the run goes on.
func (f *File) resumed(text []byte) error {
	var r Resumed
	if err := Strict(text, &r); err != nil {
		return err
	}
	if !f.Waits() || r.Rest != f.Pause.Rest || len(f.Waiting) != f.Pause.Waiting {
		return fmt.Errorf("the run cannot go on at rest %d", r.Rest)
	}
	for _, w := range f.Waiting {
		delete(f.calls, w.Call)
	}
	f.Pause, f.Waiting, f.Answers, f.answered = Pause{}, nil, nil, nil
	return nil
}

// possible reports that there can be a call of the number.
func (f *File) possible(n int) bool { return n > f.Before && n <= maxLines }

// call takes the number of a call.
func (f *File) call(n int) error {
	switch {
	case !f.possible(n):
		return fmt.Errorf("there can be no call %d", n)
	case f.calls[n]:
		return fmt.Errorf("call %d is there before", n)
	}
	if f.calls == nil {
		f.calls = map[int]bool{}
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
