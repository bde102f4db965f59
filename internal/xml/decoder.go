package xml

import (
	"bufio"
	"bytes"
	goxml "encoding/xml"
	"errors"
	"io"
)

// Decoder is what a script sees as xml.Decoder: the tokens of Go's own, which takes
// values apart by reflection; the engine puts them into values. Its exported methods
// beyond those of Go's are the engine's.
type Decoder struct {
	Strict        bool
	AutoClose     []string
	Entity        map[string]string
	CharsetReader func(charset string, input io.Reader) (io.Reader, error)
	DefaultSpace  string

	pay    Costs
	values Values
	d      *goxml.Decoder
	src    *source
	depth  int   // of elements
	stops  []int // depths at which a method of a value finds the end
	raw    bool  // RawToken is not to be called
}

var errRawToken = errors.New("xml: cannot use RawToken from UnmarshalXML method")

// NewDecoder returns a decoder that reads from r. A nil v has no values.
func NewDecoder(r io.Reader, pay Costs, v Values) *Decoder {
	pay.Charge(4096)
	x := &Decoder{pay: pay, values: v, Strict: true, src: newSource(pay, r)}
	x.d = goxml.NewDecoder(x.src)
	return x
}

// NewTokenDecoder returns a decoder of the tokens of t.
func NewTokenDecoder(t goxml.TokenReader, pay Costs, v Values) *Decoder {
	if x, ok := t.(*Decoder); ok {
		return x
	}
	return &Decoder{pay: pay, values: v, Strict: true, src: &source{pay: pay}, d: goxml.NewTokenDecoder(t)}
}

// set hands the fields, which a script may have changed, to Go's decoder.
func (x *Decoder) set() {
	x.d.Strict, x.d.AutoClose, x.d.Entity, x.d.DefaultSpace = x.Strict, x.AutoClose, x.Entity, x.DefaultSpace
	x.src.entity = 0
	for _, text := range x.Entity {
		x.src.entity = max(x.src.entity, int64(len(text)))
	}
	x.d.CharsetReader = nil
	if x.CharsetReader != nil {
		x.d.CharsetReader = func(charset string, input io.Reader) (io.Reader, error) {
			r, err := x.CharsetReader(charset, input)
			if r == nil || err != nil {
				return r, err
			}
			x.src = x.src.replaced(r)
			return x.src, nil
		}
	}
}

// Token reads the next token.
func (x *Decoder) Token() (goxml.Token, error) {
	if n := len(x.stops); n > 0 && x.stops[n-1] == x.depth {
		return nil, io.EOF
	}
	x.set()
	t, err := x.d.Token()
	switch t := t.(type) {
	case goxml.StartElement:
		x.depth++
		x.pay.Charge(int64(len(t.Attr)) * 64)
	case goxml.EndElement:
		x.depth--
	}
	return t, err
}

// RawToken is Token without a look at whether elements match.
func (x *Decoder) RawToken() (goxml.Token, error) {
	if x.raw {
		return nil, errRawToken
	}
	x.set()
	return x.d.RawToken()
}

// Skip reads to the end of the element that was opened last.
func (x *Decoder) Skip() error {
	for depth := 0; ; {
		t, err := x.Token()
		if err != nil {
			return err
		}
		switch t.(type) {
		case goxml.StartElement:
			depth++
		case goxml.EndElement:
			if depth == 0 {
				return nil
			}
			depth--
		}
	}
}

// InputOffset is where the decoder is in its input.
func (x *Decoder) InputOffset() int64 { return x.d.InputOffset() }

// InputPos is InputOffset as line and column.
func (x *Decoder) InputPos() (line, column int) { return x.d.InputPos() }

// Decode reads the next element into what v points to.
func (x *Decoder) Decode(v any) error { return x.DecodeElement(v, nil) }

// DecodeElement is Decode for an element of which the start was read.
func (x *Decoder) DecodeElement(v any, start *goxml.StartElement) error {
	if x.values == nil {
		return errNoValues
	}
	return x.values.DecodeXML(x, v, start)
}

// Enter begins what a method of a value reads, and Leave ends it and says whether it
// came to the end of its element.
func (x *Decoder) Enter() (was bool) {
	x.stops = append(x.stops, x.depth-1)
	was, x.raw = x.raw, true
	return was
}

func (x *Decoder) Leave(was bool) (whole bool) {
	n := len(x.stops) - 1
	whole = x.stops[n] == x.depth
	x.stops, x.raw = x.stops[:n], was
	return whole
}

// Save begins to keep the text that is read, from place on; Saved is the text since
// then up to place, and Forget ends it.
func (x *Decoder) Save() (place int) {
	if x.src.saving++; x.src.saving == 1 {
		x.src.saved = x.src.saved[:0]
	}
	return x.Place()
}

func (x *Decoder) Saved(from, to int) []byte { return bytes.Clone(x.src.saved[from:to]) }

func (x *Decoder) Forget() { x.src.saving-- }

// Place is how much of what is kept the decoder has used.
func (x *Decoder) Place() int { return max(0, len(x.src.saved)-x.ahead()) }

// ahead is 1 if the decoder has read a byte that it has not used yet.
func (x *Decoder) ahead() int { return int(x.src.n - (x.d.InputOffset() - x.src.base)) }

// Depth is how many elements are open.
func (x *Decoder) Depth() int { return x.depth }

// An source reads for a decoder byte by byte: so it is known what was read.
type source struct {
	pay    Costs
	r      io.ByteReader
	n      int64 // bytes read
	entity int64 // the longest text that a name in & and ; may stand for
	base   int64 // what the decoder had read before of another source
	cost   int64
	saving int
	saved  []byte
}

func newSource(pay Costs, r io.Reader) *source {
	b, ok := r.(io.ByteReader)
	if !ok {
		b = bufio.NewReader(r)
	}
	return &source{pay: pay, r: b}
}

// replaced is the source that goes on with the text of s in another character set.
func (s *source) replaced(r io.Reader) *source {
	fresh := newSource(s.pay, r)
	fresh.base = s.base + s.n
	fresh.saving, fresh.saved, fresh.entity = s.saving, s.saved, s.entity
	return fresh
}

const (
	step      = 1 << 10 // bytes between two looks at the run
	mark      = 48      // what an element or attribute takes, beside its text
	largeCost = 1 << 18 // is charged at once
	byteTicks = 3       // of a byte
)

// ReadByte reads a byte. What it becomes is charged by what it may begin.
func (s *source) ReadByte() (byte, error) {
	b, err := s.r.ReadByte()
	if err != nil {
		return b, err
	}
	s.n++
	switch s.cost++; b {
	case '<', '=':
		s.cost += mark
	case '&':
		s.cost += s.entity
	}
	if s.n%step == 0 || s.cost > largeCost {
		s.pay.Check()
		s.pay.Charge(s.cost)
		s.pay.Work(step*byteTicks + s.cost/16)
		s.cost = 0
	}
	if s.saving > 0 {
		s.cost += 2
		s.saved = append(s.saved, b)
	}
	return b, nil
}

// Read is for readers of another character set.
func (s *source) Read(p []byte) (int, error) {
	for i := range p {
		b, err := s.ReadByte()
		if err != nil {
			return i, err
		}
		if p[i] = b; i == 0 && b == '\n' {
			return 1, nil
		}
	}
	return len(p), nil
}
