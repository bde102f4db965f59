package builtins

import "crypto/aes"

var stdCryptoAes = Package{
	Path:    "crypto/aes",
	Bounded: "KeySizeError.Error NewCipher",
	Members: []Member{
		{Name: "KeySizeError", Value: (*aes.KeySizeError)(nil), With: "Error"},

		{Name: "NewCipher", Value: aes.NewCipher},

		{Name: "BlockSize", Value: Literal("16")},
	},
}
