package image

import (
	"image"
	"image/color"
	"iter"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// A piece is how many pixels are worked on in one go: some milliseconds where each takes longest.
const piece = 1 << 16

// eachPiece calls f with one part of r after the other, of no more than size pixels: rows, or parts of one; from the end
// if backward. It asks for the time of each before, of rate nanoseconds a pixel, until f says that it is enough. Lengths
// are without sign: those of a rectangle that a script made up may be larger than an int.
func eachPiece(e *shim.Env, r image.Rectangle, size, rate uint64, backward bool, f func(image.Rectangle) (more bool)) {
	width := uint64(r.Max.X) - uint64(r.Min.X)
	wide := min(width, size)
	tall := max(1, size/width)
	for y := range stretches(r.Min.Y, r.Max.Y, tall, backward) {
		for x := range stretches(r.Min.X, r.Max.X, wide, backward) {
			part := image.Rect(x[0], y[0], x[1], y[1])
			pixels := (uint64(x[1]) - uint64(x[0])) * (uint64(y[1]) - uint64(y[0]))
			e.Work(int64(pixels*rate/shim.TickTime) + 1)
			e.Check()
			if !f(part) {
				return
			}
		}
	}
}

// stretches are the numbers from low to high in lists of so many, each by its ends.
func stretches(low, high int, size uint64, backward bool) iter.Seq[[2]int] {
	return func(yield func([2]int) bool) {
		for low < high {
			n := int(min(size, uint64(high)-uint64(low)))
			s := [2]int{low, low + n}
			if low += n; backward {
				low -= n
				high -= n
				s = [2]int{high, high + n}
			}
			if !yield(s) {
				return
			}
		}
	}
}

// opaqueRate is what a look at a pixel takes in nanoseconds, and then some.
const opaqueRate = 2

// An opaquer has the method that this is about.
type opaquer interface {
	image.Image
	Opaque() bool
	SubImage(image.Rectangle) image.Image
}

// IsOpaque is for methods that look at each pixel.
func IsOpaque[M opaquer](e *shim.Env) func(M) bool {
	return func(m M) bool { return opaque(e, m) }
}

// opaque looks at one part after the other.
func opaque(e *shim.Env, m opaquer) bool {
	r := m.Bounds()
	if r.Empty() {
		return m.Opaque()
	}
	is := true
	eachPiece(e, r, piece, opaqueRate, false, func(part image.Rectangle) bool {
		if part == r {
			is = m.Opaque()
		} else {
			is = m.SubImage(part).(opaquer).Opaque()
		}
		return is
	})
	return is
}

// A polled is an image of which each pixel is paid for when somebody asks for it. Its bounds are asked for once: they say
// how much is charged for.
type polled struct {
	image.Image
	e      *shim.Env
	bounds image.Rectangle
	rate   int64 // nanoseconds for a pixel
	owed   int64 // that nothing has been asked for yet
}

// owedMost is how many nanoseconds of work are added up before the run hears of them.
const owedMost = 100_000

func (p *polled) pay(nanoseconds int64) {
	if p.owed += nanoseconds; p.owed >= owedMost {
		p.e.Work(p.owed / shim.TickTime)
		p.owed = 0
		p.e.Check()
	}
}

func (p *polled) Bounds() image.Rectangle { return p.bounds }

func (p *polled) At(x, y int) color.Color {
	p.pay(p.rate)
	return p.Image.At(x, y)
}

// A straight is a polled image for an encoder that wants colors of the type color.NRGBA. It keeps the last one: many are
// alike, and each would be allocated, and made into another one.
type straight struct {
	polled
	rgba  color.RGBA
	nrgba color.NRGBA
	index uint8
	shown color.Color // the last one; nil if there is none
}

func (s *straight) At(x, y int) color.Color {
	alike := s.shown != nil
	switch m := s.Image.(type) {
	case *image.RGBA:
		if c := m.RGBAAt(x, y); !alike || c != s.rgba {
			alike, s.rgba, s.shown = false, c, color.NRGBAModel.Convert(c)
		}
	case *image.NRGBA:
		if c := m.NRGBAAt(x, y); !alike || c != s.nrgba {
			alike, s.nrgba, s.shown = false, c, c
		}
	default:
		s.pay(s.rate)
		return m.At(x, y)
	}
	s.payAlike(alike)
	return s.shown
}

func (s *straight) payAlike(alike bool) {
	if alike {
		s.pay(pngAlike)
	} else {
		s.pay(s.rate)
	}
}

// Opaque looks at each pixel if the image cannot tell.
func (p *polled) Opaque() bool {
	switch m := p.Image.(type) {
	case opaquer:
		return opaque(p.e, m)
	case interface{ Opaque() bool }:
		return m.Opaque()
	}
	for y := p.bounds.Min.Y; y < p.bounds.Max.Y; y++ {
		for x := p.bounds.Min.X; x < p.bounds.Max.X; x++ {
			if _, _, _, a := p.At(x, y).RGBA(); a != 0xffff {
				return false
			}
		}
	}
	return true
}

// A straightPalette is one whose pixels are numbers of colors.
type straightPalette struct {
	*straight
	of image.PalettedImage
}

func (p straightPalette) ColorIndexAt(x, y int) uint8 {
	i := p.of.ColorIndexAt(x, y)
	p.payAlike(i == p.index)
	p.index = i
	return i
}
