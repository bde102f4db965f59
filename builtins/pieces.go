package builtins

import "hash"

// piece is how much of a long text is worked on before a stop is let through:
// below a millisecond of the slowest hash.
const piece = 128 << 10

// inPieces calls f with one part of p after the other.
func (e *Env) inPieces(p []byte, f func([]byte) error) (n int, err error) {
	for len(p) > piece {
		if err := f(p[:piece]); err != nil {
			return n, err
		}
		p, n = p[piece:], n+piece
		e.check()
	}
	if err := f(p); err != nil {
		return n, err
	}
	return n + len(p), nil
}

// digest is a hash of the host's for a script: long texts go in by pieces.
type digest struct {
	hash.Hash
	env *Env
}

func (d *digest) Write(p []byte) (int, error) { return d.env.inPieces(p, into(d.Hash)) }

// digest32 is a digest of 32 bits.
type digest32 struct {
	hash.Hash32
	env *Env
}

func (d *digest32) Write(p []byte) (int, error) { return d.env.inPieces(p, into(d.Hash32)) }

// digest64 is a digest of 64 bits.
type digest64 struct {
	hash.Hash64
	env *Env
}

func (d *digest64) Write(p []byte) (int, error) { return d.env.inPieces(p, into(d.Hash64)) }

// into writes to a hash, which takes all of what it is given.
func into(h hash.Hash) func([]byte) error {
	return func(p []byte) error {
		_, err := h.Write(p)
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
