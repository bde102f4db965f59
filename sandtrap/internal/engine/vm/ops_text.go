package vm

import (
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// concat is a + b, of which neither is empty.
func (m *machine) concat(a, b string) string {
	n := len(a) + len(b)
	m.alloc(ir.Allocated(int64(n)))
	if n < piece && !m.sampling() {
		return a + b
	}
	out := m.write(m.bytesFor(n), a)
	return m.text(m.write(out, b))
}

// write is append(to, s...) in pieces, of which to has the room.
func (m *machine) write(to []byte, s string) []byte {
	for len(s) > 0 {
		k := min(len(s), piece)
		to = append(to, s[:k]...)
		s = s[k:]
		m.moved(k)
	}
	return to
}

// textOf is string(b).
func (m *machine) textOf(b []byte) string {
	m.alloc(ir.Allocated(int64(len(b))))
	if len(b) < piece && !m.sampling() {
		return string(b)
	}
	out := m.bytesFor(len(b))
	for len(b) > 0 {
		k := min(len(b), piece)
		out = append(out, b[:k]...)
		b = b[k:]
		m.moved(k)
	}
	return m.text(out)
}

// bytesOf is []byte(s).
func (m *machine) bytesOf(s string) []byte {
	if len(s) < piece {
		return []byte(s)
	}
	b := m.bytesFor(len(s))[:len(s)]
	for at := 0; at < len(s); at += piece {
		m.moved(copy(b[at:], s[at:min(len(s), at+piece)]))
	}
	return b
}

// runesOf is []rune(s).
func (m *machine) runesOf(s string) []rune {
	if len(s) < piece {
		return []rune(s)
	}
	n := 0
	for rest := s; rest != ""; {
		k := runesWithin(rest)
		n += utf8.RuneCountInString(rest[:k])
		rest = rest[k:]
		m.moved(k)
	}
	out := aside(m, int64(n)*4, func() []rune { return make([]rune, 0, n) })
	for rest := s; rest != ""; {
		k := runesWithin(rest)
		for _, r := range rest[:k] {
			out = append(out, r)
		}
		rest = rest[k:]
		m.moved(k)
	}
	return out
}

// runesWithin is the length of a piece of s that ends where a rune does.
func runesWithin(s string) int {
	k := min(len(s), piece)
	for k < len(s) && !utf8.RuneStart(s[k]) {
		k++
	}
	return k
}

// textOfRunes is string(rs).
func (m *machine) textOfRunes(rs []rune) string {
	const step = piece / utf8.UTFMax
	n := 0
	for i, r := range rs {
		n += max(utf8.RuneLen(r), -3*utf8.RuneLen(r)) // what is no rune becomes one of three bytes
		if i%step == step-1 {
			m.moved(piece)
		}
	}
	m.alloc(ir.Allocated(int64(n)))
	if len(rs) < step && !m.sampling() {
		return string(rs)
	}
	out := m.bytesFor(n)
	for len(rs) > 0 {
		k := min(len(rs), step)
		for _, r := range rs[:k] {
			out = utf8.AppendRune(out, r)
		}
		rs = rs[k:]
		m.moved(k * utf8.UTFMax)
	}
	return m.text(out)
}

// moveText is copyString in pieces.
func (m *machine) moveText(store any, off int, s string) {
	for len(s) > 0 {
		k := min(len(s), piece)
		copyString(store, off, s[:k])
		s, off = s[k:], off+k
		m.moved(k)
	}
}
