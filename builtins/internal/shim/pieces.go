package shim

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
	Piece      = 128 << 10
	ShortPiece = 32 << 10
)

// InPieces calls f with one part of p after the other.
func (e *Env) InPieces(p []byte, f func([]byte) error) (n int, err error) {
	return e.InPiecesOf(Piece, p, f)
}

func (e *Env) InPiecesOf(size int, p []byte, f func([]byte) error) (n int, err error) {
	for len(p) > size {
		if err := f(p[:size]); err != nil {
			return n, err
		}
		p, n = p[size:], n+size
		e.Check()
	}
	if err := f(p); err != nil {
		return n, err
	}
	return n + len(p), nil
}

// InRunes is InPieces for what is looked at rune by rune.
func (e *Env) InRunes(p []byte, f func([]byte) error) (n int, err error) {
	for len(p) > ShortPiece {
		size := ShortPiece
		for size > ShortPiece-utf8.UTFMax && !utf8.RuneStart(p[size]) {
			size--
		}
		if err := f(p[:size]); err != nil {
			return n, err
		}
		p, n = p[size:], n+size
		e.Check()
	}
	return n + len(p), f(p)
}

// TextInPieces is InPieces for a string, which is not copied as a whole.
func (e *Env) TextInPieces(size int, s string, f func([]byte) error) (n int, err error) {
	for {
		part := s[:min(size, len(s))]
		if err := f([]byte(part)); err != nil {
			return n, err
		}
		s, n = s[len(part):], n+len(part)
		if s == "" {
			return n, nil
		}
		e.Check()
	}
}

// Piecewise is a writer that takes long for what it is given.
type Piecewise struct {
	io.Writer
	env *Env
}

func (w *Piecewise) Write(p []byte) (int, error) {
	return w.env.InPiecesOf(ShortPiece, p, Into(w.Writer))
}

func (w *Piecewise) WriteString(s string) (int, error) {
	return w.env.TextInPieces(ShortPiece, s, Into(w.Writer))
}

// A PiecewiseCloser is one that is to be closed.
type PiecewiseCloser struct {
	Piecewise
	io.Closer
}

// Digest is a hash of the host's for a script: long texts go in by pieces.
type Digest struct {
	hash.Hash
	env *Env
}

func (d *Digest) Write(p []byte) (int, error) { return d.env.InPieces(p, Into(d.Hash)) }

func (d *Digest) WriteString(s string) (int, error) {
	return d.env.TextInPieces(Piece, s, Into(d.Hash))
}

// The states of Go's own hashes go in and out of a digest as they are.

func (d *Digest) AppendBinary(b []byte) ([]byte, error) { return appendState(d.Hash, b) }
func (d *Digest) MarshalBinary() ([]byte, error)        { return appendState(d.Hash, nil) }
func (d *Digest) UnmarshalBinary(b []byte) error {
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

// Digest32 is a digest of 32 bits.
type Digest32 struct {
	hash.Hash32
	env *Env
}

func (d *Digest32) Write(p []byte) (int, error) { return d.env.InPieces(p, Into(d.Hash32)) }

func (d *Digest32) WriteString(s string) (int, error) {
	return d.env.TextInPieces(Piece, s, Into(d.Hash32))
}

// Digest64 is a digest of 64 bits.
type Digest64 struct {
	hash.Hash64
	env *Env
}

func (d *Digest64) Write(p []byte) (int, error) { return d.env.InPieces(p, Into(d.Hash64)) }

func (d *Digest64) WriteString(s string) (int, error) {
	return d.env.TextInPieces(Piece, s, Into(d.Hash64))
}

// Into writes to w, which takes all of what it is given, or fails.
func Into(w io.Writer) func([]byte) error {
	return func(p []byte) error {
		_, err := w.Write(p)
		return err
	}
}

// Hashing makes a function that makes hashes.
func Hashing(e *Env, f func() hash.Hash) func() hash.Hash {
	return func() hash.Hash { return &Digest{f(), e} }
}

func Hashing32(e *Env, f func() hash.Hash32) func() hash.Hash32 {
	return func() hash.Hash32 { return &Digest32{f(), e} }
}

func Hashing64(e *Env, f func() hash.Hash64) func() hash.Hash64 {
	return func() hash.Hash64 { return &Digest64{f(), e} }
}

// Summing counts the work of a function that hashes a text in one go.
func Summing[A any](e *Env, f func([]byte) A) func([]byte) A {
	return func(b []byte) A {
		e.Work(int64(len(b)))
		return f(b)
	}
}

// InPiecesTo is w, which gets long texts by pieces.
func (e *Env) InPiecesTo(w io.Writer) io.Writer { return &Piecewise{w, e} }

// InPiecesToCloser is InPiecesTo for what has to be closed.
func (e *Env) InPiecesToCloser(w io.WriteCloser) io.WriteCloser {
	return &PiecewiseCloser{Piecewise{w, e}, w}
}

// Digest, Digest32 and Digest64 are h as scripts have it.
func (e *Env) Digest(h hash.Hash) hash.Hash       { return &Digest{h, e} }
func (e *Env) Digest32(h hash.Hash32) hash.Hash32 { return &Digest32{h, e} }
func (e *Env) Digest64(h hash.Hash64) hash.Hash64 { return &Digest64{h, e} }
