package std

import (
	"mime"
	"mime/quotedprintable"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	shimmime "github.com/sandtrap-go/sandtrap/builtins/internal/shim/mime"
)

var stdMime = rows.Package{
	Path: "mime",
	Members: []rows.Member{
		{Name: "WordDecoder", Value: (*mime.WordDecoder)(nil), With: "CharsetReader"},
		{Name: "WordDecoder.Decode", Value: shimmime.Decoding((*mime.WordDecoder).Decode), Why: "reads to the end of what a function of the script gives"},
		{Name: "WordDecoder.DecodeHeader", Value: shimmime.Decoding((*mime.WordDecoder).DecodeHeader), Why: "reads to the end of what a function of the script gives"},
		{Name: "WordEncoder", Value: (*mime.WordEncoder)(nil)},
		{Name: "WordEncoder.Encode", Value: shimmime.Encode, Why: "takes far longer than its text is"},

		{Name: "AddExtensionType", Value: shimmime.AddExtensionType, Why: "each run has its own table"},
		{Name: "ExtensionsByType", Value: shimmime.ExtensionsByType, Why: "never looks at files of the host's"},
		{Name: "FormatMediaType", Value: shimmime.FormatMediaType, Why: "its result can be far larger than what it is given"},
		{Name: "ParseMediaType", Value: shimmime.ParseMediaType, Why: "takes far longer than its text is"},
		{Name: "TypeByExtension", Value: shimmime.TypeByExtension, Why: "never looks at files of the host's"},

		{Name: "ErrInvalidMediaParameter", Value: &mime.ErrInvalidMediaParameter},

		{Name: "BEncoding", Value: mime.BEncoding},
		{Name: "QEncoding", Value: mime.QEncoding},
	},
}

var stdMimeQuotedprintable = rows.Package{
	Path:    "mime/quotedprintable",
	Bounded: "Reader.Read Writer.Close",
	Holds:   "NewReader=4288",
	Members: []rows.Member{
		{Name: "Reader", Value: (*quotedprintable.Reader)(nil), With: "Read"},
		{Name: "Writer", Value: (*quotedprintable.Writer)(nil), With: "Binary Close"},
		{Name: "Writer.Write", Value: shimmime.QuotedprintableWrite, Why: "takes far longer than its text is"},

		{Name: "NewReader", Value: shimmime.QuotedprintableNewReader, Why: "charges for what is read"},
		{Name: "NewWriter", Value: shimmime.QuotedprintableNewWriter, Why: "charges a buffer it writes to"},
	},
}
