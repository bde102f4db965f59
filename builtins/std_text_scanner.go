package builtins

import "text/scanner"

var stdTextScanner = Package{
	Path:    "text/scanner",
	Bounded: "Position.IsValid Position.String Scanner.IsValid Scanner.Pos Scanner.String Scanner.TokenText TokenString",
	Members: []Member{
		{Name: "Position", Value: (*scanner.Position)(nil), With: "Column Filename IsValid Line Offset String"},
		{Name: "Scanner", Value: (*scanner.Scanner)(nil), With: "Error ErrorCount IsIdentRune IsValid Mode Pos Position String TokenText Whitespace"},
		{Name: "Scanner.Init", Value: scannerInit},
		{Name: "Scanner.Next", Value: scannerCall((*scanner.Scanner).Next), Why: "an error without a handler goes to the script's standard error"},
		{Name: "Scanner.Peek", Value: scannerCall((*scanner.Scanner).Peek)},
		{Name: "Scanner.Scan", Value: scannerCall((*scanner.Scanner).Scan)},

		{Name: "TokenString", Value: scanner.TokenString},

		{Name: "Char", Value: Literal("-5")},
		{Name: "Comment", Value: Literal("-8")},
		{Name: "EOF", Value: Literal("-1")},
		{Name: "Float", Value: Literal("-4")},
		{Name: "GoTokens", Value: Literal("1012")},
		{Name: "GoWhitespace", Value: Literal("4294977024")},
		{Name: "Ident", Value: Literal("-2")},
		{Name: "Int", Value: Literal("-3")},
		{Name: "RawString", Value: Literal("-7")},
		{Name: "ScanChars", Value: Literal("32")},
		{Name: "ScanComments", Value: Literal("256")},
		{Name: "ScanFloats", Value: Literal("16")},
		{Name: "ScanIdents", Value: Literal("4")},
		{Name: "ScanInts", Value: Literal("8")},
		{Name: "ScanRawStrings", Value: Literal("128")},
		{Name: "ScanStrings", Value: Literal("64")},
		{Name: "SkipComments", Value: Literal("512")},
		{Name: "String", Value: Literal("-6")},
	},
}
