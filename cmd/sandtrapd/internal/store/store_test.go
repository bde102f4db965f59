package store_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestMain is also a second process that opens a directory.
func TestMain(m *testing.M) {
	if dir := os.Getenv("STORE_TEST_DIR"); dir != "" {
		_, err := store.Open(dir)
		fmt.Print(err)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func open(t testing.TB, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func row(id, key string) *store.Run {
	return &store.Run{ID: id, Tenant: "alpha", Policy: "default", State: store.Running, Created: time.Now(), Code: "x", Request: json.RawMessage("{}"), Key: key}
}

// beside opens the database beside the store, as another program would.
func beside(t *testing.T, dir string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "sandtrapd.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// TestWrites: of many writes at once, committed together, those that fail leave the others as they are, and each that has returned well
// is in the database, whole.
func TestWrites(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	const n = 400
	var all sync.WaitGroup
	errs := make([]error, n)
	for i := range n {
		all.Go(func() {
			first, second := row(fmt.Sprint("run_", i), ""), row(fmt.Sprint("run_second_", i), "")
			if i%4 == 0 { // the second one fails, so the first is not to stay
				second = row(fmt.Sprint("run_second_", i), "the same")
			}
			errs[i] = s.AddRuns(first, second)
		})
	}
	all.Wait()
	db := beside(t, dir)
	taken := 0
	for i, err := range errs {
		var rows int
		if err := db.QueryRow(`SELECT count(*) FROM run WHERE id IN (?, ?)`, fmt.Sprint("run_", i), fmt.Sprint("run_second_", i)).Scan(&rows); err != nil {
			t.Fatal(err)
		}
		switch {
		case err == nil && rows != 2, err != nil && rows != 0:
			t.Errorf("write %d: %v, and %d rows", i, err, rows)
		case err != nil && (i%4 != 0 || !errors.Is(err, store.ErrExists)):
			t.Errorf("write %d: %v", i, err)
		case err == nil && i%4 == 0:
			taken++
		}
	}
	if taken != 1 {
		t.Errorf("%d runs have the same key", taken)
	}
}

// TestStates: a change that starts from another state than the row has changes nothing.
func TestStates(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	r := row("run_1", "")
	if err := s.AddRuns(r); err != nil {
		t.Fatal(err)
	}
	waits := *r
	waits.State, waits.Pending, waits.Journal, waits.Events, waits.ToldStdout = store.Pending, json.RawMessage("[]"), []byte("j"), []byte("e"), 5
	steps := []struct {
		name string
		do   func() error
		want error
	}{
		{"answered while it runs", func() error { return s.Answer("alpha", r.ID, 0, nil) }, store.ErrState},
		{"cancelled while it runs", func() error { return s.Cancel("alpha", r.ID, "cancelled", nil) }, store.ErrState},
		{"of another tenant", func() error { return s.SetBegins("beta", r.ID, 2) }, store.ErrState},
		{"waits", func() error { return s.Finish(&waits) }, nil},
		{"waits twice", func() error { return s.Finish(&waits) }, store.ErrState},
		{"begun while it waits", func() error { return s.Begin("alpha", r.ID, []byte("x")) }, store.ErrState},
		{"answered as it was before", func() error { return s.Answer("alpha", r.ID, 0, nil) }, store.ErrState},
		{"answered by another", func() error { return s.Answer("beta", r.ID, 1, nil) }, store.ErrState},
		{"answered", func() error { return s.Answer("alpha", r.ID, 1, json.RawMessage("[1]")) }, nil},
		{"answered twice", func() error { return s.Answer("alpha", r.ID, 1, nil) }, store.ErrState},
	}
	for _, step := range steps {
		if err := step.do(); !errors.Is(err, step.want) || step.want == nil && err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
	}
	got, err := s.Run(t.Context(), "alpha", r.ID)
	if err != nil || got.State != store.Running || got.Part != 1 || got.Begins != 1 || string(got.Answers) != "[1]" || string(got.Journal) != "j" || got.ToldStdout != 5 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := s.Run(t.Context(), "beta", r.ID); !errors.Is(err, store.ErrNone) {
		t.Error(err)
	}
}

// TestClosed: writes to a store that is closed fail, and those that have begun are in the database.
func TestClosed(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	const n = 200
	errs := make(chan error, n)
	for i := range n {
		go func() { errs <- s.AddRuns(row(fmt.Sprint("run_", i), "")) }()
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	want := 0
	for range n {
		if err := <-errs; err == nil {
			want++
		}
	}
	if err := s.AddRuns(row("run_late", "")); err == nil {
		t.Error("a write after Close")
	}
	if err := s.Close(); err != nil {
		t.Error("closed twice:", err)
	}
	var rows int
	if err := beside(t, dir).QueryRow(`SELECT count(*) FROM run`).Scan(&rows); err != nil || rows != want {
		t.Errorf("%d rows, and %d were acknowledged; %v", rows, want, err)
	}
}

// TestNewer: a database of a newer version is refused, and stays as it is.
func TestNewer(t *testing.T) {
	dir := t.TempDir()
	open(t, dir).Close()
	db := beside(t, dir)
	if _, err := db.Exec(`PRAGMA user_version = 9999`); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := store.Open(dir); err == nil || !strings.Contains(err.Error(), "9999") {
			t.Errorf("a newer one: %v", err)
		}
	}
	if _, err := db.Exec(`PRAGMA user_version = 0`); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(dir); err == nil {
		t.Error("tables of another program are taken")
	}
}

// TestSecond: a directory is that of one process, and its files are for its user.
func TestSecond(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := open(t, dir)
	second := func() string {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "STORE_TEST_DIR="+dir)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	if out := second(); !strings.Contains(out, "is in use") {
		t.Errorf("a second process: %s", out)
	}
	if _, err := store.Open(dir); err == nil {
		t.Error("opened twice in a process")
	}
	if err := s.AddRuns(row("run_1", "")); err != nil {
		t.Error(err)
	}
	if runtime.GOOS != "windows" {
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if info, err := f.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: %v, %v", f.Name(), info.Mode(), err)
			}
		}
	}
	s.Close()
	if out := second(); out != "<nil>" {
		t.Errorf("after the first: %s", out)
	}
}

// BenchmarkWrites is writes of many at once, each of which is on disk when it returns.
func BenchmarkWrites(b *testing.B) {
	s := open(b, b.TempDir())
	var n int
	var mu sync.Mutex
	b.ReportAllocs()
	b.SetParallelism(16)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			mu.Lock()
			n++
			id := fmt.Sprint("run_", n)
			mu.Unlock()
			if err := s.AddRuns(row(id, "")); err != nil {
				b.Error(err)
			}
		}
	})
	if _, _, err := s.Runs(context.Background(), store.Query{Limit: 1}); err != nil {
		b.Error(err)
	}
}
