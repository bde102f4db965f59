package encoding

import (
	"bytes"
	goxml "encoding/xml"
	"io"
	"maps"
	"slices"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/internal/xml"
)

func xmlCosts(e *shim.Env) xml.Costs {
	return xml.Costs{Charge: e.Charge, Check: e.Check, Work: e.Work}
}

// xmlValues is nil if there are none.
func xmlValues(e *shim.Env) xml.Values {
	if e.Values == nil {
		return nil
	}
	return e.Values
}

func XmlNewEncoder(e *shim.Env) func(io.Writer) *xml.Encoder {
	return func(w io.Writer) *xml.Encoder { return xml.NewEncoder(e.Writer(w), xmlCosts(e), xmlValues(e)) }
}

func XmlNewDecoder(e *shim.Env) func(io.Reader) *xml.Decoder {
	return func(r io.Reader) *xml.Decoder { return xml.NewDecoder(r, xmlCosts(e), xmlValues(e)) }
}

func XmlNewTokenDecoder(e *shim.Env) func(goxml.TokenReader) *xml.Decoder {
	return func(t goxml.TokenReader) *xml.Decoder { return xml.NewTokenDecoder(t, xmlCosts(e), xmlValues(e)) }
}

func XmlMarshal(e *shim.Env) func(any) ([]byte, error) {
	return func(v any) ([]byte, error) { return marshalXML(e, v, "", "") }
}

func XmlMarshalIndent(e *shim.Env) func(any, string, string) ([]byte, error) {
	return func(v any, prefix, indent string) ([]byte, error) { return marshalXML(e, v, prefix, indent) }
}

func marshalXML(e *shim.Env, v any, prefix, indent string) ([]byte, error) {
	var b bytes.Buffer
	p := XmlNewEncoder(e)(&b)
	p.Indent(prefix, indent)
	if err := p.Encode(v); err != nil {
		return nil, err
	}
	if err := p.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func XmlUnmarshal(e *shim.Env) func([]byte, any) error {
	return func(data []byte, v any) error { return XmlNewDecoder(e)(bytes.NewReader(data)).Decode(v) }
}

func XmlEscape(e *shim.Env) func(io.Writer, []byte) {
	return func(w io.Writer, s []byte) { _ = XmlEscapeText(e)(w, s) }
}

func XmlEscapeText(e *shim.Env) func(io.Writer, []byte) error {
	return func(w io.Writer, s []byte) error {
		w = e.Writer(w)
		_, err := e.InRunes(s, func(p []byte) error {
			e.Work(int64(len(p)))
			return goxml.EscapeText(w, p)
		})
		return err
	}
}

func XmlCopyToken(e *shim.Env) func(goxml.Token) goxml.Token {
	return func(t goxml.Token) goxml.Token {
		switch v := t.(type) {
		case goxml.CharData:
			e.Charge(int64(len(v)))
		case goxml.Comment:
			e.Charge(int64(len(v)))
		case goxml.Directive:
			e.Charge(int64(len(v)))
		case goxml.ProcInst:
			e.Charge(int64(len(v.Inst)))
		case goxml.StartElement:
			e.ChargeProduct(int64(len(v.Attr)), 64)
		}
		return goxml.CopyToken(t)
	}
}

func XmlProcInstCopy(e *shim.Env) func(goxml.ProcInst) goxml.ProcInst {
	return func(p goxml.ProcInst) goxml.ProcInst { return XmlCopyToken(e)(p).(goxml.ProcInst) }
}

func XmlStartElementCopy(e *shim.Env) func(goxml.StartElement) goxml.StartElement {
	return func(s goxml.StartElement) goxml.StartElement { return XmlCopyToken(e)(s).(goxml.StartElement) }
}

func XmlHTMLAutoClose(*shim.Env) []string { return slices.Clone(goxml.HTMLAutoClose) }

func XmlHTMLEntity(*shim.Env) map[string]string { return maps.Clone(goxml.HTMLEntity) }
