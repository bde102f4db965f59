package builtins

import "unicode/utf8"

var stdUnicodeUtf8 = Package{
	Path:    "unicode/utf8",
	Bounded: "AppendRune DecodeLastRune DecodeLastRuneInString DecodeRune DecodeRuneInString EncodeRune FullRune FullRuneInString RuneLen RuneStart ValidRune",
	Prompt:  "DecodeLastRuneInString DecodeRuneInString RuneCountInString RuneLen ValidString",
	Members: []Member{
		{Name: "AppendRune", Value: utf8.AppendRune},
		{Name: "DecodeLastRune", Value: utf8.DecodeLastRune},
		{Name: "DecodeLastRuneInString", Value: utf8.DecodeLastRuneInString},
		{Name: "DecodeRune", Value: utf8.DecodeRune},
		{Name: "DecodeRuneInString", Value: utf8.DecodeRuneInString},
		{Name: "EncodeRune", Value: utf8.EncodeRune},
		{Name: "FullRune", Value: utf8.FullRune},
		{Name: "FullRuneInString", Value: utf8.FullRuneInString},
		{Name: "RuneCount", Value: slow(2, utf8.RuneCount), Why: "takes longer than its text is"},
		{Name: "RuneCountInString", Value: slow(2, utf8.RuneCountInString), Why: "takes longer than its text is"},
		{Name: "RuneLen", Value: utf8.RuneLen},
		{Name: "RuneStart", Value: utf8.RuneStart},
		{Name: "Valid", Value: slow(2, utf8.Valid), Why: "takes longer than its text is"},
		{Name: "ValidRune", Value: utf8.ValidRune},
		{Name: "ValidString", Value: slow(2, utf8.ValidString), Why: "takes longer than its text is"},

		{Name: "MaxRune", Value: Literal("'\\U0010ffff'")},
		{Name: "RuneError", Value: Literal("'\\ufffd'")},
		{Name: "RuneSelf", Value: Literal("128")},
		{Name: "UTFMax", Value: Literal("4")},
	},
}
