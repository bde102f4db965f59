package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A named is the entry of the name of a session, or of the key of a batch: the ID of what has it.
type named struct {
	Of    string    `cbor:"1,keyasint"`
	Since time.Time `cbor:"2,keyasint"`
}

// nameFor is how long a name is that of what is not there: its server makes it just now, or has ended before it has.
const nameFor = time.Minute

// nameID is the ID of the entry of a name.
func nameID(tenant, name string) string {
	sum := sha256.Sum256([]byte(tenant + "\x00" + name))
	return "name_" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:26])
}

// claimName has something of this ID have a name that nothing else of its tenant has. Has is an error that matches store.ErrNone if what has
// the name is not there.
func (l *Ledger) claimName(ctx context.Context, tenant, name, id string, has func(id string) error) error {
	for began := time.Now(); time.Since(began) < within; {
		before, revision, err := l.getEntry(ctx, tenant, nameID(tenant, name))
		if err == nil && before.Named != nil {
			if before.Named.Of == id {
				return nil
			}
			err = has(before.Named.Of)
			if err == nil || time.Since(before.Named.Since) < nameFor {
				break
			}
		}
		if err != nil && !errors.Is(err, store.ErrNone) {
			return err
		}
		_, _, err = l.putEntry(ctx, tenant, nameID(tenant, name), entry{Named: &named{id, time.Now()}}, "", revision)
		if !errors.Is(err, store.ErrState) {
			return err
		}
		if err := l.changing(context.Background()); err != nil {
			return err
		}
	}
	return fmt.Errorf("a session or a batch with this name or key: %w", store.ErrExists)
}

// freeName gives up a name.
func (l *Ledger) freeName(ctx context.Context, tenant, name, id string) {
	e, revision, err := l.getEntry(ctx, tenant, nameID(tenant, name))
	if err == nil && e.Named != nil && e.Named.Of == id {
		err = l.remove(ctx, store.Owned{Tenant: tenant, ID: nameID(tenant, name), Revision: revision})
	}
	if err != nil && !errors.Is(err, store.ErrNone) { // a name of what is not there is free
		l.log.Warn("a name could not be deleted from the ledger", "of", id, "error", err)
	}
}
