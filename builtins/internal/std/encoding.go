package std

import (
	"encoding"
	"encoding/ascii85"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	goxml "encoding/xml"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimencoding "github.com/sandtrap-go/sandtrap/builtins/internal/shim/encoding"
	"github.com/sandtrap-go/sandtrap/internal/gob"
	"github.com/sandtrap-go/sandtrap/internal/xml"
)

var stdEncoding = rows.Package{
	Path: "encoding",
	Members: []rows.Member{
		{Name: "BinaryAppender", Value: (*encoding.BinaryAppender)(nil)},
		{Name: "BinaryMarshaler", Value: (*encoding.BinaryMarshaler)(nil)},
		{Name: "BinaryUnmarshaler", Value: (*encoding.BinaryUnmarshaler)(nil)},
		{Name: "TextAppender", Value: (*encoding.TextAppender)(nil)},
		{Name: "TextMarshaler", Value: (*encoding.TextMarshaler)(nil)},
		{Name: "TextUnmarshaler", Value: (*encoding.TextUnmarshaler)(nil)},
	},
}

var stdEncodingAscii85 = rows.Package{
	Path:    "encoding/ascii85",
	Bounded: "CorruptInputError.Error Decode Encode MaxEncodedLen",
	Members: []rows.Member{
		{Name: "CorruptInputError", Value: (*ascii85.CorruptInputError)(nil), With: "Error"},

		{Name: "Decode", Value: ascii85.Decode},
		{Name: "Encode", Value: ascii85.Encode},
		{Name: "MaxEncodedLen", Value: ascii85.MaxEncodedLen},
		{Name: "NewDecoder", Value: shimencoding.Ascii85NewDecoder, Why: "charges for what is read"},
		{Name: "NewEncoder", Value: shimencoding.Ascii85NewEncoder, Why: "charges a buffer it writes to"},
	},
}

var stdEncodingBase32 = rows.Package{
	Path:    "encoding/base32",
	Bounded: "CorruptInputError.Error Encoding.DecodedLen Encoding.Encode Encoding.EncodedLen Encoding.WithPadding NewEncoding",
	Members: []rows.Member{
		{Name: "CorruptInputError", Value: (*base32.CorruptInputError)(nil), With: "Error"},
		{Name: "Encoding", Value: (*base32.Encoding)(nil), With: "DecodedLen Encode EncodedLen WithPadding"},
		{Name: "Encoding.AppendEncode", Value: shimencoding.Base32AppendEncode, Why: "its result is larger than what it is given"},
		{Name: "Encoding.AppendDecode", Value: shim.SlowThirdPair(8, (*base32.Encoding).AppendDecode), Why: "takes far longer than its text is"},
		{Name: "Encoding.Decode", Value: shim.SlowThirdPair(8, (*base32.Encoding).Decode), Why: "takes far longer than its text is"},
		{Name: "Encoding.DecodeString", Value: shim.SlowLastPair(8, (*base32.Encoding).DecodeString), Why: "takes far longer than its text is"},
		{Name: "Encoding.EncodeToString", Value: shimencoding.Base32EncodeToString, Why: "its result is larger than what it is given"},

		{Name: "NewDecoder", Value: shimencoding.Base32NewDecoder, Why: "charges for what is read"},
		{Name: "NewEncoder", Value: shimencoding.Base32NewEncoder, Why: "charges a buffer it writes to"},
		{Name: "NewEncoding", Value: base32.NewEncoding},

		{Name: "HexEncoding", Value: &base32.HexEncoding},
		{Name: "StdEncoding", Value: &base32.StdEncoding},

		{Name: "NoPadding", Value: base32.NoPadding},
		{Name: "StdPadding", Value: base32.StdPadding},
	},
}

var stdEncodingBase64 = rows.Package{
	Path:    "encoding/base64",
	Bounded: "CorruptInputError.Error Encoding.DecodedLen Encoding.Encode Encoding.EncodedLen Encoding.Strict Encoding.WithPadding NewEncoding",
	Members: []rows.Member{
		{Name: "CorruptInputError", Value: (*base64.CorruptInputError)(nil), With: "Error"},
		{Name: "Encoding", Value: (*base64.Encoding)(nil), With: "DecodedLen Encode EncodedLen Strict WithPadding"},
		{Name: "Encoding.AppendEncode", Value: shimencoding.Base64AppendEncode, Why: "its result is larger than what it is given"},
		{Name: "Encoding.AppendDecode", Value: shim.SlowThirdPair(6, (*base64.Encoding).AppendDecode), Why: "takes far longer than its text is"},
		{Name: "Encoding.Decode", Value: shim.SlowThirdPair(6, (*base64.Encoding).Decode), Why: "takes far longer than its text is"},
		{Name: "Encoding.DecodeString", Value: shim.SlowLastPair(6, (*base64.Encoding).DecodeString), Why: "takes far longer than its text is"},
		{Name: "Encoding.EncodeToString", Value: shimencoding.Base64EncodeToString, Why: "its result is larger than what it is given"},

		{Name: "NewDecoder", Value: shimencoding.Base64NewDecoder, Why: "charges for what is read"},
		{Name: "NewEncoder", Value: shimencoding.Base64NewEncoder, Why: "charges a buffer it writes to"},
		{Name: "NewEncoding", Value: base64.NewEncoding},

		{Name: "RawStdEncoding", Value: &base64.RawStdEncoding},
		{Name: "RawURLEncoding", Value: &base64.RawURLEncoding},
		{Name: "StdEncoding", Value: &base64.StdEncoding},
		{Name: "URLEncoding", Value: &base64.URLEncoding},

		{Name: "NoPadding", Value: base64.NoPadding},
		{Name: "StdPadding", Value: base64.StdPadding},
	},
}

var stdEncodingBinary = rows.Package{
	Path:    "encoding/binary",
	Engine:  "Append=binary-out Encode=binary-out Write=binary-out Decode=binary-in Read=binary-in Size=binary-size",
	Bounded: "AppendUvarint AppendVarint Decode Encode PutUvarint PutVarint ReadUvarint ReadVarint Size Uvarint Varint",
	Renamed: true,
	Members: []rows.Member{
		{Name: "AppendByteOrder", Value: (*binary.AppendByteOrder)(nil)},
		{Name: "ByteOrder", Value: (*binary.ByteOrder)(nil)},
		{Name: "bigEndian", Value: (*shimencoding.BigEndian)(nil), With: "AppendUint16 AppendUint32 AppendUint64 GoString PutUint16 PutUint32 PutUint64 String Uint16 Uint32 Uint64"},
		{Name: "littleEndian", Value: (*shimencoding.LittleEndian)(nil), With: "AppendUint16 AppendUint32 AppendUint64 GoString PutUint16 PutUint32 PutUint64 String Uint16 Uint32 Uint64"},
		{Name: "nativeEndian", Value: (*shimencoding.NativeEndian)(nil), With: "AppendUint16 AppendUint32 AppendUint64 PutUint16 PutUint32 PutUint64 String Uint16 Uint32 Uint64"},

		{Name: "Append", Value: shimencoding.BinaryAppend, Why: "its result is larger than what it is given"},
		{Name: "AppendUvarint", Value: binary.AppendUvarint},
		{Name: "AppendVarint", Value: binary.AppendVarint},
		{Name: "Decode", Value: binary.Decode},
		{Name: "Encode", Value: binary.Encode},
		{Name: "PutUvarint", Value: binary.PutUvarint},
		{Name: "PutVarint", Value: binary.PutVarint},
		{Name: "Read", Value: shimencoding.BinaryRead, Why: "charges for what is read"},
		{Name: "ReadUvarint", Value: binary.ReadUvarint},
		{Name: "ReadVarint", Value: binary.ReadVarint},
		{Name: "Size", Value: binary.Size},
		{Name: "Uvarint", Value: binary.Uvarint},
		{Name: "Varint", Value: binary.Varint},
		{Name: "Write", Value: shimencoding.BinaryWrite, Why: "charges a buffer it writes to"},

		{Name: "BigEndian", Value: &shimencoding.BinaryBig},
		{Name: "LittleEndian", Value: &shimencoding.BinaryLittle},
		{Name: "NativeEndian", Value: &shimencoding.BinaryNative},

		{Name: "MaxVarintLen16", Value: rows.Literal("3")},
		{Name: "MaxVarintLen32", Value: rows.Literal("5")},
		{Name: "MaxVarintLen64", Value: rows.Literal("10")},
	},
}

var stdEncodingCsv = rows.Package{
	Path:    "encoding/csv",
	Bounded: "ParseError.Error ParseError.Unwrap Reader.FieldPos Reader.InputOffset Reader.Read Reader.ReadAll Writer.Error Writer.Flush",
	Members: []rows.Member{
		{Name: "ParseError", Value: (*csv.ParseError)(nil), With: "Column Err Error Line StartLine Unwrap"},
		{Name: "Reader", Value: (*csv.Reader)(nil), With: "Comma Comment FieldPos FieldsPerRecord InputOffset LazyQuotes Read ReadAll ReuseRecord TrailingComma TrimLeadingSpace"},
		{Name: "Writer", Value: (*csv.Writer)(nil), With: "Comma Error Flush UseCRLF"},
		{Name: "Writer.Write", Value: shimencoding.CsvWrite},
		{Name: "Writer.WriteAll", Value: shimencoding.CsvWriteAll, Why: "the same record may be there many times"},

		{Name: "NewReader", Value: shimencoding.CsvNewReader, Why: "charges for what fields take beside their text"},
		{Name: "NewWriter", Value: shimencoding.CsvNewWriter, Why: "charges a buffer it writes to"},

		{Name: "ErrBareQuote", Value: &csv.ErrBareQuote},
		{Name: "ErrFieldCount", Value: &csv.ErrFieldCount},
		{Name: "ErrQuote", Value: &csv.ErrQuote},
		{Name: "ErrTrailingComma", Value: &csv.ErrTrailingComma},
	},
}

var stdEncodingGob = rows.Package{
	Path:    "encoding/gob",
	Renamed: true,
	Members: []rows.Member{
		{Name: "Decoder", Value: (*gob.Decoder)(nil), With: "Decode", Handle: true, Why: "Go's own finds nothing in values of a script"},
		{Name: "Encoder", Value: (*gob.Encoder)(nil), With: "Encode", Handle: true, Why: "Go's own finds nothing in values of a script"},
		{Name: "GobDecoder", Value: (*gob.GobDecoder)(nil)},
		{Name: "GobEncoder", Value: (*gob.GobEncoder)(nil)},

		{Name: "NewDecoder", Value: shimencoding.GobNewDecoder},
		{Name: "NewEncoder", Value: shimencoding.GobNewEncoder},
		{Name: "Register", Value: shimencoding.GobRegister, Why: "each run has its own names"},
		{Name: "RegisterName", Value: shimencoding.GobRegisterName, Why: "each run has its own names"},
	},
	Denied: []rows.Denial{
		{Names: "CommonType", Why: "is of no use outside of encoding/gob"},
		{Names: "Decoder.DecodeValue Encoder.EncodeValue", Why: "scripts have no values of package reflect", Instead: "Decode and Encode"},
	},
}

var stdEncodingHex = rows.Package{
	Path:    "encoding/hex",
	Bounded: "InvalidByteError.Error AppendDecode Decode DecodeString DecodedLen Encode EncodedLen",
	Members: []rows.Member{
		{Name: "InvalidByteError", Value: (*hex.InvalidByteError)(nil), With: "Error"},

		{Name: "AppendDecode", Value: hex.AppendDecode},
		{Name: "AppendEncode", Value: shimencoding.HexAppendEncode, Why: "its result is larger than what it is given"},
		{Name: "Decode", Value: hex.Decode},
		{Name: "DecodeString", Value: hex.DecodeString},
		{Name: "DecodedLen", Value: hex.DecodedLen},
		{Name: "Dump", Value: shimencoding.HexDump, Why: "its result is larger than what it is given"},
		{Name: "Dumper", Value: shimencoding.HexDumper, Why: "charges a buffer it writes to"},
		{Name: "Encode", Value: hex.Encode},
		{Name: "EncodeToString", Value: shimencoding.HexEncodeToString, Why: "its result is larger than what it is given"},
		{Name: "EncodedLen", Value: hex.EncodedLen},
		{Name: "NewDecoder", Value: shimencoding.HexNewDecoder, Why: "charges for what is read"},
		{Name: "NewEncoder", Value: shimencoding.HexNewEncoder, Why: "charges a buffer it writes to"},

		{Name: "ErrLength", Value: &hex.ErrLength},
	},
}

var stdEncodingJSON = rows.Package{
	Path:   "encoding/json",
	Engine: "Marshal=json-marshal MarshalIndent=json-marshal-indent Unmarshal=json-unmarshal Encoder.Encode=json-encode Decoder.Decode=json-decode",
	Bounded: "Delim.String InvalidUTF8Error.Error InvalidUnmarshalError.Error MarshalerError.Error MarshalerError.Unwrap Number.String RawMessage.MarshalJSON RawMessage.UnmarshalJSON " +
		"SyntaxError.Error UnmarshalFieldError.Error UnmarshalTypeError.Error UnsupportedTypeError.Error UnsupportedValueError.Error",
	Holds:   "NewDecoder=288",
	Renamed: true,
	Members: []rows.Member{
		{Name: "Decoder", Value: (*shimencoding.JSONDecoder)(nil), With: "Buffered Decode DisallowUnknownFields InputOffset More Token UseNumber", Why: "Go's own cannot be stopped, and its memory is not counted"},
		{Name: "Delim", Value: (*json.Delim)(nil), With: "String"},
		{Name: "Encoder", Value: (*shimencoding.JSONEncoder)(nil), With: "Encode SetEscapeHTML SetIndent", Why: "Go's own cannot be stopped, and its memory is not counted"},
		{Name: "InvalidUTF8Error", Value: (*json.InvalidUTF8Error)(nil), With: "Error S"},
		{Name: "InvalidUnmarshalError", Value: (*json.InvalidUnmarshalError)(nil), With: "Error Type"},
		{Name: "Marshaler", Value: (*json.Marshaler)(nil)},
		{Name: "MarshalerError", Value: (*json.MarshalerError)(nil), With: "Err Error Type Unwrap"},
		{Name: "Number", Value: (*json.Number)(nil), With: "String"},
		{Name: "Number.Float64", Value: shim.Parsing(6, 1, json.Number.Float64), Why: "takes far longer than its text is"},
		{Name: "Number.Int64", Value: shim.Parsing(6, 1, json.Number.Int64), Why: "takes far longer than its text is"},
		{Name: "RawMessage", Value: (*json.RawMessage)(nil), With: "MarshalJSON UnmarshalJSON"},
		{Name: "SyntaxError", Value: (*json.SyntaxError)(nil), With: "Error Offset"},
		{Name: "Token", Value: (*json.Token)(nil)},
		{Name: "UnmarshalFieldError", Value: (*json.UnmarshalFieldError)(nil), With: "Error Field Key Type"},
		{Name: "UnmarshalTypeError", Value: (*json.UnmarshalTypeError)(nil), With: "Error Field Offset Struct Type Value"},
		{Name: "Unmarshaler", Value: (*json.Unmarshaler)(nil)},
		{Name: "UnsupportedTypeError", Value: (*json.UnsupportedTypeError)(nil), With: "Error Type"},
		{Name: "UnsupportedValueError", Value: (*json.UnsupportedValueError)(nil), With: "Error Str"},

		{Name: "Compact", Value: shimencoding.JsonCompact},
		{Name: "HTMLEscape", Value: shimencoding.JsonHTMLEscape},
		{Name: "Indent", Value: shimencoding.JsonIndent},
		{Name: "Marshal", Value: shimencoding.JsonMarshal},
		{Name: "MarshalIndent", Value: shimencoding.JsonMarshalIndent},
		{Name: "NewDecoder", Value: shimencoding.JsonNewDecoder},
		{Name: "NewEncoder", Value: shimencoding.JsonNewEncoder},
		{Name: "Unmarshal", Value: shimencoding.JsonUnmarshal},
		{Name: "Valid", Value: shimencoding.JsonValid},
	},
	Denied: []rows.Denial{
		{Names: "UnsupportedValueError.Value", Why: "a value of package reflect that the host has made", Instead: "UnsupportedValueError.Str"},
	},
}

var stdEncodingPem = rows.Package{
	Path:    "encoding/pem",
	Bounded: "Encode EncodeToMemory",
	Members: []rows.Member{
		{Name: "Block", Value: (*pem.Block)(nil), With: "Bytes Headers Type"},

		{Name: "Decode", Value: shimencoding.PemDecode, Why: "headers take far more than their text is"},
		{Name: "Encode", Value: pem.Encode},
		{Name: "EncodeToMemory", Value: pem.EncodeToMemory},
	},
}

var stdEncodingXML = rows.Package{
	Path:    "encoding/xml",
	Bounded: "CharData.Copy Comment.Copy Directive.Copy StartElement.End SyntaxError.Error TagPathError.Error UnmarshalError.Error UnsupportedTypeError.Error",
	Renamed: true,
	Members: []rows.Member{
		{Name: "Attr", Value: (*goxml.Attr)(nil), With: "Name Value"},
		{Name: "CharData", Value: (*goxml.CharData)(nil), With: "Copy"},
		{Name: "Comment", Value: (*goxml.Comment)(nil), With: "Copy"},
		{Name: "Decoder", Value: (*xml.Decoder)(nil), With: "AutoClose CharsetReader Decode DecodeElement DefaultSpace Entity InputOffset InputPos RawToken Skip Strict Token", Handle: true, Why: "Go's own finds nothing in values of a script"},
		{Name: "Directive", Value: (*goxml.Directive)(nil), With: "Copy"},
		{Name: "Encoder", Value: (*xml.Encoder)(nil), With: "Close Encode EncodeElement EncodeToken Flush Indent", Handle: true, Why: "Go's own finds nothing in values of a script"},
		{Name: "EndElement", Value: (*goxml.EndElement)(nil), With: "Name"},
		{Name: "Marshaler", Value: (*xml.Marshaler)(nil)},
		{Name: "MarshalerAttr", Value: (*goxml.MarshalerAttr)(nil)},
		{Name: "Name", Value: (*goxml.Name)(nil), With: "Local Space"},
		{Name: "ProcInst", Value: (*goxml.ProcInst)(nil), With: "Inst Target"},
		{Name: "ProcInst.Copy", Value: shimencoding.XmlProcInstCopy, Why: "its result is larger than it shows"},
		{Name: "StartElement", Value: (*goxml.StartElement)(nil), With: "Attr End Name"},
		{Name: "StartElement.Copy", Value: shimencoding.XmlStartElementCopy, Why: "its result is larger than it shows"},
		{Name: "SyntaxError", Value: (*goxml.SyntaxError)(nil), With: "Error Line Msg"},
		{Name: "TagPathError", Value: (*goxml.TagPathError)(nil), With: "Error Field1 Field2 Tag1 Tag2"},
		{Name: "Token", Value: (*goxml.Token)(nil)},
		{Name: "TokenReader", Value: (*goxml.TokenReader)(nil)},
		{Name: "UnmarshalError", Value: (*goxml.UnmarshalError)(nil), With: "Error"},
		{Name: "Unmarshaler", Value: (*xml.Unmarshaler)(nil)},
		{Name: "UnmarshalerAttr", Value: (*goxml.UnmarshalerAttr)(nil)},
		{Name: "UnsupportedTypeError", Value: (*goxml.UnsupportedTypeError)(nil), With: "Error"},

		{Name: "CopyToken", Value: shimencoding.XmlCopyToken},
		{Name: "Escape", Value: shimencoding.XmlEscape},
		{Name: "EscapeText", Value: shimencoding.XmlEscapeText},
		{Name: "Marshal", Value: shimencoding.XmlMarshal},
		{Name: "MarshalIndent", Value: shimencoding.XmlMarshalIndent},
		{Name: "NewDecoder", Value: shimencoding.XmlNewDecoder},
		{Name: "NewEncoder", Value: shimencoding.XmlNewEncoder},
		{Name: "NewTokenDecoder", Value: shimencoding.XmlNewTokenDecoder},
		{Name: "Unmarshal", Value: shimencoding.XmlUnmarshal},

		{Name: "HTMLAutoClose", Value: shimencoding.XmlHTMLAutoClose, Why: "a copy: the host has its own"},
		{Name: "HTMLEntity", Value: shimencoding.XmlHTMLEntity, Why: "a copy: the host has its own"},

		{Name: "Header", Value: rows.Literal(`"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"`)},
	},
	Denied: []rows.Denial{
		{Names: "TagPathError.Struct UnsupportedTypeError.Type", Why: "scripts have no package reflect", Instead: "the method Error, whose text names the type"},
	},
}
