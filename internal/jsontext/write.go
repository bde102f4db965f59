package jsontext

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// A Buffer is a text that is being written.
type Buffer struct {
	B   []byte
	Pay Costs

	checked int // length of B at the last check
}

// Room makes room for n more bytes.
func (b *Buffer) Room(n int) {
	if len(b.B)-b.checked > stretch {
		b.checked = len(b.B)
		b.Pay.check()
	}
	need := len(b.B) + n
	if need <= cap(b.B) {
		return
	}
	size := max(need, 2*cap(b.B), 256)
	if size > stretch {
		b.Pay.check()
	}
	b.Pay.charge(size)
	grown := make([]byte, len(b.B), size)
	copy(grown, b.B)
	b.B = grown
}

// Byte writes c as it is.
func (b *Buffer) Byte(c byte) {
	b.Room(1)
	b.B = append(b.B, c)
}

// Raw writes s as it is.
func (b *Buffer) Raw(s string) {
	b.Room(len(s))
	b.B = append(b.B, s...)
}

func (b *Buffer) raw(s []byte) {
	b.Room(len(s))
	b.B = append(b.B, s...)
}

const hex = "0123456789abcdef"

// String writes s as a string; html says that what is not safe in HTML is escaped.
func String[T string | []byte](b *Buffer, s T, html bool) {
	b.Room(len(s) + 2)
	b.Byte('"')
	for start := 0; start < len(s); {
		n := start + safe(s[start:], html)
		b.Room(n - start)
		b.B = append(b.B, s[start:n]...)
		if start = n; n < len(s) {
			start += b.escape(string(s[n:min(n+utf8.UTFMax, len(s))]), html)
		}
	}
	b.Byte('"')
}

// safe is how many bytes at the start of s are written as they are, of some.
func safe[T string | []byte](s T, html bool) int {
	for i := range min(len(s), stretch) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf || html && (c == '<' || c == '>' || c == '&') {
			return i
		}
	}
	return min(len(s), stretch)
}

var shortEscapes = [utf8.RuneSelf]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// escape writes the first character of s, which may have to be escaped, and gives its
// length.
func (b *Buffer) escape(s string, html bool) int {
	b.Room(6)
	c := s[0]
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size == 1:
		b.B = append(b.B, `\ufffd`...)
	case r == '\u2028' || r == '\u2029':
		b.B = append(b.B, `\u202`...)
		b.B = append(b.B, hex[r&0xf])
	case c < utf8.RuneSelf && shortEscapes[c] != 0:
		b.B = append(b.B, '\\', shortEscapes[c])
	case c < ' ' || html && (c == '<' || c == '>' || c == '&'):
		b.B = append(b.B, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
	default:
		b.B = append(b.B, s[:size]...)
	}
	return size
}

// Base64 writes data as the string that stands for bytes.
func (b *Buffer) Base64(data []byte) {
	b.Room(base64.StdEncoding.EncodedLen(len(data)) + 2)
	b.Byte('"')
	const step = stretch / 3 * 3
	for start := 0; start < len(data); start += step {
		part := data[start:min(start+step, len(data))]
		b.Room(base64.StdEncoding.EncodedLen(len(part)))
		b.B = base64.StdEncoding.AppendEncode(b.B, part)
	}
	b.Byte('"')
}

// Compact writes src without space between its parts. If src is no text of JSON it
// writes nothing; the error's offset is 0 then, as that of encoding/json is.
func (b *Buffer) Compact(src []byte, html bool) error {
	if err := Check(src, b.Pay); err != nil {
		var bad *json.SyntaxError
		if errors.As(err, &bad) {
			bad.Offset = 0
		}
		return err
	}
	b.copyText(src, html, true)
	return nil
}

// HTMLEscape writes src with what is not safe in HTML escaped. It need not be JSON.
func (b *Buffer) HTMLEscape(src []byte) { b.copyText(src, true, false) }

// copyText copies src: html says what HTMLEscape does, tight that space between the
// parts of a valid text is left out.
func (b *Buffer) copyText(src []byte, html, tight bool) {
	start, str, escaped := 0, false, false
	for i := 0; i < len(src); i++ {
		c, cut := src[i], 0
		switch {
		case html && (c == '<' || c == '>' || c == '&'):
			cut = 1
		case html && c == 0xe2 && i+2 < len(src) && src[i+1] == 0x80 && src[i+2]&^1 == 0xa8:
			cut = 3
		}
		if cut > 0 {
			b.raw(src[start:i])
			b.escape(string(src[i:i+cut]), true)
			start = i + cut
		} else if tight && !str && space(c) {
			b.raw(src[start:i])
			start = i + 1
		}
		str = str != (c == '"' && !escaped)
		escaped = str && c == '\\' && !escaped
		if i&(stretch-1) == 0 {
			b.Pay.check()
		}
	}
	b.raw(src[start:])
}

// Indent writes src with each element on a line of its own. Space after the value
// stays. If src is no text of JSON it writes nothing.
func (b *Buffer) Indent(src []byte, prefix, indent string) error {
	if err := Check(src, b.Pay); err != nil {
		return err
	}
	depth, fresh, ended := 0, false, false
	str, escaped := false, false
	for i, c := range src {
		if i&(stretch-1) == 0 {
			b.Pay.check()
		}
		if str {
			b.Byte(c)
			str = c != '"' || escaped
			escaped = c == '\\' && !escaped
			ended = depth == 0 && !str
			continue
		}
		if space(c) && !ended {
			continue
		}
		closes := c == '}' || c == ']'
		if fresh && !closes {
			depth++
			b.line(prefix, indent, depth)
		}
		if closes && !fresh {
			depth--
			b.line(prefix, indent, depth)
		}
		fresh = c == '{' || c == '['
		b.Byte(c)
		switch c {
		case '"':
			str = true
		case ',':
			b.line(prefix, indent, depth)
		case ':':
			b.Byte(' ')
		}
		ended = depth == 0 && !fresh && !str && (closes || i+1 < len(src) && space(src[i+1]))
	}
	return nil
}

func (b *Buffer) line(prefix, indent string, depth int) {
	b.Byte('\n')
	b.Raw(prefix)
	for range depth {
		b.Raw(indent)
	}
}
