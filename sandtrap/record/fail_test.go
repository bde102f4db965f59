package record

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestFailedWrite: a write that fails is an error, and so is each later one, although the file could take that.
func TestFailedWrite(t *testing.T) {
	for name, file := range map[string]func(string) (*os.File, error){
		"full":      func(string) (*os.File, error) { return os.OpenFile("/dev/full", os.O_WRONLY, 0) },
		"read-only": func(path string) (*os.File, error) { return os.Open(path) },
		"closed": func(path string) (*os.File, error) {
			f, err := os.Open(path)
			return f, errors.Join(err, f.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "r")
			l, err := Open(path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			good := l.file
			if l.file, err = file(path); err != nil {
				if runtime.GOOS == "linux" {
					t.Fatal(err)
				}
				t.Skip(err)
			}
			first := l.Write(Event{Kind: KindStart})
			if first == nil || !strings.HasPrefix(first.Error(), "record: "+path) {
				t.Fatal(first)
			}
			l.file = good
			if err := l.Write(Event{Kind: KindStart}); err != first {
				t.Errorf("%v, want %v", err, first)
			}
			if err := l.Sync(); err != first {
				t.Errorf("Sync: %v, want %v", err, first)
			}
			if err := l.Close(); !errors.Is(err, first) {
				t.Errorf("Close: %v, want %v", err, first)
			}
		})
	}
}

// TestFailedCheckpoint: a checkpoint that cannot be written or published is a failed write.
func TestFailedCheckpoint(t *testing.T) {
	key, err := ParseKey("PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz") // of the documentation of package note
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "r")
	fails := false
	l, err := Open(path, Options{Key: key, Every: 3, Publish: func([]byte) error {
		if fails {
			return os.ErrDeadlineExceeded
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	fails = true
	for i := range 4 {
		if err := l.Write(Event{Kind: KindStart}); errors.Is(err, os.ErrDeadlineExceeded) != (i >= 2) {
			t.Errorf("write %d: %v", i, err)
		}
	}
}

// TestBadEvents: an event that cannot be a line is a failed write.
func TestBadEvents(t *testing.T) {
	for name, e := range map[string]Event{
		"no kind": {}, "file": {Kind: KindFile}, "repair": {Kind: KindRepair},
		"year": {Kind: KindStart, Time: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)},
		"risk": {Kind: KindStart, Risk: 99},
	} {
		l, err := Open(filepath.Join(t.TempDir(), "r"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Write(e); err == nil {
			t.Errorf("%s is taken", name)
		}
		_ = l.Close()
	}
}
