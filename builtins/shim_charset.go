package builtins

import (
	"bytes"
	"strings"
)

// Looking for any of a set of characters takes the length of the text times that of
// the set, if that has others than ASCII.

func (e *Env) paySet(size int, set string) {
	for i := range len(set) {
		if set[i] >= 0x80 {
			e.workProduct(int64(size), int64(len(set))/4+1)
			return
		}
	}
}

// withSet asks for the time of f.
func withSet[A text, R any](e *Env, f func(s A, set string) R) func(s A, set string) R {
	return func(s A, set string) R {
		e.paySet(len(s), set)
		return f(s, set)
	}
}

func stringsContainsAny(e *Env) func(s, set string) bool { return withSet(e, strings.ContainsAny) }
func stringsIndexAny(e *Env) func(s, set string) int     { return withSet(e, strings.IndexAny) }
func stringsLastIndexAny(e *Env) func(s, set string) int { return withSet(e, strings.LastIndexAny) }
func stringsTrim(e *Env) func(s, set string) string      { return withSet(e, strings.Trim) }
func stringsTrimLeft(e *Env) func(s, set string) string  { return withSet(e, strings.TrimLeft) }
func stringsTrimRight(e *Env) func(s, set string) string { return withSet(e, strings.TrimRight) }

func bytesContainsAny(e *Env) func(s []byte, set string) bool { return withSet(e, bytes.ContainsAny) }
func bytesIndexAny(e *Env) func(s []byte, set string) int     { return withSet(e, bytes.IndexAny) }
func bytesLastIndexAny(e *Env) func(s []byte, set string) int { return withSet(e, bytes.LastIndexAny) }
func bytesTrim(e *Env) func(s []byte, set string) []byte      { return withSet(e, bytes.Trim) }
func bytesTrimLeft(e *Env) func(s []byte, set string) []byte  { return withSet(e, bytes.TrimLeft) }
func bytesTrimRight(e *Env) func(s []byte, set string) []byte { return withSet(e, bytes.TrimRight) }
