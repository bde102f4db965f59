package builtins

var stdCryptoPbkdf2 = Package{
	Path:   "crypto/pbkdf2",
	Shows:  "hash",
	Source: pbkdf2Source,
}
