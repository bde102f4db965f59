package journal

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
)

// KeySize is how many bytes a key has.
const KeySize = 32

// A chain makes or checks the MACs of the lines of a journal: each is the HMAC-SHA256 of the one before and of its line, so
// that lines can be neither changed nor left out, nor be those of another journal. It is the last field of its line. A nil
// chain has none.
type chain struct {
	key  []byte
	last []byte // the MAC of the line before
}

// newChain is one for a journal that begins, nil without a key.
func newChain(key []byte) *chain {
	if len(key) == 0 {
		return nil
	}
	return &chain{key: key}
}

const (
	macField = `,"mac":"`
	macEnd   = `"}`
	macSize  = len(macField) + 2*sha256.Size + len(macEnd)
)

// next is the MAC of the next line.
func (c *chain) next(line []byte) []byte {
	h := hmac.New(sha256.New, c.key)
	h.Write(c.last)
	h.Write(line)
	c.last = h.Sum(nil)
	return c.last
}

// seal appends the line, an object without MAC, with its MAC.
func (c *chain) seal(to, line []byte) []byte {
	if c == nil {
		return append(to, line...)
	}
	to = append(append(to, line[:len(line)-1]...), macField...)
	return append(hex.AppendEncode(to, c.next(line)), macEnd...)
}

// open gives the line without its MAC, if that is right.
func (c *chain) open(text []byte) ([]byte, error) {
	line, mac := cutMAC(text)
	switch {
	case c == nil && mac != nil:
		return nil, errors.New("it has a MAC, and there is no key to check it")
	case c == nil:
		return text, nil
	case mac == nil:
		return nil, errors.New("it has no MAC, and there is a key")
	case !hmac.Equal(mac, c.next(line)):
		return nil, errors.New("its MAC is wrong: the journal was changed, or written with another key")
	}
	return line, nil
}

// cutMAC cuts the MAC off a line, nil if it has none.
func cutMAC(text []byte) (line, mac []byte) {
	at := len(text) - macSize
	if at < 0 || !bytes.HasPrefix(text[at:], []byte(macField)) || !bytes.HasSuffix(text, []byte(macEnd)) {
		return text, nil
	}
	mac, err := hex.DecodeString(string(text[at+len(macField) : len(text)-len(macEnd)]))
	if err != nil {
		return text, nil
	}
	return append(bytes.Clone(text[:at]), '}'), mac
}
