package wire

import (
	"encoding/binary"
	"reflect"
	"strconv"
	"strings"
	"sync"
)

// maxExtra is about how many bytes of memory what one message says may take above those that it has: an
// element of a list may be one byte here, and some hundred where it is decoded.
const maxExtra = 32 << 20

// light is how many bytes take less than that, whatever they are.
const light = 64 << 10

// A scale weighs what is to be decoded.
type scale struct {
	data  []byte
	room  int64 // bytes of memory that may still be taken
	depth int
}

// fits says whether data may be decoded into v. Data that is not well-formed fits: it will be refused.
func fits(data []byte, v any) bool {
	if len(data) <= light {
		return true
	}
	s := &scale{data: data, room: int64(len(data)) + maxExtra}
	s.item(reflect.TypeOf(v))
	return s.room >= 0
}

// item weighs the next item, which becomes a t; nil for what nothing is made of.
func (s *scale) item(t reflect.Type) {
	if s.depth++; s.depth > maxDepth {
		s.data = nil
	}
	defer func() { s.depth-- }()
	major, n, ok := s.head()
	if !ok || s.room < 0 {
		s.data = nil
		return
	}
	if t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
		s.take(1, t)
	}
	switch major {
	case 2, 3: // bytes and text
		size := min(n, uint64(len(s.data)))
		s.room -= int64(size)
		s.data = s.data[size:]
	case 4:
		s.list(n, t)
	case 5:
		s.pairs(n, t)
	}
}

func (s *scale) list(n uint64, t reflect.Type) {
	var elem reflect.Type
	if t != nil && t.Kind() == reflect.Slice {
		elem = t.Elem()
		s.take(n, elem)
	}
	for ; n > 0 && len(s.data) > 0; n-- {
		s.item(elem)
	}
}

func (s *scale) pairs(n uint64, t reflect.Type) {
	var key, elem reflect.Type
	fields := map[uint64]reflect.Type(nil)
	switch {
	case t == nil:
	case t.Kind() == reflect.Map:
		key, elem = t.Key(), t.Elem()
		s.take(n, key)
		s.take(n, elem)
	case t.Kind() == reflect.Struct:
		fields = fieldsOf(t)
	}
	for ; n > 0 && len(s.data) > 0; n-- {
		of := elem
		if fields != nil {
			of = fields[s.peek()]
		}
		s.item(key)
		s.item(of)
	}
}

// take takes room for n values.
func (s *scale) take(n uint64, t reflect.Type) {
	if n = min(n, uint64(len(s.data))); s.room >= 0 { // each has a byte at least
		s.room -= int64(n) * int64(t.Size())
	}
}

// peek is the number that comes next, if it is one; else one that no field has.
func (s *scale) peek() uint64 {
	ahead := *s
	if major, n, ok := ahead.head(); ok && major == 0 {
		return n
	}
	return 0
}

// head reads the head of an item.
func (s *scale) head() (major byte, n uint64, ok bool) {
	if len(s.data) == 0 {
		return 0, 0, false
	}
	first := s.data[0]
	s.data = s.data[1:]
	major, info := first>>5, first&31
	if info < 24 {
		return major, uint64(info), true
	}
	size := 1 << (info - 24)
	if info > 27 || len(s.data) < size {
		return 0, 0, false
	}
	var buf [8]byte
	copy(buf[8-size:], s.data)
	s.data = s.data[size:]
	return major, binary.BigEndian.Uint64(buf[:]), true
}

// known are the fields of messages by their numbers, each struct's once it has been asked for.
var known sync.Map // of reflect.Type to map[uint64]reflect.Type

func fieldsOf(t reflect.Type) map[uint64]reflect.Type {
	if fields, ok := known.Load(t); ok {
		return fields.(map[uint64]reflect.Type)
	}
	fields := map[uint64]reflect.Type{}
	for f := range t.Fields() {
		number, _, _ := strings.Cut(f.Tag.Get("cbor"), ",")
		if n, err := strconv.ParseUint(number, 10, 64); err == nil {
			fields[n] = f.Type
		}
	}
	known.Store(t, fields)
	return fields
}
