package record

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// A BadLine is the error about the first line of a record that is not as it was written, or is missing.
type BadLine struct {
	File   string // empty if the record was read from a reader
	Line   int64  // in the file, from 1
	Reason string // may have text of the file
}

func (b *BadLine) Error() string {
	file := b.File
	if file != "" {
		file += ": "
	}
	return fmt.Sprintf("record: %sline %d: %s", file, b.Line, b.Reason)
}

// A Summary tells what was verified.
type Summary struct {
	Files       int
	First, Last int64 // numbers of lines; First is 1 if no file was dropped
	Signed      int64 // the number of the last line that the checkpoint covers; 0 without one
}

// Verify reads a record, or one file of it, and checks that its lines are as they were written and continue each other. With a
// checkpoint they must also reach that; without one, whoever can write to the file can make a record that verifies, and lines
// that are cut off at the end are not noticed. The error is a *BadLine, or of r. It takes no more than some MiB of memory.
func Verify(r io.Reader, c *Checkpoint) (Summary, error) {
	w := &walker{signed: c}
	lines, err := w.file(r, "")
	if err != nil {
		return Summary{}, err
	}
	return w.summary(1, "", lines)
}

// VerifyFiles is Verify for the record at path with its earlier files, in their order. They must begin with the oldest one that
// was kept. A record that a Log has open may be in the midst of a change.
func VerifyFiles(path string, c *Checkpoint) (Summary, error) {
	names, err := recordFiles(path)
	if err != nil {
		return Summary{}, err
	}
	w := &walker{signed: c}
	lines := int64(0)
	for _, name := range names {
		if err := openFile(name, func(r io.Reader) error {
			lines, err = w.file(r, name)
			return err
		}); err != nil {
			return Summary{}, err
		}
	}
	if w.first < w.from {
		return Summary{}, &BadLine{names[0], 1, fmt.Sprintf("lines %d to %d were in an earlier file, which is missing", w.first, w.from-1)}
	}
	return w.summary(len(names), path, lines)
}

func (w *walker) summary(files int, name string, lines int64) (Summary, error) {
	if err := w.end(); err != nil {
		return Summary{}, &BadLine{name, lines + 1, err.Error()}
	}
	s := Summary{Files: files, First: w.from, Last: w.last.n}
	if w.signed != nil {
		s.Signed = w.signed.Lines
	}
	return s, nil
}

// file checks the lines of a file, and gives how many they are.
func (w *walker) file(r io.Reader, name string) (n int64, err error) {
	n, err = eachLine(r, name, func(n int64, text []byte) error {
		l, err := w.line(text)
		if err == nil && n == 1 && l.Kind != KindFile {
			err = errors.New("it does not begin a file: lines before it are missing")
		}
		return err
	})
	if err == nil && n == 0 {
		err = &BadLine{name, 1, "there are no lines"}
	}
	return n, err
}

// eachLine calls f with each line of r, without its end, and its number, and gives how many they are. An error of f is about
// the line, and becomes a *BadLine, unless it matches errStop.
func eachLine(r io.Reader, name string, f func(n int64, text []byte) error) (int64, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	lines.Split(wholeLines)
	n := int64(0)
	for lines.Scan() {
		n++
		if err := f(n, lines.Bytes()); errors.Is(err, errStop) {
			return n, err
		} else if err != nil {
			return n, &BadLine{name, n, err.Error()}
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return n, &BadLine{name, n + 1, fmt.Sprintf("it is longer than %d bytes", maxLine)}
	case errors.Is(err, errTorn):
		return n, &BadLine{name, n + 1, "it is not whole: it was cut off, or its writer was stopped; the next Open of the record removes it"}
	default:
		return n, err
	}
}

var (
	errTorn = errors.New("the last line has no end")
	errStop = errors.New("no more lines are wanted")
)

// wholeLines is a bufio.SplitFunc for lines that all have an end.
func wholeLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if end := bytes.IndexByte(data, '\n'); end >= 0 {
		return end + 1, data[:end], nil
	}
	if atEOF && len(data) > 0 {
		return 0, nil, errTorn
	}
	return 0, nil, nil
}

// recordFiles are the files of the record at path, oldest first.
func recordFiles(path string) ([]string, error) {
	older, err := olderFiles(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	older, _, err = withoutTwin(older, info)
	return append(older, path), err
}

func openFile(name string, read func(io.Reader) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return read(f)
}
