package shim

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
	MaxNested = 10_000 // calls of what one reader or writer got, on one stack or several
	MaxLinked = 100    // fields between two of them
)

const NestedTooDeep = RuntimeError("readers or writers are nested too deeply, or in a circle")

// Enter is called before something that a value of the host holds is, and leave after it.
func (e *Env) Enter() {
	if e != nil && e.nested.Add(1) > MaxNested {
		e.nested.Add(-1)
		panic(NestedTooDeep)
	}
}

func (e *Env) Leave() {
	if e != nil {
		e.nested.Add(-1)
	}
}

// Held returns r for a reader of the host that keeps it.
func (e *Env) Held(r io.Reader) io.Reader {
	switch r := r.(type) {
	case nil, *strings.Reader, *bytes.Reader, *bytes.Buffer, *vfs.File:
		return r
	case *bufio.Reader:
		return &heldBuffer{r, e}
	}
	return &HeldReader{r, e}
}

type HeldReader struct {
	io.Reader
	Env *Env
}

func (h *HeldReader) Read(p []byte) (int, error) {
	h.Env.Check()
	h.Env.Enter()
	defer h.Env.Leave()
	return h.Reader.Read(p)
}

// heldBuffer is still one for those who read by bytes, or runes, so that they do not read more
// than they need.
type heldBuffer struct {
	*bufio.Reader
	e *Env
}

func (h *heldBuffer) Read(p []byte) (int, error) {
	h.e.Enter()
	defer h.e.Leave()
	return h.Reader.Read(p)
}

func (h *heldBuffer) ReadByte() (byte, error) {
	h.e.Enter()
	defer h.e.Leave()
	return h.Reader.ReadByte()
}

func (h *heldBuffer) ReadRune() (rune, int, error) {
	h.e.Enter()
	defer h.e.Leave()
	return h.Reader.ReadRune()
}

func (h *heldBuffer) WriteTo(w io.Writer) (int64, error) {
	h.e.Enter()
	defer h.e.Leave()
	return h.Reader.WriteTo(w)
}

// HeldReaderAt and HeldWriterAt are held for what is read, or written, at places.
type (
	HeldReaderAt struct {
		io.ReaderAt
		Env *Env
	}
	HeldWriterAt struct {
		io.WriterAt
		Env *Env
	}
)

func (h *HeldReaderAt) ReadAt(p []byte, off int64) (int, error) {
	h.Env.Enter()
	defer h.Env.Leave()
	return h.ReaderAt.ReadAt(p, off)
}

func (h *HeldWriterAt) WriteAt(p []byte, off int64) (int, error) {
	h.Env.Enter()
	defer h.Env.Leave()
	return h.WriterAt.WriteAt(p, off)
}

// Keeper returns w for a writer of the host that keeps it; see writer.
func (e *Env) Keeper(w io.Writer) io.Writer {
	switch w := w.(type) {
	case nil, *vfs.File:
		return w
	case *strings.Builder, *bytes.Buffer:
		return e.Writer(w)
	case *bufio.Writer:
		return &heldRoom{w, e}
	}
	held := HeldWriter{e.Writer(w), e}
	if from, ok := held.Writer.(io.ReaderFrom); ok {
		return &heldFrom{held, from}
	}
	return &held
}

type HeldWriter struct {
	io.Writer
	Env *Env
}

func (h *HeldWriter) Write(p []byte) (int, error) {
	h.Env.Check()
	h.Env.Enter()
	defer h.Env.Leave()
	return h.Writer.Write(p)
}

func (h *HeldWriter) WriteString(s string) (int, error) {
	h.Env.Check()
	h.Env.Enter()
	defer h.Env.Leave()
	return io.WriteString(h.Writer, s)
}

// heldFrom still reads by itself.
type heldFrom struct {
	HeldWriter
	from io.ReaderFrom
}

func (h *heldFrom) ReadFrom(r io.Reader) (int64, error) {
	h.Env.Check()
	h.Env.Enter()
	defer h.Env.Leave()
	return h.from.ReadFrom(r)
}

// heldRoom still is one for those who write by bytes and flush.
type heldRoom struct {
	*bufio.Writer
	e *Env
}

func (h *heldRoom) Write(p []byte) (int, error) {
	h.e.Enter()
	defer h.e.Leave()
	return h.Writer.Write(p)
}

func (h *heldRoom) WriteString(s string) (int, error) {
	h.e.Enter()
	defer h.e.Leave()
	HasBuffer(h.Writer)
	return h.Writer.WriteString(s)
}

func (h *heldRoom) WriteRune(r rune) (int, error) {
	h.e.Enter()
	defer h.e.Leave()
	HasBuffer(h.Writer)
	return h.Writer.WriteRune(r)
}

func (h *heldRoom) WriteByte(c byte) error {
	h.e.Enter()
	defer h.e.Leave()
	return h.Writer.WriteByte(c)
}

func (h *heldRoom) Flush() error {
	h.e.Enter()
	defer h.e.Leave()
	return h.Writer.Flush()
}

func (h *heldRoom) ReadFrom(r io.Reader) (int64, error) {
	h.e.Enter()
	defer h.e.Leave()
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

// Linked panics with refusal if v is in others, by fields that a script can set, too often.
func Linked(v any, refusal RuntimeError) {
	for range MaxLinked {
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
	Linked(l.R, NestedTooDeep)
	its := io.LimitedReader{R: l.R, N: l.N}
	n, err := its.Read(p)
	l.N = its.N
	return n, err
}

// Read is as the documentation of cipher.StreamReader says.
func (s StreamReader) Read(p []byte) (int, error) {
	Linked(s.R, NestedTooDeep)
	return cipher.StreamReader{S: s.S, R: s.R}.Read(p)
}

// Write is as the documentation of cipher.StreamWriter says.
func (s StreamWriter) Write(p []byte) (int, error) {
	Linked(s.W, NestedTooDeep)
	return cipher.StreamWriter{S: s.S, W: s.W}.Write(p)
}

// Close is as the documentation of cipher.StreamWriter says.
func (s StreamWriter) Close() error {
	Linked(s.W, NestedTooDeep)
	return cipher.StreamWriter{S: s.S, W: s.W}.Close()
}
