package store

import (
	"database/sql"
	"fmt"
	"io/fs"
	"path/filepath"
	"testing"
	"time"
)

// TestDeletedBounded: what was deleted is known while a ledger may bring it again, of a directory that an older version has written too, and
// not for ever.
func TestDeletedBounded(t *testing.T) {
	dir := t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "sandtrapd.db"))
	must(err)
	steps, err := fs.Glob(migrations, "migrations/*.sql")
	must(err)
	for at := range 15 {
		must(step(db, steps[at], at+1))
	}
	_, err = db.Exec(`INSERT INTO run (id, tenant, policy, state, created, ended, code, request, revision) VALUES ('run_before', 'acme', 'p@1', 'done', 77, 78, '1', x'7b7d', 5)`)
	must(err)
	_, err = db.Exec(`INSERT INTO gone (tenant, id, revision, object) VALUES ('acme', 'run_gone', 3, '')`)
	must(err)
	must(db.Close())
	s, err := Open(dir)
	must(err)
	defer s.Close()
	if list, err := s.Gone(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
	must(s.DeleteRun("acme", "run_before"))
	d := Deleted{"acme", "run_before", time.Unix(0, 77).UTC()}
	known := func(want bool) {
		t.Helper()
		is, err := s.WasDeleted(t.Context(), d)
		must(err)
		list, err := s.Deleted(t.Context(), 6)
		must(err)
		if is != want || len(list) > 0 != want {
			t.Errorf("it is known: %v, %v", is, list)
		}
	}
	known(true)
	must(s.Settle(Owned{Tenant: "acme", ID: "run_before", Revision: 5, Went: 7}))
	for i := range maxMarks {
		must(s.Mark(Mark{uint64(8 + i), time.Unix(int64(i), 0)}))
	}
	known(true)
	must(s.Mark(Mark{uint64(8 + maxMarks), time.Unix(0, 0)})) // the mark before it goes
	known(false)

	one := &Run{Tenant: "acme", Policy: "p@1", State: Done, Ended: time.Now(), Code: "1", Request: []byte("{}"), Revision: 9}
	for i := range 3 {
		one.ID, one.Created = fmt.Sprint("run_", i), time.Unix(0, 77).UTC()
		must(s.Apply(false, Change{Run: one}))
		must(s.DeleteRun("acme", one.ID))
	}
	must(s.update(func(tx *tx) error { // as if there were as many between
		_, err := tx.Exec(`UPDATE deleted SET seq = seq + ? WHERE id = 'run_2'`, maxDeleted-2)
		return err
	}))
	must(s.Mark(Mark{1000, time.Unix(0, 0)}))
	list, err := s.Deleted(t.Context(), 0)
	must(err)
	if len(list) != 2 || list[0].ID != "run_1" {
		t.Errorf("%v are known", list)
	}
}
