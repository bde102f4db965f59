package builtins

var stdCryptoSha512 = Package{
	Path:  "crypto/sha512",
	Holds: "New=288 New384=288 New512_224=288 New512_256=288",
	Members: []Member{
		{Name: "New", Value: sha512New, Why: "a stop is let through in long texts"},
		{Name: "New384", Value: sha512New384, Why: "a stop is let through in long texts"},
		{Name: "New512_224", Value: sha512New224, Why: "a stop is let through in long texts"},
		{Name: "New512_256", Value: sha512New256, Why: "a stop is let through in long texts"},
		{Name: "Sum384", Value: sha512Sum384, Why: "long texts take long"},
		{Name: "Sum512", Value: sha512Sum512, Why: "long texts take long"},
		{Name: "Sum512_224", Value: sha512Sum224, Why: "long texts take long"},
		{Name: "Sum512_256", Value: sha512Sum256, Why: "long texts take long"},

		{Name: "BlockSize", Value: Literal("128")},
		{Name: "Size", Value: Literal("64")},
		{Name: "Size224", Value: Literal("28")},
		{Name: "Size256", Value: Literal("32")},
		{Name: "Size384", Value: Literal("48")},
	},
}
