package std

import (
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha3"
	"crypto/subtle"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimcrypto "github.com/sandtrap-go/sandtrap/builtins/internal/shim/crypto"
)

var stdCrypto = rows.Package{
	Path:    "crypto",
	Bounded: "Hash.Available Hash.HashFunc Hash.Size Hash.String SignMessage",
	Members: []rows.Member{
		{Name: "Decapsulator", Value: (*crypto.Decapsulator)(nil)},
		{Name: "Decrypter", Value: (*crypto.Decrypter)(nil)},
		{Name: "DecrypterOpts", Value: (*crypto.DecrypterOpts)(nil)},
		{Name: "Encapsulator", Value: (*crypto.Encapsulator)(nil)},
		{Name: "Hash", Value: (*crypto.Hash)(nil), With: "Available HashFunc Size String"},
		{Name: "Hash.New", Value: shimcrypto.CryptoHashNew, Why: "a stop is let through in long texts"},
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
	Denied: []rows.Denial{
		{Names: "RegisterHash", Why: "the register is the host's"},
	},
}

var stdCryptoAes = rows.Package{
	Path:    "crypto/aes",
	Bounded: "KeySizeError.Error NewCipher",
	Members: []rows.Member{
		{Name: "KeySizeError", Value: (*aes.KeySizeError)(nil), With: "Error"},

		{Name: "NewCipher", Value: aes.NewCipher},

		{Name: "BlockSize", Value: rows.Literal("16")},
	},
}

var stdCryptoCipher = rows.Package{
	Path:    "crypto/cipher",
	Bounded: "NewCBCDecrypter NewCBCEncrypter NewCFBDecrypter NewCFBEncrypter NewCTR NewGCM NewGCMWithNonceSize NewGCMWithTagSize NewOFB",
	Renamed: true,
	Members: []rows.Member{
		{Name: "AEAD", Value: (*cipher.AEAD)(nil)},
		{Name: "Block", Value: (*cipher.Block)(nil)},
		{Name: "BlockMode", Value: (*cipher.BlockMode)(nil)},
		{Name: "Stream", Value: (*cipher.Stream)(nil)},
		{Name: "StreamReader", Value: (*shim.StreamReader)(nil), With: "R Read S"},
		{Name: "StreamWriter", Value: (*shim.StreamWriter)(nil), With: "Close Err S W Write"},

		{Name: "NewCBCDecrypter", Value: cipher.NewCBCDecrypter},
		{Name: "NewCBCEncrypter", Value: cipher.NewCBCEncrypter},
		{Name: "NewCFBDecrypter", Value: cipher.NewCFBDecrypter},
		{Name: "NewCFBEncrypter", Value: cipher.NewCFBEncrypter},
		{Name: "NewCTR", Value: cipher.NewCTR},
		{Name: "NewGCM", Value: cipher.NewGCM},
		{Name: "NewGCMWithNonceSize", Value: cipher.NewGCMWithNonceSize},
		{Name: "NewGCMWithTagSize", Value: cipher.NewGCMWithTagSize},
		{Name: "NewOFB", Value: cipher.NewOFB},
	},
	Denied: []rows.Denial{
		{Names: "NewGCMWithRandomNonce", Why: "takes random numbers of the host's", Instead: "crypto/rand.Read"},
	},
}

var stdCryptoEd25519 = rows.Package{
	Path:    "crypto/ed25519",
	Bounded: "Options.HashFunc PrivateKey.Equal PrivateKey.Public PrivateKey.Seed PublicKey.Equal NewKeyFromSeed",
	Members: []rows.Member{
		{Name: "Options", Value: (*ed25519.Options)(nil), With: "Context Hash HashFunc"},
		{Name: "PrivateKey", Value: (*ed25519.PrivateKey)(nil), With: "Equal Public Seed"},
		{Name: "PrivateKey.Sign", Value: shimcrypto.Ed25519KeySign, Why: "reads a long message twice"},
		{Name: "PublicKey", Value: (*ed25519.PublicKey)(nil), With: "Equal"},

		{Name: "GenerateKey", Value: shimcrypto.Ed25519GenerateKey, Needs: "random", Why: "the run's random numbers"},
		{Name: "NewKeyFromSeed", Value: ed25519.NewKeyFromSeed},
		{Name: "Sign", Value: shimcrypto.Ed25519Sign, Why: "reads a long message twice"},
		{Name: "Verify", Value: shimcrypto.Ed25519Verify, Why: "a long message takes its time"},
		{Name: "VerifyWithOptions", Value: shimcrypto.Ed25519VerifyWithOptions, Why: "a long message takes its time"},

		{Name: "PrivateKeySize", Value: rows.Literal("64")},
		{Name: "PublicKeySize", Value: rows.Literal("32")},
		{Name: "SeedSize", Value: rows.Literal("32")},
		{Name: "SignatureSize", Value: rows.Literal("64")},
	},
}

var stdCryptoHkdf = rows.Package{
	Path:   "crypto/hkdf",
	Shows:  "hash",
	Source: hkdfSource,
}

var stdCryptoHmac = rows.Package{
	Path:    "crypto/hmac",
	Bounded: "Equal",
	Holds:   "New=512",
	Members: []rows.Member{
		{Name: "Equal", Value: hmac.Equal},
		{Name: "New", Value: shimcrypto.HmacNew, Why: "a stop is let through in long texts"},
	},
}

var stdCryptoMd5 = rows.Package{
	Path: "crypto/md5",
	Members: []rows.Member{
		{Name: "New", Value: shimcrypto.Md5New, Why: "a stop is let through in long texts"},
		{Name: "Sum", Value: shimcrypto.Md5Sum, Why: "long texts take long"},

		{Name: "BlockSize", Value: rows.Literal("64")},
		{Name: "Size", Value: rows.Literal("16")},
	},
}

var stdCryptoPbkdf2 = rows.Package{
	Path:   "crypto/pbkdf2",
	Shows:  "hash",
	Source: pbkdf2Source,
}

var stdCryptoRand = rows.Package{
	Path: "crypto/rand",
	Members: []rows.Member{
		{Name: "Int", Value: shimcrypto.CryptoRandInt, Why: "tries until it finds one"},
		{Name: "Prime", Value: shimcrypto.CryptoRandPrime, Why: "tries until it finds one"},
		{Name: "Read", Value: shimcrypto.CryptoRandRead, Needs: "random", Why: "the run's random numbers"},
		{Name: "Text", Value: shimcrypto.CryptoRandText, Needs: "random", Why: "the run's random numbers"},

		{Name: "Reader", Value: shimcrypto.CryptoRandReader, Needs: "random", Why: "the run's random numbers"},
	},
}

var stdCryptoSha1 = rows.Package{
	Path: "crypto/sha1",
	Members: []rows.Member{
		{Name: "New", Value: shimcrypto.Sha1New, Why: "a stop is let through in long texts"},
		{Name: "Sum", Value: shimcrypto.Sha1Sum, Why: "long texts take long"},

		{Name: "BlockSize", Value: rows.Literal("64")},
		{Name: "Size", Value: rows.Literal("20")},
	},
}

var stdCryptoSha256 = rows.Package{
	Path: "crypto/sha256",
	Members: []rows.Member{
		{Name: "New", Value: shimcrypto.Sha256New, Why: "a stop is let through in long texts"},
		{Name: "New224", Value: shimcrypto.Sha256New224, Why: "a stop is let through in long texts"},
		{Name: "Sum224", Value: shimcrypto.Sha256Sum224, Why: "long texts take long"},
		{Name: "Sum256", Value: shimcrypto.Sha256Sum256, Why: "long texts take long"},

		{Name: "BlockSize", Value: rows.Literal("64")},
		{Name: "Size", Value: rows.Literal("32")},
		{Name: "Size224", Value: rows.Literal("28")},
	},
}

var stdCryptoSha3 = rows.Package{
	Path: "crypto/sha3",
	Bounded: "SHA3.AppendBinary SHA3.BlockSize SHA3.Clone SHA3.MarshalBinary SHA3.Reset SHA3.Size SHA3.Sum SHA3.UnmarshalBinary SHAKE.AppendBinary SHAKE.BlockSize SHAKE.MarshalBinary SHAKE.Reset " +
		"SHAKE.UnmarshalBinary New224 New256 New384 New512 NewSHAKE128 NewSHAKE256",
	Members: []rows.Member{
		{Name: "SHA3", Value: (*sha3.SHA3)(nil), With: "AppendBinary BlockSize Clone MarshalBinary Reset Size Sum UnmarshalBinary"},
		{Name: "SHA3.Write", Value: shimcrypto.Sha3Write, Why: "a stop is let through in long texts"},
		{Name: "SHAKE", Value: (*sha3.SHAKE)(nil), With: "AppendBinary BlockSize MarshalBinary Reset UnmarshalBinary"},
		{Name: "SHAKE.Read", Value: shimcrypto.ShakeRead, Why: "a stop is let through in long texts"},
		{Name: "SHAKE.Write", Value: shimcrypto.ShakeWrite, Why: "a stop is let through in long texts"},

		{Name: "New224", Value: sha3.New224},
		{Name: "New256", Value: sha3.New256},
		{Name: "New384", Value: sha3.New384},
		{Name: "New512", Value: sha3.New512},
		{Name: "NewCSHAKE128", Value: shimcrypto.NewCSHAKE(sha3.NewCSHAKE128), Why: "the hash keeps copies of the names"},
		{Name: "NewCSHAKE256", Value: shimcrypto.NewCSHAKE(sha3.NewCSHAKE256), Why: "the hash keeps copies of the names"},
		{Name: "NewSHAKE128", Value: sha3.NewSHAKE128},
		{Name: "NewSHAKE256", Value: sha3.NewSHAKE256},
		{Name: "Sum224", Value: shimcrypto.Sha3Sum224, Why: "long texts take long"},
		{Name: "Sum256", Value: shimcrypto.Sha3Sum256, Why: "long texts take long"},
		{Name: "Sum384", Value: shimcrypto.Sha3Sum384, Why: "long texts take long"},
		{Name: "Sum512", Value: shimcrypto.Sha3Sum512, Why: "long texts take long"},
		{Name: "SumSHAKE128", Value: shimcrypto.Sha3Shake128, Why: "as long as asked for"},
		{Name: "SumSHAKE256", Value: shimcrypto.Sha3Shake256, Why: "as long as asked for"},
	},
}

var stdCryptoSha512 = rows.Package{
	Path:  "crypto/sha512",
	Holds: "New=288 New384=288 New512_224=288 New512_256=288",
	Members: []rows.Member{
		{Name: "New", Value: shimcrypto.Sha512New, Why: "a stop is let through in long texts"},
		{Name: "New384", Value: shimcrypto.Sha512New384, Why: "a stop is let through in long texts"},
		{Name: "New512_224", Value: shimcrypto.Sha512New224, Why: "a stop is let through in long texts"},
		{Name: "New512_256", Value: shimcrypto.Sha512New256, Why: "a stop is let through in long texts"},
		{Name: "Sum384", Value: shimcrypto.Sha512Sum384, Why: "long texts take long"},
		{Name: "Sum512", Value: shimcrypto.Sha512Sum512, Why: "long texts take long"},
		{Name: "Sum512_224", Value: shimcrypto.Sha512Sum224, Why: "long texts take long"},
		{Name: "Sum512_256", Value: shimcrypto.Sha512Sum256, Why: "long texts take long"},

		{Name: "BlockSize", Value: rows.Literal("128")},
		{Name: "Size", Value: rows.Literal("64")},
		{Name: "Size224", Value: rows.Literal("28")},
		{Name: "Size256", Value: rows.Literal("32")},
		{Name: "Size384", Value: rows.Literal("48")},
	},
}

var stdCryptoSubtle = rows.Package{
	Path:    "crypto/subtle",
	Bounded: "ConstantTimeByteEq ConstantTimeCompare ConstantTimeCopy ConstantTimeEq ConstantTimeLessOrEq ConstantTimeSelect XORBytes",
	Members: []rows.Member{
		{Name: "ConstantTimeByteEq", Value: subtle.ConstantTimeByteEq},
		{Name: "ConstantTimeCompare", Value: subtle.ConstantTimeCompare},
		{Name: "ConstantTimeCopy", Value: subtle.ConstantTimeCopy},
		{Name: "ConstantTimeEq", Value: subtle.ConstantTimeEq},
		{Name: "ConstantTimeLessOrEq", Value: subtle.ConstantTimeLessOrEq},
		{Name: "ConstantTimeSelect", Value: subtle.ConstantTimeSelect},
		{Name: "WithDataIndependentTiming", Value: shimcrypto.SubtleDo, Why: "would set the host's processor"},
		{Name: "XORBytes", Value: subtle.XORBytes},
	},
}
