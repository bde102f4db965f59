package trail_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/trail"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// open opens the record of a directory.
func open(t *testing.T, dir string, o trail.Options) *trail.Trail {
	t.Helper()
	tr, err := trail.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	return tr
}

// event is the i-th of a tenant and a run.
func event(tenant, run string, i int, at time.Time) record.Event {
	return record.Event{Kind: record.KindDecision, Time: at, Subject: decide.Subject{Tenant: tenant, Run: run}, Sequence: int64(i), Member: "m", Decision: record.Allow}
}

// all reads all pages of a query.
func all(t *testing.T, tr *trail.Trail, q record.Query, limit int) (list []record.Event) {
	t.Helper()
	cursor := ""
	for range 100_000 {
		page, err := tr.Read(t.Context(), q, cursor, limit)
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Events) > limit {
			t.Fatalf("%d events, limit %d", len(page.Events), limit)
		}
		list = append(list, page.Events...)
		if cursor = page.Next; cursor == "" {
			return list
		}
	}
	t.Fatal("there are pages without end")
	return nil
}

// TestPages: pages of any size, over many files, have each event of a tenant once and in order, and none of another one.
func TestPages(t *testing.T) {
	dir := t.TempDir()
	tr := open(t, dir, trail.Options{MaxBytes: 20_000})
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	const n = 900
	for i := range n {
		tenant := []string{"alpha", "beta", "alpha2"}[i%3]
		if err := tr.Write(event(tenant, fmt.Sprintf("run_%d", i%7), i, begin.Add(time.Duration(i)*time.Minute))); err != nil {
			t.Fatal(err)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "record.jsonl.*")); len(files) < 5 {
		t.Fatalf("files: %q", files)
	}
	for _, limit := range []int{3, 200} {
		for name, q := range map[string]record.Query{
			"tenant": {Tenant: "alpha"},
			"run":    {Tenant: "alpha", Run: "run_3"},
			"since":  {Tenant: "alpha", Since: begin.Add(400 * time.Minute)},
			"until":  {Tenant: "alpha", Since: begin.Add(100 * time.Minute), Until: begin.Add(600 * time.Minute)},
			"all":    {Kind: "decision"},
		} {
			var want []int64
			for i := range n {
				at := begin.Add(time.Duration(i) * time.Minute)
				if (q.Tenant == "" || i%3 == 0) && (q.Run == "" || i%7 == 3) && !at.Before(q.Since) && (q.Until.IsZero() || at.Before(q.Until)) {
					want = append(want, int64(i))
				}
			}
			var got []int64
			for _, e := range all(t, tr, q, limit) {
				if q.Tenant != "" && e.Tenant != q.Tenant {
					t.Fatalf("%s: an event of %s", name, e.Tenant)
				}
				got = append(got, e.Sequence)
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s, limit %d:\n%v\nwant\n%v", name, limit, got, want)
			}
		}
	}
	for _, cursor := range []string{"x", "MTA", "LTEuMA", "MS4tMQ"} { // the last ones are 10, -1.0 and 1.-1
		if _, err := tr.Read(t.Context(), record.Query{}, cursor, 10); !errors.Is(err, trail.ErrCursor) {
			t.Errorf("%s: %v", cursor, err)
		}
	}
}

// TestForgedCursor: a cursor into the midst of a line, or beyond the end, gives whole events of the tenant.
func TestForgedCursor(t *testing.T) {
	tr := open(t, t.TempDir(), trail.Options{})
	for i := range 50 {
		if err := tr.Write(event([]string{"alpha", "beta"}[i%2], "run", i, time.Now())); err != nil {
			t.Fatal(err)
		}
	}
	for offset := range 2000 {
		page, err := tr.Read(t.Context(), record.Query{Tenant: "alpha"}, base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "1.%d", offset*10)), 100)
		if err != nil && !errors.Is(err, trail.ErrCursor) {
			t.Fatalf("%d: %v", offset, err)
		}
		for i := 0; err == nil && i < len(page.Events); i++ {
			if e := page.Events[i]; e.Tenant != "alpha" || e.Sequence%2 != 0 {
				t.Fatalf("%d: %+v", offset, e)
			}
		}
	}
}

// TestReadBounded: a page that finds nothing ends after a part of the record, and later pages find what is there.
func TestReadBounded(t *testing.T) {
	tr := open(t, t.TempDir(), trail.Options{})
	noise := event("beta", "run_b", 1, time.Now())
	noise.Args = []byte(`"` + strings.Repeat("x", 200_000) + `"`)
	for range 250 { // 50 MB
		if err := tr.Write(noise); err != nil {
			t.Fatal(err)
		}
	}
	if err := tr.Write(event("alpha", "run_a", 1, time.Now())); err != nil {
		t.Fatal(err)
	}
	page, err := tr.Read(t.Context(), record.Query{Tenant: "alpha"}, "", 10)
	if err != nil || len(page.Events) != 0 || page.Next == "" {
		t.Fatalf("%+v, %v", page, err)
	}
	if list := all(t, tr, record.Query{Tenant: "alpha"}, 10); len(list) != 1 {
		t.Errorf("%d events", len(list))
	}
	page, err = tr.Read(t.Context(), record.Query{Tenant: "beta"}, "", 200)
	size := 0
	for _, e := range page.Events {
		size += len(e.Args)
	}
	if err != nil || size > 5<<20 || page.Next == "" {
		t.Errorf("a page of %d bytes, %v", size, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tr.Read(gone, record.Query{Tenant: "alpha"}, "", 10); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestVerify: a record that is whole verifies while it grows, and one of which a byte was changed, or lines were cut off, does not.
func TestVerify(t *testing.T) {
	dir := t.TempDir()
	tr := open(t, dir, trail.Options{MaxBytes: 1_500})
	stop, done := make(chan struct{}), sync.WaitGroup{}
	done.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				if err := tr.Write(event("alpha", "run", i, time.Now())); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	for range 200 {
		if s, err := tr.Verify(t.Context()); err != nil || s.Last < 1 {
			t.Errorf("%+v, %v", s, err)
		}
	}
	close(stop)
	done.Wait()
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "record.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	for name, bad := range map[string][]byte{
		"changed": bytes.Replace(text, []byte(`"tenant":"alpha"`), []byte(`"tenant":"alphb"`), 1),
		"cut off": bytes.Join(lines[:len(lines)-2], nil),
	} {
		if err := os.WriteFile(filepath.Join(dir, "record.jsonl"), bad, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := tr.Verify(t.Context())
		if bad, ok := errors.AsType[*record.BadLine](err); !ok || bad.File != "record.jsonl" || bad.Line < 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "verify-*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// TestKey: what a verification has left that was killed is removed, the key is made once, for its owner alone, and a record whose key is gone is not gone on with.
func TestKey(t *testing.T) {
	dir := t.TempDir()
	killed := filepath.Join(dir, "verify-killed")
	if err := os.MkdirAll(filepath.Join(killed, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	tr := open(t, dir, trail.Options{})
	if err := tr.Write(event("alpha", "run", 1, time.Now())); err != nil {
		t.Fatal(err)
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(killed); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what a verification has left is there: %v", err)
	}
	path := filepath.Join(dir, "record.key")
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&(fs.ModePerm&^0o600) != 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	before, _ := os.ReadFile(path)
	if err := open(t, dir, trail.Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("the key is another one")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if tr, err := trail.Open(dir, trail.Options{}); err == nil {
		_ = tr.Close()
		t.Error("a record went on with another key")
	}
}

// TestWatchers: watchers get events that were written, without secrets, and none after the record has failed.
func TestWatchers(t *testing.T) {
	tr := open(t, t.TempDir(), trail.Options{})
	var seen []record.Event
	tr.Watch(func(e record.Event) { seen = append(seen, e) })
	e := event("alpha", "run", 1, time.Now())
	e.Args = []byte(`{"password":"hunter2"}`)
	if err := tr.Write(e); err != nil {
		t.Fatal(err)
	}
	if len(seen) != 1 || strings.Contains(string(seen[0].Args), "hunter2") {
		t.Errorf("%+v", seen)
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	if err := tr.Write(e); !errors.Is(err, record.ErrClosed) || len(seen) != 1 {
		t.Errorf("%v, %d events", err, len(seen))
	}
}
