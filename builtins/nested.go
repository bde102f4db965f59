package builtins

import (
	"bufio"
	"bytes"
	"crypto/cipher"
	"io"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"github.com/sandtrap-go/sandtrap/vfs"
)

// Readers and writers of Go hold others, and call them on the Go stack, whose end is that of
// the process. So what one of them gets from a script counts, where it is called, how many are
// being called; and those that a script can put into each other by a field are followed first.
const (
	maxNested = 10_000 // calls of what one reader or writer got, on one stack or several
	maxLinked = 100    // fields between two of them
)

const nestedTooDeep = runtimeError("readers or writers are nested too deeply, or in a circle")

// enter is called before something that a value of the host holds is, and leave after it.
func (e *Env) enter() {
	if e != nil && e.nested.Add(1) > maxNested {
		e.nested.Add(-1)
		panic(nestedTooDeep)
	}
}

func (e *Env) leave() {
	if e != nil {
		e.nested.Add(-1)
	}
}

// held returns r for a reader of the host that keeps it.
func (e *Env) held(r io.Reader) io.Reader {
	switch r := r.(type) {
	case nil, *strings.Reader, *bytes.Reader, *bytes.Buffer, *vfs.File:
		return r
	case *bufio.Reader:
		return &heldBuffer{r, e}
	}
	return &heldReader{r, e}
}

type heldReader struct {
	io.Reader
	e *Env
}

func (h *heldReader) Read(p []byte) (int, error) {
	h.e.check()
	h.e.enter()
	defer h.e.leave()
	return h.Reader.Read(p)
}

// heldBuffer is still one for those who read by bytes, or runes, so that they do not read more
// than they need.
type heldBuffer struct {
	*bufio.Reader
	e *Env
}

func (h *heldBuffer) Read(p []byte) (int, error) {
	h.e.enter()
	defer h.e.leave()
	return h.Reader.Read(p)
}

func (h *heldBuffer) ReadByte() (byte, error) {
	h.e.enter()
	defer h.e.leave()
	return h.Reader.ReadByte()
}

func (h *heldBuffer) ReadRune() (rune, int, error) {
	h.e.enter()
	defer h.e.leave()
	return h.Reader.ReadRune()
}

func (h *heldBuffer) WriteTo(w io.Writer) (int64, error) {
	h.e.enter()
	defer h.e.leave()
	return h.Reader.WriteTo(w)
}

// heldReaderAt and heldWriterAt are held for what is read, or written, at places.
type (
	heldReaderAt struct {
		io.ReaderAt
		e *Env
	}
	heldWriterAt struct {
		io.WriterAt
		e *Env
	}
)

func (h *heldReaderAt) ReadAt(p []byte, off int64) (int, error) {
	h.e.enter()
	defer h.e.leave()
	return h.ReaderAt.ReadAt(p, off)
}

func (h *heldWriterAt) WriteAt(p []byte, off int64) (int, error) {
	h.e.enter()
	defer h.e.leave()
	return h.WriterAt.WriteAt(p, off)
}

// keeper returns w for a writer of the host that keeps it; see writer.
func (e *Env) keeper(w io.Writer) io.Writer {
	switch w := w.(type) {
	case nil, *vfs.File:
		return w
	case *strings.Builder, *bytes.Buffer:
		return e.writer(w)
	case *bufio.Writer:
		return &heldRoom{w, e}
	}
	held := heldWriter{e.writer(w), e}
	if from, ok := held.Writer.(io.ReaderFrom); ok {
		return &heldFrom{held, from}
	}
	return &held
}

type heldWriter struct {
	io.Writer
	e *Env
}

func (h *heldWriter) Write(p []byte) (int, error) {
	h.e.check()
	h.e.enter()
	defer h.e.leave()
	return h.Writer.Write(p)
}

func (h *heldWriter) WriteString(s string) (int, error) {
	h.e.check()
	h.e.enter()
	defer h.e.leave()
	return io.WriteString(h.Writer, s)
}

// heldFrom still reads by itself.
type heldFrom struct {
	heldWriter
	from io.ReaderFrom
}

func (h *heldFrom) ReadFrom(r io.Reader) (int64, error) {
	h.e.check()
	h.e.enter()
	defer h.e.leave()
	return h.from.ReadFrom(r)
}

// heldRoom still is one for those who write by bytes and flush.
type heldRoom struct {
	*bufio.Writer
	e *Env
}

func (h *heldRoom) Write(p []byte) (int, error) {
	h.e.enter()
	defer h.e.leave()
	return h.Writer.Write(p)
}

func (h *heldRoom) WriteByte(c byte) error {
	h.e.enter()
	defer h.e.leave()
	return h.Writer.WriteByte(c)
}

func (h *heldRoom) WriteString(s string) (int, error) {
	h.e.enter()
	defer h.e.leave()
	return h.Writer.WriteString(s)
}

func (h *heldRoom) Flush() error {
	h.e.enter()
	defer h.e.leave()
	return h.Writer.Flush()
}

func (h *heldRoom) ReadFrom(r io.Reader) (int64, error) {
	h.e.enter()
	defer h.e.leave()
	return h.Writer.ReadFrom(r)
}

// What a script sees as io.LimitedReader, cipher.StreamReader and cipher.StreamWriter, the only
// readers and writers that it can put into each other by a field.
type (
	LimitedReader struct {
		R io.Reader
		N int64
	}
	StreamReader struct {
		S cipher.Stream
		R io.Reader
	}
	StreamWriter struct {
		S   cipher.Stream
		W   io.Writer
		Err error // as in Go unused
	}
)

// linked panics with refusal if v is in others, by fields that a script can set, too often.
func linked(v any, refusal runtimeError) {
	for range maxLinked {
		switch l := v.(type) {
		case *LimitedReader:
			v = l.R
		case StreamReader:
			v = l.R
		case *StreamReader:
			v = l.R
		case StreamWriter:
			v = l.W
		case *StreamWriter:
			v = l.W
		case *fs.PathError:
			v = l.Err
		case *os.LinkError:
			v = l.Err
		case *url.Error:
			v = l.Err
		default:
			return
		}
	}
	panic(refusal)
}

// Read is as the documentation of io.LimitedReader says.
func (l *LimitedReader) Read(p []byte) (int, error) {
	linked(l.R, nestedTooDeep)
	its := io.LimitedReader{R: l.R, N: l.N}
	n, err := its.Read(p)
	l.N = its.N
	return n, err
}

// Read is as the documentation of cipher.StreamReader says.
func (s StreamReader) Read(p []byte) (int, error) {
	linked(s.R, nestedTooDeep)
	return cipher.StreamReader{S: s.S, R: s.R}.Read(p)
}

// Write is as the documentation of cipher.StreamWriter says.
func (s StreamWriter) Write(p []byte) (int, error) {
	linked(s.W, nestedTooDeep)
	return cipher.StreamWriter{S: s.S, W: s.W}.Write(p)
}

// Close is as the documentation of cipher.StreamWriter says.
func (s StreamWriter) Close() error {
	linked(s.W, nestedTooDeep)
	return cipher.StreamWriter{S: s.S, W: s.W}.Close()
}
