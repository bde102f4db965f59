// Package keys knows who may use the service: each key is a token, for which a tenant and a role are noted. Of a token only its
// SHA-256 is kept.
//
// It may not print a token but when it makes one.
package keys

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/internal/trustedfile"
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
	Hash    [sha256.Size]byte
	Tenant  string
	Role    Role
	Created time.Time // zero for those of a file
	File    bool      // it comes from the file of keys, where alone it can be changed
}

// ID names a key to those who may not know its token: the first digits of its hash.
func (k Key) ID() string { return hex.EncodeToString(k.Hash[:8]) }

// tokenPrefix makes tokens easy to find for those who look for leaked ones.
const tokenPrefix = "stk_"

// minToken bounds tokens of key files, in bytes: a shorter one could be guessed.
const minToken = 16

// New makes a token for a tenant. Only the key is kept.
func New(tenant string, role Role) (token string, key Key, err error) {
	if err := Check(tenant, role); err != nil {
		return "", Key{}, err
	}
	token = tokenPrefix + rand.Text()
	return token, Key{Hash: sha256.Sum256([]byte(token)), Tenant: tenant, Role: role, Created: time.Now().UTC()}, nil
}

// tenantName is the form of the name of a tenant.
var tenantName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,62}$`) })

// Check is an error if a tenant has no name, or there is no such role. It shows neither: in a malformed line of a file they may be a token.
func Check(tenant string, role Role) error {
	if !tenantName().MatchString(tenant) {
		return errors.New("the tenant is not a name: want letters a to z, digits, and . _ - after the first one, 63 at most")
	}
	if rank(role) < 0 {
		return errors.New("there is no such role; the roles are user, operator, admin")
	}
	return nil
}

// Parse reads a file of keys: lines of token@tenant:role, where the token may be sha256: and its hash in hex. Empty lines, and those
// that begin with #, are skipped; any other is an error, which names the line and does not show the token.
func Parse(name string, r io.Reader) (list []Key, err error) {
	lines := bufio.NewScanner(r)
	n := 1
	seen := map[[sha256.Size]byte]int{}
	for ; lines.Scan(); n++ {
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
		return nil, fmt.Errorf("%s:%d: %w", name, n, err)
	}
	return list, nil
}

// Read reads the file of keys at path, which others may neither read nor write.
func Read(path string) ([]Key, error) {
	text, err := trustedfile.ReadSecret(path)
	if err != nil {
		return nil, fmt.Errorf("the keys: %w", err)
	}
	return Parse(path, bytes.NewReader(text))
}

func parseLine(line string) (key Key, err error) {
	at := strings.LastIndexByte(line, '@')
	tenant, role, ok := strings.Cut(line[at+1:], ":")
	if at < 0 || !ok {
		return key, fmt.Errorf("want token@tenant:role")
	}
	key.Tenant, key.Role, key.File = tenant, Role(role), true
	if err := Check(tenant, key.Role); err != nil {
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
	if len(token) < minToken || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return key, fmt.Errorf("the token is shorter than %d bytes, or has something else than visible characters of ASCII", minToken)
	}
	key.Hash = sha256.Sum256([]byte(token))
	return key, nil
}
