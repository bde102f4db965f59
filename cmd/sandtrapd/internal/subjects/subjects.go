// Package subjects says what parts of the subjects of NATS are, where several packages have the same part.
//
// It may not connect to NATS.
package subjects

import (
	"crypto/sha256"
	"encoding/hex"
)

// Tenant is the part for a tenant, whose name may have what no subject can have. It is in what is kept, so it never changes.
func Tenant(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:8])
}
