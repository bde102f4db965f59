package strings

import (
	"bytes"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// Looking for any of a set of characters takes the length of the text times that of
// the set, if that has others than ASCII.

func paySet(e *shim.Env, size int, set string) {
	for i := range len(set) {
		if set[i] >= 0x80 {
			e.WorkProduct(int64(size), int64(len(set))/4+1)
			return
		}
	}
}

// withSet asks for the time of f.
func withSet[A shim.Text, R any](e *shim.Env, f func(s A, set string) R) func(s A, set string) R {
	return func(s A, set string) R {
		paySet(e, len(s), set)
		return f(s, set)
	}
}

func ContainsAny(e *shim.Env) func(s, set string) bool { return withSet(e, strings.ContainsAny) }
func IndexAny(e *shim.Env) func(s, set string) int     { return withSet(e, strings.IndexAny) }
func LastIndexAny(e *shim.Env) func(s, set string) int { return withSet(e, strings.LastIndexAny) }
func Trim(e *shim.Env) func(s, set string) string      { return withSet(e, strings.Trim) }
func TrimLeft(e *shim.Env) func(s, set string) string  { return withSet(e, strings.TrimLeft) }
func TrimRight(e *shim.Env) func(s, set string) string { return withSet(e, strings.TrimRight) }

func BytesContainsAny(e *shim.Env) func(s []byte, set string) bool {
	return withSet(e, bytes.ContainsAny)
}
func BytesIndexAny(e *shim.Env) func(s []byte, set string) int { return withSet(e, bytes.IndexAny) }
func BytesLastIndexAny(e *shim.Env) func(s []byte, set string) int {
	return withSet(e, bytes.LastIndexAny)
}
func BytesTrim(e *shim.Env) func(s []byte, set string) []byte     { return withSet(e, bytes.Trim) }
func BytesTrimLeft(e *shim.Env) func(s []byte, set string) []byte { return withSet(e, bytes.TrimLeft) }
func BytesTrimRight(e *shim.Env) func(s []byte, set string) []byte {
	return withSet(e, bytes.TrimRight)
}
