package builtins

import "crypto/subtle"

var stdCryptoSubtle = Package{
	Path:    "crypto/subtle",
	Bounded: "ConstantTimeByteEq ConstantTimeCompare ConstantTimeCopy ConstantTimeEq ConstantTimeLessOrEq ConstantTimeSelect XORBytes",
	Members: []Member{
		{Name: "ConstantTimeByteEq", Value: subtle.ConstantTimeByteEq},
		{Name: "ConstantTimeCompare", Value: subtle.ConstantTimeCompare},
		{Name: "ConstantTimeCopy", Value: subtle.ConstantTimeCopy},
		{Name: "ConstantTimeEq", Value: subtle.ConstantTimeEq},
		{Name: "ConstantTimeLessOrEq", Value: subtle.ConstantTimeLessOrEq},
		{Name: "ConstantTimeSelect", Value: subtle.ConstantTimeSelect},
		{Name: "WithDataIndependentTiming", Value: subtleDo, Why: "would set the host's processor"},
		{Name: "XORBytes", Value: subtle.XORBytes},
	},
}
