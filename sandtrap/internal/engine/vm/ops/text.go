package ops

import (
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// concat is a + b, of which neither is empty.
func concat(m *exec.Machine, a, b string) string {
	n := len(a) + len(b)
	m.Alloc(ir.Allocated(int64(n)))
	if n < exec.Chunk && !m.Sampling() {
		return a + b
	}
	out := write(m, m.AllocBytes(n), a)
	return m.Text(write(m, out, b))
}

// write is append(to, s...) in pieces, of which to has the room.
func write(m *exec.Machine, to []byte, s string) []byte {
	for len(s) > 0 {
		k := min(len(s), exec.Chunk)
		to = append(to, s[:k]...)
		s = s[k:]
		m.CountCopied(k)
	}
	return to
}

// textOf is string(b).
func textOf(m *exec.Machine, b []byte) string {
	m.Alloc(ir.Allocated(int64(len(b))))
	if len(b) < exec.Chunk && !m.Sampling() {
		return string(b)
	}
	out := m.AllocBytes(len(b))
	for len(b) > 0 {
		k := min(len(b), exec.Chunk)
		out = append(out, b[:k]...)
		b = b[k:]
		m.CountCopied(k)
	}
	return m.Text(out)
}

// bytesOf is []byte(s).
func bytesOf(m *exec.Machine, s string) []byte {
	if len(s) < exec.Chunk {
		return []byte(s)
	}
	b := m.AllocBytes(len(s))[:len(s)]
	for at := 0; at < len(s); at += exec.Chunk {
		m.CountCopied(copy(b[at:], s[at:min(len(s), at+exec.Chunk)]))
	}
	return b
}

// runesOf is []rune(s).
func runesOf(m *exec.Machine, s string) []rune {
	if len(s) < exec.Chunk {
		return []rune(s)
	}
	n := 0
	for rest := s; rest != ""; {
		k := runesWithin(rest)
		n += utf8.RuneCountInString(rest[:k])
		rest = rest[k:]
		m.CountCopied(k)
	}
	out := exec.AllocLarge(m, int64(n)*4, func() []rune { return make([]rune, 0, n) })
	for rest := s; rest != ""; {
		k := runesWithin(rest)
		for _, r := range rest[:k] {
			out = append(out, r)
		}
		rest = rest[k:]
		m.CountCopied(k)
	}
	return out
}

// runesWithin is the length of a piece of s that ends where a rune does.
func runesWithin(s string) int {
	k := min(len(s), exec.Chunk)
	for k < len(s) && !utf8.RuneStart(s[k]) {
		k++
	}
	return k
}

// textOfRunes is string(rs).
func textOfRunes(m *exec.Machine, rs []rune) string {
	const step = exec.Chunk / utf8.UTFMax
	n := 0
	for i, r := range rs {
		n += max(utf8.RuneLen(r), -3*utf8.RuneLen(r)) // what is no rune becomes one of three bytes
		if i%step == step-1 {
			m.CountCopied(exec.Chunk)
		}
	}
	m.Alloc(ir.Allocated(int64(n)))
	if len(rs) < step && !m.Sampling() {
		return string(rs)
	}
	out := m.AllocBytes(n)
	for len(rs) > 0 {
		k := min(len(rs), step)
		for _, r := range rs[:k] {
			out = utf8.AppendRune(out, r)
		}
		rs = rs[k:]
		m.CountCopied(k * utf8.UTFMax)
	}
	return m.Text(out)
}

// moveText is CopyString in pieces.
func moveText(m *exec.Machine, store any, off int, s string) {
	for len(s) > 0 {
		k := min(len(s), exec.Chunk)
		exec.CopyString(store, off, s[:k])
		s, off = s[k:], off+k
		m.CountCopied(k)
	}
}
