package builtins

var stdCryptoHkdf = Package{
	Path:   "crypto/hkdf",
	Shows:  "hash",
	Source: hkdfSource,
}
