package jsontext

import (
	"unicode/utf16"
	"unicode/utf8"
)

// Unquote gives the content of a string with its quotation marks. What is no valid
// UTF-8 or UTF-16 becomes U+FFFD, as in encoding/json. The result may be a part of
// lit. It is not ok if lit is not a string of JSON, as may happen where a string is
// within a string.
func Unquote(lit []byte, pay Costs) (text []byte, ok bool) {
	if len(lit) < 2 || lit[0] != '"' || lit[len(lit)-1] != '"' {
		return nil, false
	}
	lit = lit[1 : len(lit)-1]
	n := 0
	for n < len(lit) && lit[n] >= ' ' && lit[n] < utf8.RuneSelf && lit[n] != '"' && lit[n] != '\\' {
		if n++; n%stretch == 0 {
			pay.check()
		}
	}
	if n == len(lit) {
		return lit, true
	}
	b := Buffer{Pay: pay}
	b.Room(len(lit))
	for len(lit) > 0 {
		b.raw(lit[:n])
		if lit = lit[n:]; len(lit) == 0 {
			break
		}
		n, ok = b.unquoteOne(lit)
		if !ok {
			return nil, false
		}
		lit, n = lit[n:], 0
		for n < len(lit) && n < stretch && lit[n] >= ' ' && lit[n] < utf8.RuneSelf && lit[n] != '"' && lit[n] != '\\' {
			n++
		}
	}
	return b.B, true
}

var longEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', '\'': '\'', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unquoteOne writes the character that s begins with, and gives its length in s.
func (b *Buffer) unquoteOne(s []byte) (n int, ok bool) {
	b.Room(utf8.UTFMax)
	switch c := s[0]; {
	case c == '"' || c < ' ':
		return 0, false
	case c != '\\':
		r, n := utf8.DecodeRune(s)
		b.B = utf8.AppendRune(b.B, r)
		return n, true
	case len(s) < 2:
		return 0, false
	case s[1] != 'u':
		b.B = append(b.B, longEscapes[s[1]])
		return 2, longEscapes[s[1]] != 0
	}
	r := hexRune(s)
	if r < 0 {
		return 0, false
	}
	n = 6
	if utf16.IsSurrogate(r) {
		if r = utf16.DecodeRune(r, hexRune(s[6:])); r != utf8.RuneError {
			n = 12
		}
	}
	b.B = utf8.AppendRune(b.B, r)
	return n, true
}

// hexRune is the value of \uXXXX at the start of s, or -1.
func hexRune(s []byte) rune {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	r := rune(0)
	for _, c := range s[2:6] {
		if !hexDigit(c) {
			return -1
		}
		d := c &^ 0x20 // upper case
		switch {
		case c <= '9':
			d = c - '0'
		default:
			d = d - 'A' + 10
		}
		r = r<<4 | rune(d)
	}
	return r
}

// ValidNumber reports whether s is a number of JSON.
func (c Costs) ValidNumber(s string) bool {
	if s == "" || s[0] != '-' && (s[0] < '0' || s[0] > '9') {
		return false
	}
	var sc Scanner
	for i := range len(s) {
		if i%stretch == stretch-1 {
			c.check()
		}
		if !sc.step(s[i]) || sc.state < afterMinus || sc.state == ended {
			return false
		}
	}
	return sc.step(' ')
}
