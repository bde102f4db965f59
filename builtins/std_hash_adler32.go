package builtins

var stdHashAdler32 = Package{
	Path: "hash/adler32",
	Members: []Member{
		{Name: "Checksum", Value: adler32Checksum, Why: "long texts take long"},
		{Name: "New", Value: adler32New, Why: "a stop is let through in long texts"},

		{Name: "Size", Value: Literal("4")},
	},
}
