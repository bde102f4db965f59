package builtins

import "crypto/hmac"

var stdCryptoHmac = Package{
	Path: "crypto/hmac",
	Members: []Member{
		{Name: "Equal", Value: hmac.Equal},
		{Name: "New", Value: hmacNew, Why: "a stop is let through in long texts"},
	},
}
