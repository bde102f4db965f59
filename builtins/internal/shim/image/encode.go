package image

import (
	"bufio"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

const (
	pngAlike = 20  // nanoseconds for a pixel that is like the one before: compressors are quick with these
	pngRate  = 250 // for any other
	pngRows  = 48  // bytes for each pixel of a row: five filters of it, and the row before, of eight bytes each
	pngSize  = 1<<20 + 64<<10
	pngStart = 100_000 // nanoseconds for the tables of a compressor
	pngWidth = 1 << 14 // a row is compressed in one go

	jpegRate = 30 // nanoseconds for a pixel
	jpegByte = 20 // and for each byte that is written
	jpegSize = 8 << 10
	jpegMost = 1 << 16 // of more Go says itself that it is too large
)

func PNGEncode(e *shim.Env) func(io.Writer, image.Image) error {
	return func(w io.Writer, m image.Image) error { return encodePNG(e, png.DefaultCompression, w, m) }
}

func PNGEncoderEncode(e *shim.Env) func(*png.Encoder, io.Writer, image.Image) error {
	return func(enc *png.Encoder, w io.Writer, m image.Image) error {
		return encodePNG(e, enc.CompressionLevel, w, m)
	}
}

// encodePNG gives the encoder an image that pays for its pixels.
func encodePNG(e *shim.Env, level png.CompressionLevel, w io.Writer, m image.Image) error {
	s := &straight{polled: polled{Image: m, e: e, bounds: m.Bounds(), rate: pngRate}}
	width := s.bounds.Dx()
	if width > pngWidth {
		e.Work(shim.WorkStep)
		return png.UnsupportedError(fmt.Sprintf("encoding of images of %d pixels in width: at most %d are possible here", width, pngWidth))
	}
	e.Charge(pngSize + pngRows*int64(max(0, width)))
	e.Work(pngStart / shim.TickTime)
	if of, ok := m.(image.PalettedImage); ok {
		return (&png.Encoder{CompressionLevel: level}).Encode(e.Writer(w), straightPalette{s, of})
	}
	return (&png.Encoder{CompressionLevel: level}).Encode(e.Writer(w), s)
}

func JPEGEncode(e *shim.Env) func(io.Writer, image.Image, *jpeg.Options) error {
	return func(w io.Writer, m image.Image, o *jpeg.Options) error {
		e.Charge(jpegSize)
		if r := m.Bounds(); r.Dx() < jpegMost && r.Dy() < jpegMost {
			payPixels(e, r)
		}
		to, ok := e.Writer(w).(byteWriter)
		if !ok {
			to = bufio.NewWriter(e.Writer(w))
		}
		polling := &polledWriter{to: to, e: e}
		if err := jpeg.Encode(polling, m, o); err != nil {
			return err
		}
		return polling.err
	}
}

// payPixels asks for the time of all pixels, in parts: there may be more than a run has time for.
func payPixels(e *shim.Env, r image.Rectangle) {
	if w, h := int64(r.Dx()), int64(r.Dy()); w > 0 && h > 0 {
		e.WorkProduct(w*h, jpegRate/shim.TickTime)
	}
}

// A byteWriter is what an encoder of JPEG writes to by bytes.
type byteWriter interface {
	io.Writer
	io.ByteWriter
	Flush() error
}

// A polledWriter lets a stop through now and then: at least some bits are written for each few pixels. After an error
// nothing more is written, but the encoder, which does not end then, goes on to be asked.
type polledWriter struct {
	to  byteWriter
	e   *shim.Env
	err error
	n   int
}

// polledBytes is how many bytes are written between two looks for a stop.
const polledBytes = 256

func (w *polledWriter) wrote(n int) {
	if w.n += n; w.n >= polledBytes {
		w.e.Work(int64(w.n) * jpegByte / shim.TickTime)
		w.e.Check()
		w.n = 0
	}
}

func (w *polledWriter) Write(p []byte) (int, error) {
	if w.wrote(len(p)); w.err == nil {
		_, w.err = w.to.Write(p)
	}
	return len(p), nil
}

func (w *polledWriter) WriteByte(c byte) error {
	if w.wrote(1); w.err == nil {
		w.err = w.to.WriteByte(c)
	}
	return nil
}

func (w *polledWriter) Flush() error {
	if w.err == nil {
		w.err = w.to.Flush()
	}
	return w.err
}
