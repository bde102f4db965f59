package store

import (
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrDisk is matched by errors of the disk, such as one that is full: nothing was written, and the same write can be tried again.
var ErrDisk = errors.New("the disk takes no more")

// ErrCluster is matched by errors of a ledger that is not reached, or that takes nothing. They match ErrDisk too, as the same write can be tried again.
var ErrCluster = errors.New("the cluster is not reached")

// ErrDoubt is matched by errors of a ledger that has not said whether it has written something.
var ErrDoubt = errors.New("it may be in the ledger")

// errClosed is the error of writes after Close.
var errClosed = errors.New("the store is closed")

// maxBatch bounds how many writes are committed together.
const maxBatch = 256

// carefulFor is for how many commits each write can be undone by itself after one has failed. Before, one that fails has all of its commit done
// again so: pages are kept for undoing, and that takes a third of the time of a write.
const carefulFor = 32

// A write is one that waits.
type write struct {
	do   func(*tx) error // may be called twice, after what it has done was undone
	sync bool            // it outlives a power cut
	err  error
	done chan struct{}
}

// update has the writer do something, whole or not at all, and returns when that is on disk.
func (s *Store) update(do func(*tx) error) error { return s.updateSynced(true, do) }

// updateSynced is update. If it is not synced it returns earlier: the change outlives this process, and a power cut with the next one
// that is.
func (s *Store) updateSynced(synced bool, do func(*tx) error) error {
	w := &write{do: do, sync: synced, done: make(chan struct{})}
	s.mu.RLock()
	if s.closed {
		s.mu.RUnlock()
		return errClosed
	}
	s.writes <- w
	s.mu.RUnlock()
	<-w.done
	return w.err
}

// writer commits writes, those that have come meanwhile together.
func (s *Store) writer() {
	defer close(s.done)
	for first := range s.writes {
		batch := s.gather(first)
		began := time.Now()
		err := s.commit(batch)
		s.counts.add(len(batch), began, err)
		for _, w := range batch {
			if err != nil && w.err == nil {
				w.err = err
			}
			w.err = ofDisk(w.err)
			close(w.done)
		}
		s.log.grew(s.tx)
	}
}

// How long the writer lets others run before it commits what they have written: until so many of its turns of a processor have brought nothing
// more, and not beyond a time. Where nobody else has something to do, all turns take a few microseconds.
const (
	gatherTurns = 8
	gatherFor   = 2 * time.Millisecond
)

// gather is a write with those that others have meanwhile. It lets those run who can before it looks: where many have something to write,
// they write it together, as a commit takes longer than a write, and where none has, no time passes.
func (s *Store) gather(first *write) []*write {
	batch := []*write{first}
	began := time.Now()
	for turns := 0; turns < gatherTurns && len(batch) < maxBatch && (turns == 0 || time.Since(began) < gatherFor); turns++ {
		runtime.Gosched()
		for more := true; more && len(batch) < maxBatch; {
			var w *write
			select {
			case w, more = <-s.writes:
				if more {
					batch = append(batch, w)
					turns = 0
				}
			default:
				more = false
			}
		}
	}
	return batch
}

// commit does the writes of a batch in one transaction. One that fails leaves the others as they are.
func (s *Store) commit(batch []*write) (err error) {
	if err := s.tx.sync(slices.ContainsFunc(batch, func(w *write) bool { return w.sync })); err != nil {
		return err
	}
	// It locks before it reads: else what it reads might be out of date when it writes.
	if _, err := s.tx.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	over := false
	defer func() {
		if !over {
			_, _ = s.tx.Exec("ROLLBACK") // a grave error has done that
		}
	}()
	if err := s.doAll(batch); err != nil {
		return err
	}
	if _, err := s.tx.Exec("COMMIT"); err != nil {
		return fmt.Errorf("nothing was written: %w", err)
	}
	over = true
	return nil
}

// doAll does the writes of a batch within a transaction, which has nothing of those that fail then.
func (s *Store) doAll(batch []*write) error {
	if s.careful == 0 || len(batch) == 1 {
		failed, err := s.together(batch)
		if failed == nil || err != nil {
			return err
		}
		for _, text := range []string{"ROLLBACK", "BEGIN IMMEDIATE"} {
			if _, err := s.tx.Exec(text); err != nil {
				return err
			}
		}
		if len(batch) == 1 {
			return nil
		}
		s.careful = carefulFor
	}
	s.careful--
	for _, w := range batch {
		if err := s.apart(w); err != nil {
			return err
		}
	}
	return nil
}

// together does writes up to one that fails. The error is one of the disk, after which the transaction may be over.
func (s *Store) together(batch []*write) (failed *write, err error) {
	for _, w := range batch {
		if w.err = w.do(s.tx); w.err != nil {
			return w, onlyDisk(w.err)
		}
	}
	return nil, nil
}

// apart does a write of a batch so that the others stay if it fails.
func (s *Store) apart(w *write) error {
	if _, err := s.tx.Exec("SAVEPOINT one"); err != nil {
		return err
	}
	if w.err = w.do(s.tx); w.err != nil {
		if err := onlyDisk(w.err); err != nil { // the transaction may be over
			return err
		}
		if _, err := s.tx.Exec("ROLLBACK TO one"); err != nil {
			return err
		}
	}
	_, err := s.tx.Exec("RELEASE one")
	return err
}

// ofDisk is err, which matches ErrDisk if the disk is the cause.
func ofDisk(err error) error {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return err
	}
	switch e.Code() & 0xff { // without its details
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_BUSY:
		return fmt.Errorf("%w: %w", ErrDisk, err)
	}
	return err
}

// onlyDisk is err if the disk is the cause, and nil otherwise.
func onlyDisk(err error) error {
	if err = ofDisk(err); errors.Is(err, ErrDisk) {
		return err
	}
	return nil
}

// changed is ErrState if a statement has changed no row.
func changed(r sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ErrState, err)
	}
	return nil
}
