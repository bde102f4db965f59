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

// First executes a statement, and reads the first row that it returns: sql.ErrNoRows is that there is none.
func (t *tx) First(text string, args []any, to ...any) error {
	stmt, err := t.prepare(text)
	if err != nil {
		return err
	}
	return stmt.QueryRow(args...).Scan(to...)
}

// close gives the connection back.
func (t *tx) close() error { return t.conn.Close() }
