// Package gob has the encoder and decoder of encoding/gob for values that are not
// Go's own. Its messages are those of no other program: what a script encodes, scripts
// decode. It has the name of Go's package, of which scripts take its types to be.
//
// It may not look into a value itself: it asks the engine.
package gob

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// Values look into values of a script. The messages are theirs.
type Values interface {
	EncodeGob(v any) ([]byte, error)
	DecodeGob(message func() ([]byte, error), v any) error
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
	values Values
}

// NewEncoder returns an encoder that writes to w. A nil v has no values.
func NewEncoder(w io.Writer, v Values) *Encoder { return &Encoder{w, v} }

// Encode writes a message for v.
func (e *Encoder) Encode(v any) error {
	if e.values == nil {
		return errNoValues
	}
	text, err := e.values.EncodeGob(v)
	if err != nil {
		return err
	}
	_, err = e.w.Write(append(binary.AppendUvarint(nil, uint64(len(text))), text...))
	return err
}

// maxMessage is Go's bound for a message.
const maxMessage = 1 << 30

// A Decoder reads messages.
type Decoder struct {
	r interface {
		io.Reader
		io.ByteReader
	}
	values Values
	pay    Costs
}

// NewDecoder returns a decoder that reads from r. A nil v has no values.
func NewDecoder(r io.Reader, pay Costs, v Values) *Decoder {
	d := &Decoder{values: v, pay: pay}
	if b, ok := r.(interface {
		io.Reader
		io.ByteReader
	}); ok {
		d.r = b
	} else {
		pay.Charge(4096)
		d.r = bufio.NewReader(r)
	}
	return d
}

// Decode reads the next message into what v points to. A nil v leaves it out.
func (d *Decoder) Decode(v any) error {
	if d.values == nil {
		return errNoValues
	}
	if v == nil {
		_, err := d.message()
		return err
	}
	return d.values.DecodeGob(d.message, v)
}

// chunk is how much is read of a message before it is known that there is more.
const chunk = 64 << 10

func (d *Decoder) message() ([]byte, error) {
	n, err := binary.ReadUvarint(d.r)
	if err != nil {
		return nil, err
	}
	if n > maxMessage {
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
