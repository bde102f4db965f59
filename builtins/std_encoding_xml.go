package builtins

import (
	goxml "encoding/xml"

	"github.com/sandtrap-go/sandtrap/internal/xml"
)

var stdEncodingXML = Package{
	Path:    "encoding/xml",
	Bounded: "CharData.Copy Comment.Copy Directive.Copy StartElement.End SyntaxError.Error TagPathError.Error UnmarshalError.Error UnsupportedTypeError.Error",
	scan:    true,
	Members: []Member{
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
		{Name: "ProcInst.Copy", Value: xmlProcInstCopy, Why: "its result is larger than it shows"},
		{Name: "StartElement", Value: (*goxml.StartElement)(nil), With: "Attr End Name"},
		{Name: "StartElement.Copy", Value: xmlStartElementCopy, Why: "its result is larger than it shows"},
		{Name: "SyntaxError", Value: (*goxml.SyntaxError)(nil), With: "Error Line Msg"},
		{Name: "TagPathError", Value: (*goxml.TagPathError)(nil), With: "Error Field1 Field2 Tag1 Tag2"},
		{Name: "Token", Value: (*goxml.Token)(nil)},
		{Name: "TokenReader", Value: (*goxml.TokenReader)(nil)},
		{Name: "UnmarshalError", Value: (*goxml.UnmarshalError)(nil), With: "Error"},
		{Name: "Unmarshaler", Value: (*xml.Unmarshaler)(nil)},
		{Name: "UnmarshalerAttr", Value: (*goxml.UnmarshalerAttr)(nil)},
		{Name: "UnsupportedTypeError", Value: (*goxml.UnsupportedTypeError)(nil), With: "Error"},

		{Name: "CopyToken", Value: xmlCopyToken},
		{Name: "Escape", Value: xmlEscape},
		{Name: "EscapeText", Value: xmlEscapeText},
		{Name: "Marshal", Value: xmlMarshal},
		{Name: "MarshalIndent", Value: xmlMarshalIndent},
		{Name: "NewDecoder", Value: xmlNewDecoder},
		{Name: "NewEncoder", Value: xmlNewEncoder},
		{Name: "NewTokenDecoder", Value: xmlNewTokenDecoder},
		{Name: "Unmarshal", Value: xmlUnmarshal},

		{Name: "HTMLAutoClose", Value: xmlHTMLAutoClose, Why: "a copy: the host has its own"},
		{Name: "HTMLEntity", Value: xmlHTMLEntity, Why: "a copy: the host has its own"},

		{Name: "Header", Value: Literal(`"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"`)},
	},
	Denied: []Denial{
		{Names: "TagPathError.Struct UnsupportedTypeError.Type", Why: "scripts have no package reflect", Instead: "the method Error, whose text names the type"},
	},
}
