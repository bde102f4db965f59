package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"modernc.org/sqlite" // the driver too

	"github.com/sandtrap-go/sandtrap/internal/filelock"
)

// A Store is an open data directory. It is safe for concurrent use.
type Store struct {
	dir  string
	lock *os.File
	read *sql.DB // several connections, which change nothing
	own  *sql.DB // the one of the writer
	tx   *tx     // of that
	log  *wal

	reads    sync.Map      // *sql.Stmt by their texts, of which there are a few
	searches chan struct{} // has as many as there are now

	writes  chan *write
	careful int           // for how many commits writes are done apart; of the writer
	owner   string        // of what this process writes and nothing has yet
	pieces  sync.Mutex    // of those who write or remove much: one of them waits for the writer at a time
	done    chan struct{} // closed when the writer has ended
	counts  counts
	usages  usages

	sweeping sync.WaitGroup // which ends when the writer takes no more

	mu     sync.RWMutex
	closed bool
}

// A commit waits for the data of the log and its size to be on disk, and not for the time of its last change, which nobody reads.
func init() { _, _ = sqlite.Fdatasync(true) } // an error is that there is no fdatasync

// Open opens a data directory, and makes it if it is missing, for this user alone. One process at a time has it.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := filelock.TryLock(lock); err != nil {
		lock.Close()
		return nil, fmt.Errorf("the data directory %s is in use: %w", dir, err)
	}
	s := &Store{dir: dir, lock: lock, owner: rand.Text(), searches: make(chan struct{}, 2), writes: make(chan *write, 1024), done: make(chan struct{})}
	if err := s.open(filepath.Join(dir, "sandtrapd.db")); err != nil {
		s.closeFiles()
		return nil, fmt.Errorf("the database in %s: %w", dir, err)
	}
	go s.writer()
	s.sweeping.Go(func() { _ = s.sweep("") }) // of what a process before has left; it goes on with the next one if this one ends
	return s, nil
}

func (s *Store) open(path string) (err error) {
	if err := private(path); err != nil {
		return err
	}
	// FULL: a commit is on disk when it returns, also if the machine loses its power. A commit is some 0.2 ms. The log is copied into
	// the database by another connection.
	// Pages that are free can be given back, and a log that was long once is cut: the files do not stay as large as they ever were.
	// With recursive triggers a row that gives way to another one is counted as removed.
	// Each connection that sets auto_vacuum writes to the file, so only the writer does. The pages that it keeps for undoing one statement are in memory: they
	// are as many as one write has changed.
	const all = "_pragma=recursive_triggers(on)&_pragma=journal_mode(wal)&_pragma=synchronous(full)&_pragma=journal_size_limit(67108864)&_pragma=wal_autocheckpoint(0)&_pragma=foreign_keys(on)&_pragma=busy_timeout(5000)"
	dsn := "file:" + path + "?" + all
	if s.own, err = sql.Open("sqlite", dsn+"&_pragma=auto_vacuum(incremental)"+"&_pragma=temp_store(memory)"); err != nil {
		return err
	}
	s.own.SetMaxOpenConns(1)
	if err := migrate(s.own); err != nil {
		return err
	}
	if s.tx, err = newTx(context.Background(), s.own); err != nil {
		return err
	}
	if s.log, err = openLog(dsn); err != nil {
		return err
	}
	if s.read, err = sql.Open("sqlite", dsn+"&_pragma=query_only(on)"); err != nil {
		return err
	}
	n := max(4, runtime.GOMAXPROCS(0))
	s.read.SetMaxOpenConns(n)
	s.read.SetMaxIdleConns(n)
	return nil
}

// prepared is a statement that reads, which stays prepared: to prepare one takes longer than to execute it.
func (s *Store) prepared(ctx context.Context, text string) (*sql.Stmt, error) {
	if kept, ok := s.reads.Load(text); ok {
		return kept.(*sql.Stmt), nil
	}
	stmt, err := s.read.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	if kept, had := s.reads.LoadOrStore(text, stmt); had {
		return kept.(*sql.Stmt), stmt.Close()
	}
	return stmt, nil
}

// private makes the database, if it is missing, and keeps it for this user. Its other files get the mode of this one.
func private(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(os.Chmod(path, 0o600), file.Close())
}

// Dir is the data directory.
func (s *Store) Dir() string { return s.dir }

// Check reports whether the database answers, and, if the last write has failed, whether it takes one now.
func (s *Store) Check(ctx context.Context) error {
	var version int
	err := s.read.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	if err == nil && s.Failing() {
		err = s.update(func(tx *tx) error {
			_, err := tx.Exec(fmt.Sprintf("PRAGMA user_version = %d", version)) // writes a page, with what it has
			return err
		})
	}
	return err
}

// Close waits for writes that have begun, and closes the directory. Later calls fail.
func (s *Store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	close(s.writes)
	s.mu.Unlock()
	<-s.done
	s.sweeping.Wait()
	return s.closeFiles()
}

func (s *Store) closeFiles() (err error) {
	if s.log != nil {
		err = s.log.close()
	}
	if s.tx != nil {
		err = errors.Join(err, s.tx.close())
	}
	for _, db := range []*sql.DB{s.read, s.own} {
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}
	return errors.Join(err, s.lock.Close())
}
