package builtins

import "mime"

var stdMime = Package{
	Path: "mime",
	Members: []Member{
		{Name: "WordDecoder", Value: (*mime.WordDecoder)(nil), With: "CharsetReader Decode DecodeHeader"},
		{Name: "WordEncoder", Value: (*mime.WordEncoder)(nil), With: "Encode"},

		{Name: "AddExtensionType", Value: mimeAddExtensionType, Why: "each run has its own table"},
		{Name: "ExtensionsByType", Value: mimeExtensionsByType, Why: "never looks at files of the host's"},
		{Name: "FormatMediaType", Value: mime.FormatMediaType},
		{Name: "ParseMediaType", Value: mime.ParseMediaType},
		{Name: "TypeByExtension", Value: mimeTypeByExtension, Why: "never looks at files of the host's"},

		{Name: "ErrInvalidMediaParameter", Value: &mime.ErrInvalidMediaParameter},

		{Name: "BEncoding", Value: mime.BEncoding},
		{Name: "QEncoding", Value: mime.QEncoding},
	},
}
