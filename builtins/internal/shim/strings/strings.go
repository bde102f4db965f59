package strings

import (
	"io"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

func Clone(e *shim.Env) func(string) string {
	return func(s string) string {
		e.Charge(int64(len(s)))
		return strings.Clone(s)
	}
}

func Repeat(e *shim.Env) func(string, int) string {
	return func(s string, n int) string {
		e.ChargeProduct(int64(n), int64(len(s)))
		return strings.Repeat(s, n)
	}
}

func Replace(e *shim.Env) func(s, old, new string, n int) string {
	return func(s, old, new string, n int) string {
		e.PayText(replaceRate, len(s))
		chargeReplace(e, strings.Count(s, old), n, len(s), len(old), len(new))
		return strings.Replace(s, old, new, n)
	}
}

func ReplaceAll(e *shim.Env) func(s, old, new string) string {
	return func(s, old, new string) string {
		e.PayText(replaceRate, len(s))
		chargeReplace(e, strings.Count(s, old), -1, len(s), len(old), len(new))
		return strings.ReplaceAll(s, old, new)
	}
}

// Rates for PayText.
const (
	replaceRate = 20
	splitRate   = 20
	fieldsRate  = 20
	validRate   = 8
)

// chargeReplace charges for a text of size bytes in which at most max of count
// places are replaced; all if max is negative.
func chargeReplace(e *shim.Env, count, max, size, old, new int) {
	if max >= 0 && max < count {
		count = max
	}
	e.Charge(int64(size))
	e.ChargeProduct(int64(count), int64(new-old))
}

func Join(e *shim.Env) func([]string, string) string {
	return func(elems []string, sep string) string {
		e.ChargeProduct(int64(len(elems)), int64(len(sep)))
		for _, s := range elems {
			e.Charge(int64(len(s)))
		}
		return strings.Join(elems, sep)
	}
}

func ToValidUTF8(e *shim.Env) func(s, replacement string) string {
	return func(s, replacement string) string {
		e.PayText(validRate, len(s))
		e.ChargeProduct(int64(len(s)), int64(len(replacement)))
		return strings.ToValidUTF8(s, replacement)
	}
}

func BuilderGrow(e *shim.Env) func(*strings.Builder, int) {
	return func(b *strings.Builder, n int) {
		e.GrowBuilder(b, n)
		b.Grow(n)
	}
}

func BuilderWrite(e *shim.Env) func(*strings.Builder, []byte) (int, error) {
	return func(b *strings.Builder, p []byte) (int, error) {
		e.GrowBuilder(b, len(p))
		return b.Write(p)
	}
}

func BuilderWriteByte(e *shim.Env) func(*strings.Builder, byte) error {
	return func(b *strings.Builder, c byte) error {
		e.GrowBuilder(b, 1)
		return b.WriteByte(c)
	}
}

func BuilderWriteRune(e *shim.Env) func(*strings.Builder, rune) (int, error) {
	return func(b *strings.Builder, r rune) (int, error) {
		e.GrowBuilder(b, 4)
		return b.WriteRune(r)
	}
}

func BuilderWriteString(e *shim.Env) func(*strings.Builder, string) (int, error) {
	return func(b *strings.Builder, s string) (int, error) {
		e.GrowBuilder(b, len(s))
		return b.WriteString(s)
	}
}

func ReaderWriteTo(e *shim.Env) func(*strings.Reader, io.Writer) (int64, error) {
	return func(r *strings.Reader, w io.Writer) (int64, error) { return r.WriteTo(e.Writer(w)) }
}
