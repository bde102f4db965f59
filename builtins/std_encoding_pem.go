package builtins

import "encoding/pem"

var stdEncodingPem = Package{
	Path: "encoding/pem",
	Members: []Member{
		{Name: "Block", Value: (*pem.Block)(nil), With: "Bytes Headers Type"},

		{Name: "Decode", Value: pem.Decode},
		{Name: "Encode", Value: pem.Encode},
		{Name: "EncodeToMemory", Value: pem.EncodeToMemory},
	},
}
