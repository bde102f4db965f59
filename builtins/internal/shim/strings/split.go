package strings

import (
	"bytes"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

func Split(e *shim.Env) func(s, sep string) []string {
	return func(s, sep string) []string {
		ChargeSplit(e, s, sep, -1)
		return strings.Split(s, sep)
	}
}

func SplitN(e *shim.Env) func(s, sep string, n int) []string {
	return func(s, sep string, n int) []string {
		ChargeSplit(e, s, sep, n)
		return strings.SplitN(s, sep, n)
	}
}

func SplitAfter(e *shim.Env) func(s, sep string) []string {
	return func(s, sep string) []string {
		ChargeSplit(e, s, sep, -1)
		return strings.SplitAfter(s, sep)
	}
}

func SplitAfterN(e *shim.Env) func(s, sep string, n int) []string {
	return func(s, sep string, n int) []string {
		ChargeSplit(e, s, sep, n)
		return strings.SplitAfterN(s, sep, n)
	}
}

// ChargeSplit charges for the pieces of s, at most max if that is not negative.
func ChargeSplit(e *shim.Env, s, sep string, max int) {
	if len(s) < shim.LargeText {
		return
	}
	e.PayText(splitRate, len(s))
	n := strings.Count(s, sep) + 1
	if max >= 0 {
		n = min(n, max)
	}
	e.ChargeProduct(int64(n), shim.StringHeader)
}

func Fields(e *shim.Env) func(string) []string {
	return func(s string) []string {
		e.PayText(fieldsRate, len(s))
		if len(s) >= shim.LargeText {
			n := 0
			for range strings.FieldsSeq(s) {
				n++
			}
			e.ChargeProduct(int64(n), shim.StringHeader)
		}
		return strings.Fields(s)
	}
}

func FieldsFunc(e *shim.Env) func(string, func(rune) bool) []string {
	return func(s string, f func(rune) bool) []string {
		e.PayText(fieldsRate, len(s))
		if len(s) >= shim.LargeText { // asking f twice would show, so this is the most there can be
			e.ChargeProduct(int64(len(s)/2+1), shim.StringHeader)
		}
		return strings.FieldsFunc(s, f)
	}
}

func BytesSplit(e *shim.Env) func(s, sep []byte) [][]byte {
	return func(s, sep []byte) [][]byte {
		chargeBytesSplit(e, s, sep, -1)
		return bytes.Split(s, sep)
	}
}

func BytesSplitN(e *shim.Env) func(s, sep []byte, n int) [][]byte {
	return func(s, sep []byte, n int) [][]byte {
		chargeBytesSplit(e, s, sep, n)
		return bytes.SplitN(s, sep, n)
	}
}

func BytesSplitAfter(e *shim.Env) func(s, sep []byte) [][]byte {
	return func(s, sep []byte) [][]byte {
		chargeBytesSplit(e, s, sep, -1)
		return bytes.SplitAfter(s, sep)
	}
}

func BytesSplitAfterN(e *shim.Env) func(s, sep []byte, n int) [][]byte {
	return func(s, sep []byte, n int) [][]byte {
		chargeBytesSplit(e, s, sep, n)
		return bytes.SplitAfterN(s, sep, n)
	}
}

func chargeBytesSplit(e *shim.Env, s, sep []byte, max int) {
	if len(s) < shim.LargeText {
		return
	}
	e.PayText(splitRate, len(s))
	n := bytes.Count(s, sep) + 1
	if max >= 0 {
		n = min(n, max)
	}
	e.ChargeProduct(int64(n), shim.SliceHeader)
}

func BytesFields(e *shim.Env) func([]byte) [][]byte {
	return func(s []byte) [][]byte {
		e.PayText(fieldsRate, len(s))
		if len(s) >= shim.LargeText {
			e.ChargeProduct(int64(len(s)/2+1), shim.SliceHeader)
		}
		return bytes.Fields(s)
	}
}

func BytesFieldsFunc(e *shim.Env) func([]byte, func(rune) bool) [][]byte {
	return func(s []byte, f func(rune) bool) [][]byte {
		e.PayText(fieldsRate, len(s))
		if len(s) >= shim.LargeText {
			e.ChargeProduct(int64(len(s)/2+1), shim.SliceHeader)
		}
		return bytes.FieldsFunc(s, f)
	}
}

func BytesRunes(e *shim.Env) func([]byte) []rune {
	return func(s []byte) []rune {
		e.ChargeProduct(int64(len(s)), 4)
		return bytes.Runes(s)
	}
}
