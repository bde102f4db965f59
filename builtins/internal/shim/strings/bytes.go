package strings

import (
	"bytes"
	"io"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

func BytesClone(e *shim.Env) func([]byte) []byte {
	return func(b []byte) []byte {
		e.Charge(int64(len(b)))
		return bytes.Clone(b)
	}
}

func BytesNewBufferString(e *shim.Env) func(string) *bytes.Buffer {
	return func(s string) *bytes.Buffer {
		e.Charge(int64(len(s)))
		return bytes.NewBufferString(s)
	}
}

func BytesRepeat(e *shim.Env) func([]byte, int) []byte {
	return func(b []byte, n int) []byte {
		e.ChargeProduct(int64(n), int64(len(b)))
		return bytes.Repeat(b, n)
	}
}

func BytesReplace(e *shim.Env) func(s, old, new []byte, n int) []byte {
	return func(s, old, new []byte, n int) []byte {
		e.PayText(replaceRate, len(s))
		chargeReplace(e, bytes.Count(s, old), n, len(s), len(old), len(new))
		return bytes.Replace(s, old, new, n)
	}
}

func BytesReplaceAll(e *shim.Env) func(s, old, new []byte) []byte {
	return func(s, old, new []byte) []byte {
		e.PayText(replaceRate, len(s))
		chargeReplace(e, bytes.Count(s, old), -1, len(s), len(old), len(new))
		return bytes.ReplaceAll(s, old, new)
	}
}

func BytesJoin(e *shim.Env) func([][]byte, []byte) []byte {
	return func(s [][]byte, sep []byte) []byte {
		e.ChargeProduct(int64(len(s)), int64(len(sep)))
		for _, b := range s {
			e.Charge(int64(len(b)))
		}
		return bytes.Join(s, sep)
	}
}

func BytesToValidUTF8(e *shim.Env) func(s, replacement []byte) []byte {
	return func(s, replacement []byte) []byte {
		e.PayText(validRate, len(s))
		e.ChargeProduct(int64(len(s)), int64(len(replacement)))
		return bytes.ToValidUTF8(s, replacement)
	}
}

func BufferGrow(e *shim.Env) func(*bytes.Buffer, int) {
	return func(b *bytes.Buffer, n int) {
		e.GrowBuffer(b, n)
		b.Grow(n)
	}
}

func BufferWrite(e *shim.Env) func(*bytes.Buffer, []byte) (int, error) {
	return func(b *bytes.Buffer, p []byte) (int, error) {
		e.GrowBuffer(b, len(p))
		return b.Write(p)
	}
}

func BufferWriteByte(e *shim.Env) func(*bytes.Buffer, byte) error {
	return func(b *bytes.Buffer, c byte) error {
		e.GrowBuffer(b, 1)
		return b.WriteByte(c)
	}
}

func BufferWriteRune(e *shim.Env) func(*bytes.Buffer, rune) (int, error) {
	return func(b *bytes.Buffer, r rune) (int, error) {
		e.GrowBuffer(b, 4)
		return b.WriteRune(r)
	}
}

func BufferWriteString(e *shim.Env) func(*bytes.Buffer, string) (int, error) {
	return func(b *bytes.Buffer, s string) (int, error) {
		e.GrowBuffer(b, len(s))
		return b.WriteString(s)
	}
}

func BufferReadFrom(e *shim.Env) func(*bytes.Buffer, io.Reader) (int64, error) {
	return func(b *bytes.Buffer, r io.Reader) (total int64, err error) {
		for from := e.Source(r); err == nil; {
			if b.Available() < bytes.MinRead { // grown here, the time for that is asked for
				e.GrowBuffer(b, bytes.MinRead)
				b.Grow(bytes.MinRead)
			}
			room := b.AvailableBuffer()
			room = room[:cap(room)]
			var n int
			n, err = from.Read(room)
			if n < 0 {
				panic(shim.RuntimeError("bytes.Buffer: reader returned negative count from Read"))
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

func BufferWriteTo(e *shim.Env) func(*bytes.Buffer, io.Writer) (int64, error) {
	return func(b *bytes.Buffer, w io.Writer) (int64, error) { return b.WriteTo(e.Writer(w)) }
}

func BytesReaderWriteTo(e *shim.Env) func(*bytes.Reader, io.Writer) (int64, error) {
	return func(r *bytes.Reader, w io.Writer) (int64, error) { return r.WriteTo(e.Writer(w)) }
}

func BufferString(e *shim.Env) func(*bytes.Buffer) string {
	return func(b *bytes.Buffer) string {
		if b != nil {
			e.Charge(int64(b.Len()))
		}
		return b.String()
	}
}

// chargeUntil charges for what comes before delim, and it.
func chargeUntil(e *shim.Env, b *bytes.Buffer, delim byte) {
	n := bytes.IndexByte(b.Bytes(), delim) + 1
	if n == 0 {
		n = b.Len()
	}
	e.Charge(int64(n))
}

func BufferReadBytes(e *shim.Env) func(*bytes.Buffer, byte) ([]byte, error) {
	return func(b *bytes.Buffer, delim byte) ([]byte, error) {
		chargeUntil(e, b, delim)
		return b.ReadBytes(delim)
	}
}

func BufferReadString(e *shim.Env) func(*bytes.Buffer, byte) (string, error) {
	return func(b *bytes.Buffer, delim byte) (string, error) {
		chargeUntil(e, b, delim)
		return b.ReadString(delim)
	}
}
