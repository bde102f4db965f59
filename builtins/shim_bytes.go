package builtins

import (
	"bytes"
	"io"
)

func bytesClone(e *Env) func([]byte) []byte {
	return func(b []byte) []byte {
		e.charge(int64(len(b)))
		return bytes.Clone(b)
	}
}

func bytesNewBufferString(e *Env) func(string) *bytes.Buffer {
	return func(s string) *bytes.Buffer {
		e.charge(int64(len(s)))
		return bytes.NewBufferString(s)
	}
}

func bytesRepeat(e *Env) func([]byte, int) []byte {
	return func(b []byte, n int) []byte {
		e.chargeProduct(int64(n), int64(len(b)))
		return bytes.Repeat(b, n)
	}
}

func bytesReplace(e *Env) func(s, old, new []byte, n int) []byte {
	return func(s, old, new []byte, n int) []byte {
		e.payText(replaceRate, len(s))
		e.chargeReplace(bytes.Count(s, old), n, len(s), len(old), len(new))
		return bytes.Replace(s, old, new, n)
	}
}

func bytesReplaceAll(e *Env) func(s, old, new []byte) []byte {
	return func(s, old, new []byte) []byte {
		e.payText(replaceRate, len(s))
		e.chargeReplace(bytes.Count(s, old), -1, len(s), len(old), len(new))
		return bytes.ReplaceAll(s, old, new)
	}
}

func bytesJoin(e *Env) func([][]byte, []byte) []byte {
	return func(s [][]byte, sep []byte) []byte {
		e.chargeProduct(int64(len(s)), int64(len(sep)))
		for _, b := range s {
			e.charge(int64(len(b)))
		}
		return bytes.Join(s, sep)
	}
}

func bytesToValidUTF8(e *Env) func(s, replacement []byte) []byte {
	return func(s, replacement []byte) []byte {
		e.payText(validRate, len(s))
		e.chargeProduct(int64(len(s)), int64(len(replacement)))
		return bytes.ToValidUTF8(s, replacement)
	}
}

func bufferGrow(e *Env) func(*bytes.Buffer, int) {
	return func(b *bytes.Buffer, n int) {
		e.growBuffer(b, n)
		b.Grow(n)
	}
}

func bufferWrite(e *Env) func(*bytes.Buffer, []byte) (int, error) {
	return func(b *bytes.Buffer, p []byte) (int, error) {
		e.growBuffer(b, len(p))
		return b.Write(p)
	}
}

func bufferWriteByte(e *Env) func(*bytes.Buffer, byte) error {
	return func(b *bytes.Buffer, c byte) error {
		e.growBuffer(b, 1)
		return b.WriteByte(c)
	}
}

func bufferWriteRune(e *Env) func(*bytes.Buffer, rune) (int, error) {
	return func(b *bytes.Buffer, r rune) (int, error) {
		e.growBuffer(b, 4)
		return b.WriteRune(r)
	}
}

func bufferWriteString(e *Env) func(*bytes.Buffer, string) (int, error) {
	return func(b *bytes.Buffer, s string) (int, error) {
		e.growBuffer(b, len(s))
		return b.WriteString(s)
	}
}

func bufferReadFrom(e *Env) func(*bytes.Buffer, io.Reader) (int64, error) {
	return func(b *bytes.Buffer, r io.Reader) (total int64, err error) {
		for from := e.source(r); err == nil; {
			if b.Available() < bytes.MinRead { // grown here, the time for that is asked for
				e.growBuffer(b, bytes.MinRead)
				b.Grow(bytes.MinRead)
			}
			room := b.AvailableBuffer()
			room = room[:cap(room)]
			var n int
			n, err = from.Read(room)
			if n < 0 {
				panic(runtimeError("bytes.Buffer: reader returned negative count from Read"))
			}
			b.Write(room[:n])
			total += int64(n)
		}
		if err == io.EOF {
			err = nil
		}
		return total, err
	}
}

func bufferWriteTo(e *Env) func(*bytes.Buffer, io.Writer) (int64, error) {
	return func(b *bytes.Buffer, w io.Writer) (int64, error) { return b.WriteTo(e.writer(w)) }
}

func bytesReaderWriteTo(e *Env) func(*bytes.Reader, io.Writer) (int64, error) {
	return func(r *bytes.Reader, w io.Writer) (int64, error) { return r.WriteTo(e.writer(w)) }
}

func bufferString(e *Env) func(*bytes.Buffer) string {
	return func(b *bytes.Buffer) string {
		if b != nil {
			e.charge(int64(b.Len()))
		}
		return b.String()
	}
}

// chargeUntil charges for what comes before delim, and it.
func (e *Env) chargeUntil(b *bytes.Buffer, delim byte) {
	n := bytes.IndexByte(b.Bytes(), delim) + 1
	if n == 0 {
		n = b.Len()
	}
	e.charge(int64(n))
}

func bufferReadBytes(e *Env) func(*bytes.Buffer, byte) ([]byte, error) {
	return func(b *bytes.Buffer, delim byte) ([]byte, error) {
		e.chargeUntil(b, delim)
		return b.ReadBytes(delim)
	}
}

func bufferReadString(e *Env) func(*bytes.Buffer, byte) (string, error) {
	return func(b *bytes.Buffer, delim byte) (string, error) {
		e.chargeUntil(b, delim)
		return b.ReadString(delim)
	}
}
