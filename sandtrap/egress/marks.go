package egress

import (
	"encoding/hex"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/base64core"
)

// marks are the forms of secrets in what servers send.
type marks struct {
	list  []mark
	first [256]bool // that a form begins with
}

// A mark is a form of a secret. Each of its bytes may be behind percent signs or backslashes, of which it has none itself.
type mark struct {
	name string
	text string
	fold bool // letters are small or capital; text has small ones
	wrap bool // lines may be broken
}

// add adds the forms of a secret: as it is, in hex, and what base64 of it, or of more, has in each alignment.
func (m *marks) add(name, value string) {
	list := []mark{{name: name, text: value}, {name: name, text: hex.EncodeToString([]byte(value)), fold: true}}
	for _, core := range base64core.Of(value) {
		list = append(list, mark{name: name, text: core, wrap: true})
	}
	for _, one := range list {
		m.first[one.text[0]] = true
		if one.fold {
			m.first[strings.ToUpper(one.text)[0]] = true
		}
	}
	m.list = append(m.list, list...)
	m.first['%'], m.first['\\'] = true, true
}

// find is the first form in b; from and to are len(b) if there is none. With more to come behind b, one may begin at from that is
// not whole: to is from then.
func (m *marks) find(b []byte, more bool) (from, to int, name string) {
	for i := range b {
		if !m.first[b[i]] {
			continue
		}
		for j := range m.list {
			switch n, short := m.list[j].at(b[i:], more); {
			case n > 0:
				return i, i + n, m.list[j].name
			case short:
				return i, i, ""
			}
		}
	}
	return len(b), len(b), ""
}

// at is the length of the form at the start of b, 0 if it is not there. It is short if it may be, with more bytes behind b.
func (m *mark) at(b []byte, more bool) (n int, short bool) {
	for k := range len(m.text) {
		for m.wrap && k > 0 && n < len(b) && (b[n] == '\r' || b[n] == '\n') {
			n++
		}
		c, size := unit(b[n:], more)
		if size == 0 {
			return 0, more
		}
		if m.fold && 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != m.text[k] {
			return 0, false
		}
		n += size
	}
	return n, false
}

// maxEncodings is how many times one in the other percent signs are decoded, and how many backslashes stand before a character.
const maxEncodings = 4

// unit is the byte that the start of b stands for, and how many bytes do. The size is 0 if b is too short to say.
func unit(b []byte, more bool) (c byte, size int) {
	switch {
	case len(b) == 0:
		return 0, 0
	case b[0] == '%':
		c, size = percent(b)
	case b[0] == '\\':
		c, size = escaped(b)
	default:
		return b[0], 1
	}
	if size == 0 && !more {
		return b[0], 1
	}
	return c, size
}

// percent decodes %41, and %2541, which encodes it again.
func percent(b []byte) (c byte, size int) {
	c, size = '%', 1
	for range maxEncodings {
		value, n := hexByte(b[size:], 2)
		if n < 0 {
			return 0, 0
		}
		if n == 0 {
			break
		}
		if c, size = value, size+n; c != '%' {
			break
		}
	}
	return c, size
}

// escaped decodes what JSON and Go write with a backslash, or several.
func escaped(b []byte) (c byte, size int) {
	for size < len(b) && b[size] == '\\' && size < maxEncodings {
		size++
	}
	if size == len(b) {
		return 0, 0
	}
	digits := 0
	switch b[size] {
	case 'u':
		digits = 4
	case 'x':
		digits = 2
	}
	if digits > 0 {
		switch value, n := hexByte(b[size+1:], digits); {
		case n < 0:
			return 0, 0
		case n > 0:
			return value, size + 1 + n
		}
	}
	return b[size], size + 1
}

// hexByte is a byte in some hexadecimal digits, and their number: 0 if there is none, -1 if b is too short to say.
func hexByte(b []byte, digits int) (value byte, n int) {
	for i := range digits {
		if i == len(b) {
			return 0, -1
		}
		d := strings.IndexByte("0123456789abcdefABCDEF", b[i])
		if d > 15 {
			d -= 6
		}
		if d < 0 || i < digits-2 && d > 0 {
			return 0, 0
		}
		value = value<<4 | byte(d)
	}
	return value, digits
}
