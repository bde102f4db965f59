package builtins

import "encoding/csv"

var stdEncodingCsv = Package{
	Path:    "encoding/csv",
	Bounded: "ParseError.Error ParseError.Unwrap Reader.FieldPos Reader.InputOffset Reader.Read Reader.ReadAll Writer.Error Writer.Flush",
	Members: []Member{
		{Name: "ParseError", Value: (*csv.ParseError)(nil), With: "Column Err Error Line StartLine Unwrap"},
		{Name: "Reader", Value: (*csv.Reader)(nil), With: "Comma Comment FieldPos FieldsPerRecord InputOffset LazyQuotes Read ReadAll ReuseRecord TrailingComma TrimLeadingSpace"},
		{Name: "Writer", Value: (*csv.Writer)(nil), With: "Comma Error Flush UseCRLF"},
		{Name: "Writer.Write", Value: csvWrite},
		{Name: "Writer.WriteAll", Value: csvWriteAll, Why: "the same record may be there many times"},

		{Name: "NewReader", Value: csvNewReader, Why: "charges for what fields take beside their text"},
		{Name: "NewWriter", Value: csvNewWriter, Why: "charges a buffer it writes to"},

		{Name: "ErrBareQuote", Value: &csv.ErrBareQuote},
		{Name: "ErrFieldCount", Value: &csv.ErrFieldCount},
		{Name: "ErrQuote", Value: &csv.ErrQuote},
		{Name: "ErrTrailingComma", Value: &csv.ErrTrailingComma},
	},
}
