package record

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// A Key signs checkpoints.
type Key struct {
	signer   note.Signer
	verifier note.Verifier
}

// ParseKey reads a private Ed25519 key in the form of golang.org/x/mod/sumdb/note, PRIVATE+KEY+..., as GenerateKey of that package
// and "sandtrap record key" make it. Space around it is allowed.
func ParseKey(private string) (*Key, error) {
	private = strings.TrimSpace(private)
	signer, err := note.NewSigner(private)
	if err != nil {
		return nil, errors.New("record: not a private key of a record: it begins with PRIVATE+KEY+")
	}
	// The text has five parts, or NewSigner would have failed: the last one is the algorithm, a byte, and the seed.
	parts := strings.SplitN(private, "+", 5)
	seed, err := base64.StdEncoding.DecodeString(parts[4])
	if err != nil {
		return nil, err
	}
	public := ed25519.NewKeyFromSeed(seed[1:]).Public().(ed25519.PublicKey)
	text, err := note.NewEd25519VerifierKey(signer.Name(), public)
	if err != nil {
		return nil, err
	}
	verifier, err := note.NewVerifier(text)
	return &Key{signer, verifier}, err
}
