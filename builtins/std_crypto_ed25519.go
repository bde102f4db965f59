package builtins

import "crypto/ed25519"

var stdCryptoEd25519 = Package{
	Path:    "crypto/ed25519",
	Bounded: "Options.HashFunc PrivateKey.Equal PrivateKey.Public PrivateKey.Seed PublicKey.Equal NewKeyFromSeed",
	Members: []Member{
		{Name: "Options", Value: (*ed25519.Options)(nil), With: "Context Hash HashFunc"},
		{Name: "PrivateKey", Value: (*ed25519.PrivateKey)(nil), With: "Equal Public Seed"},
		{Name: "PrivateKey.Sign", Value: ed25519KeySign, Why: "reads a long message twice"},
		{Name: "PublicKey", Value: (*ed25519.PublicKey)(nil), With: "Equal"},

		{Name: "GenerateKey", Value: ed25519GenerateKey, Needs: "random", Why: "the run's random numbers"},
		{Name: "NewKeyFromSeed", Value: ed25519.NewKeyFromSeed},
		{Name: "Sign", Value: ed25519Sign, Why: "reads a long message twice"},
		{Name: "Verify", Value: ed25519Verify, Why: "a long message takes its time"},
		{Name: "VerifyWithOptions", Value: ed25519VerifyWithOptions, Why: "a long message takes its time"},

		{Name: "PrivateKeySize", Value: Literal("64")},
		{Name: "PublicKeySize", Value: Literal("32")},
		{Name: "SeedSize", Value: Literal("32")},
		{Name: "SignatureSize", Value: Literal("64")},
	},
}
