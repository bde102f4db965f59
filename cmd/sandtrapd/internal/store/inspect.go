package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sandtrap-go/sandtrap/internal/filelock"
)

// Inspect says what Open would find in a data directory, and changes nothing. An error is why Open would fail.
func Inspect(ctx context.Context, dir string) (string, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return dir + " will be made", nil
	case err != nil:
		return "", err
	case !info.IsDir():
		return "", fmt.Errorf("%s is not a directory", dir)
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return dir + " is empty", nil
	}
	if err != nil {
		return "", err
	}
	defer lock.Close()
	if err := filelock.TryLock(lock); err != nil {
		return "", fmt.Errorf("the data directory %s is in use: %w", dir, err)
	}
	path := filepath.Join(dir, "sandtrapd.db")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return dir + " is empty", nil
	}
	return inspect(ctx, dir, path)
}

func inspect(ctx context.Context, dir, path string) (string, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		return "", err
	}
	defer db.Close()
	steps, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return "", err
	}
	var at int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&at); err != nil {
		return "", fmt.Errorf("the database in %s: %w", dir, err)
	}
	if at > len(steps) {
		return "", newer(at, len(steps))
	}
	return fmt.Sprintf("%s has a database of version %d of %d", dir, at, len(steps)), nil
}
