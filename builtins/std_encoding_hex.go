package builtins

import "encoding/hex"

var stdEncodingHex = Package{
	Path:    "encoding/hex",
	Bounded: "InvalidByteError.Error AppendDecode Decode DecodeString DecodedLen Encode EncodedLen",
	Members: []Member{
		{Name: "InvalidByteError", Value: (*hex.InvalidByteError)(nil), With: "Error"},

		{Name: "AppendDecode", Value: hex.AppendDecode},
		{Name: "AppendEncode", Value: hexAppendEncode, Why: "its result is larger than what it is given"},
		{Name: "Decode", Value: hex.Decode},
		{Name: "DecodeString", Value: hex.DecodeString},
		{Name: "DecodedLen", Value: hex.DecodedLen},
		{Name: "Dump", Value: hexDump, Why: "its result is larger than what it is given"},
		{Name: "Dumper", Value: hexDumper, Why: "charges a buffer it writes to"},
		{Name: "Encode", Value: hex.Encode},
		{Name: "EncodeToString", Value: hexEncodeToString, Why: "its result is larger than what it is given"},
		{Name: "EncodedLen", Value: hex.EncodedLen},
		{Name: "NewDecoder", Value: hexNewDecoder, Why: "charges for what is read"},
		{Name: "NewEncoder", Value: hexNewEncoder, Why: "charges a buffer it writes to"},

		{Name: "ErrLength", Value: &hex.ErrLength},
	},
}
