package carry

import (
	"encoding/binary"
	"fmt"
	"math"
)

// The major types of CBOR that are used here.
const (
	majorUint   = 0
	majorInt    = 1 // negative
	majorBytes  = 2
	majorText   = 3
	majorArray  = 4
	majorMap    = 5 // in saved sessions
	majorSimple = 7
)

// Simple values.
const (
	simpleFalse = 20
	simpleTrue  = 21
	simpleNil   = 22
	simpleFloat = 27 // a float64 follows
)

// head writes the head of an item.
func head(b []byte, major byte, n uint64) []byte {
	m := major << 5
	switch {
	case n < 24:
		return append(b, m|byte(n))
	case n <= math.MaxUint8:
		return append(b, m|24, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, m|25), uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(b, m|26), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(b, m|27), n)
}

// A reader reads items. Its methods panic with a failure.
type reader struct {
	handles *Handles
	errors  *Errors
	beside  bool // see say
	data    []byte
	depth   int
	nodes   []error // see writer
	direct  bool    // the type that is read is of a value in an interface
	parts   int     // of types, read so far
	made    int     // of these, that were not there
	room    int64   // bytes that may still be allocated
}

// A failure is what a reader panics with; Decode makes an error of it.
type failure string

func fail(format string, args ...any) { panic(failure(fmt.Sprintf(format, args...))) }

// take removes n bytes from what is left.
func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.data)) {
		fail("%d bytes are missing", n-uint64(len(r.data)))
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

// head reads the head of an item. For a float, n is its bits.
func (r *reader) head() (major byte, n uint64) {
	first := r.take(1)[0]
	major, info := first>>5, first&31
	switch info {
	case 24:
		return major, uint64(r.take(1)[0])
	case 25:
		return major, uint64(binary.BigEndian.Uint16(r.take(2)))
	case 26:
		return major, uint64(binary.BigEndian.Uint32(r.take(4)))
	case 27:
		return major, binary.BigEndian.Uint64(r.take(8))
	}
	if info > 27 {
		fail("an item of unknown length")
	}
	return major, uint64(info)
}

// want reads the head of an item of one major type.
func (r *reader) want(major byte) uint64 {
	got, n := r.head()
	if got != major {
		fail("an item of type %d instead of %d", got, major)
	}
	return n
}

// count reads the head of an array. Each element has a byte at least.
func (r *reader) count() int {
	n := r.want(majorArray)
	if n > uint64(len(r.data)) {
		fail("%d elements are not there", n)
	}
	return int(n)
}

// null says whether the next item is nil, and passes over it then.
func (r *reader) null() bool {
	if len(r.data) > 0 && r.data[0] == majorSimple<<5|simpleNil {
		r.data = r.data[1:]
		return true
	}
	return false
}

// int64 reads an integer.
func (r *reader) int64() int64 {
	major, n := r.head()
	if major > majorInt || n > math.MaxInt64 {
		fail("no integer")
	}
	if major == majorInt {
		return -1 - int64(n)
	}
	return int64(n)
}

func (r *reader) bool() bool {
	n := r.want(majorSimple)
	if n != simpleFalse && n != simpleTrue {
		fail("no bool")
	}
	return n == simpleTrue
}

func (r *reader) float() float64 {
	if b := r.take(1)[0]; b != majorSimple<<5|simpleFloat {
		fail("no floating-point number")
	}
	return math.Float64frombits(binary.BigEndian.Uint64(r.take(8)))
}

// alloc takes leave for n values of size bytes.
func (r *reader) alloc(n int, size uintptr) {
	if n < 0 || size > math.MaxInt32 || int64(n)*int64(size) > r.room || int64(n) > math.MaxInt32 {
		fail("it takes more memory than it may")
	}
	r.room -= int64(n)*int64(size) + 16
}

func (r *reader) enter() {
	if r.depth++; r.depth > maxDepth {
		fail("it is nested too deep")
	}
}

func (r *reader) leave() { r.depth-- }
