package gates

import (
	"sync"
	"unicode/utf8"
)

// Marker replaces output that was cut off.
const Marker = "[... output cut: only the end is kept ...]\n"

// A Tail keeps the output of a script: all of it, or the last bytes up to a limit. It is
// safe for concurrent use, and writes never fail: a script cannot detect what its host
// keeps.
type Tail struct {
	mu    sync.Mutex
	limit int64 // 0: none
	buf   []byte
	cut   bool
	total int64
}

// NewTail returns a Tail that keeps the last limit bytes; 0 means all.
func NewTail(limit int64) *Tail { return &Tail{limit: limit} }

// Write keeps p.
func (o *Tail) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.total += int64(len(p))
	tail := p
	if o.limit > 0 && int64(len(tail)) > o.limit {
		tail = tail[int64(len(tail))-o.limit:]
		o.buf, o.cut = o.buf[:0], true
	}
	o.buf = append(o.buf, tail...)
	// Cutting only at twice the limit makes a write cost its own length.
	if o.limit > 0 && int64(len(o.buf)) > 2*o.limit {
		o.trim()
	}
	return len(p), nil
}

func (o *Tail) trim() {
	if over := int64(len(o.buf)) - o.limit; o.limit > 0 && over > 0 {
		o.buf, o.cut = append(o.buf[:0], o.buf[over:]...), true
	}
}

// String returns the kept output. If something was cut off, it begins with Marker,
// followed by a whole character.
func (o *Tail) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.trim()
	if !o.cut {
		return string(o.buf)
	}
	b := o.buf
	for i := 0; i < utf8.UTFMax-1 && len(b) > 0 && !utf8.RuneStart(b[0]); i++ {
		b = b[1:]
	}
	return Marker + string(b)
}

// Total returns the number of bytes written, and whether some were not kept.
func (o *Tail) Total() (n int64, cut bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.total, o.limit > 0 && o.total > o.limit
}
