package builtins

import "compress/flate"

var stdCompressFlate = Package{
	Path:    "compress/flate",
	Bounded: "CorruptInputError.Error InternalError.Error ReadError.Error WriteError.Error Writer.Close Writer.Flush",
	scan:    true,
	Members: []Member{
		{Name: "decompressor", Value: (*flateReader)(nil), With: "Close Read Reset", Why: "what makers of readers return, for assertions"},

		{Name: "CorruptInputError", Value: (*flate.CorruptInputError)(nil), With: "Error"},
		{Name: "InternalError", Value: (*flate.InternalError)(nil), With: "Error"},
		{Name: "ReadError", Value: (*flate.ReadError)(nil), With: "Err Error Offset"},
		{Name: "Reader", Value: (*flate.Reader)(nil)},
		{Name: "Resetter", Value: (*flate.Resetter)(nil)},
		{Name: "WriteError", Value: (*flate.WriteError)(nil), With: "Err Error Offset"},
		{Name: "Writer", Value: (*flate.Writer)(nil), With: "Close Flush"},
		{Name: "Writer.Reset", Value: flateReset, Why: "charges a buffer it writes to"},
		{Name: "Writer.Write", Value: flateWrite, Why: "a stop is let through in long texts"},

		{Name: "NewReader", Value: flateNewReader, Why: "charges for its tables"},
		{Name: "NewReaderDict", Value: flateNewReaderDict, Why: "charges for its tables"},
		{Name: "NewWriter", Value: flateNewWriter, Why: "charges for its tables"},
		{Name: "NewWriterDict", Value: flateNewWriterDict, Why: "charges for its tables"},

		{Name: "BestCompression", Value: Literal("9")},
		{Name: "BestSpeed", Value: Literal("1")},
		{Name: "DefaultCompression", Value: Literal("-1")},
		{Name: "HuffmanOnly", Value: Literal("-2")},
		{Name: "NoCompression", Value: Literal("0")},
	},
}
