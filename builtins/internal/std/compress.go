package std

import (
	"compress/bzip2"
	"compress/flate"
	"compress/gzip"
	"compress/lzw"
	"compress/zlib"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	shimcompress "github.com/sandtrap-go/sandtrap/builtins/internal/shim/compress"
)

var stdCompressBzip2 = rows.Package{
	Path:    "compress/bzip2",
	Bounded: "StructuralError.Error",
	Members: []rows.Member{
		{Name: "StructuralError", Value: (*bzip2.StructuralError)(nil), With: "Error"},

		{Name: "NewReader", Value: shimcompress.Bzip2NewReader, Why: "charges for its tables"},
	},
}

var stdCompressFlate = rows.Package{
	Path:    "compress/flate",
	Bounded: "CorruptInputError.Error InternalError.Error ReadError.Error WriteError.Error Writer.Close Writer.Flush",
	Renamed: true,
	Members: []rows.Member{
		{Name: "decompressor", Value: (*shimcompress.FlateReader)(nil), With: "Close Read Reset", Why: "what makers of readers return, for assertions"},

		{Name: "CorruptInputError", Value: (*flate.CorruptInputError)(nil), With: "Error"},
		{Name: "InternalError", Value: (*flate.InternalError)(nil), With: "Error"},
		{Name: "ReadError", Value: (*flate.ReadError)(nil), With: "Err Error Offset"},
		{Name: "Reader", Value: (*flate.Reader)(nil)},
		{Name: "Resetter", Value: (*flate.Resetter)(nil)},
		{Name: "WriteError", Value: (*flate.WriteError)(nil), With: "Err Error Offset"},
		{Name: "Writer", Value: (*flate.Writer)(nil), With: "Close Flush"},
		{Name: "Writer.Reset", Value: shimcompress.FlateReset, Why: "charges a buffer it writes to"},
		{Name: "Writer.Write", Value: shimcompress.FlateWrite, Why: "a stop is let through in long texts"},

		{Name: "NewReader", Value: shimcompress.FlateNewReader, Why: "charges for its tables"},
		{Name: "NewReaderDict", Value: shimcompress.FlateNewReaderDict, Why: "charges for its tables"},
		{Name: "NewWriter", Value: shimcompress.FlateNewWriter, Why: "charges for its tables"},
		{Name: "NewWriterDict", Value: shimcompress.FlateNewWriterDict, Why: "charges for its tables"},

		{Name: "BestCompression", Value: rows.Literal("9")},
		{Name: "BestSpeed", Value: rows.Literal("1")},
		{Name: "DefaultCompression", Value: rows.Literal("-1")},
		{Name: "HuffmanOnly", Value: rows.Literal("-2")},
		{Name: "NoCompression", Value: rows.Literal("0")},
	},
}

var stdCompressGzip = rows.Package{
	Path:    "compress/gzip",
	Bounded: "Reader.Close Reader.Multistream Reader.Read Writer.Close Writer.Flush",
	Members: []rows.Member{
		{Name: "Header", Value: (*gzip.Header)(nil), With: "Comment Extra ModTime Name OS"},
		{Name: "Reader", Value: (*gzip.Reader)(nil), With: "Close Header Multistream Read"},
		{Name: "Reader.Reset", Value: shimcompress.GzipReaderReset, Why: "charges for its tables"},
		{Name: "Writer", Value: (*gzip.Writer)(nil), With: "Close Flush Header"},
		{Name: "Writer.Reset", Value: shimcompress.GzipWriterReset, Why: "charges for its tables"},
		{Name: "Writer.Write", Value: shimcompress.GzipWrite, Why: "a stop is let through in long texts"},

		{Name: "NewReader", Value: shimcompress.GzipNewReader, Why: "charges for its tables"},
		{Name: "NewWriter", Value: shimcompress.GzipNewWriter, Why: "charges for its tables"},
		{Name: "NewWriterLevel", Value: shimcompress.GzipNewWriterLevel, Why: "charges for its tables"},

		{Name: "ErrChecksum", Value: &gzip.ErrChecksum},
		{Name: "ErrHeader", Value: &gzip.ErrHeader},

		{Name: "BestCompression", Value: rows.Literal("9")},
		{Name: "BestSpeed", Value: rows.Literal("1")},
		{Name: "DefaultCompression", Value: rows.Literal("-1")},
		{Name: "HuffmanOnly", Value: rows.Literal("-2")},
		{Name: "NoCompression", Value: rows.Literal("0")},
	},
}

var stdCompressLzw = rows.Package{
	Path:    "compress/lzw",
	Bounded: "Reader.Close Reader.Read Writer.Close",
	Members: []rows.Member{
		{Name: "Order", Value: (*lzw.Order)(nil)},
		{Name: "Reader", Value: (*lzw.Reader)(nil), With: "Close Read"},
		{Name: "Reader.Reset", Value: shimcompress.LzwReaderReset, Why: "a stop is let through in long texts"},
		{Name: "Writer", Value: (*lzw.Writer)(nil), With: "Close"},
		{Name: "Writer.Reset", Value: shimcompress.LzwWriterReset, Why: "charges a buffer it writes to"},
		{Name: "Writer.Write", Value: shimcompress.LzwWrite, Why: "a stop is let through in long texts"},

		{Name: "NewReader", Value: shimcompress.LzwNewReader, Why: "charges for its tables"},
		{Name: "NewWriter", Value: shimcompress.LzwNewWriter, Why: "charges for its tables"},

		{Name: "LSB", Value: lzw.LSB},
		{Name: "MSB", Value: lzw.MSB},
	},
}

var stdCompressZlib = rows.Package{
	Path:    "compress/zlib",
	Bounded: "Writer.Close Writer.Flush",
	Renamed: true,
	Members: []rows.Member{
		{Name: "reader", Value: (*shimcompress.ZlibReader)(nil), With: "Close Read Reset", Why: "what makers of readers return, for assertions"},

		{Name: "Resetter", Value: (*zlib.Resetter)(nil)},
		{Name: "Writer", Value: (*zlib.Writer)(nil), With: "Close Flush"},
		{Name: "Writer.Reset", Value: shimcompress.ZlibWriterReset, Why: "charges for its tables"},
		{Name: "Writer.Write", Value: shimcompress.ZlibWrite, Why: "a stop is let through in long texts"},

		{Name: "NewReader", Value: shimcompress.ZlibNewReader, Why: "charges for its tables"},
		{Name: "NewReaderDict", Value: shimcompress.ZlibNewReaderDict, Why: "charges for its tables"},
		{Name: "NewWriter", Value: shimcompress.ZlibNewWriter, Why: "charges for its tables"},
		{Name: "NewWriterLevel", Value: shimcompress.ZlibNewWriterLevel, Why: "charges for its tables"},
		{Name: "NewWriterLevelDict", Value: shimcompress.ZlibNewWriterLevelDict, Why: "charges for its tables"},

		{Name: "ErrChecksum", Value: &zlib.ErrChecksum},
		{Name: "ErrDictionary", Value: &zlib.ErrDictionary},
		{Name: "ErrHeader", Value: &zlib.ErrHeader},

		{Name: "BestCompression", Value: rows.Literal("9")},
		{Name: "BestSpeed", Value: rows.Literal("1")},
		{Name: "DefaultCompression", Value: rows.Literal("-1")},
		{Name: "HuffmanOnly", Value: rows.Literal("-2")},
		{Name: "NoCompression", Value: rows.Literal("0")},
	},
}
