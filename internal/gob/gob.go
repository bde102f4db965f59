// Package gob has the encoder and decoder of encoding/gob for values that are not Go's own. It has the name of Go's
// package, of which scripts take its types to be.
//
// It may not look into a value itself: it asks the engine.
package gob

import (
	"bufio"
	"errors"
	"io"
)

// Values look into values of a script: see package script.
type Values interface {
	GobEncoder() interface {
		Encode(v any) (messages [][]byte, err error)
	}
	GobDecoder(from interface{ Message() ([]byte, error) }) interface{ Decode(v any) error }
}

// Costs are asked before memory and time are used. They do not return if a run has to
// end.
type Costs struct {
	Charge func(bytes int64)
	Check  func()
}

var errNoValues = errors.New("gob: this engine does not look into values")

// An Encoder writes messages.
type Encoder struct {
	w      io.Writer
	stream interface {
		Encode(v any) (messages [][]byte, err error)
	}
}

// NewEncoder returns an encoder that writes to w. A nil v has no values.
func NewEncoder(w io.Writer, v Values) *Encoder {
	e := &Encoder{w: w}
	if v != nil {
		e.stream = v.GobEncoder()
	}
	return e
}

// Encode writes the messages for v.
func (e *Encoder) Encode(v any) error {
	if e.stream == nil {
		return errNoValues
	}
	messages, failed := e.stream.Encode(v)
	for _, text := range messages {
		if _, err := e.w.Write(text); err != nil {
			return err
		}
	}
	return failed
}

// maxMessage is Go's bound for a message.
const maxMessage = 1 << 30

// A Decoder reads messages.
type Decoder struct {
	r interface {
		io.Reader
		io.ByteReader
	}
	stream interface{ Decode(v any) error }
	pay    Costs
}

// NewDecoder returns a decoder that reads from r. A nil v has no values.
func NewDecoder(r io.Reader, pay Costs, v Values) *Decoder {
	d := &Decoder{pay: pay}
	if b, ok := r.(interface {
		io.Reader
		io.ByteReader
	}); ok {
		d.r = b
	} else {
		pay.Charge(4096)
		d.r = bufio.NewReader(r)
	}
	if v != nil {
		d.stream = v.GobDecoder(d.messages())
	}
	return d
}

// Decode reads the next value into what v points to. A nil v leaves it out.
func (d *Decoder) Decode(v any) error {
	if d.stream == nil {
		return errNoValues
	}
	return d.stream.Decode(v)
}

// messages are those that d reads.
func (d *Decoder) messages() messages { return messages{d} }

type messages struct{ d *Decoder }

// Message reads the next one, without its length.
func (m messages) Message() ([]byte, error) { return m.d.message() }

// length reads the length of a message as package gob has it.
func (d *Decoder) length() (uint64, error) {
	first, err := d.r.ReadByte()
	if err != nil || first <= 0x7f {
		return uint64(first), err
	}
	size := -int(int8(first))
	if size > 8 {
		return 0, errors.New("gob: encoded unsigned integer out of range")
	}
	n := uint64(0)
	for range size {
		b, err := d.r.ReadByte()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return 0, err
		}
		n = n<<8 | uint64(b)
	}
	return n, nil
}

// chunk is how much is read of a message before it is known that there is more.
const chunk = 64 << 10

func (d *Decoder) message() ([]byte, error) {
	n, err := d.length()
	if err != nil {
		return nil, err
	}
	if n >= maxMessage {
		return nil, errors.New("invalid message length")
	}
	var text []byte
	for left := int(n); left > 0; {
		d.pay.Check()
		k := min(left, chunk)
		d.pay.Charge(2 * int64(k))
		at := len(text)
		text = append(text, make([]byte, k)...)
		if _, err := io.ReadFull(d.r, text[at:]); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		left -= k
	}
	return text, nil
}
