package crypto

import (
	"crypto"
	"crypto/ed25519"
	"crypto/sha3"
	"hash"
	"io"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

func CryptoHashNew(e *shim.Env) func(crypto.Hash) hash.Hash {
	return func(h crypto.Hash) hash.Hash { return e.Digest(h.New()) }
}

func Sha3Sum224(e *shim.Env) func([]byte) [28]byte      { return shim.Summing(e, sha3.Sum224) }
func Sha3Sum256(e *shim.Env) func([]byte) [32]byte      { return shim.Summing(e, sha3.Sum256) }
func Sha3Sum384(e *shim.Env) func([]byte) [48]byte      { return shim.Summing(e, sha3.Sum384) }
func Sha3Sum512(e *shim.Env) func([]byte) [64]byte      { return shim.Summing(e, sha3.Sum512) }
func Sha3Shake128(e *shim.Env) func([]byte, int) []byte { return shaking(e, sha3.SumSHAKE128) }
func Sha3Shake256(e *shim.Env) func([]byte, int) []byte { return shaking(e, sha3.SumSHAKE256) }

// shaking asks for a hash of as many bytes as the script wants.
func shaking(e *shim.Env, f func([]byte, int) []byte) func([]byte, int) []byte {
	return func(b []byte, n int) []byte {
		e.Charge(int64(n))
		e.Work(int64(len(b)) + int64(max(n, 0)))
		return f(b, n)
	}
}

func NewCSHAKE(f func(n, s []byte) *sha3.SHAKE) func(*shim.Env) func(n, s []byte) *sha3.SHAKE {
	return func(e *shim.Env) func(n, s []byte) *sha3.SHAKE {
		return func(n, s []byte) *sha3.SHAKE {
			e.PayCopies(1, len(n)+len(s))
			return f(n, s)
		}
	}
}

func Sha3Write(e *shim.Env) func(*sha3.SHA3, []byte) (int, error) {
	return func(h *sha3.SHA3, p []byte) (int, error) { return e.InPieces(p, shim.Into(h)) }
}

func ShakeWrite(e *shim.Env) func(*sha3.SHAKE, []byte) (int, error) {
	return func(h *sha3.SHAKE, p []byte) (int, error) {
		return e.InPieces(p, func(p []byte) error {
			_, err := h.Write(p)
			return err
		})
	}
}

func ShakeRead(e *shim.Env) func(*sha3.SHAKE, []byte) (int, error) {
	return func(h *sha3.SHAKE, p []byte) (int, error) {
		return e.InPieces(p, func(p []byte) error {
			_, err := h.Read(p)
			return err
		})
	}
}

// Ed25519GenerateKey takes its seed from the reader, whatever Go does.
func Ed25519GenerateKey(e *shim.Env) func(io.Reader) (ed25519.PublicKey, ed25519.PrivateKey, error) {
	return func(r io.Reader) (ed25519.PublicKey, ed25519.PrivateKey, error) {
		if r == nil {
			r = random(e)
		}
		seed := make([]byte, ed25519.SeedSize)
		if _, err := io.ReadFull(r, seed); err != nil {
			return nil, nil, err
		}
		key := ed25519.NewKeyFromSeed(seed)
		return key.Public().(ed25519.PublicKey), key, nil
	}
}

// ed25519Rate is a rate for PayText.
const ed25519Rate = 10

func Ed25519Sign(e *shim.Env) func(ed25519.PrivateKey, []byte) []byte {
	return func(key ed25519.PrivateKey, message []byte) []byte {
		e.PayText(ed25519Rate, len(message))
		return ed25519.Sign(key, message)
	}
}

func Ed25519KeySign(e *shim.Env) func(ed25519.PrivateKey, io.Reader, []byte, crypto.SignerOpts) ([]byte, error) {
	return func(key ed25519.PrivateKey, r io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error) {
		e.PayText(ed25519Rate, len(message))
		return key.Sign(r, message, opts)
	}
}

func Ed25519Verify(e *shim.Env) func(ed25519.PublicKey, []byte, []byte) bool {
	return func(key ed25519.PublicKey, message, sig []byte) bool {
		e.PayText(ed25519Rate, len(message))
		return ed25519.Verify(key, message, sig)
	}
}

func Ed25519VerifyWithOptions(e *shim.Env) func(ed25519.PublicKey, []byte, []byte, *ed25519.Options) error {
	return func(key ed25519.PublicKey, message, sig []byte, opts *ed25519.Options) error {
		e.PayText(ed25519Rate, len(message))
		return ed25519.VerifyWithOptions(key, message, sig, opts)
	}
}
