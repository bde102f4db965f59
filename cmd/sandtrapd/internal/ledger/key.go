package ledger

import (
	"context"
	"encoding/hex"
	"errors"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// ofAll is the tenant of entries that belong to the cluster: keys and policies. No tenant has this name.
const ofAll = ""

func keyID(hash [32]byte) string { return "key_" + hex.EncodeToString(hash[:]) }

// AddKey writes a key that is made here.
func (l *Ledger) AddKey(k store.Key) (err error) {
	if k.Revision, _, err = l.putEntry(context.Background(), ofAll, keyID(k.Hash), entry{Key: &k}, "", 0); err != nil {
		return err
	}
	return l.here(ofAll, keyID(k.Hash), l.PutKey(k))
}

// RemoveKey revokes a key. Its entry stays and says so, so that no server brings it back.
func (l *Ledger) RemoveKey(hash [32]byte) error {
	return l.shareKey(context.Background(), store.Key{Hash: hash, Revoked: true})
}

// shareKeys writes keys to the ledger that are here alone, or are not there any more.
func (l *Ledger) shareKeys(ctx context.Context, list []store.Key) error {
	for _, k := range list {
		if err := l.shareKey(ctx, k); err != nil {
			return err
		}
	}
	return nil
}

// shareKey has the ledger and this server have the same of a key: what the ledger has, unless the key was revoked here.
func (l *Ledger) shareKey(ctx context.Context, k store.Key) error {
	for {
		there, revision, err := l.getEntry(ctx, ofAll, keyID(k.Hash))
		switch {
		case errors.Is(err, store.ErrNone):
		case err != nil:
			return err
		case there.Key == nil:
			return errNewer(revision)
		case there.Key.Revoked || !k.Revoked:
			there.Key.Revision = revision
			return l.PutKey(*there.Key)
		}
		k.Revision, _, err = l.putEntry(ctx, ofAll, keyID(k.Hash), entry{Key: &k}, "", revision)
		if errors.Is(err, store.ErrState) {
			if err := l.changing(context.Background()); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		return l.here(ofAll, keyID(k.Hash), l.PutKey(k))
	}
}

// ServeKeys has a func read the keys of the store again: now, and whenever another server has changed them.
func (l *Ledger) ServeKeys(again func() error) error {
	l.mu.Lock()
	l.keysChanged = again
	l.mu.Unlock()
	return again()
}

// bringKey writes here what an entry says of a key.
func (l *Ledger) bringKey(k *store.Key, revision uint64) error {
	k.Revision = revision
	if err := l.PutKey(*k); err != nil {
		return err
	}
	l.mu.Lock()
	again := l.keysChanged
	l.mu.Unlock()
	return l.readAgain(again)
}

// readAgain has a func read again what has changed, if there is one.
func (l *Ledger) readAgain(again func() error) error {
	if again == nil {
		return nil
	}
	if err := again(); err != nil {
		return unreachable{err} // it is tried again: a key that was revoked does not stay
	}
	return nil
}
