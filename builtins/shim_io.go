package builtins

import (
	"bufio"
	"io"

	"github.com/sandtrap-go/sandtrap/vfs"
)

func ioCopy(e *Env) func(io.Writer, io.Reader) (int64, error) {
	return func(dst io.Writer, src io.Reader) (int64, error) { return io.Copy(e.writer(dst), e.copied(src)) }
}

// copied is source for a copy, which leaves it to a script's own source to write itself.
func (e *Env) copied(src io.Reader) io.Reader {
	_, script := src.(interface{ ScriptValue() any })
	if w, ok := src.(io.WriterTo); ok && script {
		return &selfWriter{chargedReader{src, e}, w}
	}
	return e.source(src)
}

type selfWriter struct {
	chargedReader
	w io.WriterTo
}

func (s *selfWriter) WriteTo(dst io.Writer) (int64, error) {
	s.e.check()
	s.e.enter()
	defer s.e.leave()
	return s.w.WriteTo(dst)
}

func ioCopyN(e *Env) func(io.Writer, io.Reader, int64) (int64, error) {
	return func(dst io.Writer, src io.Reader, n int64) (int64, error) {
		return io.CopyN(e.writer(dst), e.source(src), n)
	}
}

func ioCopyBuffer(e *Env) func(io.Writer, io.Reader, []byte) (int64, error) {
	return func(dst io.Writer, src io.Reader, buf []byte) (int64, error) {
		return io.CopyBuffer(e.writer(dst), e.copied(src), buf)
	}
}

func ioReadAll(e *Env) func(io.Reader) ([]byte, error) {
	return func(r io.Reader) ([]byte, error) { return io.ReadAll(&allReader{chargedReader: chargedReader{r, e}}) }
}

// An allReader reads for io.ReadAll, which copies all that it has when that ends.
type allReader struct {
	chargedReader
	n int
}

func (r *allReader) Read(p []byte) (int, error) {
	n, err := r.chargedReader.Read(p[:min(len(p), piece)])
	if r.n += n; err != nil {
		r.e.payText(copyRate, r.n)
	}
	return n, err
}

func ioWriteString(e *Env) func(io.Writer, string) (int, error) {
	return func(w io.Writer, s string) (int, error) {
		if f, ok := w.(*vfs.File); ok {
			return fileWriteString(e)(f, s)
		}
		return io.WriteString(e.writer(w), s)
	}
}

func ioTeeReader(e *Env) func(io.Reader, io.Writer) io.Reader {
	return func(r io.Reader, w io.Writer) io.Reader { return io.TeeReader(e.held(r), e.keeper(w)) }
}

func ioLimitReader(r io.Reader, n int64) io.Reader { return &LimitedReader{r, n} }

// heldSize is what each of many readers or writers takes in what they are made into.
const heldSize = 48

func ioMultiReader(e *Env) func(...io.Reader) io.Reader {
	return func(readers ...io.Reader) io.Reader {
		e.chargeProduct(int64(len(readers)), heldSize)
		held := make([]io.Reader, len(readers))
		for i, r := range readers {
			held[i] = e.held(r)
		}
		return io.MultiReader(held...)
	}
}

func ioNopCloser(e *Env) func(io.Reader) io.ReadCloser {
	return func(r io.Reader) io.ReadCloser { return io.NopCloser(e.held(r)) }
}

func ioNewOffsetWriter(e *Env) func(io.WriterAt, int64) *io.OffsetWriter {
	return func(w io.WriterAt, off int64) *io.OffsetWriter {
		return io.NewOffsetWriter(&heldWriterAt{w, e}, off)
	}
}

func ioNewSectionReader(e *Env) func(io.ReaderAt, int64, int64) *io.SectionReader {
	return func(r io.ReaderAt, off, n int64) *io.SectionReader {
		return io.NewSectionReader(&heldReaderAt{r, e}, off, n)
	}
}

func sectionOuter(e *Env) func(*io.SectionReader) (io.ReaderAt, int64, int64) {
	return func(s *io.SectionReader) (io.ReaderAt, int64, int64) {
		r, off, n := s.Outer()
		if h, ok := r.(*heldReaderAt); ok {
			r = h.ReaderAt
		}
		return r, off, n
	}
}

func ioMultiWriter(e *Env) func(...io.Writer) io.Writer {
	return func(writers ...io.Writer) io.Writer {
		e.chargeProduct(int64(len(writers)), heldSize)
		charged := make([]io.Writer, len(writers))
		for i, w := range writers {
			charged[i] = &heldWriter{e.writer(w), e} // writers to writers to the same: a stop is let through
		}
		return io.MultiWriter(charged...)
	}
}

// The methods of io's interfaces find buffers behind them too.

func writeOn[W io.Writer](e *Env) func(W, []byte) (int, error) {
	return func(w W, p []byte) (int, error) { return e.writer(w).Write(p) }
}

func writeStringOn(e *Env) func(io.StringWriter, string) (int, error) {
	return func(w io.StringWriter, s string) (int, error) {
		if ww, ok := w.(io.Writer); ok {
			return io.WriteString(e.writer(ww), s)
		}
		return w.WriteString(s)
	}
}

func writeByteOn(e *Env) func(io.ByteWriter, byte) error {
	return func(w io.ByteWriter, c byte) error {
		if ww, ok := w.(io.Writer); ok {
			if charged, ok := e.writer(ww).(*chargedWriter); ok {
				charged.grow(1)
			}
		}
		return w.WriteByte(c)
	}
}

func writeToOn(e *Env) func(io.WriterTo, io.Writer) (int64, error) {
	return func(r io.WriterTo, w io.Writer) (int64, error) { return r.WriteTo(e.writer(w)) }
}

func readFromOn(e *Env) func(io.ReaderFrom, io.Reader) (int64, error) {
	return func(w io.ReaderFrom, r io.Reader) (int64, error) { return w.ReadFrom(e.source(r)) }
}

func bufioNewReader(e *Env) func(io.Reader) *bufio.Reader {
	return func(r io.Reader) *bufio.Reader {
		return bufioNewReaderSize(e)(r, 4096)
	}
}

func bufioNewReaderSize(e *Env) func(io.Reader, int) *bufio.Reader {
	return func(r io.Reader, size int) *bufio.Reader {
		e.charge(int64(size))
		if b, ok := r.(*bufio.Reader); ok && b.Size() >= size {
			return b // as Go does
		}
		return bufio.NewReaderSize(e.reader(r), size)
	}
}

func bufioNewWriter(e *Env) func(io.Writer) *bufio.Writer {
	return func(w io.Writer) *bufio.Writer {
		return bufioNewWriterSize(e)(w, 4096)
	}
}

func bufioNewWriterSize(e *Env) func(io.Writer, int) *bufio.Writer {
	return func(w io.Writer, size int) *bufio.Writer {
		e.charge(int64(size))
		if b, ok := w.(*bufio.Writer); ok && b.Size() >= size {
			return b // as Go does
		}
		return bufio.NewWriterSize(e.keeper(w), size)
	}
}

func bufioNewScanner(e *Env) func(io.Reader) *bufio.Scanner {
	return func(r io.Reader) *bufio.Scanner {
		return bufio.NewScanner(&scanned{r: e.reader(r), e: e, most: bufio.MaxScanTokenSize})
	}
}

// scanned is what a bufio.Scanner reads, whose buffer doubles for a long token: it reads into
// what is new.
type scanned struct {
	r    io.Reader
	e    *Env
	most int // that it has been asked for
}

func (s *scanned) Read(p []byte) (int, error) {
	if len(p) > s.most {
		s.most = len(p)
		s.e.charge(2 * int64(len(p)))
		s.e.payText(copyRate, 2*len(p))
	}
	return s.r.Read(p[:min(len(p), scanPiece)])
}

// scanPiece is more than a piece: a scanner looks at all of a token after each.
const scanPiece = 1 << 20

func bufioReaderReset(e *Env) func(*bufio.Reader, io.Reader) {
	return func(b *bufio.Reader, r io.Reader) {
		if r != io.Reader(b) { // of that Go makes nothing
			b.Reset(e.reader(r))
		}
	}
}

func bufioWriterReset(e *Env) func(*bufio.Writer, io.Writer) {
	return func(b *bufio.Writer, w io.Writer) {
		if w != io.Writer(b) { // of that Go makes nothing
			b.Reset(e.keeper(w))
		}
	}
}

func bufioReaderWriteTo(e *Env) func(*bufio.Reader, io.Writer) (int64, error) {
	return func(b *bufio.Reader, w io.Writer) (int64, error) { return b.WriteTo(e.writer(w)) }
}

func bufioReadWriterWriteTo(e *Env) func(*bufio.ReadWriter, io.Writer) (int64, error) {
	return func(b *bufio.ReadWriter, w io.Writer) (int64, error) { return bufioReaderWriteTo(e)(b.Reader, w) }
}

func bufioReadWriterReadFrom(e *Env) func(*bufio.ReadWriter, io.Reader) (int64, error) {
	return func(b *bufio.ReadWriter, r io.Reader) (int64, error) { return bufioWriterReadFrom(e)(b.Writer, r) }
}

func bufioWriterReadFrom(e *Env) func(*bufio.Writer, io.Reader) (int64, error) {
	return func(b *bufio.Writer, r io.Reader) (int64, error) { return b.ReadFrom(e.source(r)) }
}
