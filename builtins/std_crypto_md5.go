package builtins

var stdCryptoMd5 = Package{
	Path: "crypto/md5",
	Members: []Member{
		{Name: "New", Value: md5New, Why: "a stop is let through in long texts"},
		{Name: "Sum", Value: md5Sum, Why: "long texts take long"},

		{Name: "BlockSize", Value: Literal("64")},
		{Name: "Size", Value: Literal("16")},
	},
}
