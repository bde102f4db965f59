package builtins

import "hash/crc64"

var stdHashCrc64 = Package{
	Path:    "hash/crc64",
	Bounded: "MakeTable",
	Members: []Member{
		{Name: "Table", Value: (*crc64.Table)(nil)},

		{Name: "Checksum", Value: crc64Checksum, Why: "long texts take long"},
		{Name: "MakeTable", Value: crc64.MakeTable},
		{Name: "New", Value: crc64New, Why: "a stop is let through in long texts"},
		{Name: "Update", Value: crc64Update, Why: "long texts take long"},

		{Name: "ECMA", Value: Literal("14514072000185962306")},
		{Name: "ISO", Value: Literal("15564440312192434176")},
		{Name: "Size", Value: Literal("8")},
	},
}
