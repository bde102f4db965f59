package builtins

import "crypto/hmac"

var stdCryptoHmac = Package{
	Path:    "crypto/hmac",
	Bounded: "Equal",
	Holds:   "New=512",
	Members: []Member{
		{Name: "Equal", Value: hmac.Equal},
		{Name: "New", Value: hmacNew, Why: "a stop is let through in long texts"},
	},
}
