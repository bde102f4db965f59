package builtins

import (
	"bytes"
	"encoding/ascii85"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"io"
)

func hexEncodeToString(e *Env) func([]byte) string {
	return func(b []byte) string {
		e.chargeProduct(int64(len(b)), 4) // in bytes, and then as a string
		return hex.EncodeToString(b)
	}
}

func hexDump(e *Env) func([]byte) string {
	return func(b []byte) string {
		e.chargeProduct(int64(len(b)), 6)
		e.work(int64(len(b)))
		return hex.Dump(b)
	}
}

func hexAppendEncode(e *Env) func(dst, src []byte) []byte {
	return func(dst, src []byte) []byte {
		e.chargeAppend(dst, hex.EncodedLen(len(src)))
		return hex.AppendEncode(dst, src)
	}
}

// The streams of the encodings have no end of their own.

func hexDumper(e *Env) func(io.Writer) io.WriteCloser {
	return func(w io.Writer) io.WriteCloser {
		d := hex.Dumper(e.keeper(w))
		return &piecewiseCloser{piecewise{d, e}, d}
	}
}

func hexNewEncoder(e *Env) func(io.Writer) io.Writer {
	return func(w io.Writer) io.Writer { return hex.NewEncoder(e.keeper(w)) }
}

func hexNewDecoder(e *Env) func(io.Reader) io.Reader {
	return func(r io.Reader) io.Reader { return hex.NewDecoder(e.reader(r)) }
}

func base64NewEncoder(e *Env) func(*base64.Encoding, io.Writer) io.WriteCloser {
	return func(enc *base64.Encoding, w io.Writer) io.WriteCloser { return base64.NewEncoder(enc, e.keeper(w)) }
}

func base64NewDecoder(e *Env) func(*base64.Encoding, io.Reader) io.Reader {
	return func(enc *base64.Encoding, r io.Reader) io.Reader { return base64.NewDecoder(enc, e.reader(r)) }
}

func base64EncodeToString(e *Env) func(*base64.Encoding, []byte) string {
	return func(enc *base64.Encoding, b []byte) string {
		e.chargeProduct(int64(len(b)), 3)
		return enc.EncodeToString(b)
	}
}

func base64AppendEncode(e *Env) func(*base64.Encoding, []byte, []byte) []byte {
	return func(enc *base64.Encoding, dst, src []byte) []byte {
		e.chargeAppend(dst, enc.EncodedLen(len(src)))
		return enc.AppendEncode(dst, src)
	}
}

func base32NewEncoder(e *Env) func(*base32.Encoding, io.Writer) io.WriteCloser {
	return func(enc *base32.Encoding, w io.Writer) io.WriteCloser { return base32.NewEncoder(enc, e.keeper(w)) }
}

func base32NewDecoder(e *Env) func(*base32.Encoding, io.Reader) io.Reader {
	return func(enc *base32.Encoding, r io.Reader) io.Reader { return base32.NewDecoder(enc, e.reader(r)) }
}

func base32EncodeToString(e *Env) func(*base32.Encoding, []byte) string {
	return func(enc *base32.Encoding, b []byte) string {
		e.chargeProduct(int64(len(b)), 4)
		e.work(int64(len(b)) / 4)
		return enc.EncodeToString(b)
	}
}

func base32AppendEncode(e *Env) func(*base32.Encoding, []byte, []byte) []byte {
	return func(enc *base32.Encoding, dst, src []byte) []byte {
		e.chargeAppend(dst, enc.EncodedLen(len(src)))
		e.work(int64(len(src)) / 4)
		return enc.AppendEncode(dst, src)
	}
}

func ascii85NewEncoder(e *Env) func(io.Writer) io.WriteCloser {
	return func(w io.Writer) io.WriteCloser { return ascii85.NewEncoder(e.keeper(w)) }
}

func ascii85NewDecoder(e *Env) func(io.Reader) io.Reader {
	return func(r io.Reader) io.Reader { return ascii85.NewDecoder(e.reader(r)) }
}

// Rates for payText, and for the memory of headers of two letters.
const (
	pemRate  = 25
	pemTimes = 12
)

func pemDecode(e *Env) func([]byte) (*pem.Block, []byte) {
	return func(b []byte) (*pem.Block, []byte) {
		e.payText(pemRate, len(b))
		if n := bytes.Count(b, []byte(":")); n > 0 {
			e.chargeProduct(int64(n), 8*pemTimes)
		}
		return pem.Decode(b)
	}
}
