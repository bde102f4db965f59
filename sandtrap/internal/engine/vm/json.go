package vm

import (
	"bytes"

	"github.com/sandtrap-go/sandtrap/internal/jsontext"
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

// encodeJSON gives the text of an interface value, which is good until the next one
// is encoded.
func (m *machine) encodeJSON(x any, html bool) ([]byte, error) {
	r := m.made()
	b := r.text
	r.text = nil // a method of the script may encode too
	text, err := json.Encode(m.lens(), b[:0], x, html)
	if cap(text) <= spareText {
		r.text = text
	}
	if err != nil {
		return nil, err
	}
	return text, nil
}

// jsonText is encodeJSON for a text that is kept.
func (m *machine) jsonText(x any, html bool) ([]byte, error) {
	text, err := m.encodeJSON(x, html)
	return m.copied(text), err
}

// costs are those of texts.
func (m *machine) costs() jsontext.Costs {
	return jsontext.Costs{Charge: m.charge, Check: m.check}
}

// bytesIn is the []byte in cells.
func bytesIn(b *ir.Obj, k int) []byte {
	if b.R[k] == nil {
		return nil
	}
	return bytesOf(b.R[k], int(b.I[k+1]>>32), int(b.I[k]))
}

// own brackets what the engine does in place of a host function.
func (m *machine) own(f func()) {
	m.entering()
	m.guarded(f)
	m.ended()
	m.view()
}

// copied is a copy of text that nobody else has.
func (m *machine) copied(text []byte) []byte {
	m.charge(int64(len(text)))
	return bytes.Clone(text)
}

// textResult is a result ([]byte, error), of which the text is copied.
func (m *machine) textResult(a int, text []byte, err error) {
	m.setSlice(a, nil, 0, 0, 0)
	if err == nil {
		m.alloc(ir.StoreHead + int64(len(text)))
		m.setSlice(a, m.followAny(&ir.Num[uint8]{V: bytes.Clone(text)}), 0, len(text), len(text))
	}
	m.failed(a+2, err)
}

func doJSONMarshal(m *machine, x *ir.SlowOp) {
	var text []byte
	var err error
	v := m.R[x.Regs[0]]
	m.own(func() { text, err = m.encodeJSON(v, true) })
	m.textResult(x.A, text, err)
}

func doJSONMarshalIndent(m *machine, x *ir.SlowOp) {
	var err error
	v, prefix, indent := m.R[x.Regs[0]], m.S[x.Regs[1]], m.S[x.Regs[2]]
	b := jsontext.Buffer{Pay: m.costs()}
	m.own(func() {
		var text []byte
		if text, err = m.encodeJSON(v, true); err == nil {
			err = b.Indent(text, prefix, indent)
		}
	})
	m.textResult(x.A, b.B, err)
}

func doJSONUnmarshal(m *machine, x *ir.SlowOp) {
	var err error
	data, v := bytesIn(&ir.Obj{I: m.I, S: m.S, R: m.R}, x.Regs[0]), m.R[x.Regs[1]]
	m.own(func() {
		if err = jsontext.Check(data, m.costs()); err == nil {
			err = json.Decode(m.lens(), data, v, false, false)
		}
	})
	m.failed(x.A, err)
}

func doJSONEncode(m *machine, x *ir.SlowOp) {
	var err error
	e, ok := m.R[x.Regs[0]].(jsonSink)
	if !ok {
		throwNil()
	}
	v := m.R[x.Regs[1]]
	m.own(func() {
		var html bool
		if html, err = e.HTML(); err != nil {
			return
		}
		var text []byte
		if text, err = m.encodeJSON(v, html); err == nil {
			err = e.Put(text)
		}
	})
	m.failed(x.A, err)
}

func doJSONDecode(m *machine, x *ir.SlowOp) {
	var err error
	s, ok := m.R[x.Regs[0]].(jsonSource)
	if !ok {
		throwNil()
	}
	v := m.R[x.Regs[1]]
	m.own(func() {
		var data []byte
		if data, err = s.Next(); err != nil {
			return
		}
		number, strict := s.Modes()
		err = json.Decode(m.lens(), data, v, number, strict)
		s.Done()
	})
	m.failed(x.A, err)
}
