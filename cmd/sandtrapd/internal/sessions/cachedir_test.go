package sessions

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestCacheLeft: what a process has left that was killed is removed by the next one. What one has that is there stays, and so does all that is behind a
// link, or has another name, or no lock.
func TestCacheLeft(t *testing.T) {
	tmp, precious := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", tmp)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	write := func(path ...string) string {
		t.Helper()
		file := filepath.Join(path...)
		must(os.MkdirAll(filepath.Dir(file), 0o700))
		must(os.WriteFile(file, []byte("data"), 0o600))
		return file
	}
	alive, err := newCache(1 << 20)
	must(err)
	killed, err := newCache(1 << 20)
	must(err)
	write(killed.dir, "sub", "content")
	must(os.Symlink(precious, filepath.Join(killed.dir, "link")))
	must(killed.lock.Close()) // as the end of a process does
	stays := []string{
		write(precious, "lock"), write(precious, "file"), write(alive.dir, "content"),
		write(tmp, cachePrefix+"old", "content"), write(tmp, "other", "lock"), write(tmp, cachePrefix+"file"),
	}
	must(os.Symlink(precious, filepath.Join(tmp, cachePrefix+"link")))
	must(os.Mkdir(filepath.Join(tmp, cachePrefix+"trap"), 0o700))
	must(os.Symlink(filepath.Join(precious, "lock"), filepath.Join(tmp, cachePrefix+"trap", "lock")))
	stays = append(stays, filepath.Join(tmp, cachePrefix+"trap"), filepath.Join(tmp, cachePrefix+"link"))
	next, err := newCache(1 << 20)
	must(err)
	if _, err := os.Lstat(killed.dir); !os.IsNotExist(err) {
		t.Errorf("it was left: %v", err)
	}
	for _, path := range slices.Concat(stays, []string{next.dir}) {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
	must(alive.close())
	must(next.close())
}
