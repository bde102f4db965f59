package builtins

import (
	"crypto/hmac"
	cryptorand "crypto/rand"

	"encoding/base32"
	"encoding/binary"
	"errors"
	"hash"
	"io"
	"math/big"
	randv2 "math/rand/v2"
)

func hmacNew(e *Env) func(func() hash.Hash, []byte) hash.Hash {
	return func(f func() hash.Hash, key []byte) hash.Hash { return &digest{hmac.New(f, key), e} }
}

// subtleDo runs f: that a script's code takes the same time for all data cannot be
// promised.
func subtleDo(*Env) func(func()) { return func(f func()) { f() } }

// A secret is the source of the numbers of a run that nobody is to foresee.
type secret struct{ from io.Reader }

// random is where the secret numbers of a run come from: the host's own source, or
// the seed of a run that can be repeated.
func (e *Env) random() io.Reader {
	s := State[secret](e)
	if s.from == nil {
		s.from = cryptorand.Reader
		if e.Seed != 0 {
			var seed [32]byte
			binary.LittleEndian.PutUint64(seed[:], e.Seed)
			s.from = randv2.NewChaCha8(seed)
		}
	}
	return &randomReader{s.from, e}
}

// randomReader reads by pieces.
type randomReader struct {
	from io.Reader
	env  *Env
}

func (r *randomReader) Read(p []byte) (int, error) {
	return r.env.inPieces(p, func(p []byte) error {
		_, err := io.ReadFull(r.from, p)
		return err
	})
}

func cryptoRandReader(e *Env) io.Reader { return e.random() }

func cryptoRandRead(e *Env) func([]byte) (int, error) { return e.random().Read }

func cryptoRandText(e *Env) func() string {
	return func() string {
		var b [17]byte // 26 letters of five bits each
		_, _ = e.random().Read(b[:])
		return base32.StdEncoding.EncodeToString(b[:])[:26]
	}
}

// cryptoRandInt draws numbers of as many bits as max has until one is below it.
func cryptoRandInt(e *Env) func(io.Reader, *big.Int) (*big.Int, error) {
	return func(r io.Reader, max *big.Int) (*big.Int, error) {
		if max.Sign() <= 0 {
			panic("crypto/rand: argument to Int is <= 0")
		}
		e.charge(int64(max.BitLen()))
		bits := new(big.Int).Sub(max, big.NewInt(1)).BitLen()
		for {
			e.check()
			n, err := randomBits(r, bits)
			if err != nil || n.Cmp(max) < 0 {
				return n, err
			}
		}
	}
}

// cryptoRandPrime tries odd numbers with the two highest bits set, so that the
// product of two primes has all the bits it can.
func cryptoRandPrime(e *Env) func(io.Reader, int) (*big.Int, error) {
	return func(r io.Reader, bits int) (*big.Int, error) {
		if bits < 2 {
			return nil, errors.New("crypto/rand: prime size must be at least 2-bit")
		}
		e.charge(int64(bits))
		for {
			n, err := randomBits(r, bits)
			if err != nil {
				return nil, err
			}
			n.SetBit(n, bits-1, 1)
			n.SetBit(n, bits-2, 1)
			if bits > 2 {
				n.SetBit(n, 0, 1)
			}
			e.check()
			e.workPrime(n, 20)
			if n.ProbablyPrime(20) {
				return n, nil
			}
		}
	}
}

// randomBits is a number of at most so many bits.
func randomBits(r io.Reader, bits int) (*big.Int, error) {
	b := make([]byte, (bits+7)/8)
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, err
	}
	if spare := len(b)*8 - bits; spare > 0 {
		b[0] &= 0xff >> spare
	}
	return new(big.Int).SetBytes(b), nil
}
