package plans

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
)

// The Go types of a text of tools stay in the process for ever, once for each type, some 60 bytes for each byte of a text: none can be
// let go. So there is a bound on the texts that differ, until the server is started again: each tenant has a share of its own, which no
// other one can use up, and may have more while there is room that all have together.
const (
	maxText        = 64 << 10  // bytes of one
	ownTexts       = 128 << 10 // bytes of all of a tenant that it always may have
	maxTenantTexts = 1 << 20   // bytes of all of a tenant
	maxShared      = 8 << 20   // bytes of all tenants, beyond those of their own
)

// ErrTools is matched by errors about texts that differ.
var ErrTools = errors.New("too much text of tools")

// texts are those that were admitted.
type texts struct {
	mu      sync.Mutex
	known   map[[sha256.Size]byte]bool // by the hash of a tenant and a text: nobody learns which others use
	shared  int
	tenants map[string]int
}

// Admit reports whether a tenant may use a text of tools. One that it has used before costs nothing.
func (s *Set) Admit(tenant, tools string) error {
	if tools == "" {
		return nil
	}
	t, hash := &s.texts, sha256.Sum256([]byte(tenant+"\x00"+tools))
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(tools)
	beyond := max(0, t.tenants[tenant]+n-ownTexts) - max(0, t.tenants[tenant]-ownTexts)
	switch {
	case t.known[hash]:
		return nil
	case n > maxText:
		return fmt.Errorf("tools: the text has %d bytes; %d are the limit", n, maxText)
	case t.tenants[tenant]+n > maxTenantTexts:
		return fmt.Errorf("%w: this tenant has used %d bytes of tools that differ, and %d are the limit until the server is started again; use the same text for all runs",
			ErrTools, t.tenants[tenant], maxTenantTexts)
	case t.shared+beyond > maxShared:
		return fmt.Errorf("%w: this tenant has used the %d bytes of tools that differ of its own, and all tenants together %d of the %d beyond, until the server is started again; use the same text for all runs",
			ErrTools, ownTexts, t.shared, maxShared)
	}
	if t.known == nil {
		t.known, t.tenants = map[[sha256.Size]byte]bool{}, map[string]int{}
	}
	t.known[hash] = true
	t.shared += beyond
	t.tenants[tenant] += n
	return nil
}
