package builtins

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
	in, out, err *vfs.File
	input        input
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

// runes is what one call of fmt scans. The rune after the last token is gone when it returns, as in Go,
// where os.Stdin is no io.RuneScanner.
func (i *input) runes() *callRunes { return &callRunes{Reader: i.buffer()} }

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
	s := &streams{
		out:   vfs.NewStream("/dev/stdout", nil, out),
		err:   vfs.NewStream("/dev/stderr", nil, err),
		input: input{from: in},
	}
	s.in = vfs.NewStream("/dev/stdin", &s.input, nil)
	e.streams = s
	return s
}

// writer returns w, charging for what it keeps if it is a buffer: host code that
// writes to a script's buffer must not fill the host's memory. What is compressed
// takes its time.
func (e *Env) writer(w io.Writer) io.Writer {
	switch w := w.(type) {
	case *strings.Builder:
		return &chargedWriter{w, func(n int) { e.growBuilder(w, n) }}
	case *bytes.Buffer:
		return &chargedWriter{w, func(n int) { e.growBuffer(w, n) }}
	case *gzip.Writer, *zlib.Writer, *flate.Writer, *lzw.Writer, *quotedprintable.Writer:
		return &piecewise{w, e}
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
		e.payText(copyRate, b.Cap()+n)
	}
}

// reader returns r, letting a stop through at each read and charging for what
// comes, unless r is known to hold no more than it already has in memory.
func (e *Env) reader(r io.Reader) io.Reader {
	switch r := r.(type) {
	case *strings.Reader, *bytes.Reader, *bytes.Buffer:
		return r
	case *bufio.Reader:
		return &heldBuffer{r, e}
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
	c.e.enter()
	defer c.e.leave()
	n, err := c.r.Read(p)
	c.e.charge(int64(n))
	return n, err
}

// growBuilder charges for what a builder allocates when n bytes more are
// written.
func (e *Env) growBuilder(b *strings.Builder, n int) {
	if free := b.Cap() - b.Len(); n > free {
		e.charge(int64(b.Cap()) + int64(n))
	}
}
