package builtins

import "hash/crc32"

var stdHashCrc32 = Package{
	Path:    "hash/crc32",
	Bounded: "MakeTable",
	Members: []Member{
		{Name: "Table", Value: (*crc32.Table)(nil)},

		{Name: "Checksum", Value: crc32Checksum, Why: "long texts take long"},
		{Name: "ChecksumIEEE", Value: crc32IEEE, Why: "long texts take long"},
		{Name: "MakeTable", Value: crc32.MakeTable},
		{Name: "New", Value: crc32New, Why: "a stop is let through in long texts"},
		{Name: "NewIEEE", Value: crc32NewIEEE, Why: "a stop is let through in long texts"},
		{Name: "Update", Value: crc32Update, Why: "long texts take long"},

		{Name: "IEEETable", Value: &crc32.IEEETable},

		{Name: "Castagnoli", Value: Literal("2197175160")},
		{Name: "IEEE", Value: Literal("3988292384")},
		{Name: "Koopman", Value: Literal("3945912366")},
		{Name: "Size", Value: Literal("4")},
	},
}
