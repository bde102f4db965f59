package builtins

import "encoding/pem"

var stdEncodingPem = Package{
	Path:    "encoding/pem",
	Bounded: "Encode EncodeToMemory",
	Members: []Member{
		{Name: "Block", Value: (*pem.Block)(nil), With: "Bytes Headers Type"},

		{Name: "Decode", Value: pemDecode, Why: "headers take far more than their text is"},
		{Name: "Encode", Value: pem.Encode},
		{Name: "EncodeToMemory", Value: pem.EncodeToMemory},
	},
}
