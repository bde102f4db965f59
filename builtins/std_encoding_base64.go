package builtins

import "encoding/base64"

var stdEncodingBase64 = Package{
	Path:    "encoding/base64",
	Bounded: "CorruptInputError.Error Encoding.DecodedLen Encoding.Encode Encoding.EncodedLen Encoding.Strict Encoding.WithPadding NewEncoding",
	Members: []Member{
		{Name: "CorruptInputError", Value: (*base64.CorruptInputError)(nil), With: "Error"},
		{Name: "Encoding", Value: (*base64.Encoding)(nil), With: "DecodedLen Encode EncodedLen Strict WithPadding"},
		{Name: "Encoding.AppendEncode", Value: base64AppendEncode, Why: "its result is larger than what it is given"},
		{Name: "Encoding.AppendDecode", Value: slowThirdPair(6, (*base64.Encoding).AppendDecode), Why: "takes far longer than its text is"},
		{Name: "Encoding.Decode", Value: slowThirdPair(6, (*base64.Encoding).Decode), Why: "takes far longer than its text is"},
		{Name: "Encoding.DecodeString", Value: slowLastPair(6, (*base64.Encoding).DecodeString), Why: "takes far longer than its text is"},
		{Name: "Encoding.EncodeToString", Value: base64EncodeToString, Why: "its result is larger than what it is given"},

		{Name: "NewDecoder", Value: base64NewDecoder, Why: "charges for what is read"},
		{Name: "NewEncoder", Value: base64NewEncoder, Why: "charges a buffer it writes to"},
		{Name: "NewEncoding", Value: base64.NewEncoding},

		{Name: "RawStdEncoding", Value: &base64.RawStdEncoding},
		{Name: "RawURLEncoding", Value: &base64.RawURLEncoding},
		{Name: "StdEncoding", Value: &base64.StdEncoding},
		{Name: "URLEncoding", Value: &base64.URLEncoding},

		{Name: "NoPadding", Value: base64.NoPadding},
		{Name: "StdPadding", Value: base64.StdPadding},
	},
}
