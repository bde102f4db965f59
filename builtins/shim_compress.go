package builtins

import (
	"compress/bzip2"
	"compress/flate"
	"compress/gzip"
	"compress/lzw"
	"compress/zlib"
	"io"
)

// What comes out of a decompressor goes into memory by other members, which charge
// for it. What goes into one is looked at here: it may be long and come to nothing.

// What the tables of a compressor and of a decompressor take.
const (
	compressorSize   = 1 << 20
	decompressorSize = 64 << 10
	bzip2Size        = 4 << 20
)

// packed is r with a stop let through now and then. A decompressor reads no more than
// it needs of a reader by bytes, so it stays one.
func (e *Env) packed(r io.Reader) io.Reader {
	checked := heldReader{r, e}
	if br, ok := r.(io.ByteReader); ok {
		return &checkedByteReader{checked, br, 0}
	}
	return &checked
}

type checkedByteReader struct {
	heldReader
	br io.ByteReader
	n  int
}

func (r *checkedByteReader) ReadByte() (byte, error) {
	if r.n++; r.n%4096 == 0 {
		r.e.check()
	}
	r.e.enter()
	defer r.e.leave()
	return r.br.ReadByte()
}

func bzip2NewReader(e *Env) func(io.Reader) io.Reader {
	return func(r io.Reader) io.Reader {
		e.charge(bzip2Size)
		return bzip2.NewReader(e.packed(r))
	}
}

func flateNewReader(e *Env) func(io.Reader) io.ReadCloser {
	return func(r io.Reader) io.ReadCloser {
		e.charge(decompressorSize)
		return &flateReader{flate.NewReader(e.packed(r)).(flateDecoder), e}
	}
}

func flateNewReaderDict(e *Env) func(io.Reader, []byte) io.ReadCloser {
	return func(r io.Reader, dict []byte) io.ReadCloser {
		e.charge(decompressorSize)
		return &flateReader{flate.NewReaderDict(e.packed(r), dict).(flateDecoder), e}
	}
}

func flateNewWriter(e *Env) func(io.Writer, int) (*flate.Writer, error) {
	return func(w io.Writer, level int) (*flate.Writer, error) {
		e.charge(compressorSize)
		return flate.NewWriter(e.keeper(w), level)
	}
}

func flateNewWriterDict(e *Env) func(io.Writer, int, []byte) (*flate.Writer, error) {
	return func(w io.Writer, level int, dict []byte) (*flate.Writer, error) {
		e.charge(compressorSize + int64(len(dict)))
		e.work(4 * int64(len(dict)))
		return flate.NewWriterDict(e.keeper(w), level, dict)
	}
}

func flateWrite(e *Env) func(*flate.Writer, []byte) (int, error) {
	return func(w *flate.Writer, p []byte) (int, error) { return e.inPiecesOf(shortPiece, p, into(w)) }
}

func flateReset(e *Env) func(*flate.Writer, io.Writer) {
	return func(w *flate.Writer, to io.Writer) { w.Reset(e.keeper(to)) }
}

// What Go returns for readers it has no name for. They can be reset.
type (
	flateDecoder interface {
		io.ReadCloser
		flate.Resetter
	}
	zlibDecoder interface {
		io.ReadCloser
		zlib.Resetter
	}
	flateReader struct {
		flateDecoder
		env *Env
	}
	zlibReader struct {
		zlibDecoder
		env *Env
	}
)

func (r *flateReader) Reset(from io.Reader, dict []byte) error {
	return r.flateDecoder.Reset(r.env.packed(from), dict)
}

func (r *zlibReader) Reset(from io.Reader, dict []byte) error {
	return r.zlibDecoder.Reset(r.env.packed(from), dict)
}

func (e *Env) zlibReader(r io.ReadCloser, err error) (io.ReadCloser, error) {
	if err != nil {
		return nil, err
	}
	return &zlibReader{r.(zlibDecoder), e}, nil
}

func gzipNewReader(e *Env) func(io.Reader) (*gzip.Reader, error) {
	return func(r io.Reader) (*gzip.Reader, error) {
		e.charge(decompressorSize)
		return gzip.NewReader(e.packed(r))
	}
}

func gzipReaderReset(e *Env) func(*gzip.Reader, io.Reader) error {
	return func(z *gzip.Reader, r io.Reader) error {
		e.charge(decompressorSize)
		return z.Reset(e.packed(r))
	}
}

func gzipNewWriter(e *Env) func(io.Writer) *gzip.Writer {
	return func(w io.Writer) *gzip.Writer {
		e.charge(compressorSize)
		return gzip.NewWriter(e.keeper(w))
	}
}

func gzipNewWriterLevel(e *Env) func(io.Writer, int) (*gzip.Writer, error) {
	return func(w io.Writer, level int) (*gzip.Writer, error) {
		e.charge(compressorSize)
		return gzip.NewWriterLevel(e.keeper(w), level)
	}
}

func gzipWriterReset(e *Env) func(*gzip.Writer, io.Writer) {
	return func(z *gzip.Writer, w io.Writer) {
		e.charge(compressorSize) // it may be the first
		z.Reset(e.keeper(w))
	}
}

func gzipWrite(e *Env) func(*gzip.Writer, []byte) (int, error) {
	return func(z *gzip.Writer, p []byte) (int, error) { return e.inPiecesOf(shortPiece, p, into(z)) }
}

func lzwNewReader(e *Env) func(io.Reader, lzw.Order, int) io.ReadCloser {
	return func(r io.Reader, order lzw.Order, width int) io.ReadCloser {
		e.charge(decompressorSize)
		return lzw.NewReader(e.packed(r), order, width)
	}
}

func lzwReaderReset(e *Env) func(*lzw.Reader, io.Reader, lzw.Order, int) {
	return func(z *lzw.Reader, r io.Reader, order lzw.Order, width int) { z.Reset(e.packed(r), order, width) }
}

func lzwNewWriter(e *Env) func(io.Writer, lzw.Order, int) io.WriteCloser {
	return func(w io.Writer, order lzw.Order, width int) io.WriteCloser {
		e.charge(2 * decompressorSize)
		return lzw.NewWriter(e.keeper(w), order, width)
	}
}

func lzwWriterReset(e *Env) func(*lzw.Writer, io.Writer, lzw.Order, int) {
	return func(z *lzw.Writer, w io.Writer, order lzw.Order, width int) { z.Reset(e.keeper(w), order, width) }
}

func lzwWrite(e *Env) func(*lzw.Writer, []byte) (int, error) {
	return func(z *lzw.Writer, p []byte) (int, error) { return e.inPiecesOf(shortPiece, p, into(z)) }
}

func zlibNewReader(e *Env) func(io.Reader) (io.ReadCloser, error) {
	return func(r io.Reader) (io.ReadCloser, error) {
		e.charge(decompressorSize)
		return e.zlibReader(zlib.NewReader(e.packed(r)))
	}
}

func zlibNewReaderDict(e *Env) func(io.Reader, []byte) (io.ReadCloser, error) {
	return func(r io.Reader, dict []byte) (io.ReadCloser, error) {
		e.charge(decompressorSize)
		return e.zlibReader(zlib.NewReaderDict(e.packed(r), dict))
	}
}

func zlibNewWriter(e *Env) func(io.Writer) *zlib.Writer {
	return func(w io.Writer) *zlib.Writer {
		e.charge(compressorSize)
		return zlib.NewWriter(e.keeper(w))
	}
}

func zlibNewWriterLevel(e *Env) func(io.Writer, int) (*zlib.Writer, error) {
	return func(w io.Writer, level int) (*zlib.Writer, error) {
		e.charge(compressorSize)
		return zlib.NewWriterLevel(e.keeper(w), level)
	}
}

func zlibNewWriterLevelDict(e *Env) func(io.Writer, int, []byte) (*zlib.Writer, error) {
	return func(w io.Writer, level int, dict []byte) (*zlib.Writer, error) {
		e.charge(compressorSize + int64(len(dict)))
		e.work(4 * int64(len(dict)))
		return zlib.NewWriterLevelDict(e.keeper(w), level, dict)
	}
}

func zlibWriterReset(e *Env) func(*zlib.Writer, io.Writer) {
	return func(z *zlib.Writer, w io.Writer) {
		e.charge(compressorSize)
		z.Reset(e.keeper(w))
	}
}

func zlibWrite(e *Env) func(*zlib.Writer, []byte) (int, error) {
	return func(z *zlib.Writer, p []byte) (int, error) { return e.inPiecesOf(shortPiece, p, into(z)) }
}
