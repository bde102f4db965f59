// Package keys knows who may use the service: each key is a token, for which a tenant and a role are noted. Of a token only its
// SHA-256 is kept.
//
// It may not print a token but when it makes one.
package keys

import (
	"bufio"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
)

// A Role says what its holder may do.
type Role string

// The roles. Each may do what those before it may.
const (
	User     Role = "user"     // runs scripts, and sees what is his tenant's
	Operator Role = "operator" // also sees the runs of all tenants, and the machine
	Admin    Role = "admin"    // also makes keys and policies, and sees what names files of the machine
)

// Roles are all of them, in their order.
func Roles() []Role { return []Role{User, Operator, Admin} }

// May reports that r may do what the other role may.
func (r Role) May(other Role) bool { return rank(r) >= rank(other) && rank(other) >= 0 }

func rank(r Role) int {
	for i, known := range Roles() {
		if r == known {
			return i
		}
	}
	return -1
}

// A Key is who a token belongs to.
type Key struct {
	Hash   [sha256.Size]byte
	Tenant string
	Role   Role
}

// tokenPrefix makes tokens easy to find for those who look for leaked ones.
const tokenPrefix = "stk_"

// minToken bounds tokens of key files, in bytes: a shorter one could be guessed.
const minToken = 16

// New makes a token for a tenant. Only the key is kept.
func New(tenant string, role Role) (token string, key Key, err error) {
	if err := check(tenant, role); err != nil {
		return "", Key{}, err
	}
	token = tokenPrefix + rand.Text()
	return token, Key{Hash: sha256.Sum256([]byte(token)), Tenant: tenant, Role: role}, nil
}

// tenantName is the form of the name of a tenant.
var tenantName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,62}$`) })

func check(tenant string, role Role) error {
	if !tenantName().MatchString(tenant) {
		return fmt.Errorf("the tenant %q is not a name: want letters a to z, digits, and . _ - after the first one, 63 at most", tenant)
	}
	if rank(role) < 0 {
		return fmt.Errorf("no role %q; there are user, operator, admin", role)
	}
	return nil
}

// Parse reads a file of keys: lines of token@tenant:role, where the token may be sha256: and its hash in hex. Empty lines, and those
// that begin with #, are skipped; any other is an error, which names the line and does not show the token.
func Parse(name string, r io.Reader) (list []Key, err error) {
	lines := bufio.NewScanner(r)
	seen := map[[sha256.Size]byte]int{}
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, err := parseLine(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if first := seen[key.Hash]; first > 0 {
			return nil, fmt.Errorf("%s:%d: the token is that of line %d", name, n, first)
		}
		seen[key.Hash] = n
		list = append(list, key)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}

func parseLine(line string) (key Key, err error) {
	at := strings.LastIndexByte(line, '@')
	tenant, role, ok := strings.Cut(line[at+1:], ":")
	if at < 0 || !ok {
		return key, fmt.Errorf("want token@tenant:role")
	}
	key.Tenant, key.Role = tenant, Role(role)
	if err := check(tenant, key.Role); err != nil {
		return key, err
	}
	token := line[:at]
	if text, isHash := strings.CutPrefix(token, "sha256:"); isHash {
		hash, err := hex.DecodeString(text)
		if err != nil || len(hash) != sha256.Size {
			return key, fmt.Errorf("after sha256: want the hash of a token, %d digits in hex", 2*sha256.Size)
		}
		copy(key.Hash[:], hash)
		return key, nil
	}
	if len(token) < minToken || strings.ContainsAny(token, " \t") {
		return key, fmt.Errorf("the token is shorter than %d bytes, or has a space in it", minToken)
	}
	key.Hash = sha256.Sum256([]byte(token))
	return key, nil
}

// A Ring is the keys that the service takes. It is safe for concurrent use.
type Ring struct {
	mu   sync.RWMutex
	keys []Key
}

// Add adds keys.
func (r *Ring) Add(list ...Key) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys = append(r.keys, list...)
}

// Find is the key of a token. It takes as long for any token: hashes are compared in constant time, all of them.
func (r *Ring) Find(token string) (found Key, ok bool) {
	hash := sha256.Sum256([]byte(token))
	r.mu.RLock()
	defer r.mu.RUnlock()
	at := -1
	for i := range r.keys {
		at = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(hash[:], r.keys[i].Hash[:]), i, at)
	}
	if at < 0 {
		return Key{}, false
	}
	return r.keys[at], true
}
