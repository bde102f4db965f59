package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/objects"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// errMissing is about an object that an entry names, and which is not there, or not as it was written. Who has read the entry a moment ago
// looks whether it is still so.
var errMissing = fmt.Errorf("the ledger: a part of an entry: %w: %w", objects.ErrMissing, store.ErrCorrupt)

// object is the data of an object. The error is errMissing if it is not there as a whole.
func (l *Ledger) object(ctx context.Context, name string) ([]byte, error) {
	data, err := l.objects.Get(ctx, name)
	switch {
	case errors.Is(err, objects.ErrMissing):
		return nil, fmt.Errorf("%s: %w", name, errMissing)
	case err != nil:
		return nil, unreachable{fmt.Errorf("the ledger: %w", err)}
	}
	return data, nil
}

// putObject writes an object.
func (l *Ledger) putObject(ctx context.Context, name string, data []byte) error {
	if err := l.objects.Put(ctx, name, data); err != nil {
		return unreachable{fmt.Errorf("the ledger: %w", err)}
	}
	return nil
}

// version is an object as it is now. Who has an entry name it no more reads that before it writes the entry: a server that is held up after that
// does not delete what the next one has written under the same name.
func (l *Ledger) version(ctx context.Context, object string) (v objects.Version) {
	if object == "" {
		return v
	}
	v, err := l.objects.Version(ctx, object)
	if err != nil {
		l.log.Warn("an object of the ledger stays until it is swept", "object", object, "error", err)
	}
	return v
}

// forget deletes objects that no entry has any more, as they were when one had them. If that fails they are swept later.
func (l *Ledger) forget(list ...objects.Version) {
	for _, v := range list {
		if err := l.objects.Delete(v); err != nil {
			l.log.Warn("an object of the ledger could not be deleted", "error", err)
		}
	}
}
