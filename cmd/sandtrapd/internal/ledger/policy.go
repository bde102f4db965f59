package ledger

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

func policyID(name, version string) string {
	return "policy_" + hex.EncodeToString([]byte(name)) + "_" + version
}

// SendPolicy keeps the next version of a policy that was sent: its number is set in p. Each number is given once, whichever servers are asked.
func (l *Ledger) SendPolicy(p *store.Policy) (err error) {
	for {
		if p.Version, err = l.NextVersion(p.Name); err != nil {
			return err
		}
		p.Source = store.Sent
		err := l.putPolicy(context.Background(), p)
		if !errors.Is(err, store.ErrState) {
			return err
		}
		if err := l.changing(context.Background()); err != nil {
			return err
		}
	}
}

// putPolicy writes a version to the ledger. The error matches store.ErrState if it has another one of this number: that is here then.
func (l *Ledger) putPolicy(ctx context.Context, p *store.Policy) (err error) {
	id := policyID(p.Name, p.Version)
	p.Revision, _, err = l.putEntry(ctx, ofAll, id, entry{Policy: p}, "", 0)
	if err == nil {
		return l.here(ofAll, id, l.PutPolicy(p))
	}
	if !errors.Is(err, store.ErrState) {
		return err
	}
	there, revision, getErr := l.getEntry(ctx, ofAll, id)
	switch {
	case getErr != nil:
		return getErr
	case there.Policy == nil:
		return errNewer(revision)
	}
	there.Policy.Revision = revision
	if getErr := l.PutPolicy(there.Policy); getErr != nil { // who sends one reads them again
		return getErr
	}
	return err
}

// sharePolicies writes policies to the ledger that are here alone. A policy of which the ledger has versions stays as it is there: those of
// here get versions beside the numbers.
func (l *Ledger) sharePolicies(ctx context.Context) error {
	there := map[string]bool{}
	shared, err := l.PoliciesIn(ctx, store.After(0))
	for _, p := range shared {
		there[p.Name] = true
	}
	for err == nil {
		var list []*store.Policy
		if list, err = l.PoliciesIn(ctx, store.Unshared); err != nil || len(list) == 0 {
			return err
		}
		p := list[0]
		if there[p.Name] && !strings.HasPrefix(p.Version, "own-") {
			err = l.RenamePolicy(p.Name, p.Version)
			continue
		}
		if err = l.putPolicy(ctx, p); errors.Is(err, store.ErrState) {
			err = nil // it has another version now, or is there
		}
	}
	return err
}

// restorePolicies writes to a ledger that has lost its end what is here of it.
func (l *Ledger) restorePolicies(ctx context.Context, list []*store.Policy) error {
	for _, p := range list {
		if err := l.putPolicy(ctx, p); err != nil && !errors.Is(err, store.ErrState) {
			return err
		}
	}
	return nil
}

// ServePolicies has a func read the policies of the store again: now, and whenever another server has sent one.
func (l *Ledger) ServePolicies(again func() error) error {
	l.mu.Lock()
	l.policiesChanged = again
	l.mu.Unlock()
	return again()
}

// bringPolicy writes here a version of a policy.
func (l *Ledger) bringPolicy(p *store.Policy, revision uint64) error {
	p.Revision = revision
	if err := l.PutPolicy(p); err != nil {
		return err
	}
	l.mu.Lock()
	again := l.policiesChanged
	l.mu.Unlock()
	return l.readAgain(again)
}
