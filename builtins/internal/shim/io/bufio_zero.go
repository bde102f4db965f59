package io

import (
	"bufio"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// A bufio.Reader and a bufio.Writer that nobody has made have no buffer. These methods of them, and no others, would
// fill and empty that for ever, without a call that lets a stop through.

func BufioReaderReadBytes(*shim.Env) func(*bufio.Reader, byte) ([]byte, error) {
	return func(b *bufio.Reader, delim byte) ([]byte, error) {
		shim.HasBuffer(b)
		return b.ReadBytes(delim)
	}
}

func BufioReaderReadString(*shim.Env) func(*bufio.Reader, byte) (string, error) {
	return func(b *bufio.Reader, delim byte) (string, error) {
		shim.HasBuffer(b)
		return b.ReadString(delim)
	}
}

func BufioWriterWriteString(*shim.Env) func(*bufio.Writer, string) (int, error) {
	return func(b *bufio.Writer, s string) (int, error) {
		shim.HasBuffer(b)
		return b.WriteString(s)
	}
}

func BufioWriterWriteRune(*shim.Env) func(*bufio.Writer, rune) (int, error) {
	return func(b *bufio.Writer, r rune) (int, error) {
		shim.HasBuffer(b)
		return b.WriteRune(r)
	}
}

func BufioReadWriterReadBytes(e *shim.Env) func(*bufio.ReadWriter, byte) ([]byte, error) {
	return func(b *bufio.ReadWriter, delim byte) ([]byte, error) { return BufioReaderReadBytes(e)(b.Reader, delim) }
}

func BufioReadWriterReadString(e *shim.Env) func(*bufio.ReadWriter, byte) (string, error) {
	return func(b *bufio.ReadWriter, delim byte) (string, error) {
		return BufioReaderReadString(e)(b.Reader, delim)
	}
}

func BufioReadWriterWriteString(e *shim.Env) func(*bufio.ReadWriter, string) (int, error) {
	return func(b *bufio.ReadWriter, s string) (int, error) { return BufioWriterWriteString(e)(b.Writer, s) }
}

func BufioReadWriterWriteRune(e *shim.Env) func(*bufio.ReadWriter, rune) (int, error) {
	return func(b *bufio.ReadWriter, r rune) (int, error) { return BufioWriterWriteRune(e)(b.Writer, r) }
}
