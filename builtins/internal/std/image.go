package std

import (
	"image"
	"image/color"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	shimimage "github.com/sandtrap-go/sandtrap/builtins/internal/shim/image"
)

var stdImage = rows.Package{
	Path:   "image",
	Engine: "NewUniform=keeps NewPaletted=keeps",
	Bounded: "Alpha.AlphaAt Alpha.At Alpha.Bounds Alpha.ColorModel Alpha.PixOffset Alpha.RGBA64At Alpha.Set Alpha.SetAlpha Alpha.SetRGBA64 Alpha.SubImage " +
		"Alpha16.Alpha16At Alpha16.At Alpha16.Bounds Alpha16.ColorModel Alpha16.PixOffset Alpha16.RGBA64At Alpha16.Set Alpha16.SetAlpha16 Alpha16.SetRGBA64 Alpha16.SubImage " +
		"CMYK.At CMYK.Bounds CMYK.CMYKAt CMYK.ColorModel CMYK.Opaque CMYK.PixOffset CMYK.RGBA64At CMYK.Set CMYK.SetCMYK CMYK.SetRGBA64 CMYK.SubImage " +
		"Gray.At Gray.Bounds Gray.ColorModel Gray.GrayAt Gray.Opaque Gray.PixOffset Gray.RGBA64At Gray.Set Gray.SetGray Gray.SetRGBA64 Gray.SubImage " +
		"Gray16.At Gray16.Bounds Gray16.ColorModel Gray16.Gray16At Gray16.Opaque Gray16.PixOffset Gray16.RGBA64At Gray16.Set Gray16.SetGray16 Gray16.SetRGBA64 Gray16.SubImage " +
		"NRGBA.At NRGBA.Bounds NRGBA.ColorModel NRGBA.NRGBAAt NRGBA.PixOffset NRGBA.RGBA64At NRGBA.Set NRGBA.SetNRGBA NRGBA.SetRGBA64 NRGBA.SubImage " +
		"NRGBA64.At NRGBA64.Bounds NRGBA64.ColorModel NRGBA64.NRGBA64At NRGBA64.PixOffset NRGBA64.RGBA64At NRGBA64.Set NRGBA64.SetNRGBA64 NRGBA64.SetRGBA64 NRGBA64.SubImage " +
		"NYCbCrA.AOffset NYCbCrA.At NYCbCrA.Bounds NYCbCrA.COffset NYCbCrA.ColorModel NYCbCrA.NYCbCrAAt NYCbCrA.RGBA64At NYCbCrA.SubImage NYCbCrA.YCbCrAt NYCbCrA.YOffset " +
		"Paletted.At Paletted.Bounds Paletted.ColorIndexAt Paletted.ColorModel Paletted.PixOffset Paletted.RGBA64At Paletted.Set Paletted.SetColorIndex Paletted.SetRGBA64 Paletted.SubImage " +
		"Point.Add Point.Div Point.Eq Point.In Point.Mod Point.Mul Point.String Point.Sub " +
		"RGBA.At RGBA.Bounds RGBA.ColorModel RGBA.PixOffset RGBA.RGBA64At RGBA.RGBAAt RGBA.Set RGBA.SetRGBA RGBA.SetRGBA64 RGBA.SubImage " +
		"RGBA64.At RGBA64.Bounds RGBA64.ColorModel RGBA64.PixOffset RGBA64.RGBA64At RGBA64.Set RGBA64.SetRGBA64 RGBA64.SubImage " +
		"Rectangle.Add Rectangle.At Rectangle.Bounds Rectangle.Canon Rectangle.ColorModel Rectangle.Dx Rectangle.Dy Rectangle.Empty Rectangle.Eq Rectangle.In Rectangle.Inset " +
		"Rectangle.Intersect Rectangle.Overlaps Rectangle.RGBA64At Rectangle.Size Rectangle.String Rectangle.Sub Rectangle.Union " +
		"Uniform.At Uniform.Bounds Uniform.ColorModel Uniform.Convert Uniform.Opaque Uniform.RGBA64At " +
		"YCbCr.At YCbCr.Bounds YCbCr.COffset YCbCr.ColorModel YCbCr.Opaque YCbCr.RGBA64At YCbCr.SubImage YCbCr.YCbCrAt YCbCr.YOffset YCbCrSubsampleRatio.String " +
		"NewUniform Pt Rect",
	Prints: "*",
	Members: []rows.Member{
		{Name: "Alpha", Value: (*image.Alpha)(nil), With: "AlphaAt At Bounds ColorModel Pix PixOffset RGBA64At Rect Set SetAlpha SetRGBA64 Stride SubImage"},
		{Name: "Alpha.Opaque", Value: shimimage.IsOpaque[*image.Alpha], Why: "looks at each pixel"},
		{Name: "Alpha16", Value: (*image.Alpha16)(nil), With: "Alpha16At At Bounds ColorModel Pix PixOffset RGBA64At Rect Set SetAlpha16 SetRGBA64 Stride SubImage"},
		{Name: "Alpha16.Opaque", Value: shimimage.IsOpaque[*image.Alpha16], Why: "looks at each pixel"},
		{Name: "CMYK", Value: (*image.CMYK)(nil), With: "At Bounds CMYKAt ColorModel Opaque Pix PixOffset RGBA64At Rect Set SetCMYK SetRGBA64 Stride SubImage"},
		{Name: "Config", Value: (*image.Config)(nil), With: "ColorModel Height Width"},
		{Name: "Gray", Value: (*image.Gray)(nil), With: "At Bounds ColorModel GrayAt Opaque Pix PixOffset RGBA64At Rect Set SetGray SetRGBA64 Stride SubImage"},
		{Name: "Gray16", Value: (*image.Gray16)(nil), With: "At Bounds ColorModel Gray16At Opaque Pix PixOffset RGBA64At Rect Set SetGray16 SetRGBA64 Stride SubImage"},
		{Name: "Image", Value: (*image.Image)(nil)},
		{Name: "NRGBA", Value: (*image.NRGBA)(nil), With: "At Bounds ColorModel NRGBAAt Pix PixOffset RGBA64At Rect Set SetNRGBA SetRGBA64 Stride SubImage"},
		{Name: "NRGBA.Opaque", Value: shimimage.IsOpaque[*image.NRGBA], Why: "looks at each pixel"},
		{Name: "NRGBA64", Value: (*image.NRGBA64)(nil), With: "At Bounds ColorModel NRGBA64At Pix PixOffset RGBA64At Rect Set SetNRGBA64 SetRGBA64 Stride SubImage"},
		{Name: "NRGBA64.Opaque", Value: shimimage.IsOpaque[*image.NRGBA64], Why: "looks at each pixel"},
		{Name: "NYCbCrA", Value: (*image.NYCbCrA)(nil), With: "A AOffset AStride At Bounds COffset ColorModel NYCbCrAAt RGBA64At SubImage YCbCr YCbCrAt YOffset"},
		{Name: "NYCbCrA.Opaque", Value: shimimage.IsOpaque[*image.NYCbCrA], Why: "looks at each pixel"},
		{Name: "Paletted", Value: (*image.Paletted)(nil), With: "At Bounds ColorIndexAt ColorModel Palette Pix PixOffset RGBA64At Rect Set SetColorIndex SetRGBA64 Stride SubImage"},
		{Name: "Paletted.Opaque", Value: shimimage.IsOpaque[*image.Paletted], Why: "looks at each pixel"},
		{Name: "PalettedImage", Value: (*image.PalettedImage)(nil)},
		{Name: "Point", Value: (*image.Point)(nil), With: "Add Div Eq In Mod Mul String Sub X Y"},
		{Name: "RGBA", Value: (*image.RGBA)(nil), With: "At Bounds ColorModel Pix PixOffset RGBA64At RGBAAt Rect Set SetRGBA SetRGBA64 Stride SubImage"},
		{Name: "RGBA.Opaque", Value: shimimage.IsOpaque[*image.RGBA], Why: "looks at each pixel"},
		{Name: "RGBA64", Value: (*image.RGBA64)(nil), With: "At Bounds ColorModel Pix PixOffset RGBA64At Rect Set SetRGBA64 Stride SubImage"},
		{Name: "RGBA64.Opaque", Value: shimimage.IsOpaque[*image.RGBA64], Why: "looks at each pixel"},
		{Name: "RGBA64Image", Value: (*image.RGBA64Image)(nil)},
		{Name: "Rectangle", Value: (*image.Rectangle)(nil), With: "Add At Bounds Canon ColorModel Dx Dy Empty Eq In Inset Intersect Max Min Overlaps RGBA64At Size String Sub Union"},
		{Name: "Uniform", Value: (*image.Uniform)(nil), With: "At Bounds C ColorModel Convert Opaque RGBA64At"},
		{Name: "YCbCr", Value: (*image.YCbCr)(nil), With: "At Bounds COffset CStride Cb ColorModel Cr Opaque RGBA64At Rect SubImage SubsampleRatio Y YCbCrAt YOffset YStride"},
		{Name: "YCbCrSubsampleRatio", Value: (*image.YCbCrSubsampleRatio)(nil), With: "String"},

		{Name: "Decode", Value: shimimage.Decode, Why: "knows png and jpeg, and no decoder that the host has registered"},
		{Name: "DecodeConfig", Value: shimimage.DecodeConfig, Why: "knows png and jpeg, and no decoder that the host has registered"},
		{Name: "NewAlpha", Value: shimimage.Making(1, image.NewAlpha), Why: "charges for its pixels"},
		{Name: "NewAlpha16", Value: shimimage.Making(2, image.NewAlpha16), Why: "charges for its pixels"},
		{Name: "NewCMYK", Value: shimimage.Making(4, image.NewCMYK), Why: "charges for its pixels"},
		{Name: "NewGray", Value: shimimage.Making(1, image.NewGray), Why: "charges for its pixels"},
		{Name: "NewGray16", Value: shimimage.Making(2, image.NewGray16), Why: "charges for its pixels"},
		{Name: "NewNRGBA", Value: shimimage.Making(4, image.NewNRGBA), Why: "charges for its pixels"},
		{Name: "NewNRGBA64", Value: shimimage.Making(8, image.NewNRGBA64), Why: "charges for its pixels"},
		{Name: "NewNYCbCrA", Value: shimimage.NewNYCbCrA, Why: "charges for its pixels"},
		{Name: "NewPaletted", Value: shimimage.NewPaletted, Why: "charges for its pixels"},
		{Name: "NewRGBA", Value: shimimage.Making(4, image.NewRGBA), Why: "charges for its pixels"},
		{Name: "NewRGBA64", Value: shimimage.Making(8, image.NewRGBA64), Why: "charges for its pixels"},
		{Name: "NewUniform", Value: image.NewUniform},
		{Name: "NewYCbCr", Value: shimimage.NewYCbCr, Why: "charges for its pixels"},
		{Name: "Pt", Value: image.Pt},
		{Name: "Rect", Value: image.Rect},

		{Name: "Black", Value: shimimage.Black, Why: "each run has its own"},
		{Name: "ErrFormat", Value: &image.ErrFormat},
		{Name: "Opaque", Value: shimimage.Opaque, Why: "each run has its own"},
		{Name: "Transparent", Value: shimimage.Transparent, Why: "each run has its own"},
		{Name: "White", Value: shimimage.White, Why: "each run has its own"},
		{Name: "ZP", Value: &image.ZP},
		{Name: "ZR", Value: &image.ZR},

		{Name: "YCbCrSubsampleRatio410", Value: image.YCbCrSubsampleRatio410},
		{Name: "YCbCrSubsampleRatio411", Value: image.YCbCrSubsampleRatio411},
		{Name: "YCbCrSubsampleRatio420", Value: image.YCbCrSubsampleRatio420},
		{Name: "YCbCrSubsampleRatio422", Value: image.YCbCrSubsampleRatio422},
		{Name: "YCbCrSubsampleRatio440", Value: image.YCbCrSubsampleRatio440},
		{Name: "YCbCrSubsampleRatio444", Value: image.YCbCrSubsampleRatio444},
	},
	Denied: []rows.Denial{
		{Names: "Uniform.RGBA", Why: "an image that is a color could be its own color, and have no end", Instead: "image.Uniform.C"},
		{Names: "RegisterFormat", Why: "the register is the host's", Instead: "image.Decode"},
	},
}

var stdImageColor = rows.Package{
	Path:    "image/color",
	Engine:  "ModelFunc=keeps",
	Bounded: "Alpha.RGBA Alpha16.RGBA CMYK.RGBA Gray.RGBA Gray16.RGBA NRGBA.RGBA NRGBA64.RGBA NYCbCrA.RGBA Palette.Convert Palette.Index RGBA.RGBA RGBA64.RGBA YCbCr.RGBA CMYKToRGB ModelFunc RGBToCMYK RGBToYCbCr YCbCrToRGB",
	Prints:  "*",
	Members: []rows.Member{
		{Name: "Alpha", Value: (*color.Alpha)(nil), With: "A RGBA"},
		{Name: "Alpha16", Value: (*color.Alpha16)(nil), With: "A RGBA"},
		{Name: "CMYK", Value: (*color.CMYK)(nil), With: "C K M RGBA Y"},
		{Name: "Color", Value: (*color.Color)(nil)},
		{Name: "Gray", Value: (*color.Gray)(nil), With: "RGBA Y"},
		{Name: "Gray16", Value: (*color.Gray16)(nil), With: "RGBA Y"},
		{Name: "Model", Value: (*color.Model)(nil)},
		{Name: "NRGBA", Value: (*color.NRGBA)(nil), With: "A B G R RGBA"},
		{Name: "NRGBA64", Value: (*color.NRGBA64)(nil), With: "A B G R RGBA"},
		{Name: "NYCbCrA", Value: (*color.NYCbCrA)(nil), With: "A RGBA YCbCr"},
		{Name: "Palette", Value: (*color.Palette)(nil), With: "Convert Index"},
		{Name: "RGBA", Value: (*color.RGBA)(nil), With: "A B G R RGBA"},
		{Name: "RGBA64", Value: (*color.RGBA64)(nil), With: "A B G R RGBA"},
		{Name: "YCbCr", Value: (*color.YCbCr)(nil), With: "Cb Cr RGBA Y"},

		{Name: "CMYKToRGB", Value: color.CMYKToRGB},
		{Name: "ModelFunc", Value: color.ModelFunc},
		{Name: "RGBToCMYK", Value: color.RGBToCMYK},
		{Name: "RGBToYCbCr", Value: color.RGBToYCbCr},
		{Name: "YCbCrToRGB", Value: color.YCbCrToRGB},

		{Name: "Alpha16Model", Value: &color.Alpha16Model},
		{Name: "AlphaModel", Value: &color.AlphaModel},
		{Name: "Black", Value: &color.Black},
		{Name: "CMYKModel", Value: &color.CMYKModel},
		{Name: "Gray16Model", Value: &color.Gray16Model},
		{Name: "GrayModel", Value: &color.GrayModel},
		{Name: "NRGBA64Model", Value: &color.NRGBA64Model},
		{Name: "NRGBAModel", Value: &color.NRGBAModel},
		{Name: "NYCbCrAModel", Value: &color.NYCbCrAModel},
		{Name: "Opaque", Value: &color.Opaque},
		{Name: "RGBA64Model", Value: &color.RGBA64Model},
		{Name: "RGBAModel", Value: &color.RGBAModel},
		{Name: "Transparent", Value: &color.Transparent},
		{Name: "White", Value: &color.White},
		{Name: "YCbCrModel", Value: &color.YCbCrModel},
	},
}

var stdImageColorPalette = rows.Package{
	Path: "image/color/palette",
	Members: []rows.Member{
		{Name: "Plan9", Value: shimimage.Plan9, Why: "each run has its own"},
		{Name: "WebSafe", Value: shimimage.WebSafe, Why: "each run has its own"},
	},
}
