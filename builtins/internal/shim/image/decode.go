package image

import (
	"bufio"
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// A format is one that Decode of package image knows, whatever the host's program has registered: those decoders ask
// nobody.
type format struct {
	name, magic string
	decode      func(*shim.Env, io.Reader) (image.Image, error)
	config      func(*shim.Env, io.Reader) (image.Config, error)
}

const pngMagic = "\x89PNG\r\n\x1a\n"

var formats = []format{
	{"png", pngMagic, decodePNG, configPNG},
	{"jpeg", "\xff\xd8", decodeJPEG, configJPEG},
}

// A peeker is a reader that is looked at before it is read.
type peeker interface {
	io.Reader
	Peek(int) ([]byte, error)
}

// sniff finds the format of what comes from r.
func sniff(e *shim.Env, r io.Reader) (f *format, from peeker) {
	from, ok := r.(peeker)
	if !ok {
		e.Charge(sniffed)
		from = bufio.NewReader(e.Held(r))
	}
	for i := range formats {
		f := &formats[i]
		if start, err := from.Peek(len(f.magic)); err == nil && string(start) == f.magic {
			return f, from
		}
	}
	return nil, from
}

const sniffed = 4 << 10 // the buffer

func Decode(e *shim.Env) func(io.Reader) (image.Image, string, error) {
	return func(r io.Reader) (image.Image, string, error) {
		f, from := sniff(e, r)
		if f == nil {
			return nil, "", image.ErrFormat
		}
		m, err := f.decode(e, from)
		return m, f.name, err
	}
}

func DecodeConfig(e *shim.Env) func(io.Reader) (image.Config, string, error) {
	return func(r io.Reader) (image.Config, string, error) {
		f, from := sniff(e, r)
		if f == nil {
			return image.Config{}, "", image.ErrFormat
		}
		c, err := f.config(e, from)
		return c, f.name, err
	}
}

// Decoding and Configuring make members of a function of this package.
func decoding[R any](f func(*shim.Env, io.Reader) (R, error)) func(*shim.Env) func(io.Reader) (R, error) {
	return func(e *shim.Env) func(io.Reader) (R, error) {
		return func(r io.Reader) (R, error) { return f(e, r) }
	}
}

var (
	PNGDecode        = decoding(decodePNG)
	PNGDecodeConfig  = decoding(configPNG)
	JPEGDecode       = decoding(decodeJPEG)
	JPEGDecodeConfig = decoding(configJPEG)
)

// A source is what a decoder reads, some bytes at a time: few may become many pixels.
type source struct {
	e    *shim.Env
	r    io.Reader
	most int // bytes at a time
	saw  func(p []byte) error
}

const (
	sourceMost = 512
	wholeMost  = 4 << 10 // where the decoder gets fewer
	sourceByte = 20      // nanoseconds for each byte
)

func (s *source) Read(p []byte) (int, error) {
	s.e.Check()
	s.e.Enter()
	defer s.e.Leave()
	p = p[:min(len(p), s.most)]
	n, err := s.r.Read(p)
	if n > 0 && n <= len(p) {
		s.e.Work(int64(n)*sourceByte/shim.TickTime + 1)
		if failed := s.saw(p[:n]); failed != nil {
			return 0, failed
		}
	}
	return n, err
}

func noted([]byte) error { return nil }

func configPNG(e *shim.Env, r io.Reader) (image.Config, error) {
	return png.DecodeConfig(&source{e, r, sourceMost, noted})
}

func configJPEG(e *shim.Env, r io.Reader) (image.Config, error) {
	e.Charge(jpegDecoder)
	return jpeg.DecodeConfig(&source{e, r, sourceMost, noted})
}

// decodePNG reads what the header says as it goes by, and charges for the image before the decoder has it.
func decodePNG(e *shim.Env, r io.Reader) (image.Image, error) {
	e.Charge(pngDecoder)
	h := &pngHeader{e: e, skip: int64(len(pngMagic))}
	return png.Decode(&source{e, r, sourceMost, h.saw})
}

const (
	pngDecoder  = 80 << 10
	pngPixel    = 20      // nanoseconds for each byte of a pixel, with what it takes to decompress it
	mostInRow   = 1 << 20 // pixels of a row, which is decoded in one go,
	mostPixels  = 1 << 23 // and of an image that is worked on in one go when it has been read
	jpegDecoder = 32 << 10
)

// A pngHeader finds the chunk with the size, which need not be the first: it goes from chunk to chunk as the decoder does.
type pngHeader struct {
	e    *shim.Env
	skip int64        // bytes until the next chunk, at first the signature
	text [8 + 13]byte // of a chunk: its length, its name, and what the one with the size has
	n    int
	done bool
}

func (h *pngHeader) saw(p []byte) error {
	for len(p) > 0 && !h.done {
		if h.skip > 0 {
			n := min(h.skip, int64(len(p)))
			p, h.skip = p[n:], h.skip-n
			continue
		}
		want := 8
		if h.n >= 8 { // a chunk with the size: others are skipped
			want = len(h.text)
		}
		n := copy(h.text[h.n:want], p)
		p, h.n = p[n:], h.n+n
		switch {
		case h.n == len(h.text):
			h.done = true
			return h.pay()
		case h.n == 8 && string(h.text[4:8]) != "IHDR":
			h.skip, h.n = h.number(0)+4, 0 // with its sum
		}
	}
	return nil
}

func (h *pngHeader) number(at int) int64 {
	t := h.text[at:]
	return int64(t[0])<<24 | int64(t[1])<<16 | int64(t[2])<<8 | int64(t[3])
}

// pay charges for the rows, and for the image: twice if it is made of parts.
func (h *pngHeader) pay() error {
	width, height, depth, kind, interlaced := h.number(8), h.number(12), h.text[16], h.text[17], h.text[20] != 0
	bytes := int64(4)
	switch {
	case depth > 8:
		bytes = 8
	case kind == 3: // a palette
		bytes = 1
	}
	if interlaced {
		bytes *= 2
	}
	if width > mostInRow || interlaced && width*height > mostPixels {
		return png.UnsupportedError("image of this size")
	}
	h.e.Charge(4 * 8 * width)
	h.e.ChargeProduct(width*height, bytes)
	h.e.WorkProduct(width*height, bytes*pngPixel/shim.TickTime)
	return nil
}

// decodeJPEG has the size found out first, from the start of the file, which it keeps for the decoder.
func decodeJPEG(e *shim.Env, r io.Reader) (image.Image, error) {
	e.Charge(2 * jpegDecoder)
	start := &keptStart{e: e, from: bufio.NewReader(&source{e, r, wholeMost, noted})}
	config, err := jpeg.DecodeConfig(start)
	s := &jpegScans{e: e}
	if err == nil { // else the decoder ends where this has
		if err := s.pay(config, bytes.Contains(start.text, []byte{0xff, sof2})); err != nil {
			return nil, err
		}
	}
	start.again = true
	return jpeg.Decode(&source{e, start, s.bytes(), s.saw})
}

// A keptStart is the start of a file, and what comes after it.
type keptStart struct {
	e     *shim.Env
	from  io.Reader
	text  []byte
	err   error // at its end
	again bool  // it is read once more
}

func (k *keptStart) Read(p []byte) (n int, err error) {
	switch {
	case !k.again:
		n, k.err = k.from.Read(p)
		k.e.Charge(2 * int64(n))
		k.text = append(k.text, p[:n]...)
		return n, k.err
	case len(k.text) > 0:
		n = copy(p, k.text)
		k.text = k.text[n:]
		return n, nil
	case k.err != nil:
		return 0, k.err
	}
	return k.from.Read(p)
}

const (
	sof2 = 0xc2 // the marker of a progressive image
	sos  = 0xda // that of a scan
)

// jpegScans pays for an image and for each scan of it.
type jpegScans struct {
	e      *shim.Env
	blocks int64 // of 8 by 8 numbers
	scan   int64 // ticks for each of them, in a scan
	last   byte
}

const (
	blockRate  = 600 // nanoseconds, if all of its numbers are there
	refineRate = 150 // if only some are
)

func (s *jpegScans) pay(c image.Config, progressive bool) error {
	padded := func(n int) int64 { return int64(n+31) &^ 31 } // to whole units of at most four blocks
	pixels := padded(c.Width) * padded(c.Height)
	samples := int64(3)
	switch c.ColorModel {
	case color.GrayModel:
		samples = 1
	case color.CMYKModel:
		samples = 4
	}
	bytes, whole := samples, c.ColorModel == color.GrayModel || c.ColorModel == color.YCbCrModel
	if !whole {
		bytes += 4 // it is made into another one
	}
	s.blocks, s.scan = pixels*samples/64, blockRate/shim.TickTime
	if progressive {
		bytes += 4 * samples
		s.scan = refineRate / shim.TickTime
	}
	if (progressive || !whole) && pixels > mostPixels {
		return jpeg.UnsupportedError("image of this size")
	}
	s.e.ChargeProduct(pixels, bytes)
	if progressive || !whole { // beside the scans
		s.e.Work(s.blocks * blockRate / shim.TickTime)
	}
	return nil
}

// bytes is how many are read at a time: a scan of few may go over all blocks.
func (s *jpegScans) bytes() int { return int(max(16, min(sourceMost, (1<<21)/(s.blocks+1)))) }

// saw pays for the scans that begin in p.
func (s *jpegScans) saw(p []byte) error {
	for _, c := range p {
		if s.last == 0xff && c == sos {
			s.e.Work(s.blocks * s.scan)
		}
		s.last = c
	}
	return nil
}
