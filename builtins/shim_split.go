package builtins

import (
	"bytes"
	"strings"
)

func stringsSplit(e *Env) func(s, sep string) []string {
	return func(s, sep string) []string {
		e.chargeSplit(s, sep, -1)
		return strings.Split(s, sep)
	}
}

func stringsSplitN(e *Env) func(s, sep string, n int) []string {
	return func(s, sep string, n int) []string {
		e.chargeSplit(s, sep, n)
		return strings.SplitN(s, sep, n)
	}
}

func stringsSplitAfter(e *Env) func(s, sep string) []string {
	return func(s, sep string) []string {
		e.chargeSplit(s, sep, -1)
		return strings.SplitAfter(s, sep)
	}
}

func stringsSplitAfterN(e *Env) func(s, sep string, n int) []string {
	return func(s, sep string, n int) []string {
		e.chargeSplit(s, sep, n)
		return strings.SplitAfterN(s, sep, n)
	}
}

// chargeSplit charges for the pieces of s, at most max if that is not negative.
func (e *Env) chargeSplit(s, sep string, max int) {
	if len(s) < largeText {
		return
	}
	e.payText(splitRate, len(s))
	n := strings.Count(s, sep) + 1
	if max >= 0 {
		n = min(n, max)
	}
	e.chargeProduct(int64(n), stringHeader)
}

func stringsFields(e *Env) func(string) []string {
	return func(s string) []string {
		e.payText(fieldsRate, len(s))
		if len(s) >= largeText {
			n := 0
			for range strings.FieldsSeq(s) {
				n++
			}
			e.chargeProduct(int64(n), stringHeader)
		}
		return strings.Fields(s)
	}
}

func stringsFieldsFunc(e *Env) func(string, func(rune) bool) []string {
	return func(s string, f func(rune) bool) []string {
		e.payText(fieldsRate, len(s))
		if len(s) >= largeText { // asking f twice would show, so this is the most there can be
			e.chargeProduct(int64(len(s)/2+1), stringHeader)
		}
		return strings.FieldsFunc(s, f)
	}
}

func bytesSplit(e *Env) func(s, sep []byte) [][]byte {
	return func(s, sep []byte) [][]byte {
		e.chargeBytesSplit(s, sep, -1)
		return bytes.Split(s, sep)
	}
}

func bytesSplitN(e *Env) func(s, sep []byte, n int) [][]byte {
	return func(s, sep []byte, n int) [][]byte {
		e.chargeBytesSplit(s, sep, n)
		return bytes.SplitN(s, sep, n)
	}
}

func bytesSplitAfter(e *Env) func(s, sep []byte) [][]byte {
	return func(s, sep []byte) [][]byte {
		e.chargeBytesSplit(s, sep, -1)
		return bytes.SplitAfter(s, sep)
	}
}

func bytesSplitAfterN(e *Env) func(s, sep []byte, n int) [][]byte {
	return func(s, sep []byte, n int) [][]byte {
		e.chargeBytesSplit(s, sep, n)
		return bytes.SplitAfterN(s, sep, n)
	}
}

func (e *Env) chargeBytesSplit(s, sep []byte, max int) {
	if len(s) < largeText {
		return
	}
	e.payText(splitRate, len(s))
	n := bytes.Count(s, sep) + 1
	if max >= 0 {
		n = min(n, max)
	}
	e.chargeProduct(int64(n), sliceHeader)
}

func bytesFields(e *Env) func([]byte) [][]byte {
	return func(s []byte) [][]byte {
		e.payText(fieldsRate, len(s))
		if len(s) >= largeText {
			e.chargeProduct(int64(len(s)/2+1), sliceHeader)
		}
		return bytes.Fields(s)
	}
}

func bytesFieldsFunc(e *Env) func([]byte, func(rune) bool) [][]byte {
	return func(s []byte, f func(rune) bool) [][]byte {
		e.payText(fieldsRate, len(s))
		if len(s) >= largeText {
			e.chargeProduct(int64(len(s)/2+1), sliceHeader)
		}
		return bytes.FieldsFunc(s, f)
	}
}

func bytesRunes(e *Env) func([]byte) []rune {
	return func(s []byte) []rune {
		e.chargeProduct(int64(len(s)), 4)
		return bytes.Runes(s)
	}
}
