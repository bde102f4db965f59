package image

import (
	"image"
	"image/color"
	"image/color/palette"
	"math/bits"
	"slices"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// Making is for functions that make an image of so many bytes a pixel.
func Making[R any](bytes uint64, f func(image.Rectangle) R) func(*shim.Env) func(image.Rectangle) R {
	return func(e *shim.Env) func(image.Rectangle) R {
		return func(r image.Rectangle) R {
			chargePixels(e, r, bytes)
			return f(r)
		}
	}
}

// chargePixels charges for an image that is made right after. Go panics, and makes nothing, where its size is negative or
// no number.
func chargePixels(e *shim.Env, r image.Rectangle, bytes uint64) {
	w, h := r.Dx(), r.Dy()
	if w < 0 || h < 0 {
		return
	}
	over, pixels := bits.Mul64(uint64(w), uint64(h))
	more, size := bits.Mul64(pixels, bytes)
	if over|more == 0 && size < shim.Huge {
		e.Charge(int64(size))
	}
}

// What a pixel takes with its two halves of color, each as large as the first plane, and with an opacity.
const (
	yCbCrBytes   = 3
	nYCbCrABytes = 4
)

func NewYCbCr(e *shim.Env) func(image.Rectangle, image.YCbCrSubsampleRatio) *image.YCbCr {
	return func(r image.Rectangle, ratio image.YCbCrSubsampleRatio) *image.YCbCr {
		chargePixels(e, r, yCbCrBytes)
		return image.NewYCbCr(r, ratio)
	}
}

func NewNYCbCrA(e *shim.Env) func(image.Rectangle, image.YCbCrSubsampleRatio) *image.NYCbCrA {
	return func(r image.Rectangle, ratio image.YCbCrSubsampleRatio) *image.NYCbCrA {
		chargePixels(e, r, nYCbCrABytes)
		return image.NewNYCbCrA(r, ratio)
	}
}

func NewPaletted(e *shim.Env) func(image.Rectangle, color.Palette) *image.Paletted {
	return func(r image.Rectangle, p color.Palette) *image.Paletted {
		chargePixels(e, r, 1)
		return image.NewPaletted(r, p)
	}
}

// shared are variables of the library that lead to others, for one run, which may change those.
type shared struct {
	plan9, webSafe                    []color.Color
	black, white, transparent, opaque *image.Uniform
}

// Plan9 and WebSafe are made when they are first asked for.
func Plan9(e *shim.Env) []color.Color { return ownPalette(&shim.State[shared](e).plan9, palette.Plan9) }
func WebSafe(e *shim.Env) []color.Color {
	return ownPalette(&shim.State[shared](e).webSafe, palette.WebSafe)
}

func ownPalette(own *[]color.Color, of []color.Color) []color.Color {
	if *own == nil {
		*own = slices.Clone(of)
	}
	return *own
}

func Black(e *shim.Env) *image.Uniform { return ownUniform(&shim.State[shared](e).black, image.Black) }
func White(e *shim.Env) *image.Uniform { return ownUniform(&shim.State[shared](e).white, image.White) }
func Transparent(e *shim.Env) *image.Uniform {
	return ownUniform(&shim.State[shared](e).transparent, image.Transparent)
}
func Opaque(e *shim.Env) *image.Uniform {
	return ownUniform(&shim.State[shared](e).opaque, image.Opaque)
}

func ownUniform(own **image.Uniform, of *image.Uniform) *image.Uniform {
	if *own == nil {
		*own = image.NewUniform(of.C)
	}
	return *own
}
