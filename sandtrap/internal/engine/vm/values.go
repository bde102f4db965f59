package vm

import (
	goxml "encoding/xml"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/gob"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/json"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/xml"
)

// hostValues lets functions of the host look into values of the script.
type hostValues struct{ m *machine }

func (h hostValues) EncodeGob(v any) ([]byte, error) {
	return gob.Encode(h.m.lens(), &h.m.gobNames, hostIface(v))
}

func (h hostValues) DecodeGob(message func() ([]byte, error), v any) error {
	return gob.Decode(h.m.lens(), &h.m.gobNames, message, hostIface(v))
}

func (h hostValues) RegisterGob(name string, v any) {
	v = hostIface(v)
	if v == nil {
		throwNil()
	}
	h.m.gobNames.Register(h.m.lens(), name, v)
}

func (h hostValues) EncodeXML(v any, encoder any, start *goxml.StartElement) error {
	return xml.Encode(h.m.lens(), encoder.(xml.Sink), hostIface(v), start)
}

func (h hostValues) DecodeXML(decoder any, v any, start *goxml.StartElement) error {
	return xml.Decode(h.m.lens(), decoder.(xml.Source), hostIface(v), start)
}

func (h hostValues) EncodeJSON(v any, html bool) ([]byte, error) {
	return h.m.jsonText(hostIface(v), html)
}

func (h hostValues) DecodeJSON(text []byte, v any, number, strict bool) error {
	return json.Decode(h.m.lens(), text, hostIface(v), number, strict)
}

// TypeName implements engine.Values.
func (h hostValues) TypeName(v any) string {
	if f, ok := scriptValue(v); ok {
		return f.T.Str
	}
	if n, ok := v.(goNamed); ok {
		return n.goName()
	}
	return ""
}

// Place implements engine.Values.
func (h hostValues) Place(p uintptr) uint64 { return h.m.placeOf(p) }
