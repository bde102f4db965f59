package builtins

import "unicode/utf16"

var stdUnicodeUtf16 = Package{
	Path:    "unicode/utf16",
	Bounded: "AppendRune DecodeRune EncodeRune IsSurrogate RuneLen",
	Members: []Member{
		{Name: "AppendRune", Value: utf16.AppendRune},
		{Name: "Decode", Value: slow(20, utf16.Decode), Why: "takes far longer than its text is"},
		{Name: "DecodeRune", Value: utf16.DecodeRune},
		{Name: "Encode", Value: slow(10, utf16.Encode), Why: "takes far longer than its text is"},
		{Name: "EncodeRune", Value: utf16.EncodeRune},
		{Name: "IsSurrogate", Value: utf16.IsSurrogate},
		{Name: "RuneLen", Value: utf16.RuneLen},
	},
}
