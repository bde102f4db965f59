package builtins

import "compress/gzip"

var stdCompressGzip = Package{
	Path:    "compress/gzip",
	Bounded: "Reader.Close Reader.Multistream Reader.Read Writer.Close Writer.Flush",
	Members: []Member{
		{Name: "Header", Value: (*gzip.Header)(nil), With: "Comment Extra ModTime Name OS"},
		{Name: "Reader", Value: (*gzip.Reader)(nil), With: "Close Header Multistream Read"},
		{Name: "Reader.Reset", Value: gzipReaderReset, Why: "charges for its tables"},
		{Name: "Writer", Value: (*gzip.Writer)(nil), With: "Close Flush Header"},
		{Name: "Writer.Reset", Value: gzipWriterReset, Why: "charges for its tables"},
		{Name: "Writer.Write", Value: gzipWrite, Why: "a stop is let through in long texts"},

		{Name: "NewReader", Value: gzipNewReader, Why: "charges for its tables"},
		{Name: "NewWriter", Value: gzipNewWriter, Why: "charges for its tables"},
		{Name: "NewWriterLevel", Value: gzipNewWriterLevel, Why: "charges for its tables"},

		{Name: "ErrChecksum", Value: &gzip.ErrChecksum},
		{Name: "ErrHeader", Value: &gzip.ErrHeader},

		{Name: "BestCompression", Value: Literal("9")},
		{Name: "BestSpeed", Value: Literal("1")},
		{Name: "DefaultCompression", Value: Literal("-1")},
		{Name: "HuffmanOnly", Value: Literal("-2")},
		{Name: "NoCompression", Value: Literal("0")},
	},
}
