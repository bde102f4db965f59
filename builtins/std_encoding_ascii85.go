package builtins

import "encoding/ascii85"

var stdEncodingAscii85 = Package{
	Path:    "encoding/ascii85",
	Bounded: "CorruptInputError.Error Decode Encode MaxEncodedLen",
	Members: []Member{
		{Name: "CorruptInputError", Value: (*ascii85.CorruptInputError)(nil), With: "Error"},

		{Name: "Decode", Value: ascii85.Decode},
		{Name: "Encode", Value: ascii85.Encode},
		{Name: "MaxEncodedLen", Value: ascii85.MaxEncodedLen},
		{Name: "NewDecoder", Value: ascii85NewDecoder, Why: "charges for what is read"},
		{Name: "NewEncoder", Value: ascii85NewEncoder, Why: "charges a buffer it writes to"},
	},
}
