package record_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// full is an event with all fields.
func full() record.Event {
	return record.Event{
		Time: time.Date(2026, 5, 4, 3, 2, 1, 7, time.FixedZone("", 7200)), Kind: record.KindDecision,
		Subject:  decide.Subject{Tenant: "acme", Session: "s1", Run: "r1"},
		Sequence: 7, Process: 42, Script: "main.go", Member: "mail.Send",
		Args: json.RawMessage(`{"to":"a@b.c","n":[1,2.50,null,true]}`), Hash: "abcd", At: "main.go:12",
		Risk: decide.High, Decision: record.Deny, Code: decide.RuleBlocks, Rule: "no mail", Reason: "a \"b\" <c> \u2028 \x00 é",
		By: "ann", Duration: 3 * time.Millisecond, Outcome: "panic", Error: "no\nway", Ticks: 99,
		Status: 200, Sent: 3, Received: 4,
	}
}

func open(t testing.TB, path string, o record.Options) *record.Log {
	t.Helper()
	l, err := record.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// write appends n events and closes the record.
func write(t testing.TB, path string, o record.Options, n int) {
	t.Helper()
	l := open(t, path, o)
	for i := range n {
		e := full()
		e.Sequence = int64(i + 1)
		if err := l.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// lines are those of a file, with their ends.
func lines(t testing.TB, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(strings.Lines(string(text)))
}

// TestFile: a line is JSON with the fields of the event as encoding/json writes them, in a file for its owner alone.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	write(t, path, record.Options{}, 1)
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	e := full()
	e.Sequence, e.Time = 1, e.Time.UTC()
	var want, got map[string]any
	text, err := json.Marshal(e)
	if err := errors.Join(err, json.Unmarshal(text, &want), json.Unmarshal([]byte(lines(t, path)[1]), &got)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"n", "prev", "hash"} {
		if got[name] == nil {
			t.Errorf("no %s", name)
		}
		delete(got, name)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v\nwant %v", got, want)
	}
}

// TestRotation: a record is one chain over its files, and over Logs.
func TestRotation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	for range 3 {
		write(t, path, record.Options{MaxBytes: 4000}, 20)
	}
	s, err := record.VerifyFiles(path, nil)
	if err != nil || s.Files < 5 || s.First != 1 || s.Last != int64(60+s.Files) {
		t.Fatalf("%+v, %v", s, err)
	}
	var got []int64
	if err := (record.Query{Kind: "decision"}).ReadFiles(path, func(e record.Event) error {
		got = append(got, e.Sequence)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for i, n := range got {
		if n != int64(i%20+1) || len(got) != 60 {
			t.Fatal(got)
		}
	}
	for _, name := range []string{"r", "r.1", "r.2"} {
		if info, err := os.Stat(filepath.Join(filepath.Dir(path), name)); err != nil || info.Size() > 4000 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

// TestKeep: as many files are kept as was asked for, and the record verifies.
func TestKeep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	write(t, path, record.Options{MaxBytes: 4000, Keep: 2}, 100)
	s, err := record.VerifyFiles(path, nil)
	if names, _ := filepath.Glob(path + "*"); err != nil || s.Files != 3 || s.First < 50 || len(names) != 3 {
		t.Fatalf("%+v, %v, %v", s, err, names)
	}
}

// TestSecondOpen: a record has one Log at a time, also while its file is replaced.
func TestSecondOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	l := open(t, path, record.Options{MaxBytes: 2000})
	for range 20 {
		if _, err := record.Open(path, record.Options{}); err == nil || !strings.Contains(err.Error(), "another Log has it open") {
			t.Fatal(err)
		}
		if err := l.Write(full()); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.Write(full()); !errors.Is(err, record.ErrClosed) {
		t.Error(err)
	}
	open(t, path, record.Options{})
}

// TestRelative: a record stays where it was opened when the process changes its directory.
func TestRelative(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	l := open(t, "r", record.Options{MaxBytes: 2000})
	t.Chdir(t.TempDir())
	for range 10 {
		if err := l.Write(full()); err != nil {
			t.Fatal(err)
		}
	}
	if s, err := record.VerifyFiles(filepath.Join(dir, "r"), nil); err != nil || s.Files < 3 {
		t.Error(s, err)
	}
}

// TestConcurrent: 64 writers lose no event.
func TestConcurrent(t *testing.T) {
	const writers, each = 64, 50
	path := filepath.Join(t.TempDir(), "r")
	l := open(t, path, record.Options{MaxBytes: 100_000})
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range each {
				e := full()
				e.Process, e.Sequence = w+1, int64(i+1)
				if err := l.Write(e); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err := record.VerifyFiles(path, nil); err != nil || s.Last != int64(writers*each+s.Files) {
		t.Fatalf("%+v, %v", s, err)
	}
	next := map[int]int64{}
	err := record.Query{Member: "mail.*"}.ReadFiles(path, func(e record.Event) error {
		if next[e.Process]++; next[e.Process] != e.Sequence {
			t.Errorf("writer %d: event %d comes as number %d", e.Process, e.Sequence, next[e.Process])
		}
		return nil
	})
	if err != nil || len(next) != writers {
		t.Error(len(next), err)
	}
}
