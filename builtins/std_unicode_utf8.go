package builtins

import "unicode/utf8"

var stdUnicodeUtf8 = Package{
	Path:   "unicode/utf8",
	Prompt: "DecodeLastRuneInString DecodeRuneInString RuneCountInString RuneLen ValidString",
	Members: []Member{
		{Name: "AppendRune", Value: utf8.AppendRune},
		{Name: "DecodeLastRune", Value: utf8.DecodeLastRune},
		{Name: "DecodeLastRuneInString", Value: utf8.DecodeLastRuneInString},
		{Name: "DecodeRune", Value: utf8.DecodeRune},
		{Name: "DecodeRuneInString", Value: utf8.DecodeRuneInString},
		{Name: "EncodeRune", Value: utf8.EncodeRune},
		{Name: "FullRune", Value: utf8.FullRune},
		{Name: "FullRuneInString", Value: utf8.FullRuneInString},
		{Name: "RuneCount", Value: utf8.RuneCount},
		{Name: "RuneCountInString", Value: utf8.RuneCountInString},
		{Name: "RuneLen", Value: utf8.RuneLen},
		{Name: "RuneStart", Value: utf8.RuneStart},
		{Name: "Valid", Value: utf8.Valid},
		{Name: "ValidRune", Value: utf8.ValidRune},
		{Name: "ValidString", Value: utf8.ValidString},

		{Name: "MaxRune", Value: Literal("'\\U0010ffff'")},
		{Name: "RuneError", Value: Literal("'\\ufffd'")},
		{Name: "RuneSelf", Value: Literal("128")},
		{Name: "UTFMax", Value: Literal("4")},
	},
}
