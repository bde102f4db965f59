package store

import (
	"context"
	"database/sql"
	"errors"
)

// logPages is how long the log of the database is, in pages of 4 KiB, when it is copied into the database. If it is maxLogPages, because
// more is written than is copied, writes wait. The shorter it is, the shorter is what runs wait for beside a copy: 30 ms were seen with 4,096.
const (
	logPages    = 1024
	maxLogPages = 4 * logPages
)

// A wal has the log of the database copied into the database from time to time, by a connection of its own: writes do not wait for that.
type wal struct {
	db    *sql.DB
	tx    *tx
	begun chan struct{} // the log is long
	ended chan struct{} // what was in it then is in the database
	done  chan struct{}

	commits int  // since its length was looked at
	copying bool // from begun to ended
}

func openLog(dsn string) (l *wal, err error) {
	l = &wal{begun: make(chan struct{}, 1), ended: make(chan struct{}, 1), done: make(chan struct{})}
	if l.db, err = sql.Open("sqlite", dsn); err != nil {
		return nil, err
	}
	if l.tx, err = newTx(context.Background(), l.db); err != nil {
		return nil, errors.Join(err, l.db.Close())
	}
	go l.copies()
	return l, nil
}

// copies copies the log when it is long.
func (l *wal) copies() {
	defer close(l.done)
	for range l.begun {
		_ = checkpoint(l.tx) // one that fails is tried again
		l.ended <- struct{}{}
	}
}

// lookEach is after how many commits the length of the log is looked at.
const lookEach = 16

// grew is told of each commit by the writer.
func (l *wal) grew(writer *tx) {
	select {
	case <-l.ended:
		l.copied(writer)
	default:
	}
	if l.commits++; l.commits < lookEach {
		return
	}
	l.commits = 0
	var busy, pages, copied int64
	err := writer.QueryRow("PRAGMA wal_checkpoint(NOOP)").Scan(&busy, &pages, &copied)
	switch {
	case err != nil || pages < logPages || copied == pages:
	case !l.copying:
		l.copying = true
		l.begun <- struct{}{}
	case pages >= maxLogPages:
		<-l.ended
		l.copied(writer)
	}
}

// copied copies the little that has come to the log while the rest was copied: it begins anew only if all is in the database.
func (l *wal) copied(writer *tx) {
	l.copying = false
	_ = checkpoint(writer)
}

// checkpoint copies what is in the log, but for what readers still need.
func checkpoint(t *tx) error {
	var busy, pages, copied int64
	return t.QueryRow("PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &pages, &copied)
}

// close ends it when what is copied is. The writer has ended.
func (l *wal) close() error {
	close(l.begun)
	<-l.done
	return errors.Join(l.tx.close(), l.db.Close())
}
