package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestLog: the log of the database stays short while much is written, also when it is written faster than the log is copied, and what
// was written is in the database, as another connection sees it.
func TestLog(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	const n, size = 128, 1 << 20
	var longest int64
	for i := range n {
		r := row(fmt.Sprint("run_", i), "")
		r.Code = strings.Repeat(string(rune('a'+i%26)), size)
		if err := s.AddRuns(r); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(dir, "sandtrapd.db-wal"))
		if err != nil {
			t.Fatal(err)
		}
		longest = max(longest, info.Size())
	}
	if longest > 90<<20 {
		t.Errorf("the log had %d bytes", longest)
	}
	var rows, bytes int64
	if err := beside(t, dir).QueryRow(`SELECT count(*), sum(length(code)) FROM run`).Scan(&rows, &bytes); err != nil || rows != n || bytes != n*size {
		t.Errorf("%d rows with %d bytes, %v", rows, bytes, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if r, err := again.Run(t.Context(), "alpha", "run_7"); err != nil || len(r.Code) != size {
		t.Errorf("%v", err)
	}
}
