package net

import (
	"bufio"
	"bytes"
	"io"
	"net/textproto"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// HeaderPut is for methods that store a value under a key, which they spell in their own way.
func HeaderPut(f func(h textproto.MIMEHeader, key, value string)) func(*shim.Env) func(h textproto.MIMEHeader, key, value string) {
	return func(e *shim.Env) func(h textproto.MIMEHeader, key, value string) {
		return func(h textproto.MIMEHeader, key, value string) {
			e.PayText(MailRate, len(key))
			e.Charge(int64(len(key)) + headerEntry)
			f(h, key, value)
		}
	}
}

// headerEntry is what a key and its list take in a map beside their text.
const headerEntry = 200

func HeaderDel(e *shim.Env) func(h textproto.MIMEHeader, key string) {
	return func(h textproto.MIMEHeader, key string) {
		e.PayText(MailRate, len(key))
		h.Del(key)
	}
}

// ReadingLine is for methods of a reader that read a line: what it is of was paid for when it was read.
func ReadingLine[T any](f func(*textproto.Reader) (T, error)) func(*shim.Env) func(*textproto.Reader) (T, error) {
	return func(e *shim.Env) func(*textproto.Reader) (T, error) {
		return func(r *textproto.Reader) (T, error) {
			e.Check()
			shim.HasBuffer(r.R)
			return f(r)
		}
	}
}

// ReadMIMEHeader pays for each line before it becomes an entry, of which it has a few bytes and the entry hundreds.
func ReadMIMEHeader(e *shim.Env) func(*textproto.Reader) (textproto.MIMEHeader, error) {
	return func(r *textproto.Reader) (textproto.MIMEHeader, error) {
		shim.HasBuffer(r.R)
		lines := &lineReader{env: e, of: r.R}
		e.Charge(2 * 4096)
		b := bufio.NewReader(lines)
		h, err := textproto.NewReader(b).ReadMIMEHeader()
		if n := b.Buffered() + len(lines.rest); n > 0 { // a line was malformed, and what follows is still to be read
			e.Charge(int64(n) + 4096)
			rest, _ := b.Peek(b.Buffered())
			r.R = bufio.NewReader(io.MultiReader(bytes.NewReader(append(bytes.Clone(rest), lines.rest...)), e.Held(r.R)))
		}
		return h, err
	}
}

// A lineReader reads no further than to the end of a line at a time, so that nothing behind a header is taken from the script.
type lineReader struct {
	env  *shim.Env
	of   *bufio.Reader
	rest []byte // of a line that was longer than what was asked for
}

func (l *lineReader) Read(p []byte) (int, error) {
	l.env.Check()
	var err error
	if len(l.rest) == 0 {
		l.rest, err = l.of.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			err = nil
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	l.env.Charge(headerCopies * int64(n))
	l.env.Work(int64(n) * mailHeaderRate / shim.TickTime)
	if len(l.rest) > 0 {
		err = nil
	}
	return n, err
}
