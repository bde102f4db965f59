package builtins

import "encoding/base32"

var stdEncodingBase32 = Package{
	Path:    "encoding/base32",
	Bounded: "CorruptInputError.Error Encoding.DecodedLen Encoding.Encode Encoding.EncodedLen Encoding.WithPadding NewEncoding",
	Members: []Member{
		{Name: "CorruptInputError", Value: (*base32.CorruptInputError)(nil), With: "Error"},
		{Name: "Encoding", Value: (*base32.Encoding)(nil), With: "DecodedLen Encode EncodedLen WithPadding"},
		{Name: "Encoding.AppendEncode", Value: base32AppendEncode, Why: "its result is larger than what it is given"},
		{Name: "Encoding.AppendDecode", Value: slowThirdPair(8, (*base32.Encoding).AppendDecode), Why: "takes far longer than its text is"},
		{Name: "Encoding.Decode", Value: slowThirdPair(8, (*base32.Encoding).Decode), Why: "takes far longer than its text is"},
		{Name: "Encoding.DecodeString", Value: slowLastPair(8, (*base32.Encoding).DecodeString), Why: "takes far longer than its text is"},
		{Name: "Encoding.EncodeToString", Value: base32EncodeToString, Why: "its result is larger than what it is given"},

		{Name: "NewDecoder", Value: base32NewDecoder, Why: "charges for what is read"},
		{Name: "NewEncoder", Value: base32NewEncoder, Why: "charges a buffer it writes to"},
		{Name: "NewEncoding", Value: base32.NewEncoding},

		{Name: "HexEncoding", Value: &base32.HexEncoding},
		{Name: "StdEncoding", Value: &base32.StdEncoding},

		{Name: "NoPadding", Value: base32.NoPadding},
		{Name: "StdPadding", Value: base32.StdPadding},
	},
}
