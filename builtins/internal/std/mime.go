package std

import (
	"mime"
	"mime/multipart"
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

var stdMimeMultipart = rows.Package{
	Path:    "mime/multipart",
	Bounded: "Form.RemoveAll Part.Close Part.Read Reader.NextPart Reader.NextRawPart Writer.Boundary Writer.Close Writer.FormDataContentType Writer.SetBoundary",
	Members: []rows.Member{
		{Name: "File", Value: (*multipart.File)(nil)},
		{Name: "FileHeader", Value: (*multipart.FileHeader)(nil), With: "Filename Header Size"},
		{Name: "FileHeader.Open", Value: shimmime.MultipartOpen, Why: "opens nothing of the host's"},
		{Name: "Form", Value: (*multipart.Form)(nil), With: "File RemoveAll Value"},
		{Name: "Part", Value: (*multipart.Part)(nil), With: "Close Header Read"},
		{Name: "Part.FileName", Value: shimmime.MultipartPartName((*multipart.Part).FileName), Why: "takes far longer than its text is"},
		{Name: "Part.FormName", Value: shimmime.MultipartPartName((*multipart.Part).FormName), Why: "takes far longer than its text is"},
		{Name: "Reader", Value: (*multipart.Reader)(nil), With: "NextPart NextRawPart", Handle: true},
		{Name: "Reader.ReadForm", Value: shimmime.MultipartReadForm, Why: "keeps files in memory, and none on a disk of the host's"},
		{Name: "Writer", Value: (*multipart.Writer)(nil), With: "Boundary Close FormDataContentType SetBoundary", Handle: true},
		{Name: "Writer.CreateFormField", Value: shimmime.MultipartFormField, Why: "makes a text that is longer than its name"},
		{Name: "Writer.CreateFormFile", Value: shimmime.MultipartFormFile, Why: "makes a text that is longer than its names"},
		{Name: "Writer.CreatePart", Value: shimmime.MultipartCreatePart, Why: "makes a text of all of the header"},
		{Name: "Writer.WriteField", Value: shimmime.MultipartWriteField, Why: "makes a text that is longer than its name"},

		{Name: "FileContentDisposition", Value: shimmime.MultipartContentDisposition, Why: "makes a text that is longer than its names"},
		{Name: "NewReader", Value: shimmime.MultipartNewReader, Why: "charges for what is read"},
		{Name: "NewWriter", Value: shimmime.MultipartNewWriter, Needs: "random", Why: "its boundary is of the run's random numbers"},

		{Name: "ErrMessageTooLarge", Value: &multipart.ErrMessageTooLarge},
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
