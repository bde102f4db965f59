package crypto

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

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimbig "github.com/sandtrap-go/sandtrap/builtins/internal/shim/big"
)

func HmacNew(e *shim.Env) func(func() hash.Hash, []byte) hash.Hash {
	return func(f func() hash.Hash, key []byte) hash.Hash { return e.Digest(hmac.New(f, key)) }
}

// SubtleDo runs f: that a script's code takes the same time for all data cannot be
// promised.
func SubtleDo(*shim.Env) func(func()) { return func(f func()) { f() } }

// A secret is the source of the numbers of a run that nobody is to foresee.
type secret struct{ from io.Reader }

// random is where the secret numbers of a run come from: the host's own source, or
// the seed of a run that can be repeated.
func random(e *shim.Env) io.Reader {
	s := shim.State[secret](e)
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
	env  *shim.Env
}

func (r *randomReader) Read(p []byte) (int, error) {
	return r.env.InPieces(p, func(p []byte) error {
		_, err := io.ReadFull(r.from, p)
		return err
	})
}

func CryptoRandReader(e *shim.Env) io.Reader { return random(e) }

func CryptoRandRead(e *shim.Env) func([]byte) (int, error) { return random(e).Read }

func CryptoRandText(e *shim.Env) func() string {
	return func() string {
		var b [17]byte // 26 letters of five bits each
		_, _ = random(e).Read(b[:])
		return base32.StdEncoding.EncodeToString(b[:])[:26]
	}
}

// CryptoRandInt draws numbers of as many bits as max has until one is below it.
func CryptoRandInt(e *shim.Env) func(io.Reader, *big.Int) (*big.Int, error) {
	return func(r io.Reader, max *big.Int) (*big.Int, error) {
		if max.Sign() <= 0 {
			panic("crypto/rand: argument to Int is <= 0")
		}
		e.Charge(int64(max.BitLen()))
		bits := new(big.Int).Sub(max, big.NewInt(1)).BitLen()
		for {
			e.Check()
			n, err := randomBits(r, bits)
			if err != nil || n.Cmp(max) < 0 {
				return n, err
			}
		}
	}
}

// CryptoRandPrime tries odd numbers with the two highest bits set, so that the
// product of two primes has all the bits it can.
func CryptoRandPrime(e *shim.Env) func(io.Reader, int) (*big.Int, error) {
	return func(r io.Reader, bits int) (*big.Int, error) {
		if bits < 2 {
			return nil, errors.New("crypto/rand: prime size must be at least 2-bit")
		}
		e.Charge(int64(bits))
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
			e.Check()
			shimbig.WorkPrime(e, n, 20)
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
