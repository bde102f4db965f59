package builtins

import (
	"io"
	"strings"
)

func stringsClone(e *Env) func(string) string {
	return func(s string) string {
		e.charge(int64(len(s)))
		return strings.Clone(s)
	}
}

func stringsRepeat(e *Env) func(string, int) string {
	return func(s string, n int) string {
		e.chargeProduct(int64(n), int64(len(s)))
		return strings.Repeat(s, n)
	}
}

func stringsReplace(e *Env) func(s, old, new string, n int) string {
	return func(s, old, new string, n int) string {
		e.payText(replaceRate, len(s))
		e.chargeReplace(strings.Count(s, old), n, len(s), len(old), len(new))
		return strings.Replace(s, old, new, n)
	}
}

func stringsReplaceAll(e *Env) func(s, old, new string) string {
	return func(s, old, new string) string {
		e.payText(replaceRate, len(s))
		e.chargeReplace(strings.Count(s, old), -1, len(s), len(old), len(new))
		return strings.ReplaceAll(s, old, new)
	}
}

// Rates for payText.
const (
	replaceRate = 20
	splitRate   = 20
	fieldsRate  = 20
	validRate   = 8
)

// chargeReplace charges for a text of size bytes in which at most max of count
// places are replaced; all if max is negative.
func (e *Env) chargeReplace(count, max, size, old, new int) {
	if max >= 0 && max < count {
		count = max
	}
	e.charge(int64(size))
	e.chargeProduct(int64(count), int64(new-old))
}

func stringsJoin(e *Env) func([]string, string) string {
	return func(elems []string, sep string) string {
		e.chargeProduct(int64(len(elems)), int64(len(sep)))
		for _, s := range elems {
			e.charge(int64(len(s)))
		}
		return strings.Join(elems, sep)
	}
}

func stringsToValidUTF8(e *Env) func(s, replacement string) string {
	return func(s, replacement string) string {
		e.payText(validRate, len(s))
		e.chargeProduct(int64(len(s)), int64(len(replacement)))
		return strings.ToValidUTF8(s, replacement)
	}
}

func builderGrow(e *Env) func(*strings.Builder, int) {
	return func(b *strings.Builder, n int) {
		e.growBuilder(b, n)
		b.Grow(n)
	}
}

func builderWrite(e *Env) func(*strings.Builder, []byte) (int, error) {
	return func(b *strings.Builder, p []byte) (int, error) {
		e.growBuilder(b, len(p))
		return b.Write(p)
	}
}

func builderWriteByte(e *Env) func(*strings.Builder, byte) error {
	return func(b *strings.Builder, c byte) error {
		e.growBuilder(b, 1)
		return b.WriteByte(c)
	}
}

func builderWriteRune(e *Env) func(*strings.Builder, rune) (int, error) {
	return func(b *strings.Builder, r rune) (int, error) {
		e.growBuilder(b, 4)
		return b.WriteRune(r)
	}
}

func builderWriteString(e *Env) func(*strings.Builder, string) (int, error) {
	return func(b *strings.Builder, s string) (int, error) {
		e.growBuilder(b, len(s))
		return b.WriteString(s)
	}
}

func stringsReaderWriteTo(e *Env) func(*strings.Reader, io.Writer) (int64, error) {
	return func(r *strings.Reader, w io.Writer) (int64, error) { return r.WriteTo(e.writer(w)) }
}
