package builtins

import "mime"

var stdMime = Package{
	Path: "mime",
	Members: []Member{
		{Name: "WordDecoder", Value: (*mime.WordDecoder)(nil), With: "CharsetReader"},
		{Name: "WordDecoder.Decode", Value: slowLastPair(mimeRate, (*mime.WordDecoder).Decode), Why: "takes far longer than its text is"},
		{Name: "WordDecoder.DecodeHeader", Value: slowLastPair(mimeRate, (*mime.WordDecoder).DecodeHeader), Why: "takes far longer than its text is"},
		{Name: "WordEncoder", Value: (*mime.WordEncoder)(nil)},
		{Name: "WordEncoder.Encode", Value: mimeEncode, Why: "takes far longer than its text is"},

		{Name: "AddExtensionType", Value: mimeAddExtensionType, Why: "each run has its own table"},
		{Name: "ExtensionsByType", Value: mimeExtensionsByType, Why: "never looks at files of the host's"},
		{Name: "FormatMediaType", Value: mimeFormatMediaType, Why: "its result can be far larger than what it is given"},
		{Name: "ParseMediaType", Value: mimeParseMediaType, Why: "takes far longer than its text is"},
		{Name: "TypeByExtension", Value: mimeTypeByExtension, Why: "never looks at files of the host's"},

		{Name: "ErrInvalidMediaParameter", Value: &mime.ErrInvalidMediaParameter},

		{Name: "BEncoding", Value: mime.BEncoding},
		{Name: "QEncoding", Value: mime.QEncoding},
	},
}
