package policies

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// Portable is the text of a version that was sent, for Adopt on another machine. It is empty for one that the program has, and not ok for
// one of a file, which may open the machine that has it.
func (c *Catalog) Portable(ctx context.Context, ref Ref) (text string, ok bool) {
	of, version, _ := strings.Cut(string(ref), "@")
	if version == Builtin {
		return "", true
	}
	if c.store == nil {
		return "", false
	}
	row, err := c.store.Policy(ctx, of, version)
	if err != nil || row.Source != store.Sent {
		return "", false
	}
	return row.Texts[row.Root], true
}

// maxAdopted bounds the texts that a catalog has adopted. Each is of 64 KiB at most.
const maxAdopted = 256

// Adopt keeps a text of a policy that was sent to another machine, and is its reference here, for Load.
func (c *Catalog) Adopt(of, text string) Ref {
	sum := sha256.Sum256([]byte(text))
	ref := Ref(of + "@" + hex.EncodeToString(sum[:16]))
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.adopted == nil {
		c.adopted = map[Ref]string{}
	}
	for other := range c.adopted {
		if len(c.adopted) < maxAdopted {
			break
		}
		delete(c.adopted, other) // it comes again with its next job
	}
	c.adopted[ref] = text
	return ref
}

// adoptedText is the text of a reference that Adopt has given.
func (c *Catalog) adoptedText(ref Ref) (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	text, ok := c.adopted[ref]
	return text, ok
}
