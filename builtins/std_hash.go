package builtins

import "hash"

var stdHash = Package{
	Path: "hash",
	scan: true,
	Members: []Member{
		{Name: "digest", Value: (*digest)(nil), With: "AppendBinary BlockSize MarshalBinary Reset Size Sum UnmarshalBinary Write WriteString", Why: "what makers of hashes return, for assertions"},

		{Name: "Cloner", Value: (*hash.Cloner)(nil)},
		{Name: "Hash", Value: (*hash.Hash)(nil)},
		{Name: "Hash32", Value: (*hash.Hash32)(nil)},
		{Name: "Hash64", Value: (*hash.Hash64)(nil)},
		{Name: "XOF", Value: (*hash.XOF)(nil)},
	},
}
