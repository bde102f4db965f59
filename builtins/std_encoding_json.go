package builtins

import "encoding/json"

var stdEncodingJSON = Package{
	Path: "encoding/json",
	Bounded: "Delim.String InvalidUTF8Error.Error InvalidUnmarshalError.Error MarshalerError.Error MarshalerError.Unwrap Number.String RawMessage.MarshalJSON RawMessage.UnmarshalJSON " +
		"SyntaxError.Error UnmarshalFieldError.Error UnmarshalTypeError.Error UnsupportedTypeError.Error UnsupportedValueError.Error",
	Holds: "NewDecoder=288",
	scan:  true,
	Members: []Member{
		{Name: "Decoder", Value: (*JSONDecoder)(nil), With: "Buffered Decode DisallowUnknownFields InputOffset More Token UseNumber", Why: "Go's own cannot be stopped, and its memory is not counted"},
		{Name: "Delim", Value: (*json.Delim)(nil), With: "String"},
		{Name: "Encoder", Value: (*JSONEncoder)(nil), With: "Encode SetEscapeHTML SetIndent", Why: "Go's own cannot be stopped, and its memory is not counted"},
		{Name: "InvalidUTF8Error", Value: (*json.InvalidUTF8Error)(nil), With: "Error S"},
		{Name: "InvalidUnmarshalError", Value: (*json.InvalidUnmarshalError)(nil), With: "Error Type"},
		{Name: "Marshaler", Value: (*json.Marshaler)(nil)},
		{Name: "MarshalerError", Value: (*json.MarshalerError)(nil), With: "Err Error Type Unwrap"},
		{Name: "Number", Value: (*json.Number)(nil), With: "String"},
		{Name: "Number.Float64", Value: parsing(6, 1, json.Number.Float64), Why: "takes far longer than its text is"},
		{Name: "Number.Int64", Value: parsing(6, 1, json.Number.Int64), Why: "takes far longer than its text is"},
		{Name: "RawMessage", Value: (*json.RawMessage)(nil), With: "MarshalJSON UnmarshalJSON"},
		{Name: "SyntaxError", Value: (*json.SyntaxError)(nil), With: "Error Offset"},
		{Name: "Token", Value: (*json.Token)(nil)},
		{Name: "UnmarshalFieldError", Value: (*json.UnmarshalFieldError)(nil), With: "Error Field Key Type"},
		{Name: "UnmarshalTypeError", Value: (*json.UnmarshalTypeError)(nil), With: "Error Field Offset Struct Type Value"},
		{Name: "Unmarshaler", Value: (*json.Unmarshaler)(nil)},
		{Name: "UnsupportedTypeError", Value: (*json.UnsupportedTypeError)(nil), With: "Error Type"},
		{Name: "UnsupportedValueError", Value: (*json.UnsupportedValueError)(nil), With: "Error Str"},

		{Name: "Compact", Value: jsonCompact},
		{Name: "HTMLEscape", Value: jsonHTMLEscape},
		{Name: "Indent", Value: jsonIndent},
		{Name: "Marshal", Value: jsonMarshal},
		{Name: "MarshalIndent", Value: jsonMarshalIndent},
		{Name: "NewDecoder", Value: jsonNewDecoder},
		{Name: "NewEncoder", Value: jsonNewEncoder},
		{Name: "Unmarshal", Value: jsonUnmarshal},
		{Name: "Valid", Value: jsonValid},
	},
	Denied: []Denial{
		{Names: "UnsupportedValueError.Value", Why: "a value of package reflect that the host has made", Instead: "UnsupportedValueError.Str"},
	},
}
