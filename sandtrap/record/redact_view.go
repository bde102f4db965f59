package record

import (
	"encoding/hex"
	"strconv"
)

// A view is a text, decoded from another one.
type view struct {
	text   string
	places []int // where in the other text each byte of text, and its end, stands; nil if text is that
}

func (v view) origin(i int) int {
	if v.places == nil {
		return i
	}
	return v.places[i]
}

// decoded is the view of what v encodes: next gives a byte of that, and how many bytes of the start of a text stand for it.
func (v view) decoded(next func(string) (byte, int)) view {
	out, places := make([]byte, 0, len(v.text)), make([]int, 0, len(v.text)+1)
	for i := 0; i < len(v.text); {
		c, n := next(v.text[i:])
		out, places = append(out, c), append(places, v.origin(i))
		i += n
	}
	return view{string(out), append(places, v.origin(len(v.text)))}
}

// percentByte decodes the start of a URL, or, with plus, of its query.
func percentByte(s string, plus bool) (byte, int) {
	if s[0] == '+' && plus {
		return ' ', 1
	}
	if s[0] == '%' && len(s) > 2 {
		if b, err := hex.DecodeString(s[1:3]); err == nil {
			return b[0], 3
		}
	}
	return s[0], 1
}

// unquoted is the view of what v holds in quotation marks of Go or JSON.
func (v view) unquoted() view {
	out, places := make([]byte, 0, len(v.text)), make([]int, 0, len(v.text)+1)
	for i := 0; i < len(v.text); {
		was := len(out)
		n := 1
		if c := v.text[i]; c != '\\' {
			out = append(out, c)
		} else if r, multibyte, rest, err := strconv.UnquoteChar(v.text[i:], '"'); err == nil {
			n = len(v.text) - i - len(rest)
			if multibyte {
				out = append(out, string(r)...)
			} else {
				out = append(out, byte(r))
			}
		} else if i+1 < len(v.text) { // such as \/ of JSON
			out = append(out, v.text[i+1])
			n = 2
		} else {
			out = append(out, c)
		}
		for range len(out) - was {
			places = append(places, v.origin(i))
		}
		i += n
	}
	return view{string(out), append(places, v.origin(len(v.text)))}
}
