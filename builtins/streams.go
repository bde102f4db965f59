package builtins

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"strings"
)

// File is what a script sees as os.File: one of its three streams, and nothing
// that the host has open.
type File struct {
	name string
	fd   uintptr
	from io.Reader     // of the input
	in   *bufio.Reader // of from, once something was read
	out  io.Writer
}

// input is what the stream is read through, nil if it is an output.
func (f *File) input() *bufio.Reader {
	if f == nil || f.from == nil {
		return nil
	}
	if f.in == nil {
		f.in = bufio.NewReader(f.from)
	}
	return f.in
}

// Name returns the name Go gives the stream.
func (f *File) Name() string { return f.name }

// Read reads from the script's input.
func (f *File) Read(p []byte) (int, error) {
	in := f.input()
	if in == nil {
		return 0, os.ErrInvalid
	}
	return in.Read(p)
}

// Write writes to the script's output.
func (f *File) Write(p []byte) (int, error) {
	if f == nil || f.out == nil {
		return 0, os.ErrInvalid
	}
	return f.out.Write(p)
}

// WriteString is Write for a string.
func (f *File) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

// Close does nothing: a run's streams end with the run.
func (f *File) Close() error { return nil }

// Sync does nothing: nothing is held back.
func (f *File) Sync() error { return nil }

// streams are the three streams of one run.
type streams struct{ in, out, err *File }

// std returns the streams of the run, the same each time.
func (e *Env) std() *streams {
	if e.streams != nil {
		return e.streams
	}
	in, out, err := e.Stdin, e.Stdout, e.Stderr
	if in == nil {
		in = strings.NewReader("")
	}
	if out == nil {
		out = io.Discard
	}
	if err == nil {
		err = io.Discard
	}
	e.streams = &streams{
		in:  &File{name: "/dev/stdin", from: in},
		out: &File{name: "/dev/stdout", fd: 1, out: out},
		err: &File{name: "/dev/stderr", fd: 2, out: err},
	}
	return e.streams
}

// writer returns w, charging for what it keeps if it is a buffer: host code that
// writes to a script's buffer must not fill the host's memory.
func (e *Env) writer(w io.Writer) io.Writer {
	switch w := w.(type) {
	case *strings.Builder:
		return &chargedWriter{w, func(n int) { e.growBuilder(w, n) }}
	case *bytes.Buffer:
		return &chargedWriter{w, func(n int) { e.growBuffer(w, n) }}
	}
	return w
}

// chargedWriter asks before each write.
type chargedWriter struct {
	io.Writer
	grow func(n int)
}

func (w *chargedWriter) Write(p []byte) (int, error) {
	w.grow(len(p))
	return w.Writer.Write(p)
}

func (w *chargedWriter) WriteString(s string) (int, error) {
	w.grow(len(s))
	return io.WriteString(w.Writer, s)
}

// growBuffer charges for what a buffer allocates when n bytes more are written.
func (e *Env) growBuffer(b *bytes.Buffer, n int) {
	if n > b.Available() {
		e.charge(2*int64(b.Cap()) + int64(n))
	}
}

// reader returns r, letting a stop through at each read and charging for what
// comes, unless r is known to hold no more than it already has in memory.
func (e *Env) reader(r io.Reader) io.Reader {
	switch r.(type) {
	case *strings.Reader, *bytes.Reader, *bytes.Buffer, *bufio.Reader:
		return r
	}
	return e.source(r)
}

// source is reader for code that keeps all that it reads.
func (e *Env) source(r io.Reader) io.Reader { return &chargedReader{r, e} }

type chargedReader struct {
	r io.Reader
	e *Env
}

func (c *chargedReader) Read(p []byte) (int, error) {
	c.e.check()
	n, err := c.r.Read(p)
	c.e.charge(int64(n))
	return n, err
}
