package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// open opens a store, and a connection of its own to its database.
func openBeside(t testing.TB) (*store.Store, *sql.DB, string) {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "sandtrapd.db")
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(10000)&_pragma=foreign_keys(on)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		db.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, db, path
}

func count(t testing.TB, db *sql.DB, query string, args ...any) (n int64) {
	t.Helper()
	if err := db.QueryRow(query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// add writes a run that has come to a state.
func add(t testing.TB, s *store.Store, tenant, id, parent string, state store.State, at time.Time, artifacts ...store.Artifact) {
	t.Helper()
	r := &store.Run{ID: id, Tenant: tenant, Parent: parent, Policy: "default", State: store.Running, Created: at, Code: "n := 1 // é", Request: []byte("{}")}
	if err := s.AddRuns(r); err != nil {
		t.Fatal(err)
	}
	r.State, r.Result, r.Events, r.Artifacts = state, []byte(`{"stdout":""}`), []byte("[]"), artifacts
	if state == store.Pending {
		r.Journal, r.Pending = []byte("journal"), []byte("[]")
	} else {
		r.Ended = at
	}
	if state != store.Running {
		if err := s.Finish(r); err != nil {
			t.Fatal(err)
		}
	}
}

// kept adds up what is kept of a tenant, apart from the triggers.
const kept = `SELECT coalesce((SELECT sum(512 + length(CAST(code AS BLOB)) + length(request) + coalesce(length(result), 0) + coalesce(length(pending), 0) + coalesce(length(journal), 0)
	+ coalesce(length(answers), 0) + coalesce(length(events), 0)) FROM run WHERE tenant = ?1), 0)
	+ coalesce((SELECT sum(64 + length(CAST(name AS BLOB)) + length(type) + length(data)) FROM artifact WHERE tenant = ?1), 0)`

// TestBytes: what is counted of a tenant is what is there, whatever happens to its runs.
func TestBytes(t *testing.T) {
	s, db, _ := openBeside(t)
	rng := rand.New(rand.NewPCG(1, 2))
	now := time.Now()
	for i := range 150 {
		tenant := fmt.Sprintf("t%d", rng.IntN(3))
		id := fmt.Sprintf("run_%d", i)
		a := store.Artifact{Name: "é.txt", MediaType: "text/plain", Data: make([]byte, rng.IntN(2000))}
		switch rng.IntN(4) {
		case 0:
			add(t, s, tenant, id, "", store.Done, now, a)
		case 1:
			add(t, s, tenant, id, "", store.Pending, now, a)
			if err := s.Cancel(tenant, id, "cancelled", []byte(`{}`)); err != nil {
				t.Fatal(err)
			}
		case 2: // it waits, goes on, and stores its artifact again
			add(t, s, tenant, id, "", store.Pending, now, a)
			if err := s.Answer(tenant, id, 1, []byte(`[{"id":1}]`)); err != nil {
				t.Fatal(err)
			}
			a.Data = make([]byte, rng.IntN(2000))
			if err := s.Finish(&store.Run{ID: id, Tenant: tenant, State: store.Done, Ended: now, Result: []byte("{}"), Artifacts: []store.Artifact{a}}); err != nil {
				t.Fatal(err)
			}
		case 3:
			add(t, s, tenant, id, "", store.Failed, now.Add(-time.Hour), a)
		}
		if i%50 == 49 {
			if _, _, err := s.Retain(t.Context(), now, store.Retention{Age: time.Minute, Count: 30}); err != nil {
				t.Fatal(err)
			}
		}
		got, err := s.Bytes(t.Context(), tenant)
		if want := count(t, db, kept, tenant); err != nil || got != want {
			t.Fatalf("after %d: %d are counted, %v; there are %d", i, got, err, want)
		}
	}
	if got, err := s.Bytes(t.Context(), "nobody"); got != 0 || err != nil {
		t.Errorf("%d, %v", got, err)
	}
}

// TestRetain: runs go by age and by count, those that wait fail after their time, and what has a fork stays.
func TestRetain(t *testing.T) {
	s, db, _ := openBeside(t)
	now := time.Now()
	old := now.Add(-48 * time.Hour)
	a := store.Artifact{Name: "a", MediaType: "text/plain", Data: []byte("x")}
	add(t, s, "alpha", "old", "", store.Done, old, a)
	add(t, s, "alpha", "old_parent", "", store.Done, old, a)
	add(t, s, "alpha", "child", "old_parent", store.Pending, now)
	add(t, s, "beta", "foreign_child", "old", store.Pending, now) // another tenant's says nothing
	add(t, s, "alpha", "old_waits", "", store.Pending, now)
	add(t, s, "alpha", "old_runs", "", store.Running, old)
	add(t, s, "alpha", "new", "", store.Done, now)
	for i := range 12 {
		add(t, s, "beta", fmt.Sprintf("beta_%02d", i), "", store.Done, now)
	}
	if _, err := db.Exec(`UPDATE run SET waits = ?1, created = ?1 WHERE id = 'old_waits'`, old.UnixNano()); err != nil {
		t.Fatal(err)
	}
	r := store.Retention{Age: 24 * time.Hour, Count: 5, Pending: 36 * time.Hour, Kind: "expired", Result: []byte(`{"of":"expiry"}`)}
	removed, failed, err := s.Retain(t.Context(), now, r)
	if err != nil || removed != 8 || failed != 1 {
		t.Errorf("%d removed, %d failed, %v", removed, failed, err)
	}
	for id, want := range map[string]int64{"old": 0, "old_parent": 1, "child": 1, "foreign_child": 1, "old_runs": 1, "new": 1, "beta_06": 0, "beta_07": 1, "beta_11": 1} {
		if got := count(t, db, `SELECT count(*) FROM run WHERE id = ?`, id); got != want {
			t.Errorf("%s: %d rows, want %d", id, got, want)
		}
	}
	if n := count(t, db, `SELECT count(*) FROM artifact WHERE run = 'old'`); n != 0 {
		t.Error("the artifact of a run that is gone is there")
	}
	row, err := s.Run(t.Context(), "alpha", "old_waits")
	if err != nil || row.State != store.Failed || row.Kind != "expired" || string(row.Result) != `{"of":"expiry"}` || len(row.Journal) > 0 || row.Ended.IsZero() {
		t.Errorf("%+v, %v", row, err)
	}
	if err := s.Answer("alpha", "old_waits", 1, []byte("[]")); err == nil {
		t.Error("a run that has expired was answered")
	}
}

// TestRetainBetween: other writes come in between those that remove much.
func TestRetainBetween(t *testing.T) {
	s, db, path := openBeside(t)
	now := time.Now()
	data := make([]byte, 20_000)
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			for i := range 50 {
				add(t, s, "alpha", fmt.Sprintf("r%d_%d", g, i), "", store.Done, now.Add(-time.Hour), store.Artifact{Name: "a", MediaType: "x/y", Data: data})
			}
		})
	}
	group.Wait()
	between := make(chan int)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		n := 0
		for ctx.Err() == nil {
			add(t, s, "beta", fmt.Sprintf("between_%d", n), "", store.Done, now)
			n++
		}
		between <- n
	}()
	removed, _, err := s.Retain(t.Context(), now, store.Retention{Age: time.Minute})
	cancel()
	if n := <-between; err != nil || removed != 400 || n < 3 {
		t.Errorf("%d removed, %v, %d writes in between", removed, err, n)
	}
	if n := count(t, db, `SELECT count(*) FROM run WHERE tenant = 'alpha'`); n != 0 {
		t.Errorf("%d runs are left", n)
	}
	if _, err := db.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 2<<20 { // there were 8 MB of artifacts
		t.Errorf("the database has %d bytes when next to nothing is in it", info.Size())
	}
	t.Logf("%d bytes afterwards", info.Size())
}

// TestSpent: what is spent is there after the store was opened again.
func TestSpent(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	minute := time.Now().Unix() / 60
	for i := range 3 {
		id := fmt.Sprint("run_", i)
		add(t, s, "alpha", id, "", store.Running, time.Now())
		if err := s.Finish(&store.Run{ID: id, Tenant: "alpha", State: store.Done, Ended: time.Now(), Spent: time.Second}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = store.Open(dir); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	list, err := s.Spent(t.Context(), minute)
	var sum time.Duration
	for _, one := range list {
		if one.Tenant != "alpha" || one.Minute < minute {
			t.Errorf("%+v", one)
		}
		sum += one.Time
	}
	if err != nil || sum != 3*time.Second {
		t.Errorf("%v, %v", sum, err)
	}
}

// TestPlans: a run is looked for, with its tenant, in one index alone.
func TestPlans(t *testing.T) {
	_, db, _ := openBeside(t)
	var id, parent, unused int
	var plan string
	err := db.QueryRow(`EXPLAIN QUERY PLAN SELECT seq FROM run INDEXED BY run_owner WHERE tenant = ? AND id = ?`, "a", "b").Scan(&id, &parent, &unused, &plan)
	if err != nil || plan != "SEARCH run USING COVERING INDEX run_owner (tenant=? AND id=?)" {
		t.Errorf("%s, %v", plan, err)
	}
}
