package image

import (
	"image"
	"image/draw"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// Nanoseconds for a pixel, and then some.
const (
	copyRate  = 1  // one color, or one image, in place of another
	blendRate = 6  // with an opacity
	slowRate  = 30 // through methods of the images
	colorRate = 4  // for each color of a palette
)

func Draw(e *shim.Env) func(draw.Image, image.Rectangle, image.Image, image.Point, draw.Op) {
	return func(dst draw.Image, r image.Rectangle, src image.Image, sp image.Point, op draw.Op) {
		drawing{e, dst, src, nil, op}.draw(r, sp, image.Point{})
	}
}

func DrawMask(e *shim.Env) func(draw.Image, image.Rectangle, image.Image, image.Point, image.Image, image.Point, draw.Op) {
	return func(dst draw.Image, r image.Rectangle, src image.Image, sp image.Point, mask image.Image, mp image.Point, op draw.Op) {
		drawing{e, dst, src, mask, op}.draw(r, sp, mp)
	}
}

func OpDraw(e *shim.Env) func(draw.Op, draw.Image, image.Rectangle, image.Image, image.Point) {
	return func(op draw.Op, dst draw.Image, r image.Rectangle, src image.Image, sp image.Point) {
		drawing{e, dst, src, nil, op}.draw(r, sp, image.Point{})
	}
}

// DrawerDraw is the method of whatever the interface holds.
func DrawerDraw(e *shim.Env) func(draw.Drawer, draw.Image, image.Rectangle, image.Image, image.Point) {
	return func(d draw.Drawer, dst draw.Image, r image.Rectangle, src image.Image, sp image.Point) {
		if op, ok := d.(draw.Op); ok {
			drawing{e, dst, src, nil, op}.draw(r, sp, image.Point{})
			return
		}
		d.Draw(dst, r, src, sp)
	}
}

// A drawing is what is drawn on what.
type drawing struct {
	e         *shim.Env
	dst       draw.Image
	src, mask image.Image
	op        draw.Op
}

// draw draws one part after the other. An image of the script's is asked for its bounds once more than by Go.
func (d drawing) draw(r image.Rectangle, sp, mp image.Point) {
	part := clipped(r, sp, mp, d.dst, d.src, d.mask)
	if part.Empty() {
		d.e.Check()
		return
	}
	rate, size := d.rate()
	eachPiece(d.e, part, size, rate, d.backward(part, sp.Add(part.Min.Sub(r.Min))), func(p image.Rectangle) bool {
		by := p.Min.Sub(r.Min)
		draw.DrawMask(d.dst, p, d.src, sp.Add(by), d.mask, mp.Add(by), d.op)
		return true
	})
}

// clipped is the part of r that all images have, in the places of dst.
func clipped(r image.Rectangle, sp, mp image.Point, dst, src, mask image.Image) image.Rectangle {
	part := r.Intersect(dst.Bounds()).Intersect(src.Bounds().Add(r.Min.Sub(sp)))
	if mask != nil {
		part = part.Intersect(mask.Bounds().Add(r.Min.Sub(mp)))
	}
	return part
}

// backward reports that the parts are to be drawn from the last to the first, as Go draws the pixels of all: an image on
// itself, or on one that may share its pixels, to a place further on.
func (d drawing) backward(r image.Rectangle, sp image.Point) bool {
	if sp.Y > r.Min.Y || sp.Y == r.Min.Y && sp.X >= r.Min.X {
		return false
	}
	return d.copies() || d.dst == d.src && r.Overlaps(r.Add(sp.Sub(r.Min)))
}

// copies reports pixels of one image that go to another of the same type as they are.
func (d drawing) copies() bool {
	if d.mask != nil {
		return false
	}
	switch d.dst.(type) {
	case *image.RGBA:
		_, ok := d.src.(*image.RGBA)
		return ok
	case *image.NRGBA:
		_, ok := d.src.(*image.NRGBA)
		return ok && d.op == draw.Src
	case *image.NRGBA64:
		_, ok := d.src.(*image.NRGBA64)
		return ok && d.op == draw.Src
	}
	return false
}

// rate is what a pixel takes, and how many are drawn in one go.
func (d drawing) rate() (rate, size uint64) {
	if n := paletteOf(d.dst); n > 0 {
		rate = slowRate + colorRate*n
		return rate, max(1, piece*slowRate/rate)
	}
	fills := false
	if _, ok := d.dst.(*image.RGBA); ok && d.mask == nil {
		_, fills = d.src.(*image.Uniform)
	}
	switch {
	case d.op == draw.Src && (fills || d.copies()):
		return copyRate, piece
	case fills || d.copies():
		return blendRate, piece
	}
	return slowRate, piece
}

// mostColors is how many a pixel of a paletted image can tell apart.
const mostColors = 256

// paletteOf is how many colors the palette of m has, each of which is compared with a pixel that is drawn on it.
func paletteOf(m draw.Image) uint64 {
	p, ok := m.(*image.Paletted)
	if !ok || p == nil {
		return 0
	}
	if len(p.Palette) > mostColors {
		panic(shim.RuntimeError("draw: the palette of an image that is drawn on has more than 256 colors"))
	}
	return uint64(len(p.Palette))
}

// A FloydSteinberg is the drawer of that name. It pays for each pixel when it is asked for: what is left of a color goes to
// the pixels beside it and below, so that there are no parts.
type FloydSteinberg struct{ e *shim.Env }

func NewFloydSteinberg(e *shim.Env) draw.Drawer { return FloydSteinberg{e} }

func (f FloydSteinberg) Draw(dst draw.Image, r image.Rectangle, src image.Image, sp image.Point) {
	part := clipped(r, sp, image.Point{}, dst, src, nil)
	if part.Empty() {
		return
	}
	f.e.ChargeProduct(int64(part.Dx()), errorBytes)
	rate := slowRate + colorRate*int64(paletteOf(dst))
	from := &polled{Image: src, e: f.e, bounds: src.Bounds(), rate: rate}
	draw.FloydSteinberg.Draw(dst, part, from, sp.Add(part.Min.Sub(r.Min)))
}

// errorBytes is what is kept for a pixel of this row and of the next one.
const errorBytes = 64
