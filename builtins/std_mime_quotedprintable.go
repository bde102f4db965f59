package builtins

import "mime/quotedprintable"

var stdMimeQuotedprintable = Package{
	Path:    "mime/quotedprintable",
	Bounded: "Reader.Read Writer.Close",
	Holds:   "NewReader=4288",
	Members: []Member{
		{Name: "Reader", Value: (*quotedprintable.Reader)(nil), With: "Read"},
		{Name: "Writer", Value: (*quotedprintable.Writer)(nil), With: "Binary Close"},
		{Name: "Writer.Write", Value: quotedprintableWrite, Why: "takes far longer than its text is"},

		{Name: "NewReader", Value: quotedprintableNewReader, Why: "charges for what is read"},
		{Name: "NewWriter", Value: quotedprintableNewWriter, Why: "charges a buffer it writes to"},
	},
}
