package builtins

import "compress/lzw"

var stdCompressLzw = Package{
	Path:    "compress/lzw",
	Bounded: "Reader.Close Reader.Read Writer.Close",
	Members: []Member{
		{Name: "Order", Value: (*lzw.Order)(nil)},
		{Name: "Reader", Value: (*lzw.Reader)(nil), With: "Close Read"},
		{Name: "Reader.Reset", Value: lzwReaderReset, Why: "a stop is let through in long texts"},
		{Name: "Writer", Value: (*lzw.Writer)(nil), With: "Close"},
		{Name: "Writer.Reset", Value: lzwWriterReset, Why: "charges a buffer it writes to"},
		{Name: "Writer.Write", Value: lzwWrite, Why: "a stop is let through in long texts"},

		{Name: "NewReader", Value: lzwNewReader, Why: "charges for its tables"},
		{Name: "NewWriter", Value: lzwNewWriter, Why: "charges for its tables"},

		{Name: "LSB", Value: lzw.LSB},
		{Name: "MSB", Value: lzw.MSB},
	},
}
