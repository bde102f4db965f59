package store

import (
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
)

// migrations are the steps from one version of the schema to the next, in the order of their names. The list is append-only: a
// directory that an older version has written is brought to the newest, one of a newer version is refused.
//
//go:embed migrations/*.sql
var migrations embed.FS

// migrate brings the schema to the newest version, which is the number of steps.
func migrate(db *sql.DB) error {
	steps, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	var at int
	if err := db.QueryRow("PRAGMA user_version").Scan(&at); err != nil {
		return err
	}
	if at > len(steps) {
		return newer(at, len(steps))
	}
	for ; at < len(steps); at++ {
		if err := step(db, steps[at], at+1); err != nil {
			return fmt.Errorf("%s: %w", steps[at], err)
		}
	}
	return nil
}

// newer is about a database of a version that this program does not know.
func newer(at, known int) error {
	return fmt.Errorf("it is of version %d, and this program knows %d: use a newer one", at, known)
}

// step makes one step, whole or not at all.
func step(db *sql.DB, name string, version int) error {
	text, err := migrations.ReadFile(name)
	if err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.Exec(string(text)); err != nil {
		return err
	}
	if _, err := tx.Exec(fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
		return err
	}
	return tx.Commit()
}
