package image

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
)

// An asked counts what is asked of a run: bytes, ticks, and how often there was a look for a stop.
type asked struct{ bytes, ticks, looks int64 }

func (a *asked) env() *shim.Env {
	return &shim.Env{Gates: shimtest.Gates{
		OnCharge: func(n int64) { a.bytes += n }, OnWork: func(n int64) { a.ticks += n }, OnCheck: func() { a.looks++ },
	}}
}

// TestPixelsArePaid: what makes an image charges for it first.
func TestPixelsArePaid(t *testing.T) {
	r := image.Rect(-10, -10, 990, 990)
	for name, f := range map[string]func(e *shim.Env){
		"RGBA":     func(e *shim.Env) { Making(4, image.NewRGBA)(e)(r) },
		"YCbCr":    func(e *shim.Env) { NewYCbCr(e)(r, image.YCbCrSubsampleRatio444) },
		"NYCbCrA":  func(e *shim.Env) { NewNYCbCrA(e)(r, image.YCbCrSubsampleRatio444) },
		"Paletted": func(e *shim.Env) { NewPaletted(e)(r, nil) },
	} {
		if p := shimtest.Outcome(func() { f(shimtest.Limited(999_999)) }); p != shimtest.ErrRefused {
			t.Errorf("%s: ended with %v, want that it is refused", name, p)
		}
		if p := shimtest.Outcome(func() { f(shimtest.Limited(4_000_000)) }); p != nil {
			t.Errorf("%s: %v", name, p)
		}
	}
	for _, huge := range []image.Rectangle{{Min: image.Pt(5, 5)}, image.Rect(0, 0, 1<<40, 1<<40), image.Rect(-1<<62, 0, 1<<62, 1)} {
		var a asked
		if p := shimtest.Outcome(func() { Making(4, image.NewRGBA)(a.env())(huge) }); p == nil || a.bytes > 0 {
			t.Errorf("%v: %v, with %d bytes charged, want Go's panic", huge, p, a.bytes)
		}
	}
}

// TestDrawnInParts: a drawing is cut, also one of which Go would not see an end, and parts are in the order of Go's pixels.
func TestDrawnInParts(t *testing.T) {
	var a asked
	e := a.env()
	line := &image.RGBA{Pix: []byte{0, 0, 0, 255}, Rect: image.Rect(0, 0, 1, 64*piece)} // of rows that are one, opaque before anything is drawn
	for name, f := range map[string]func(){
		"Draw":   func() { Draw(e)(line, line.Rect, image.Black, image.Point{}, draw.Src) },
		"Mask":   func() { DrawMask(e)(line, line.Rect, image.Black, image.Point{}, line, image.Point{}, draw.Src) },
		"Op":     func() { OpDraw(e)(draw.Over, line, line.Rect, image.White, image.Point{}) },
		"Drawer": func() { DrawerDraw(e)(draw.Src, line, line.Rect, image.White, image.Point{}) },
		"Opaque": func() { IsOpaque[*image.RGBA](e)(line) },
	} {
		a.looks, a.ticks = 0, 0
		if f(); a.looks < 64 || a.ticks < 64*piece/shim.TickTime {
			t.Errorf("%s: %d looks for a stop and %d ticks", name, a.looks, a.ticks)
		}
	}
	colors := image.NewPaletted(image.Rect(0, 0, 10, 10), slices.Repeat(color.Palette{color.White}, mostColors+1))
	if p := shimtest.Outcome(func() { Draw(e)(colors, colors.Rect, image.White, image.Point{}, draw.Src) }); p == nil {
		t.Error("a palette of 257 colors was drawn on")
	}
	a.ticks = 0
	few := image.NewPaletted(image.Rect(0, 0, 100, 1000), color.Palette{color.White, color.Black})
	NewFloydSteinberg(e).Draw(few, few.Rect, image.White, image.Point{})
	if a.ticks < 100_000*slowRate/shim.TickTime {
		t.Errorf("Floyd and Steinberg take %d ticks", a.ticks)
	}
	for _, by := range []image.Point{{0, 3}, {5, -7}, {-300, 0}, {300, 0}, {1, 500}} {
		for _, op := range []draw.Op{draw.Over, draw.Src} {
			got, want := image.NewNRGBA(image.Rect(0, 0, 1000, 700)), image.NewNRGBA(image.Rect(0, 0, 1000, 700))
			for i := range got.Pix {
				got.Pix[i] = byte(i * i >> 7)
			}
			copy(want.Pix, got.Pix)
			Draw(e)(got, got.Rect.Add(by), got, image.Point{}, op)
			if draw.Draw(want, want.Rect.Add(by), want, image.Point{}, op); !bytes.Equal(got.Pix, want.Pix) {
				t.Errorf("%v by %v is not what Go draws", op, by)
			}
		}
	}
}

// TestEncodersArePaid: encoders ask for the time of pixels, and for the memory of a row.
func TestEncodersArePaid(t *testing.T) {
	m := image.NewGray(image.Rect(0, 0, 1000, 1000))
	var a asked
	if err := PNGEncode(a.env())(io.Discard, m); err != nil || a.ticks < 1_000_000 || a.bytes < pngSize+1000*6 {
		t.Errorf("PNG: %v, %d ticks and %d bytes", err, a.ticks, a.bytes)
	}
	if err := PNGEncode(a.env())(io.Discard, image.NewGray(image.Rect(0, 0, pngWidth+1, 1))); err == nil {
		t.Error("a row of any length is compressed in one go")
	}
	for name, w := range map[string]io.Writer{"to a writer": io.Discard, "in vain": full{}} {
		a = asked{}
		err := JPEGEncode(a.env())(w, m, nil)
		if (err != nil) != (w == full{}) || a.ticks < 1_000_000 || a.looks < 30 {
			t.Errorf("JPEG %s: %v, %d ticks and %d looks", name, err, a.ticks, a.looks)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func pngOf(chunks ...string) string {
	file := pngMagic
	for _, c := range chunks {
		b := append(binary.BigEndian.AppendUint32(nil, uint32(len(c)-4)), c...)
		file += string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:])))
	}
	return file
}

// TestDecodersArePaid: decoders charge for an image before they make it, wherever its size is found.
func TestDecodersArePaid(t *testing.T) {
	size := "IHDR\x00\x00\x04\x00\x00\x00\x04\x00\x08\x06\x00\x00"
	var small bytes.Buffer
	if err := jpeg.Encode(&small, image.NewRGBA(image.Rect(0, 0, 1024, 1024)), nil); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		text  string
		bytes int64
	}{
		"PNG":                {pngOf(size+"\x00", "IDATx"), 4 << 20},
		"PNG, parts":         {pngOf(size+"\x01", "IDATx"), 8 << 20},
		"PNG, behind others": {pngOf("abcdIHDR", "ABCD"+strings.Repeat("x", 999), size+"\x00", "IDATx"), 4 << 20},
		"JPEG":               {small.String(), 3 << 20},
		"JPEG, progressive":  {strings.Replace(small.String(), "\xff\xc0", "\xff\xc2", 1), 15 << 20},
	} {
		read := func(limit int64) {
			_, _, _ = Decode(shimtest.Limited(limit))(struct{ io.Reader }{strings.NewReader(tc.text)})
		}
		if p := shimtest.Outcome(func() { read(tc.bytes) }); p != shimtest.ErrRefused {
			t.Errorf("%s: ended with %v, want that it is refused", name, p)
		}
		if p := shimtest.Outcome(func() { read(tc.bytes + 1<<19) }); p != nil {
			t.Errorf("%s: %v", name, p)
		}
	}
}

// TestScansArePaid: each scan of an image is paid for, and few are read at a time.
func TestScansArePaid(t *testing.T) {
	scan := "\xff\xda\x00\x08\x01\x01\x00\x01\x3f\x00\x7f\xfe\xff\x00\xff\x00"
	file := "\xff\xd8\xff\xc2\x00\x0b\x08\x07\xd0\x07\xd0\x01\x01\x11\x00" +
		"\xff\xc4\x00\x14\x10\x01" + strings.Repeat("\x00", 15) + "\xe0" + strings.Repeat(scan, 50) + "\xff\xd9"
	var a asked
	if m, err := JPEGDecode(a.env())(strings.NewReader(file)); err != nil || m.Bounds() != image.Rect(0, 0, 2000, 2000) {
		t.Fatal(m, err)
	}
	const blocks = 62500
	if a.ticks < 50*blocks*refineRate/shim.TickTime || a.looks < 25 {
		t.Errorf("%d ticks and %d looks for a stop", a.ticks, a.looks)
	}
}

// TestDecodersRegistered: Decode knows formats of its own, and not those of the host.
func TestDecodersRegistered(t *testing.T) {
	image.RegisterFormat("other", "OTHER", func(io.Reader) (image.Image, error) { return image.Black, nil }, func(io.Reader) (image.Config, error) { return image.Config{}, nil })
	if _, _, err := Decode(nil)(strings.NewReader("OTHER")); err != image.ErrFormat {
		t.Errorf("Decode: %v", err)
	}
	if _, _, err := DecodeConfig(nil)(strings.NewReader("OTHER")); err != image.ErrFormat {
		t.Errorf("DecodeConfig: %v", err)
	}
}

// TestEncodedAsByGo: what is encoded through an image that pays for its pixels is what Go encodes.
func TestEncodedAsByGo(t *testing.T) {
	r := image.Rect(-5, 3, 120, 77)
	gray := color.Palette{color.Black, color.White, color.Gray{100}, color.NRGBA{9, 9, 9, 9}, color.Gray{9}}
	for _, m := range []draw.Image{image.NewRGBA(r), image.NewNRGBA(r), image.NewRGBA64(r), image.NewNRGBA64(r), image.NewGray(r), image.NewGray16(r),
		image.NewAlpha(r), image.NewAlpha16(r), image.NewCMYK(r), image.NewPaletted(r, gray), image.NewPaletted(r, gray[:2])} {
		for _, opacity := range []int{255, 0, 3} {
			for y := r.Min.Y; y < r.Max.Y; y++ {
				for x := r.Min.X; x < r.Max.X; x++ {
					m.Set(x, y, color.NRGBA{uint8(x & 0xf3), uint8(y), uint8(x / 9), uint8(opacity | x*opacity)})
				}
			}
			var got, want bytes.Buffer
			for _, err := range []error{PNGEncode(new(asked).env())(&got, m), png.Encode(&want, m)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("%T, opacity %d: %d bytes, not the %d of Go", m, opacity, got.Len(), want.Len())
			}
		}
	}
}

// TestSharedAreOwn: what variables of the library lead to is another thing in each run, and the same all the while.
func TestSharedAreOwn(t *testing.T) {
	a, b := &shim.Env{}, &shim.Env{}
	for _, f := range []func(*shim.Env) *image.Uniform{Black, White, Transparent, Opaque} {
		if of := f(a); of != f(a) || of == f(b) || of == image.Black || of == image.White || of == image.Transparent || of == image.Opaque {
			t.Errorf("a run has the color %v of another", of.C)
		}
	}
	for _, f := range []func(*shim.Env) []color.Color{Plan9, WebSafe} {
		of := f(a)
		if of[0] = color.White; f(a)[0] != color.White || f(b)[0] == color.White {
			t.Error("a run has the palette of another")
		}
	}
}
