package builtins

import "crypto/sha3"

var stdCryptoSha3 = Package{
	Path: "crypto/sha3",
	Bounded: "SHA3.AppendBinary SHA3.BlockSize SHA3.Clone SHA3.MarshalBinary SHA3.Reset SHA3.Size SHA3.Sum SHA3.UnmarshalBinary SHAKE.AppendBinary SHAKE.BlockSize SHAKE.MarshalBinary SHAKE.Reset " +
		"SHAKE.UnmarshalBinary New224 New256 New384 New512 NewSHAKE128 NewSHAKE256",
	Members: []Member{
		{Name: "SHA3", Value: (*sha3.SHA3)(nil), With: "AppendBinary BlockSize Clone MarshalBinary Reset Size Sum UnmarshalBinary"},
		{Name: "SHA3.Write", Value: sha3Write, Why: "a stop is let through in long texts"},
		{Name: "SHAKE", Value: (*sha3.SHAKE)(nil), With: "AppendBinary BlockSize MarshalBinary Reset UnmarshalBinary"},
		{Name: "SHAKE.Read", Value: shakeRead, Why: "a stop is let through in long texts"},
		{Name: "SHAKE.Write", Value: shakeWrite, Why: "a stop is let through in long texts"},

		{Name: "New224", Value: sha3.New224},
		{Name: "New256", Value: sha3.New256},
		{Name: "New384", Value: sha3.New384},
		{Name: "New512", Value: sha3.New512},
		{Name: "NewCSHAKE128", Value: newCSHAKE(sha3.NewCSHAKE128), Why: "the hash keeps copies of the names"},
		{Name: "NewCSHAKE256", Value: newCSHAKE(sha3.NewCSHAKE256), Why: "the hash keeps copies of the names"},
		{Name: "NewSHAKE128", Value: sha3.NewSHAKE128},
		{Name: "NewSHAKE256", Value: sha3.NewSHAKE256},
		{Name: "Sum224", Value: sha3Sum224, Why: "long texts take long"},
		{Name: "Sum256", Value: sha3Sum256, Why: "long texts take long"},
		{Name: "Sum384", Value: sha3Sum384, Why: "long texts take long"},
		{Name: "Sum512", Value: sha3Sum512, Why: "long texts take long"},
		{Name: "SumSHAKE128", Value: sha3Shake128, Why: "as long as asked for"},
		{Name: "SumSHAKE256", Value: sha3Shake256, Why: "as long as asked for"},
	},
}
