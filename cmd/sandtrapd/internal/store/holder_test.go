package store_test

import (
	"bytes"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// needless are rows that nothing has.
func needless(t *testing.T, db *sql.DB) int64 {
	t.Helper()
	return count(t, db, `SELECT (SELECT count(*) FROM loose) + (SELECT count(*) FROM part WHERE parts NOT IN (SELECT parts FROM blob))
		+ (SELECT count(*) FROM blob b WHERE NOT EXISTS (SELECT 1 FROM blob_use u WHERE u.tenant = b.tenant AND u.hash = b.hash))
		+ (SELECT count(*) FROM blob_use WHERE holder NOT IN (SELECT holder FROM session UNION SELECT holder FROM snapshot))`)
}

// checkUsage compares what is counted for a tenant with its rows.
func checkUsage(t *testing.T, s *store.Store, db *sql.DB, tenant string) {
	t.Helper()
	want := count(t, db, `SELECT (SELECT coalesce(sum(size + 256), 0) FROM blob WHERE tenant = ?1) + 256 * (SELECT count(*) FROM blob_use WHERE tenant = ?1)
		+ 1024 * ((SELECT count(*) FROM session WHERE tenant = ?1) + (SELECT count(*) FROM snapshot WHERE tenant = ?1))`, tenant)
	if got, err := s.Bytes(t.Context(), tenant); err != nil || got != want {
		t.Errorf("%d bytes of %s, want %d; %v", got, tenant, want, err)
	}
}

// check compares the contents of a tenant with what they are to be.
func check(t *testing.T, s *store.Store, k *store.Kept) {
	t.Helper()
	for hash, data := range k.New {
		if got, err := s.Blob(t.Context(), k.Tenant, hash); err != nil || !bytes.Equal(got, data) {
			t.Errorf("a content of %d bytes has %d: %v", len(data), len(got), err)
			return
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestForksAreRows: a fork or a snapshot of a session with many contents is one row, which counts, and each goes its own way.
func TestForksAreRows(t *testing.T) {
	s, db, _ := openBeside(t)
	first := become("first", 1000, 10)
	must(t, s.AddSession(session("first"), first))
	uses := count(t, db, `SELECT count(*) FROM blob_use`)
	before, err := s.Bytes(t.Context(), "large")
	must(t, err)
	must(t, s.Fork("large", "first", session("second"), session("third")))
	snapshot, err := s.SaveSession("large", "first", time.Now())
	must(t, err)
	if n := count(t, db, `SELECT count(*) FROM blob_use`); n != uses {
		t.Errorf("%d uses became %d", uses, n)
	}
	if after, err := s.Bytes(t.Context(), "large"); err != nil || after != before+3*store.RowBytes {
		t.Errorf("%d bytes became %d; %v", before, after, err)
	}
	second := become("second", 5, 10)
	for hash := range first.Needed {
		second.Needed[hash] = true
	}
	must(t, s.Keep(second))
	must(t, s.DeleteSession("large", "first", "", nil))
	must(t, s.DeleteSnapshot("large", snapshot))
	check(t, s, first)
	check(t, s, second)
	must(t, s.DeleteSession("large", "third", "", nil))
	check(t, s, first)
	checkUsage(t, s, db, "large")
	last := become("second", 1, 10)
	must(t, s.Keep(last))
	check(t, s, last)
	if n := count(t, db, `SELECT count(*) FROM blob`); n != 1 {
		t.Errorf("%d contents are left", n)
	}
	checkUsage(t, s, db, "large")
	if n := needless(t, db); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

// TestSnapshotsShareRows: a session that has what a snapshot has shares its rows, when it begins and when it is loaded.
func TestSnapshotsShareRows(t *testing.T) {
	s, db, _ := openBeside(t)
	first := become("first", 600, 10)
	row := session("first")
	row.Head = first.Head
	must(t, s.AddSession(row, first))
	_, err := s.SaveSession("large", "first", time.Now())
	must(t, err)
	uses := count(t, db, `SELECT count(*) FROM blob_use`)
	must(t, s.AddSession(session("second"), first))
	must(t, s.AddSession(session("third"), become("third", 1, 1)))
	again := *first
	again.Session = "third"
	must(t, s.Keep(&again))
	if n := count(t, db, `SELECT count(*) FROM blob_use`); n != uses {
		t.Errorf("%d uses became %d", uses, n)
	}
	checkUsage(t, s, db, "large")
	if n := needless(t, db); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

// TestLargeContents: what is written in pieces is there as a whole, also the same twice, and all of it goes.
func TestLargeContents(t *testing.T) {
	s, db, _ := openBeside(t)
	must(t, s.AddSession(session("first"), become("first", 1, 1)))
	must(t, s.AddSession(session("second"), become("second", 1, 1)))
	k := become("first", 3, 3<<20+17)
	small := become("first", 700, 3000)
	for hash, data := range small.New {
		k.New[hash], k.Needed[hash] = data, true
	}
	must(t, s.Keep(k))
	check(t, s, k)
	checkUsage(t, s, db, "large")
	if n := count(t, db, `SELECT max(length(data)) FROM (SELECT data FROM blob UNION ALL SELECT data FROM part)`); n > 1<<20 {
		t.Errorf("a row has %d bytes", n)
	}
	again := *k
	again.Session = "second"
	must(t, s.Keep(&again))
	must(t, s.DeleteSession("large", "first", "", nil))
	check(t, s, k)
	if n := needless(t, db); n != 0 {
		t.Errorf("%d rows are left", n)
	}
	must(t, s.DeleteSession("large", "second", "", nil))
	checkUsage(t, s, db, "large")
	if n := count(t, db, `SELECT (SELECT count(*) FROM blob) + (SELECT count(*) FROM part) + (SELECT count(*) FROM blob_use)`) + needless(t, db); n != 0 {
		t.Errorf("%d rows are left", n)
	}
	gone := become("second", 1, 2<<20)
	if err := s.Keep(gone); !errors.Is(err, store.ErrNone) || needless(t, db) != 0 {
		t.Errorf("of a session that is gone: %v, and %d rows are left", err, needless(t, db))
	}
}

// TestLeftPieces: what a process has written of a content before it was killed is removed when the directory is opened again.
func TestLeftPieces(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	must(t, s.AddSession(session("first"), become("first", 2, 10)))
	must(t, s.Close())
	db := beside(t, dir)
	for _, statement := range []string{
		`INSERT INTO loose (id, tenant, owner) VALUES ('part_x', 'large', 'gone'), ('hold_x', 'large', 'gone')`,
		`INSERT INTO part (parts, at, data) VALUES ('part_x', 0, zeroblob(100)), ('part_x', 100, zeroblob(100))`,
		`INSERT INTO blob_use (tenant, holder, hash) SELECT tenant, 'hold_x', hash FROM blob`,
	} {
		_, err := db.Exec(statement)
		must(t, err)
	}
	s = open(t, dir)
	for end := time.Now().Add(time.Minute); needless(t, db) > 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d rows are left", needless(t, db))
		}
	}
	if n := count(t, db, `SELECT count(*) FROM blob_use`); n != 2 {
		t.Errorf("%d uses", n)
	}
	checkUsage(t, s, db, "large")
}

// TestPieces: while a tenant writes a large content, no write has much of it: others come in between.
func TestPieces(t *testing.T) {
	s, db, _ := openBeside(t)
	must(t, s.AddSession(session("first"), become("first", 1, 1)))
	before := s.Stats().Writes
	must(t, s.Keep(become("first", 1, 16<<20)))
	must(t, s.Keep(become("first", 2500, 10)))
	if n := s.Stats().Writes - before; n < 16+10 {
		t.Errorf("%d writes", n)
	}
	checkUsage(t, s, db, "large")
}
