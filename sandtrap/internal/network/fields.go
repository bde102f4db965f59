package network

import (
	"encoding/binary"
	"net/http"
)

// Fields are an http.Header as bytes: its names, each with the number of its values, and these, each text after its length. A map
// takes much more memory than what it comes from, so it is made when it is known how much.
type Fields []byte

// fieldSize is about how many bytes of memory a name or a value takes beside its text.
const fieldSize = 100

func packed(h http.Header) Fields {
	if len(h) == 0 {
		return nil
	}
	size := 0
	for name, values := range h {
		size += len(name) + 4
		for _, v := range values {
			size += len(v) + 3
		}
	}
	f := make(Fields, 0, size)
	for name, values := range h {
		f = f.text(name)
		f = binary.AppendUvarint(f, uint64(len(values)))
		for _, v := range values {
			f = f.text(v)
		}
	}
	return f
}

func (f Fields) text(s string) Fields { return append(binary.AppendUvarint(f, uint64(len(s))), s...) }

// walk calls each with where the names are, and the values after the name of each. It ends where f is malformed.
func (f Fields) walk(each func(from, to int, isName bool)) {
	at := 0
	number := func() (n int, ok bool) {
		v, size := binary.Uvarint(f[at:])
		if size <= 0 || v > uint64(len(f)) {
			return 0, false
		}
		at += size
		return int(v), true
	}
	text := func(isName bool) bool {
		n, ok := number()
		if !ok || n > len(f)-at {
			return false
		}
		at += n
		each(at-n, at, isName)
		return true
	}
	for at < len(f) && text(true) {
		n, ok := number()
		for ; ok && n > 0; n-- {
			ok = text(false)
		}
		if !ok {
			return
		}
	}
}

// count is how many names and values there are.
func (f Fields) count() (n int) {
	f.walk(func(int, int, bool) { n++ })
	return n
}

// header is the map; not nil.
func (f Fields) header() http.Header {
	h, all, name := http.Header{}, string(f), ""
	f.walk(func(from, to int, isName bool) {
		if isName {
			name = all[from:to]
			if h[name] == nil {
				h[name] = []string{}
			}
			return
		}
		h[name] = append(h[name], all[from:to])
	})
	return h
}
