package ledger

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/peers"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// Open has the runs of a store be those of a ledger, on so many servers of NATS. When it returns all of the ledger is here.
func Open(ctx context.Context, conn *nats.Conn, s *store.Store, replicas int, log *slog.Logger) (*Ledger, error) {
	id, err := serverID(filepath.Join(s.Dir(), "server"))
	if err != nil {
		return nil, err
	}
	l := &Ledger{Store: s, id: id, conn: conn, log: log, stop: make(chan struct{}), leases: map[string]*lease{}, takes: map[string]int{}, moved: make(chan struct{}), asides: map[string]put{}, noticed: notices{}, doubts: doubts{}}
	if l.js, err = jetstream.New(conn); err != nil {
		return nil, err
	}
	opening, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := l.openBucket(opening, replicas); err != nil {
		return nil, fmt.Errorf("the ledger: %w", err)
	}
	marks, seq, err := l.Marks(ctx)
	if err != nil {
		return nil, err
	}
	err = l.catchUp(ctx, marks, seq) // takes as long as there is much of it
	for ; errors.Is(err, errFeedGone); err = l.catchUp(ctx, marks, seq) {
		l.halt()
	}
	if err == nil {
		err = l.join(ctx)
	}
	if err != nil {
		l.halt()
		return nil, fmt.Errorf("the ledger: %w", err)
	}
	if l.Group, err = peers.New(conn, id, log); err != nil {
		l.halt()
		return nil, err
	}
	l.current = time.Now()
	l.heardAt = l.current
	l.done.Go(l.tend)
	l.done.Go(l.clear)
	l.done.Go(l.look)
	l.done.Go(l.sweep)
	l.done.Go(l.retry)
	return l, nil
}

// serverID is the ID in a file, which is made if it is missing.
func serverID(path string) (string, error) {
	text, err := os.ReadFile(path)
	id := strings.TrimSpace(string(text))
	switch {
	case errors.Is(err, os.ErrNotExist):
		id = strings.ToLower(rand.Text())
		return id, os.WriteFile(path, []byte(id+"\n"), 0o600)
	case err != nil:
		return "", err
	case !peers.IsID(id):
		return "", fmt.Errorf("%s: want an ID of 26 letters and digits: remove the file to be a new server", path)
	}
	return id, nil
}

// Close ends it. The store stays open. It is asked for nothing while it waits for what goes on.
func (l *Ledger) Close() error {
	l.releaseAll()
	err := l.unsubscribe()
	l.mu.Lock()
	close(l.stop)
	l.mu.Unlock()
	l.done.Wait()
	l.halt()
	l.saveMark(time.Time{})
	return err
}

// goes has a func go on until Close, which waits for it. It is false if that has begun.
func (l *Ledger) goes(f func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.stop:
		return false
	default:
		l.done.Go(f)
		return true
	}
}
