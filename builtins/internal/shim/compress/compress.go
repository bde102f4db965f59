package compress

import (
	"compress/bzip2"
	"compress/flate"
	"compress/gzip"
	"compress/lzw"
	"compress/zlib"
	"io"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
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
func packed(e *shim.Env, r io.Reader) io.Reader {
	checked := shim.HeldReader{Reader: r, Env: e}
	if br, ok := r.(io.ByteReader); ok {
		return &checkedByteReader{checked, br, 0}
	}
	return &checked
}

type checkedByteReader struct {
	shim.HeldReader
	br io.ByteReader
	n  int
}

func (r *checkedByteReader) ReadByte() (byte, error) {
	if r.n++; r.n%4096 == 0 {
		r.Env.Check()
	}
	r.Env.Enter()
	defer r.Env.Leave()
	return r.br.ReadByte()
}

func Bzip2NewReader(e *shim.Env) func(io.Reader) io.Reader {
	return func(r io.Reader) io.Reader {
		e.Charge(bzip2Size)
		return bzip2.NewReader(packed(e, r))
	}
}

func FlateNewReader(e *shim.Env) func(io.Reader) io.ReadCloser {
	return func(r io.Reader) io.ReadCloser {
		e.Charge(decompressorSize)
		return &FlateReader{flate.NewReader(packed(e, r)).(flateDecoder), e}
	}
}

func FlateNewReaderDict(e *shim.Env) func(io.Reader, []byte) io.ReadCloser {
	return func(r io.Reader, dict []byte) io.ReadCloser {
		e.Charge(decompressorSize)
		return &FlateReader{flate.NewReaderDict(packed(e, r), dict).(flateDecoder), e}
	}
}

func FlateNewWriter(e *shim.Env) func(io.Writer, int) (*flate.Writer, error) {
	return func(w io.Writer, level int) (*flate.Writer, error) {
		e.Charge(compressorSize)
		return flate.NewWriter(e.Keeper(w), level)
	}
}

func FlateNewWriterDict(e *shim.Env) func(io.Writer, int, []byte) (*flate.Writer, error) {
	return func(w io.Writer, level int, dict []byte) (*flate.Writer, error) {
		e.Charge(compressorSize + int64(len(dict)))
		e.Work(4 * int64(len(dict)))
		return flate.NewWriterDict(e.Keeper(w), level, dict)
	}
}

func FlateWrite(e *shim.Env) func(*flate.Writer, []byte) (int, error) {
	return func(w *flate.Writer, p []byte) (int, error) { return e.InPiecesOf(shim.ShortPiece, p, shim.Into(w)) }
}

func FlateReset(e *shim.Env) func(*flate.Writer, io.Writer) {
	return func(w *flate.Writer, to io.Writer) { w.Reset(e.Keeper(to)) }
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
	FlateReader struct {
		flateDecoder
		env *shim.Env
	}
	ZlibReader struct {
		zlibDecoder
		env *shim.Env
	}
)

func (r *FlateReader) Reset(from io.Reader, dict []byte) error {
	return r.flateDecoder.Reset(packed(r.env, from), dict)
}

func (r *ZlibReader) Reset(from io.Reader, dict []byte) error {
	return r.zlibDecoder.Reset(packed(r.env, from), dict)
}

func zlibReader(e *shim.Env, r io.ReadCloser, err error) (io.ReadCloser, error) {
	if err != nil {
		return nil, err
	}
	return &ZlibReader{r.(zlibDecoder), e}, nil
}

func GzipNewReader(e *shim.Env) func(io.Reader) (*gzip.Reader, error) {
	return func(r io.Reader) (*gzip.Reader, error) {
		e.Charge(decompressorSize)
		return gzip.NewReader(packed(e, r))
	}
}

func GzipReaderReset(e *shim.Env) func(*gzip.Reader, io.Reader) error {
	return func(z *gzip.Reader, r io.Reader) error {
		e.Charge(decompressorSize)
		return z.Reset(packed(e, r))
	}
}

func GzipNewWriter(e *shim.Env) func(io.Writer) *gzip.Writer {
	return func(w io.Writer) *gzip.Writer {
		e.Charge(compressorSize)
		return gzip.NewWriter(e.Keeper(w))
	}
}

func GzipNewWriterLevel(e *shim.Env) func(io.Writer, int) (*gzip.Writer, error) {
	return func(w io.Writer, level int) (*gzip.Writer, error) {
		e.Charge(compressorSize)
		return gzip.NewWriterLevel(e.Keeper(w), level)
	}
}

func GzipWriterReset(e *shim.Env) func(*gzip.Writer, io.Writer) {
	return func(z *gzip.Writer, w io.Writer) {
		e.Charge(compressorSize) // it may be the first
		z.Reset(e.Keeper(w))
	}
}

func GzipWrite(e *shim.Env) func(*gzip.Writer, []byte) (int, error) {
	return func(z *gzip.Writer, p []byte) (int, error) { return e.InPiecesOf(shim.ShortPiece, p, shim.Into(z)) }
}

func LzwNewReader(e *shim.Env) func(io.Reader, lzw.Order, int) io.ReadCloser {
	return func(r io.Reader, order lzw.Order, width int) io.ReadCloser {
		e.Charge(decompressorSize)
		return lzw.NewReader(packed(e, r), order, width)
	}
}

func LzwReaderReset(e *shim.Env) func(*lzw.Reader, io.Reader, lzw.Order, int) {
	return func(z *lzw.Reader, r io.Reader, order lzw.Order, width int) { z.Reset(packed(e, r), order, width) }
}

func LzwNewWriter(e *shim.Env) func(io.Writer, lzw.Order, int) io.WriteCloser {
	return func(w io.Writer, order lzw.Order, width int) io.WriteCloser {
		e.Charge(2 * decompressorSize)
		return lzw.NewWriter(e.Keeper(w), order, width)
	}
}

func LzwWriterReset(e *shim.Env) func(*lzw.Writer, io.Writer, lzw.Order, int) {
	return func(z *lzw.Writer, w io.Writer, order lzw.Order, width int) { z.Reset(e.Keeper(w), order, width) }
}

func LzwWrite(e *shim.Env) func(*lzw.Writer, []byte) (int, error) {
	return func(z *lzw.Writer, p []byte) (int, error) { return e.InPiecesOf(shim.ShortPiece, p, shim.Into(z)) }
}

func ZlibNewReader(e *shim.Env) func(io.Reader) (io.ReadCloser, error) {
	return func(r io.Reader) (io.ReadCloser, error) {
		e.Charge(decompressorSize)
		z, err := zlib.NewReader(packed(e, r))
		return zlibReader(e, z, err)
	}
}

func ZlibNewReaderDict(e *shim.Env) func(io.Reader, []byte) (io.ReadCloser, error) {
	return func(r io.Reader, dict []byte) (io.ReadCloser, error) {
		e.Charge(decompressorSize)
		z, err := zlib.NewReaderDict(packed(e, r), dict)
		return zlibReader(e, z, err)
	}
}

func ZlibNewWriter(e *shim.Env) func(io.Writer) *zlib.Writer {
	return func(w io.Writer) *zlib.Writer {
		e.Charge(compressorSize)
		return zlib.NewWriter(e.Keeper(w))
	}
}

func ZlibNewWriterLevel(e *shim.Env) func(io.Writer, int) (*zlib.Writer, error) {
	return func(w io.Writer, level int) (*zlib.Writer, error) {
		e.Charge(compressorSize)
		return zlib.NewWriterLevel(e.Keeper(w), level)
	}
}

func ZlibNewWriterLevelDict(e *shim.Env) func(io.Writer, int, []byte) (*zlib.Writer, error) {
	return func(w io.Writer, level int, dict []byte) (*zlib.Writer, error) {
		e.Charge(compressorSize + int64(len(dict)))
		e.Work(4 * int64(len(dict)))
		return zlib.NewWriterLevelDict(e.Keeper(w), level, dict)
	}
}

func ZlibWriterReset(e *shim.Env) func(*zlib.Writer, io.Writer) {
	return func(z *zlib.Writer, w io.Writer) {
		e.Charge(compressorSize)
		z.Reset(e.Keeper(w))
	}
}

func ZlibWrite(e *shim.Env) func(*zlib.Writer, []byte) (int, error) {
	return func(z *zlib.Writer, p []byte) (int, error) { return e.InPiecesOf(shim.ShortPiece, p, shim.Into(z)) }
}
