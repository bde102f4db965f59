package builtins

import (
	"crypto"
	"crypto/ed25519"
	"crypto/sha3"
	"hash"
	"io"
)

func cryptoHashNew(e *Env) func(crypto.Hash) hash.Hash {
	return func(h crypto.Hash) hash.Hash { return &digest{h.New(), e} }
}

func sha3Sum224(e *Env) func([]byte) [28]byte      { return summing(e, sha3.Sum224) }
func sha3Sum256(e *Env) func([]byte) [32]byte      { return summing(e, sha3.Sum256) }
func sha3Sum384(e *Env) func([]byte) [48]byte      { return summing(e, sha3.Sum384) }
func sha3Sum512(e *Env) func([]byte) [64]byte      { return summing(e, sha3.Sum512) }
func sha3Shake128(e *Env) func([]byte, int) []byte { return shaking(e, sha3.SumSHAKE128) }
func sha3Shake256(e *Env) func([]byte, int) []byte { return shaking(e, sha3.SumSHAKE256) }

// shaking asks for a hash of as many bytes as the script wants.
func shaking(e *Env, f func([]byte, int) []byte) func([]byte, int) []byte {
	return func(b []byte, n int) []byte {
		e.charge(int64(n))
		e.work(int64(len(b)) + int64(max(n, 0)))
		return f(b, n)
	}
}

func newCSHAKE(f func(n, s []byte) *sha3.SHAKE) func(*Env) func(n, s []byte) *sha3.SHAKE {
	return func(e *Env) func(n, s []byte) *sha3.SHAKE {
		return func(n, s []byte) *sha3.SHAKE {
			e.payCopies(1, len(n)+len(s))
			return f(n, s)
		}
	}
}

func sha3Write(e *Env) func(*sha3.SHA3, []byte) (int, error) {
	return func(h *sha3.SHA3, p []byte) (int, error) { return e.inPieces(p, into(h)) }
}

func shakeWrite(e *Env) func(*sha3.SHAKE, []byte) (int, error) {
	return func(h *sha3.SHAKE, p []byte) (int, error) {
		return e.inPieces(p, func(p []byte) error {
			_, err := h.Write(p)
			return err
		})
	}
}

func shakeRead(e *Env) func(*sha3.SHAKE, []byte) (int, error) {
	return func(h *sha3.SHAKE, p []byte) (int, error) {
		return e.inPieces(p, func(p []byte) error {
			_, err := h.Read(p)
			return err
		})
	}
}

// ed25519GenerateKey takes its seed from the reader, whatever Go does.
func ed25519GenerateKey(e *Env) func(io.Reader) (ed25519.PublicKey, ed25519.PrivateKey, error) {
	return func(r io.Reader) (ed25519.PublicKey, ed25519.PrivateKey, error) {
		if r == nil {
			r = e.random()
		}
		seed := make([]byte, ed25519.SeedSize)
		if _, err := io.ReadFull(r, seed); err != nil {
			return nil, nil, err
		}
		key := ed25519.NewKeyFromSeed(seed)
		return key.Public().(ed25519.PublicKey), key, nil
	}
}

// ed25519Rate is a rate for payText.
const ed25519Rate = 10

func ed25519Sign(e *Env) func(ed25519.PrivateKey, []byte) []byte {
	return func(key ed25519.PrivateKey, message []byte) []byte {
		e.payText(ed25519Rate, len(message))
		return ed25519.Sign(key, message)
	}
}

func ed25519KeySign(e *Env) func(ed25519.PrivateKey, io.Reader, []byte, crypto.SignerOpts) ([]byte, error) {
	return func(key ed25519.PrivateKey, r io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error) {
		e.payText(ed25519Rate, len(message))
		return key.Sign(r, message, opts)
	}
}

func ed25519Verify(e *Env) func(ed25519.PublicKey, []byte, []byte) bool {
	return func(key ed25519.PublicKey, message, sig []byte) bool {
		e.payText(ed25519Rate, len(message))
		return ed25519.Verify(key, message, sig)
	}
}

func ed25519VerifyWithOptions(e *Env) func(ed25519.PublicKey, []byte, []byte, *ed25519.Options) error {
	return func(key ed25519.PublicKey, message, sig []byte, opts *ed25519.Options) error {
		e.payText(ed25519Rate, len(message))
		return ed25519.VerifyWithOptions(key, message, sig, opts)
	}
}
