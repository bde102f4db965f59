package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/api"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// fileKeys are the keys of the file; none if there is no file.
func (cfg *config) fileKeys() ([]keys.Key, error) {
	if cfg.keys == "" {
		return nil, nil
	}
	list, err := keys.Read(cfg.keys)
	if err == nil && len(list) == 0 {
		return nil, fmt.Errorf("%s: there is no key", cfg.keys)
	}
	return list, err
}

// table is the limits of the file, or the default ones.
func (cfg *config) table() (*limits.Table, error) {
	if cfg.limits == "" {
		return limits.Parse("", nil)
	}
	return limits.Read(cfg.limits)
}

// ring is the keys of the file and of the store.
func (cfg *config) ring(ctx context.Context, st *store.Store) (*keys.Ring, error) {
	file, err := cfg.fileKeys()
	if err != nil {
		return nil, err
	}
	ring := &keys.Ring{}
	ring.SetFile(file)
	return ring, ring.SetStored(storedKeys(ctx, st))
}

// storedKeys reads the keys of a store.
func storedKeys(ctx context.Context, st *store.Store) func() ([]keys.Key, error) {
	return func() (list []keys.Key, err error) {
		rows, err := st.Keys(ctx)
		for _, k := range rows {
			list = append(list, keys.Key{Hash: k.Hash, Tenant: k.Tenant, Role: keys.Role(k.Role), Created: k.Created})
		}
		return list, err
	}
}

// keyStore keeps the keys that are made.
func (p *parts) keyStore() api.KeyStore {
	if p.ledger != nil {
		return p.ledger
	}
	return p.store
}

// firstKey makes a key and shows it, if there is none. Nothing may fail between the two: a key that was not shown is in the store, so that no
// later start makes one.
func firstKey(ring *keys.Ring, st api.KeyStore, out io.Writer) error {
	if len(ring.List()) > 0 {
		return nil
	}
	token, key, err := keys.New("default", keys.Admin)
	if err != nil {
		return err
	}
	row := store.Key{Hash: key.Hash, Tenant: key.Tenant, Role: string(key.Role), Created: key.Created}
	if err := ring.Make(key, func() error { return st.AddKey(row) }); err != nil {
		return err
	}
	fmt.Fprintf(out, "sandtrapd: the first key, of the tenant \"default\" with the role admin, shown this once: %s\n", token)
	return nil
}

// reloads reads the files of keys and limits again at each SIGHUP, until ctx ends. Of a file that is malformed what was read before stays.
func (cfg *config) reloads(ctx context.Context, ring *keys.Ring, set *limits.Set, log *slog.Logger) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP)
	go func() {
		defer signal.Stop(signals)
		for {
			select {
			case <-signals:
				cfg.reload(ring, set, log)
			case <-ctx.Done():
				return
			}
		}
	}()
}

func (cfg *config) reload(ring *keys.Ring, set *limits.Set, log *slog.Logger) {
	if cfg.keys != "" {
		list, err := cfg.fileKeys()
		if err == nil {
			ring.SetFile(list)
		}
		again(log, cfg.keys, err)
	}
	if cfg.limits != "" {
		table, err := cfg.table()
		if err == nil {
			set.SetTable(table)
		}
		again(log, cfg.limits, err)
	}
}

// again says what came of reading a file again.
func again(log *slog.Logger, file string, err error) {
	if err != nil {
		log.Error("a file was not read again: what it said before stays", "file", file, "error", err)
		return
	}
	log.Info("a file was read again", "file", file)
}
