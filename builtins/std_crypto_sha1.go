package builtins

var stdCryptoSha1 = Package{
	Path: "crypto/sha1",
	Members: []Member{
		{Name: "New", Value: sha1New, Why: "a stop is let through in long texts"},
		{Name: "Sum", Value: sha1Sum, Why: "long texts take long"},

		{Name: "BlockSize", Value: Literal("64")},
		{Name: "Size", Value: Literal("20")},
	},
}
