package std

import (
	"image/draw"
	"image/jpeg"
	"image/png"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	shimimage "github.com/sandtrap-go/sandtrap/builtins/internal/shim/image"
)

var stdImageDraw = rows.Package{
	Path:    "image/draw",
	Renamed: true,
	Members: []rows.Member{
		{Name: "floydSteinberg", Value: (*shimimage.FloydSteinberg)(nil), With: "Draw", Why: "what FloydSteinberg holds, for assertions"},

		{Name: "Drawer", Value: (*draw.Drawer)(nil)},
		{Name: "Drawer.Draw", Value: shimimage.DrawerDraw, Why: "works on one part after the other"},
		{Name: "Image", Value: (*draw.Image)(nil)},
		{Name: "Op", Value: (*draw.Op)(nil)},
		{Name: "Op.Draw", Value: shimimage.OpDraw, Why: "works on one part after the other"},
		{Name: "RGBA64Image", Value: (*draw.RGBA64Image)(nil)},

		{Name: "Draw", Value: shimimage.Draw, Why: "works on one part after the other"},
		{Name: "DrawMask", Value: shimimage.DrawMask, Why: "works on one part after the other"},

		{Name: "FloydSteinberg", Value: shimimage.NewFloydSteinberg, Why: "asks for the time of each pixel"},

		{Name: "Over", Value: draw.Over},
		{Name: "Src", Value: draw.Src},
	},
	Denied: []rows.Denial{
		{Names: "Quantizer", Why: "encoders of GIF alone take one"},
	},
}

var stdImageJpeg = rows.Package{
	Path:    "image/jpeg",
	Bounded: "FormatError.Error UnsupportedError.Error",
	Members: []rows.Member{
		{Name: "FormatError", Value: (*jpeg.FormatError)(nil), With: "Error"},
		{Name: "Options", Value: (*jpeg.Options)(nil), With: "Quality"},
		{Name: "Reader", Value: (*jpeg.Reader)(nil)},
		{Name: "UnsupportedError", Value: (*jpeg.UnsupportedError)(nil), With: "Error"},

		{Name: "Decode", Value: shimimage.JPEGDecode, Why: "charges for the pixels before they are there, and for each scan"},
		{Name: "DecodeConfig", Value: shimimage.JPEGDecodeConfig, Why: "a stop is let through while it reads"},
		{Name: "Encode", Value: shimimage.JPEGEncode, Why: "asks for the time of each pixel"},

		{Name: "DefaultQuality", Value: rows.Literal("75")},
	},
}

var stdImagePng = rows.Package{
	Path:    "image/png",
	Bounded: "FormatError.Error UnsupportedError.Error",
	Members: []rows.Member{
		{Name: "CompressionLevel", Value: (*png.CompressionLevel)(nil)},
		{Name: "Encoder", Value: (*png.Encoder)(nil), With: "CompressionLevel"},
		{Name: "Encoder.Encode", Value: shimimage.PNGEncoderEncode, Why: "asks for the time of each pixel, and charges for the rows"},
		{Name: "FormatError", Value: (*png.FormatError)(nil), With: "Error"},
		{Name: "UnsupportedError", Value: (*png.UnsupportedError)(nil), With: "Error"},

		{Name: "Decode", Value: shimimage.PNGDecode, Why: "charges for the pixels before they are there"},
		{Name: "DecodeConfig", Value: shimimage.PNGDecodeConfig, Why: "a stop is let through while it reads"},
		{Name: "Encode", Value: shimimage.PNGEncode, Why: "asks for the time of each pixel, and charges for the rows"},

		{Name: "BestCompression", Value: png.BestCompression},
		{Name: "BestSpeed", Value: png.BestSpeed},
		{Name: "DefaultCompression", Value: png.DefaultCompression},
		{Name: "NoCompression", Value: png.NoCompression},
	},
	Denied: []rows.Denial{
		{Names: "EncoderBuffer EncoderBufferPool Encoder.BufferPool", Why: "each encoding pays for buffers of its own"},
	},
}
