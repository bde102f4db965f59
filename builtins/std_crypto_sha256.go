package builtins

var stdCryptoSha256 = Package{
	Path: "crypto/sha256",
	Members: []Member{
		{Name: "New", Value: sha256New, Why: "a stop is let through in long texts"},
		{Name: "New224", Value: sha256New224, Why: "a stop is let through in long texts"},
		{Name: "Sum224", Value: sha256Sum224, Why: "long texts take long"},
		{Name: "Sum256", Value: sha256Sum256, Why: "long texts take long"},

		{Name: "BlockSize", Value: Literal("64")},
		{Name: "Size", Value: Literal("32")},
		{Name: "Size224", Value: Literal("28")},
	},
}
