package gob

import (
	"errors"
	"math"
	"math/bits"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// Numbers, texts and messages as the documentation of encoding/gob has them, under "Encoding Details".

// A buffer is written to.
type buffer struct {
	m inspect.Machine
	b []byte
}

func (b *buffer) uint(n uint64) {
	b.m.Charge(2)
	if n <= 0x7f {
		b.b = append(b.b, byte(n))
		return
	}
	size := (bits.Len64(n) + 7) / 8
	b.b = append(b.b, byte(-size))
	for i := size - 1; i >= 0; i-- {
		b.b = append(b.b, byte(n>>(8*i)))
	}
}

func (b *buffer) int(n int64) { b.uint(uint64(n<<1) ^ uint64(n>>63)) }

// float is a number whose last byte, which most have not, comes first.
func (b *buffer) float(f float64) { b.uint(bits.ReverseBytes64(math.Float64bits(f))) }

func (b *buffer) bytes(s []byte) {
	b.uint(uint64(len(s)))
	b.m.Charge(2 * int64(len(s)))
	b.b = append(b.b, s...)
}

// framed is text with its length before it.
func framed(m inspect.Machine, text []byte) []byte {
	b := buffer{m: m}
	b.bytes(text)
	return b.b
}

var (
	errBad   = errors.New("gob: unknown type id or corrupted data")
	errRange = errors.New("gob: bad data: field numbers out of bounds")
)

// failure carries an error out of a message.
type failure struct{ err error }

// A source is read from, one message at a time.
type source struct{ b []byte }

func (s *source) uint() uint64 {
	if len(s.b) == 0 {
		panic(failure{errBad})
	}
	first := s.b[0]
	if s.b = s.b[1:]; first <= 0x7f {
		return uint64(first)
	}
	size := -int(int8(first))
	if size > 8 || size > len(s.b) {
		panic(failure{errors.New("gob: encoded unsigned integer out of range")})
	}
	n := uint64(0)
	for _, x := range s.b[:size] {
		n = n<<8 | uint64(x)
	}
	s.b = s.b[size:]
	return n
}

func (s *source) int() int64 {
	n := s.uint()
	return int64(n>>1) ^ -int64(n&1)
}

func (s *source) float() float64 { return math.Float64frombits(bits.ReverseBytes64(s.uint())) }

// count is how many of something come that take a byte each at least.
func (s *source) count() int {
	n := s.uint()
	if n > uint64(len(s.b)) {
		panic(failure{errBad})
	}
	return int(n)
}

// text is a text of the message, which it shares.
func (s *source) text() []byte {
	n := s.count()
	text := s.b[:n:n]
	s.b = s.b[n:]
	return text
}
