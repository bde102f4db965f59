package vm

import (
	goxml "encoding/xml"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/gob"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/json"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/xml"
)

// hostValues lets functions of the host look into values of the script.
type hostValues struct{ m *exec.Machine }

// A gobEncoder is one stream.
type gobEncoder struct {
	m *exec.Machine
	gob.Encoder
}

func (h hostValues) GobEncoder() interface {
	Encode(v any) (messages [][]byte, err error)
} {
	h.m.Charge(exec.NoteBytes)
	return &gobEncoder{h.m, gob.Encoder{Names: &h.m.GobNames}}
}

func (e *gobEncoder) Encode(v any) ([][]byte, error) {
	return e.Encoder.Encode(mirror.Lens(e.m), exec.HostIface(v))
}

// A gobDecoder is one stream.
type gobDecoder struct {
	m *exec.Machine
	gob.Decoder
}

func (h hostValues) GobDecoder(from interface{ Message() ([]byte, error) }) interface{ Decode(v any) error } {
	h.m.Charge(exec.NoteBytes)
	return &gobDecoder{h.m, gob.Decoder{Names: &h.m.GobNames, From: from}}
}

func (d *gobDecoder) Decode(v any) error {
	return d.Decoder.Decode(mirror.Lens(d.m), exec.HostIface(v))
}

func (h hostValues) RegisterGob(name string, v any) {
	v = exec.HostIface(v)
	if v == nil {
		exec.ThrowNil()
	}
	h.m.GobNames.Register(mirror.Lens(h.m), name, v)
}

func (h hostValues) EncodeXML(v any, encoder any, start *goxml.StartElement) error {
	return xml.Encode(mirror.Lens(h.m), encoder.(xml.Sink), exec.HostIface(v), start)
}

func (h hostValues) DecodeXML(decoder any, v any, start *goxml.StartElement) error {
	return xml.Decode(mirror.Lens(h.m), decoder.(xml.Source), exec.HostIface(v), start)
}

func (h hostValues) EncodeJSON(v any, html bool) ([]byte, error) {
	return mirror.JsonText(h.m, exec.HostIface(v), html)
}

func (h hostValues) DecodeJSON(text []byte, v any, number, strict bool) error {
	return json.Decode(mirror.Lens(h.m), text, exec.HostIface(v), number, strict)
}

// TypeName implements engine.Values.
func (h hostValues) TypeName(v any) string {
	if f, ok := exec.ScriptValue(v); ok {
		return f.T.Str
	}
	if n, ok := v.(exec.GoNamed); ok {
		return n.GoName()
	}
	return ""
}

// Place implements engine.Values.
func (h hostValues) Place(p uintptr) uint64 { return h.m.PlaceOf(p) }
