package io

import (
	"bufio"
	"bytes"
	"hash"
	"io"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimos "github.com/sandtrap-go/sandtrap/builtins/internal/shim/os"
	"github.com/sandtrap-go/sandtrap/vfs"
)

func Copy(e *shim.Env) func(io.Writer, io.Reader) (int64, error) {
	return func(dst io.Writer, src io.Reader) (int64, error) { return io.Copy(e.Writer(dst), copied(e, dst, src)) }
}

// copied is source for a copy to dst, which leaves it to a script's own source to write itself.
func copied(e *shim.Env, dst io.Writer, src io.Reader) io.Reader {
	if w, ok := src.(io.WriterTo); ok && ofScript(src) {
		return &selfWriter{shim.ChargedReader{R: src, Env: e}, w}
	}
	if keepsNothing(dst) {
		e.Charge(copyBuffer)
		return &passedReader{src, e}
	}
	return e.Source(src)
}

// copyBuffer is what io.Copy makes for the bytes that pass.
const copyBuffer = 32 << 10

// keepsNothing reports that no memory grows with what is written to dst, or that dst charges for it itself.
func keepsNothing(dst io.Writer) bool {
	switch dst.(type) {
	case *strings.Builder, *bytes.Buffer, *vfs.File, *bufio.Writer, hash.Hash:
		return true
	}
	return dst == io.Discard || ofScript(dst)
}

func ofScript(v any) bool {
	_, is := v.(interface{ ScriptValue() any })
	return is
}

// A passedReader asks for the time of what is read, and not for memory.
type passedReader struct {
	r   io.Reader
	env *shim.Env
}

func (r *passedReader) Read(p []byte) (int, error) {
	r.env.Check()
	r.env.Enter()
	defer r.env.Leave()
	n, err := r.r.Read(p)
	r.env.Work(int64(max(n, 0)) * shim.CopyRate / shim.TickTime)
	return n, err
}

type selfWriter struct {
	shim.ChargedReader
	w io.WriterTo
}

func (s *selfWriter) WriteTo(dst io.Writer) (int64, error) {
	s.Env.Check()
	s.Env.Enter()
	defer s.Env.Leave()
	return s.w.WriteTo(dst)
}

func CopyN(e *shim.Env) func(io.Writer, io.Reader, int64) (int64, error) {
	return func(dst io.Writer, src io.Reader, n int64) (int64, error) {
		return io.CopyN(e.Writer(dst), copied(e, dst, src), n)
	}
}

func CopyBuffer(e *shim.Env) func(io.Writer, io.Reader, []byte) (int64, error) {
	return func(dst io.Writer, src io.Reader, buf []byte) (int64, error) {
		return io.CopyBuffer(e.Writer(dst), copied(e, dst, src), buf)
	}
}

func ReadAll(e *shim.Env) func(io.Reader) ([]byte, error) {
	return func(r io.Reader) ([]byte, error) {
		return io.ReadAll(&allReader{ChargedReader: shim.ChargedReader{R: r, Env: e}})
	}
}

// An allReader reads for io.ReadAll, which copies all that it has when that ends.
type allReader struct {
	shim.ChargedReader
	n int
}

func (r *allReader) Read(p []byte) (int, error) {
	n, err := r.ChargedReader.Read(p[:min(len(p), shim.Piece)])
	if r.n += n; err != nil {
		r.Env.PayText(shim.CopyRate, r.n)
	}
	return n, err
}

func WriteString(e *shim.Env) func(io.Writer, string) (int, error) {
	return func(w io.Writer, s string) (int, error) {
		if f, ok := w.(*vfs.File); ok {
			return shimos.FileWriteString(e)(f, s)
		}
		return io.WriteString(e.Writer(w), s)
	}
}

func TeeReader(e *shim.Env) func(io.Reader, io.Writer) io.Reader {
	return func(r io.Reader, w io.Writer) io.Reader { return io.TeeReader(e.Held(r), e.Keeper(w)) }
}

func LimitReader(r io.Reader, n int64) io.Reader { return &shim.LimitedReader{R: r, N: n} }

// heldSize is what each of many readers or writers takes in what they are made into.
const heldSize = 48

func MultiReader(e *shim.Env) func(...io.Reader) io.Reader {
	return func(readers ...io.Reader) io.Reader {
		e.ChargeProduct(int64(len(readers)), heldSize)
		held := make([]io.Reader, len(readers))
		for i, r := range readers {
			held[i] = e.Held(r)
		}
		return io.MultiReader(held...)
	}
}

func NopCloser(e *shim.Env) func(io.Reader) io.ReadCloser {
	return func(r io.Reader) io.ReadCloser { return io.NopCloser(e.Held(r)) }
}

func NewOffsetWriter(e *shim.Env) func(io.WriterAt, int64) *io.OffsetWriter {
	return func(w io.WriterAt, off int64) *io.OffsetWriter {
		return io.NewOffsetWriter(&shim.HeldWriterAt{WriterAt: w, Env: e}, off)
	}
}

func NewSectionReader(e *shim.Env) func(io.ReaderAt, int64, int64) *io.SectionReader {
	return func(r io.ReaderAt, off, n int64) *io.SectionReader {
		return io.NewSectionReader(&shim.HeldReaderAt{ReaderAt: r, Env: e}, off, n)
	}
}

func SectionOuter(e *shim.Env) func(*io.SectionReader) (io.ReaderAt, int64, int64) {
	return func(s *io.SectionReader) (io.ReaderAt, int64, int64) {
		r, off, n := s.Outer()
		if h, ok := r.(*shim.HeldReaderAt); ok {
			r = h.ReaderAt
		}
		return r, off, n
	}
}

func MultiWriter(e *shim.Env) func(...io.Writer) io.Writer {
	return func(writers ...io.Writer) io.Writer {
		e.ChargeProduct(int64(len(writers)), heldSize)
		charged := make([]io.Writer, len(writers))
		for i, w := range writers {
			charged[i] = &shim.HeldWriter{Writer: e.Writer(w), Env: e} // writers to writers to the same: a stop is let through
		}
		return io.MultiWriter(charged...)
	}
}

// The methods of io's interfaces find buffers behind them too.

func WriteOn[W io.Writer](e *shim.Env) func(W, []byte) (int, error) {
	return func(w W, p []byte) (int, error) { return e.Writer(w).Write(p) }
}

func WriteStringOn(e *shim.Env) func(io.StringWriter, string) (int, error) {
	return func(w io.StringWriter, s string) (int, error) {
		if ww, ok := w.(io.Writer); ok {
			return io.WriteString(e.Writer(ww), s)
		}
		return w.WriteString(s)
	}
}

func WriteByteOn(e *shim.Env) func(io.ByteWriter, byte) error {
	return func(w io.ByteWriter, c byte) error {
		if ww, ok := w.(io.Writer); ok {
			if charged, ok := e.Writer(ww).(*shim.ChargedWriter); ok {
				charged.Grow(1)
			}
		}
		return w.WriteByte(c)
	}
}

func WriteToOn(e *shim.Env) func(io.WriterTo, io.Writer) (int64, error) {
	return func(r io.WriterTo, w io.Writer) (int64, error) { return r.WriteTo(e.Writer(w)) }
}

func ReadFromOn(e *shim.Env) func(io.ReaderFrom, io.Reader) (int64, error) {
	return func(w io.ReaderFrom, r io.Reader) (int64, error) { return w.ReadFrom(e.Source(r)) }
}

func BufioNewReader(e *shim.Env) func(io.Reader) *bufio.Reader {
	return func(r io.Reader) *bufio.Reader {
		return BufioNewReaderSize(e)(r, 4096)
	}
}

func BufioNewReaderSize(e *shim.Env) func(io.Reader, int) *bufio.Reader {
	return func(r io.Reader, size int) *bufio.Reader {
		e.Charge(int64(size))
		if b, ok := r.(*bufio.Reader); ok && b.Size() >= size {
			return b // as Go does
		}
		return bufio.NewReaderSize(e.Reader(r), size)
	}
}

func BufioNewWriter(e *shim.Env) func(io.Writer) *bufio.Writer {
	return func(w io.Writer) *bufio.Writer {
		return BufioNewWriterSize(e)(w, 4096)
	}
}

func BufioNewWriterSize(e *shim.Env) func(io.Writer, int) *bufio.Writer {
	return func(w io.Writer, size int) *bufio.Writer {
		e.Charge(int64(size))
		if b, ok := w.(*bufio.Writer); ok && b.Size() >= size {
			return b // as Go does
		}
		return bufio.NewWriterSize(e.Keeper(w), size)
	}
}

func BufioNewScanner(e *shim.Env) func(io.Reader) *bufio.Scanner {
	return func(r io.Reader) *bufio.Scanner {
		return bufio.NewScanner(&scanned{r: e.Reader(r), e: e, most: bufio.MaxScanTokenSize})
	}
}

// scanned is what a bufio.Scanner reads, whose buffer doubles for a long token: it reads into
// what is new.
type scanned struct {
	r    io.Reader
	e    *shim.Env
	most int // that it has been asked for
}

func (s *scanned) Read(p []byte) (int, error) {
	if len(p) > s.most {
		s.most = len(p)
		s.e.Charge(2 * int64(len(p)))
		s.e.PayText(shim.CopyRate, 2*len(p))
	}
	return s.r.Read(p[:min(len(p), scanPiece)])
}

// scanPiece is more than a piece: a scanner looks at all of a token after each.
const scanPiece = 1 << 20

func BufioReaderReset(e *shim.Env) func(*bufio.Reader, io.Reader) {
	return func(b *bufio.Reader, r io.Reader) {
		if r != io.Reader(b) { // of that Go makes nothing
			b.Reset(e.Reader(r))
		}
	}
}

func BufioWriterReset(e *shim.Env) func(*bufio.Writer, io.Writer) {
	return func(b *bufio.Writer, w io.Writer) {
		if w != io.Writer(b) { // of that Go makes nothing
			b.Reset(e.Keeper(w))
		}
	}
}

func BufioReaderWriteTo(e *shim.Env) func(*bufio.Reader, io.Writer) (int64, error) {
	return func(b *bufio.Reader, w io.Writer) (int64, error) { return b.WriteTo(e.Writer(w)) }
}

func BufioReadWriterWriteTo(e *shim.Env) func(*bufio.ReadWriter, io.Writer) (int64, error) {
	return func(b *bufio.ReadWriter, w io.Writer) (int64, error) { return BufioReaderWriteTo(e)(b.Reader, w) }
}

func BufioReadWriterReadFrom(e *shim.Env) func(*bufio.ReadWriter, io.Reader) (int64, error) {
	return func(b *bufio.ReadWriter, r io.Reader) (int64, error) { return BufioWriterReadFrom(e)(b.Writer, r) }
}

func BufioWriterReadFrom(e *shim.Env) func(*bufio.Writer, io.Reader) (int64, error) {
	return func(b *bufio.Writer, r io.Reader) (int64, error) { return b.ReadFrom(e.Source(r)) }
}
