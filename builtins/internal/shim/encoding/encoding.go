package encoding

import (
	"bytes"
	"encoding/ascii85"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"io"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

func HexEncodeToString(e *shim.Env) func([]byte) string {
	return func(b []byte) string {
		e.ChargeProduct(int64(len(b)), 4) // in bytes, and then as a string
		return hex.EncodeToString(b)
	}
}

func HexDump(e *shim.Env) func([]byte) string {
	return func(b []byte) string {
		e.ChargeProduct(int64(len(b)), 6)
		e.Work(int64(len(b)))
		return hex.Dump(b)
	}
}

func HexAppendEncode(e *shim.Env) func(dst, src []byte) []byte {
	return func(dst, src []byte) []byte {
		e.ChargeAppend(dst, hex.EncodedLen(len(src)))
		return hex.AppendEncode(dst, src)
	}
}

// The streams of the encodings have no end of their own.

func HexDumper(e *shim.Env) func(io.Writer) io.WriteCloser {
	return func(w io.Writer) io.WriteCloser {
		d := hex.Dumper(e.Keeper(w))
		return e.InPiecesToCloser(d)
	}
}

func HexNewEncoder(e *shim.Env) func(io.Writer) io.Writer {
	return func(w io.Writer) io.Writer { return hex.NewEncoder(e.Keeper(w)) }
}

func HexNewDecoder(e *shim.Env) func(io.Reader) io.Reader {
	return func(r io.Reader) io.Reader { return hex.NewDecoder(e.Reader(r)) }
}

func Base64NewEncoder(e *shim.Env) func(*base64.Encoding, io.Writer) io.WriteCloser {
	return func(enc *base64.Encoding, w io.Writer) io.WriteCloser { return base64.NewEncoder(enc, e.Keeper(w)) }
}

func Base64NewDecoder(e *shim.Env) func(*base64.Encoding, io.Reader) io.Reader {
	return func(enc *base64.Encoding, r io.Reader) io.Reader { return base64.NewDecoder(enc, e.Reader(r)) }
}

func Base64EncodeToString(e *shim.Env) func(*base64.Encoding, []byte) string {
	return func(enc *base64.Encoding, b []byte) string {
		e.ChargeProduct(int64(len(b)), 3)
		return enc.EncodeToString(b)
	}
}

func Base64AppendEncode(e *shim.Env) func(*base64.Encoding, []byte, []byte) []byte {
	return func(enc *base64.Encoding, dst, src []byte) []byte {
		e.ChargeAppend(dst, enc.EncodedLen(len(src)))
		return enc.AppendEncode(dst, src)
	}
}

func Base32NewEncoder(e *shim.Env) func(*base32.Encoding, io.Writer) io.WriteCloser {
	return func(enc *base32.Encoding, w io.Writer) io.WriteCloser { return base32.NewEncoder(enc, e.Keeper(w)) }
}

func Base32NewDecoder(e *shim.Env) func(*base32.Encoding, io.Reader) io.Reader {
	return func(enc *base32.Encoding, r io.Reader) io.Reader { return base32.NewDecoder(enc, e.Reader(r)) }
}

func Base32EncodeToString(e *shim.Env) func(*base32.Encoding, []byte) string {
	return func(enc *base32.Encoding, b []byte) string {
		e.ChargeProduct(int64(len(b)), 4)
		e.Work(int64(len(b)) / 4)
		return enc.EncodeToString(b)
	}
}

func Base32AppendEncode(e *shim.Env) func(*base32.Encoding, []byte, []byte) []byte {
	return func(enc *base32.Encoding, dst, src []byte) []byte {
		e.ChargeAppend(dst, enc.EncodedLen(len(src)))
		e.Work(int64(len(src)) / 4)
		return enc.AppendEncode(dst, src)
	}
}

func Ascii85NewEncoder(e *shim.Env) func(io.Writer) io.WriteCloser {
	return func(w io.Writer) io.WriteCloser { return ascii85.NewEncoder(e.Keeper(w)) }
}

func Ascii85NewDecoder(e *shim.Env) func(io.Reader) io.Reader {
	return func(r io.Reader) io.Reader { return ascii85.NewDecoder(e.Reader(r)) }
}

// Rates for PayText, and for the memory of headers of two letters.
const (
	pemRate  = 25
	pemTimes = 12
)

func PemDecode(e *shim.Env) func([]byte) (*pem.Block, []byte) {
	return func(b []byte) (*pem.Block, []byte) {
		e.PayText(pemRate, len(b))
		if n := bytes.Count(b, []byte(":")); n > 0 {
			e.ChargeProduct(int64(n), 8*pemTimes)
		}
		return pem.Decode(b)
	}
}
