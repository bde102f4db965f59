package store_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// dirty is how many pages of a file the kernel has in memory alone, which a loss of power takes.
func dirty(t *testing.T, path string) uint64 {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var system unix.Statfs_t
	if err := unix.Fstatfs(int(file.Fd()), &system); err != nil {
		t.Fatal(err)
	}
	if system.Type == unix.TMPFS_MAGIC {
		t.Skipf("%s is a tmpfs, which has no disk", path)
	}
	var of unix.Cachestat_t
	if err := unix.Cachestat(uint(file.Fd()), &unix.CachestatRange{}, &of, 0); err != nil {
		t.Skipf("the kernel does not tell which pages are on disk: %v", err)
	}
	return of.Dirty + of.Writeback
}

// TestOnDisk: when a write returns all pages of the log are on disk, as the kernel says. The beginning of a run whose client is told of it
// at its end alone is there with the end.
func TestOnDisk(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	log := filepath.Join(dir, "sandtrapd.db-wal")
	later := false
	for i := range 20 {
		told, quiet := row("told_"+string(rune('a'+i)), ""), row("quiet_"+string(rune('a'+i)), "")
		quiet.ToldAtEnd = true
		if err := s.AddRuns(told); err != nil {
			t.Fatal(err)
		}
		if n := dirty(t, log); n != 0 {
			t.Errorf("%d pages of a run that has begun are in memory alone", n)
		}
		if err := s.AddRuns(quiet); err != nil {
			t.Fatal(err)
		}
		later = later || dirty(t, log) > 0
		quiet.State = store.Done
		if err := s.Finish(quiet); err != nil {
			t.Fatal(err)
		}
		if n := dirty(t, log); n != 0 {
			t.Errorf("%d pages of a run that has ended are in memory alone", n)
		}
	}
	if !later {
		t.Error("no beginning was in memory alone: each write waits for the disk")
	}
}
