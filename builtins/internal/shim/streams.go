package shim

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/lzw"
	"compress/zlib"
	"io"
	"mime/quotedprintable"
	"strings"

	"github.com/sandtrap-go/sandtrap/vfs"
)

// streams are the three streams of one run, as a script sees them: files that are
// no files of the host's.
type streams struct {
	In, Out, Err *vfs.File
	Input        input
}

// input is standard input, with a buffer once something is read.
type input struct {
	from io.Reader
	buf  *bufio.Reader
}

func (i *input) buffer() *bufio.Reader {
	if i.buf == nil {
		i.buf = bufio.NewReader(i.from)
	}
	return i.buf
}

// Runes is what one call of fmt scans. The rune after the last token is gone when it returns, as in Go,
// where os.Stdin is no io.RuneScanner.
func (i *input) Runes() *callRunes { return &callRunes{Reader: i.buffer()} }

// callRunes gives back the last rune to its own reader alone.
type callRunes struct {
	*bufio.Reader
	last   rune
	size   int
	unread bool
}

func (c *callRunes) ReadRune() (r rune, size int, err error) {
	if !c.unread {
		c.last, c.size, err = c.Reader.ReadRune()
	}
	c.unread = false
	return c.last, c.size, err
}

func (c *callRunes) UnreadRune() error {
	c.unread = true
	return nil
}

func (i *input) Read(p []byte) (int, error) { return i.buffer().Read(p) }

// StdStreams returns the streams of the run, the same each time.
func (e *Env) StdStreams() *streams {
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
	s := &streams{
		Out:   vfs.NewStream("/dev/stdout", nil, out),
		Err:   vfs.NewStream("/dev/stderr", nil, err),
		Input: input{from: in},
	}
	s.In = vfs.NewStream("/dev/stdin", &s.Input, nil)
	e.streams = s
	return s
}

// Writer returns w, charging for what it keeps if it is a buffer: host code that
// writes to a script's buffer must not fill the host's memory. What is compressed
// takes its time.
func (e *Env) Writer(w io.Writer) io.Writer {
	switch w := w.(type) {
	case *strings.Builder:
		return &ChargedWriter{w, func(n int) { e.GrowBuilder(w, n) }}
	case *bytes.Buffer:
		return &ChargedWriter{w, func(n int) { e.GrowBuffer(w, n) }}
	case *gzip.Writer, *zlib.Writer, *flate.Writer, *lzw.Writer, *quotedprintable.Writer:
		return &Piecewise{w, e}
	case *bufio.Writer:
		if w != nil {
			HasBuffer(w)
		}
	case *bufio.ReadWriter:
		if w != nil && w.Writer != nil {
			HasBuffer(w.Writer)
		}
	}
	return w
}

// HasBuffer panics for a bufio.Reader or a bufio.Writer without a buffer: to wait for that to fill, or to have room, is
// to wait for ever.
func HasBuffer(b interface{ Size() int }) {
	if b.Size() == 0 {
		panic("bufio: a value without a buffer: make it with NewReader or NewWriter, or Reset it")
	}
}

// ChargedWriter asks before each write.
type ChargedWriter struct {
	io.Writer
	Grow func(n int)
}

func (w *ChargedWriter) Write(p []byte) (int, error) {
	w.Grow(len(p))
	return w.Writer.Write(p)
}

func (w *ChargedWriter) WriteString(s string) (int, error) {
	w.Grow(len(s))
	return io.WriteString(w.Writer, s)
}

// GrowBuffer charges for what a buffer allocates when n bytes more are written.
func (e *Env) GrowBuffer(b *bytes.Buffer, n int) {
	if n > b.Available() {
		e.Charge(2*int64(b.Cap()) + int64(n))
		e.PayText(CopyRate, b.Cap()+n)
	}
}

// Reader returns r, letting a stop through at each read and charging for what
// comes, unless r is known to hold no more than it already has in memory.
func (e *Env) Reader(r io.Reader) io.Reader {
	switch r := r.(type) {
	case *strings.Reader, *bytes.Reader, *bytes.Buffer:
		return r
	case *bufio.Reader:
		return &heldBuffer{r, e}
	}
	return e.Source(r)
}

// Source is reader for code that keeps all that it reads.
func (e *Env) Source(r io.Reader) io.Reader { return &ChargedReader{r, e} }

type ChargedReader struct {
	R   io.Reader
	Env *Env
}

func (c *ChargedReader) Read(p []byte) (int, error) {
	c.Env.Check()
	c.Env.Enter()
	defer c.Env.Leave()
	n, err := c.R.Read(p)
	c.Env.Charge(int64(n))
	return n, err
}

// A PayingReader is a ChargedReader for code that makes more of what it reads than a copy: Pay is given what has come.
type PayingReader struct {
	R   io.Reader
	Env *Env
	Pay func(p []byte)
}

func (r *PayingReader) Read(p []byte) (int, error) {
	r.Env.Check()
	r.Env.Enter()
	defer r.Env.Leave()
	n, err := r.R.Read(p)
	if n > 0 && n <= len(p) {
		r.Pay(p[:n])
	}
	return n, err
}

// GrowBuilder charges for what a builder allocates when n bytes more are
// written.
func (e *Env) GrowBuilder(b *strings.Builder, n int) {
	if free := b.Cap() - b.Len(); n > free {
		e.Charge(int64(b.Cap()) + int64(n))
	}
}
