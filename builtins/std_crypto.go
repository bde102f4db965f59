package builtins

import "crypto"

var stdCrypto = Package{
	Path:    "crypto",
	Bounded: "Hash.Available Hash.HashFunc Hash.Size Hash.String SignMessage",
	Members: []Member{
		{Name: "Decapsulator", Value: (*crypto.Decapsulator)(nil)},
		{Name: "Decrypter", Value: (*crypto.Decrypter)(nil)},
		{Name: "DecrypterOpts", Value: (*crypto.DecrypterOpts)(nil)},
		{Name: "Encapsulator", Value: (*crypto.Encapsulator)(nil)},
		{Name: "Hash", Value: (*crypto.Hash)(nil), With: "Available HashFunc Size String"},
		{Name: "Hash.New", Value: cryptoHashNew, Why: "a stop is let through in long texts"},
		{Name: "MessageSigner", Value: (*crypto.MessageSigner)(nil)},
		{Name: "PrivateKey", Value: (*crypto.PrivateKey)(nil)},
		{Name: "PublicKey", Value: (*crypto.PublicKey)(nil)},
		{Name: "Signer", Value: (*crypto.Signer)(nil)},
		{Name: "SignerOpts", Value: (*crypto.SignerOpts)(nil)},

		{Name: "SignMessage", Value: crypto.SignMessage},

		{Name: "BLAKE2b_256", Value: crypto.BLAKE2b_256},
		{Name: "BLAKE2b_384", Value: crypto.BLAKE2b_384},
		{Name: "BLAKE2b_512", Value: crypto.BLAKE2b_512},
		{Name: "BLAKE2s_256", Value: crypto.BLAKE2s_256},
		{Name: "MD4", Value: crypto.MD4},
		{Name: "MD5", Value: crypto.MD5},
		{Name: "MD5SHA1", Value: crypto.MD5SHA1},
		{Name: "RIPEMD160", Value: crypto.RIPEMD160},
		{Name: "SHA1", Value: crypto.SHA1},
		{Name: "SHA224", Value: crypto.SHA224},
		{Name: "SHA256", Value: crypto.SHA256},
		{Name: "SHA384", Value: crypto.SHA384},
		{Name: "SHA3_224", Value: crypto.SHA3_224},
		{Name: "SHA3_256", Value: crypto.SHA3_256},
		{Name: "SHA3_384", Value: crypto.SHA3_384},
		{Name: "SHA3_512", Value: crypto.SHA3_512},
		{Name: "SHA512", Value: crypto.SHA512},
		{Name: "SHA512_224", Value: crypto.SHA512_224},
		{Name: "SHA512_256", Value: crypto.SHA512_256},
	},
	Denied: []Denial{
		{Names: "RegisterHash", Why: "the register is the host's"},
	},
}
