package mirror

import (
	"bytes"

	"github.com/sandtrap-go/sandtrap/internal/jsontext"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/json"
)

// A jsonSink is what the script has as a json.Encoder, and a jsonSource what it has as
// a json.Decoder: they know the texts, the engine the values.
type (
	jsonSink interface {
		HTML() (bool, error)
		Put(text []byte) error
	}
	jsonSource interface {
		Next() ([]byte, error)
		Done()
		Modes() (number, strict bool)
	}
)

// spareText is the largest buffer that is kept for the next text.
const spareText = 64 << 10

// EncodeJSON gives the text of an interface value, which is good until the next one
// is encoded.
func EncodeJSON(m *exec.Machine, x any, html bool) ([]byte, error) {
	r := made(m)
	b := r.text
	r.text = nil // a method of the script may encode too
	text, err := json.Encode(Lens(m), b[:0], x, html)
	if cap(text) <= spareText {
		r.text = text
	}
	if err != nil {
		return nil, err
	}
	return text, nil
}

// JsonText is EncodeJSON for a text that is kept.
func JsonText(m *exec.Machine, x any, html bool) ([]byte, error) {
	text, err := EncodeJSON(m, x, html)
	return copied(m, text), err
}

// costs are those of texts.
func costs(m *exec.Machine) jsontext.Costs {
	return jsontext.Costs{Charge: m.Charge, Check: m.PollNow}
}

// bytesIn is the []byte in cells.
func bytesIn(b *ir.Obj, k int) []byte {
	if b.R[k] == nil {
		return nil
	}
	return exec.BytesOf(b.R[k], int(b.I[k+1]>>32), int(b.I[k]))
}

// own brackets what the engine does in place of a host function.
func own(m *exec.Machine, f func()) {
	m.Entering()
	m.Guarded(f)
	m.Ended()
	m.View()
}

// copied is a copy of text that nobody else has.
func copied(m *exec.Machine, text []byte) []byte {
	m.Charge(int64(len(text)))
	return bytes.Clone(text)
}

// textResult is a result ([]byte, error), of which the text is copied.
func textResult(m *exec.Machine, a int, text []byte, err error) {
	m.SetSlice(a, nil, 0, 0, 0)
	if err == nil {
		m.Alloc(ir.StoreHead + int64(len(text)))
		m.SetSlice(a, m.FollowAny(&ir.Num[uint8]{V: bytes.Clone(text)}), 0, len(text), len(text))
	}
	m.Failed(a+2, err)
}

func DoJSONMarshal(m *exec.Machine, x *ir.SlowOp) {
	var text []byte
	var err error
	v := m.R[x.Regs[0]]
	own(m, func() { text, err = EncodeJSON(m, v, true) })
	textResult(m, x.A, text, err)
}

func DoJSONMarshalIndent(m *exec.Machine, x *ir.SlowOp) {
	var err error
	v, prefix, indent := m.R[x.Regs[0]], m.S[x.Regs[1]], m.S[x.Regs[2]]
	b := jsontext.Buffer{Pay: costs(m)}
	own(m, func() {
		var text []byte
		if text, err = EncodeJSON(m, v, true); err == nil {
			err = b.Indent(text, prefix, indent)
		}
	})
	textResult(m, x.A, b.B, err)
}

func DoJSONUnmarshal(m *exec.Machine, x *ir.SlowOp) {
	var err error
	data, v := bytesIn(&ir.Obj{I: m.I, S: m.S, R: m.R}, x.Regs[0]), m.R[x.Regs[1]]
	own(m, func() {
		if err = jsontext.Check(data, costs(m)); err == nil {
			err = json.Decode(Lens(m), data, v, false, false)
		}
	})
	m.Failed(x.A, err)
}

func DoJSONEncode(m *exec.Machine, x *ir.SlowOp) {
	var err error
	e, ok := m.R[x.Regs[0]].(jsonSink)
	if !ok {
		exec.ThrowNil()
	}
	v := m.R[x.Regs[1]]
	own(m, func() {
		var html bool
		if html, err = e.HTML(); err != nil {
			return
		}
		var text []byte
		if text, err = EncodeJSON(m, v, html); err == nil {
			err = e.Put(text)
		}
	})
	m.Failed(x.A, err)
}

func DoJSONDecode(m *exec.Machine, x *ir.SlowOp) {
	var err error
	s, ok := m.R[x.Regs[0]].(jsonSource)
	if !ok {
		exec.ThrowNil()
	}
	v := m.R[x.Regs[1]]
	own(m, func() {
		var data []byte
		if data, err = s.Next(); err != nil {
			return
		}
		number, strict := s.Modes()
		err = json.Decode(Lens(m), data, v, number, strict)
		s.Done()
	})
	m.Failed(x.A, err)
}
