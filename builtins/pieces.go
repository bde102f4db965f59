package builtins

import (
	"encoding"
	"errors"
	"hash"
	"io"
	"unicode/utf8"
)

// A long text is worked on in pieces, between which a stop is let through. A piece
// is what takes well below a millisecond to hash, or a few to compress.
const (
	piece      = 128 << 10
	shortPiece = 32 << 10
)

// inPieces calls f with one part of p after the other.
func (e *Env) inPieces(p []byte, f func([]byte) error) (n int, err error) {
	return e.inPiecesOf(piece, p, f)
}

func (e *Env) inPiecesOf(size int, p []byte, f func([]byte) error) (n int, err error) {
	for len(p) > size {
		if err := f(p[:size]); err != nil {
			return n, err
		}
		p, n = p[size:], n+size
		e.check()
	}
	if err := f(p); err != nil {
		return n, err
	}
	return n + len(p), nil
}

// inRunes is inPieces for what is looked at rune by rune.
func (e *Env) inRunes(p []byte, f func([]byte) error) (n int, err error) {
	for len(p) > shortPiece {
		size := shortPiece
		for size > shortPiece-utf8.UTFMax && !utf8.RuneStart(p[size]) {
			size--
		}
		if err := f(p[:size]); err != nil {
			return n, err
		}
		p, n = p[size:], n+size
		e.check()
	}
	return n + len(p), f(p)
}

// textInPieces is inPieces for a string, which is not copied as a whole.
func (e *Env) textInPieces(size int, s string, f func([]byte) error) (n int, err error) {
	for {
		part := s[:min(size, len(s))]
		if err := f([]byte(part)); err != nil {
			return n, err
		}
		s, n = s[len(part):], n+len(part)
		if s == "" {
			return n, nil
		}
		e.check()
	}
}

// piecewise is a writer that takes long for what it is given.
type piecewise struct {
	io.Writer
	env *Env
}

func (w *piecewise) Write(p []byte) (int, error) {
	return w.env.inPiecesOf(shortPiece, p, into(w.Writer))
}

func (w *piecewise) WriteString(s string) (int, error) {
	return w.env.textInPieces(shortPiece, s, into(w.Writer))
}

// A piecewiseCloser is one that is to be closed.
type piecewiseCloser struct {
	piecewise
	io.Closer
}

// digest is a hash of the host's for a script: long texts go in by pieces.
type digest struct {
	hash.Hash
	env *Env
}

func (d *digest) Write(p []byte) (int, error) { return d.env.inPieces(p, into(d.Hash)) }

func (d *digest) WriteString(s string) (int, error) {
	return d.env.textInPieces(piece, s, into(d.Hash))
}

// The states of Go's own hashes go in and out of a digest as they are.

func (d *digest) AppendBinary(b []byte) ([]byte, error) { return appendState(d.Hash, b) }
func (d *digest) MarshalBinary() ([]byte, error)        { return appendState(d.Hash, nil) }
func (d *digest) UnmarshalBinary(b []byte) error {
	u, ok := d.Hash.(encoding.BinaryUnmarshaler)
	if !ok {
		return errNoState
	}
	return u.UnmarshalBinary(b)
}

var errNoState = errors.New("hash: this one does not hand out its state")

func appendState(h hash.Hash, b []byte) ([]byte, error) {
	a, ok := h.(encoding.BinaryAppender)
	if !ok {
		return nil, errNoState
	}
	return a.AppendBinary(b)
}

// digest32 is a digest of 32 bits.
type digest32 struct {
	hash.Hash32
	env *Env
}

func (d *digest32) Write(p []byte) (int, error) { return d.env.inPieces(p, into(d.Hash32)) }

func (d *digest32) WriteString(s string) (int, error) {
	return d.env.textInPieces(piece, s, into(d.Hash32))
}

// digest64 is a digest of 64 bits.
type digest64 struct {
	hash.Hash64
	env *Env
}

func (d *digest64) Write(p []byte) (int, error) { return d.env.inPieces(p, into(d.Hash64)) }

func (d *digest64) WriteString(s string) (int, error) {
	return d.env.textInPieces(piece, s, into(d.Hash64))
}

// into writes to w, which takes all of what it is given, or fails.
func into(w io.Writer) func([]byte) error {
	return func(p []byte) error {
		_, err := w.Write(p)
		return err
	}
}

// hashing makes a function that makes hashes.
func hashing(e *Env, f func() hash.Hash) func() hash.Hash {
	return func() hash.Hash { return &digest{f(), e} }
}

func hashing32(e *Env, f func() hash.Hash32) func() hash.Hash32 {
	return func() hash.Hash32 { return &digest32{f(), e} }
}

func hashing64(e *Env, f func() hash.Hash64) func() hash.Hash64 {
	return func() hash.Hash64 { return &digest64{f(), e} }
}

// summing counts the work of a function that hashes a text in one go.
func summing[A any](e *Env, f func([]byte) A) func([]byte) A {
	return func(b []byte) A {
		e.work(int64(len(b)))
		return f(b)
	}
}
