package store

import (
	"context"
	"database/sql"
)

// A tx is the connection of the writer, within a transaction. The statements that it has executed stay prepared: to prepare one takes
// longer than to execute it.
type tx struct {
	conn *sql.Conn
	kept map[string]*sql.Stmt // by their texts, of which there are a few

	unsynced bool // commits do not wait for the disk
}

func newTx(ctx context.Context, db *sql.DB) (*tx, error) {
	conn, err := db.Conn(ctx)
	return &tx{conn: conn, kept: map[string]*sql.Stmt{}}, err
}

func (t *tx) prepare(text string) (*sql.Stmt, error) {
	if stmt := t.kept[text]; stmt != nil {
		return stmt, nil
	}
	stmt, err := t.conn.PrepareContext(context.Background(), text)
	if err == nil {
		t.kept[text] = stmt
	}
	return stmt, err
}

// sync sets whether the commits that follow wait until the disk has them, and all before them.
func (t *tx) sync(on bool) error {
	if on != t.unsynced {
		return nil
	}
	level := "NORMAL"
	if on {
		level = "FULL"
	}
	_, err := t.conn.ExecContext(context.Background(), "PRAGMA synchronous = "+level) // takes effect when it is prepared: not kept
	if err == nil {
		t.unsynced = !on
	}
	return err
}

// Exec executes a statement that returns no rows.
func (t *tx) Exec(text string, args ...any) (sql.Result, error) {
	stmt, err := t.prepare(text)
	if err != nil {
		return nil, err
	}
	return stmt.Exec(args...)
}

// Query executes a statement that returns rows.
func (t *tx) Query(text string, args ...any) (*sql.Rows, error) {
	stmt, err := t.prepare(text)
	if err != nil {
		return nil, err
	}
	return stmt.Query(args...)
}

// QueryRow executes a statement that returns at most one row.
func (t *tx) QueryRow(text string, args ...any) *sql.Row {
	stmt, err := t.prepare(text)
	if err != nil {
		return t.conn.QueryRowContext(context.Background(), text, args...) // has the error
	}
	return stmt.QueryRow(args...)
}

// close gives the connection back.
func (t *tx) close() error { return t.conn.Close() }
