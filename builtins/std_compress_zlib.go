package builtins

import "compress/zlib"

var stdCompressZlib = Package{
	Path:    "compress/zlib",
	Bounded: "Writer.Close Writer.Flush",
	scan:    true,
	Members: []Member{
		{Name: "reader", Value: (*zlibReader)(nil), With: "Close Read Reset", Why: "what makers of readers return, for assertions"},

		{Name: "Resetter", Value: (*zlib.Resetter)(nil)},
		{Name: "Writer", Value: (*zlib.Writer)(nil), With: "Close Flush"},
		{Name: "Writer.Reset", Value: zlibWriterReset, Why: "charges for its tables"},
		{Name: "Writer.Write", Value: zlibWrite, Why: "a stop is let through in long texts"},

		{Name: "NewReader", Value: zlibNewReader, Why: "charges for its tables"},
		{Name: "NewReaderDict", Value: zlibNewReaderDict, Why: "charges for its tables"},
		{Name: "NewWriter", Value: zlibNewWriter, Why: "charges for its tables"},
		{Name: "NewWriterLevel", Value: zlibNewWriterLevel, Why: "charges for its tables"},
		{Name: "NewWriterLevelDict", Value: zlibNewWriterLevelDict, Why: "charges for its tables"},

		{Name: "ErrChecksum", Value: &zlib.ErrChecksum},
		{Name: "ErrDictionary", Value: &zlib.ErrDictionary},
		{Name: "ErrHeader", Value: &zlib.ErrHeader},

		{Name: "BestCompression", Value: Literal("9")},
		{Name: "BestSpeed", Value: Literal("1")},
		{Name: "DefaultCompression", Value: Literal("-1")},
		{Name: "HuffmanOnly", Value: Literal("-2")},
		{Name: "NoCompression", Value: Literal("0")},
	},
}
