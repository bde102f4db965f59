package builtins

import (
	"bytes"
	goxml "encoding/xml"
	"io"
	"maps"
	"slices"

	"github.com/sandtrap-go/sandtrap/internal/xml"
)

func (e *Env) xmlCosts() xml.Costs {
	return xml.Costs{Charge: e.charge, Check: e.check, Work: e.work}
}

// xmlValues is nil if there are none.
func (e *Env) xmlValues() xml.Values {
	if e.Values == nil {
		return nil
	}
	return e.Values
}

func xmlNewEncoder(e *Env) func(io.Writer) *xml.Encoder {
	return func(w io.Writer) *xml.Encoder { return xml.NewEncoder(e.writer(w), e.xmlCosts(), e.xmlValues()) }
}

func xmlNewDecoder(e *Env) func(io.Reader) *xml.Decoder {
	return func(r io.Reader) *xml.Decoder { return xml.NewDecoder(r, e.xmlCosts(), e.xmlValues()) }
}

func xmlNewTokenDecoder(e *Env) func(goxml.TokenReader) *xml.Decoder {
	return func(t goxml.TokenReader) *xml.Decoder { return xml.NewTokenDecoder(t, e.xmlCosts(), e.xmlValues()) }
}

func xmlMarshal(e *Env) func(any) ([]byte, error) {
	return func(v any) ([]byte, error) { return e.marshalXML(v, "", "") }
}

func xmlMarshalIndent(e *Env) func(any, string, string) ([]byte, error) {
	return func(v any, prefix, indent string) ([]byte, error) { return e.marshalXML(v, prefix, indent) }
}

func (e *Env) marshalXML(v any, prefix, indent string) ([]byte, error) {
	var b bytes.Buffer
	p := xmlNewEncoder(e)(&b)
	p.Indent(prefix, indent)
	if err := p.Encode(v); err != nil {
		return nil, err
	}
	if err := p.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func xmlUnmarshal(e *Env) func([]byte, any) error {
	return func(data []byte, v any) error { return xmlNewDecoder(e)(bytes.NewReader(data)).Decode(v) }
}

func xmlEscape(e *Env) func(io.Writer, []byte) {
	return func(w io.Writer, s []byte) { _ = xmlEscapeText(e)(w, s) }
}

func xmlEscapeText(e *Env) func(io.Writer, []byte) error {
	return func(w io.Writer, s []byte) error {
		w = e.writer(w)
		_, err := e.inRunes(s, func(p []byte) error {
			e.work(int64(len(p)))
			return goxml.EscapeText(w, p)
		})
		return err
	}
}

func xmlCopyToken(e *Env) func(goxml.Token) goxml.Token {
	return func(t goxml.Token) goxml.Token {
		switch v := t.(type) {
		case goxml.CharData:
			e.charge(int64(len(v)))
		case goxml.Comment:
			e.charge(int64(len(v)))
		case goxml.Directive:
			e.charge(int64(len(v)))
		case goxml.ProcInst:
			e.charge(int64(len(v.Inst)))
		case goxml.StartElement:
			e.chargeProduct(int64(len(v.Attr)), 64)
		}
		return goxml.CopyToken(t)
	}
}

func xmlProcInstCopy(e *Env) func(goxml.ProcInst) goxml.ProcInst {
	return func(p goxml.ProcInst) goxml.ProcInst { return xmlCopyToken(e)(p).(goxml.ProcInst) }
}

func xmlStartElementCopy(e *Env) func(goxml.StartElement) goxml.StartElement {
	return func(s goxml.StartElement) goxml.StartElement { return xmlCopyToken(e)(s).(goxml.StartElement) }
}

func xmlHTMLAutoClose(*Env) []string { return slices.Clone(goxml.HTMLAutoClose) }

func xmlHTMLEntity(*Env) map[string]string { return maps.Clone(goxml.HTMLEntity) }
