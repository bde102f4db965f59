package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// A place says where in an array or object a Stream is, when it is read token by
// token.
type place uint8

const (
	top place = iota
	firstElem
	elem
	elemEnd // before , or ]
	firstKey
	key
	keyEnd // before :
	member
	memberEnd // before , or }
)

// placeLeads are texts that lead to a place, token by token.
var placeLeads = [...]string{top: "", firstElem: "[", elem: "[0,", elemEnd: "[0 ", firstKey: "{", key: `{"":0,`, keyEnd: `{""`, member: `{"":`, memberEnd: `{"":0 `}

// A Stream reads values, or tokens, from a reader, no more than encoding/json's
// Decoder would have read.
type Stream struct {
	Pay    Costs
	Number bool // numbers are tokens of type json.Number, not float64

	r       io.Reader
	buf     []byte
	at      int   // of buf
	before  int64 // bytes that are no longer in buf
	scan    Scanner
	err     error // for good
	scanned int64 // bytes of the values that were read
	place   place
	outer   []place
}

// NewStream returns a Stream on r.
func NewStream(r io.Reader, pay Costs) *Stream { return &Stream{r: r, Pay: pay} }

// Offset is how many bytes of the input were used.
func (s *Stream) Offset() int64 { return s.before + int64(s.at) }

// Buffered is what was read and not yet used.
func (s *Stream) Buffered() io.Reader { return bytes.NewReader(s.buf[s.at:]) }

// Next reads the next value, with the space before it. The bytes are good until the
// next call.
func (s *Stream) Next() ([]byte, error) {
	if s.err != nil {
		return nil, s.err
	}
	if err := s.prepare(); err != nil {
		return nil, err
	}
	if !s.valueAllowed() {
		return nil, s.tokenError(decodeAfter("{", 1))
	}
	n, err := s.value()
	if err != nil {
		return nil, err
	}
	v := s.buf[s.at : s.at+n]
	s.at += n
	return v, nil
}

// Done says that the value that Next gave is decoded, well or not.
func (s *Stream) Done() {
	switch s.place {
	case firstElem, elem:
		s.place = elemEnd
	case member:
		s.place = memberEnd
	}
}

// prepare reads the separator before a value.
func (s *Stream) prepare() error {
	want, text := byte(','), "[0 0"
	switch s.place {
	case elemEnd:
	case keyEnd:
		want, text = ':', `{"" 0`
	default:
		return nil
	}
	c, err := s.peek()
	if err != nil {
		return err
	}
	if c != want {
		return s.tokenError(decodeAfter(text, 2))
	}
	s.at++
	s.place = map[place]place{elemEnd: elem, keyEnd: member}[s.place]
	return nil
}

func (s *Stream) valueAllowed() bool {
	return s.place == top || s.place == firstElem || s.place == elem || s.place == member
}

// value is the length of the next value, which is read to its end.
func (s *Stream) value() (int, error) {
	s.scan = Scanner{open: s.scan.open[:0], bytes: s.scanned}
	n := 0
	var err error
	for {
		for len(s.buf) > s.at+n {
			k, done, bad := s.scan.Scan(s.buf[s.at+n : min(len(s.buf), s.at+n+stretch)])
			n += k
			if bad != nil {
				s.err = bad
				return 0, bad
			}
			if done {
				s.scanned = s.scan.bytes
				return n, nil
			}
			s.Pay.check()
		}
		if err == nil {
			err = s.fill()
			continue
		}
		if err == io.EOF && s.scan.End() == nil {
			s.scanned = s.scan.bytes
			return n, nil
		}
		if err == io.EOF && len(bytes.TrimLeft(s.buf, spaces)) > 0 {
			err = io.ErrUnexpectedEOF
		}
		s.err = err
		return 0, err
	}
}

// fill reads more, as much at a time as encoding/json's Decoder does, up to a limit.
func (s *Stream) fill() error {
	if s.at > 0 {
		s.before += int64(s.at)
		s.buf = s.buf[:copy(s.buf, s.buf[s.at:])]
		s.at = 0
	}
	const least = 512
	if cap(s.buf)-len(s.buf) < least {
		size := 2*cap(s.buf) + least
		s.Pay.charge(size)
		s.buf = append(make([]byte, 0, size), s.buf...)
	}
	s.Pay.check()
	n, err := s.r.Read(s.buf[len(s.buf):min(cap(s.buf), len(s.buf)+stretch)])
	s.buf = s.buf[:len(s.buf)+n]
	return err
}

// peek is the next byte that is no space; it is not used up.
func (s *Stream) peek() (byte, error) {
	var err error
	for {
		for i, c := range s.buf[s.at:] {
			if !space(c) {
				s.at += i
				return c, nil
			}
		}
		if err != nil {
			return 0, err
		}
		err = s.fill()
	}
}

// More reports whether the array or object goes on.
func (s *Stream) More() bool {
	c, err := s.peek()
	return err == nil && c != ']' && c != '}'
}

// Token reads the next token: a json.Delim, bool, string, number or nil.
func (s *Stream) Token() (json.Token, error) {
	for {
		c, err := s.peek()
		if err != nil {
			return nil, err
		}
		var next place
		switch {
		case c == '[' && s.valueAllowed():
			return s.opens(c, firstElem)
		case c == '{' && s.valueAllowed():
			return s.opens(c, firstKey)
		case c == ']' && (s.place == firstElem || s.place == elemEnd), c == '}' && (s.place == firstKey || s.place == memberEnd):
			return s.closes(c)
		case c == ':' && s.place == keyEnd:
			next = member
		case c == ',' && s.place == elemEnd:
			next = elem
		case c == ',' && s.place == memberEnd:
			next = key
		case c == '"' && (s.place == firstKey || s.place == key):
			return s.key()
		case strings.IndexByte("[]{}:,", c) >= 0 || !s.valueAllowed():
			return nil, s.tokenError(decodeAfter(placeLeads[s.place]+string([]byte{c}), -1))
		default:
			return s.scalar()
		}
		s.at++
		s.place = next
	}
}

func (s *Stream) opens(c byte, inner place) (json.Token, error) {
	s.at++
	s.Pay.charge(1)
	s.outer = append(s.outer, s.place)
	s.place = inner
	return json.Delim(c), nil
}

func (s *Stream) closes(c byte) (json.Token, error) {
	s.at++
	s.place = s.outer[len(s.outer)-1]
	s.outer = s.outer[:len(s.outer)-1]
	s.Done()
	return json.Delim(c), nil
}

func (s *Stream) key() (json.Token, error) {
	old := s.place
	s.place = top
	t, err := s.scalar()
	s.place = old
	if err != nil {
		return nil, err
	}
	s.place = keyEnd
	return t, nil
}

// scalar reads a value that is no array or object.
func (s *Stream) scalar() (json.Token, error) {
	text, err := s.Next()
	if err != nil {
		return nil, err
	}
	t, err := s.decoded(text)
	s.Done()
	return t, err
}

func (s *Stream) decoded(text []byte) (json.Token, error) {
	lit := bytes.TrimLeft(text, spaces)
	if lit[0] == '"' {
		str, _ := Unquote(lit, s.Pay)
		s.Pay.charge(len(str))
		return string(str), nil
	}
	s.Pay.charge(len(lit))
	d := json.NewDecoder(bytes.NewReader(text))
	if s.Number {
		d.UseNumber()
	}
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return v, nil
}

// tokenError puts the place into an error.
func (s *Stream) tokenError(err error) error {
	var bad *json.SyntaxError
	if errors.As(err, &bad) {
		bad.Offset = s.Offset()
	}
	return err
}

// decodeAfter is what encoding/json's Decoder says when it is to decode a value after
// so many tokens of text; with fewer than none, what it says of a token.
func decodeAfter(text string, tokens int) error {
	d := json.NewDecoder(strings.NewReader(text))
	for tokens != 0 {
		if _, err := d.Token(); err != nil {
			return err
		}
		tokens--
	}
	var v any
	return d.Decode(&v)
}
