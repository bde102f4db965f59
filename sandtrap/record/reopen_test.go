package record_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// TestTorn: a record whose last line was cut at any byte is named by Verify, and repaired by the next Open, which says so.
func TestTorn(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	write(t, whole, record.Options{}, 2)
	all := lines(t, whole)
	text := strings.Join(all, "")
	for cut := 1; cut < len(text); cut++ {
		path := filepath.Join(dir, "r")
		if err := os.WriteFile(path, []byte(text[:cut]), 0o600); err != nil {
			t.Fatal(err)
		}
		complete := strings.Count(text[:cut], "\n")
		torn := text[cut-1] != '\n'
		_, err := record.VerifyFiles(path, nil)
		if want := int64(complete + 1); torn && badLine(t, err) != want || !torn && err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		write(t, path, record.Options{}, 1)
		if _, err := record.VerifyFiles(path, nil); err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		repairs := 0
		if err := (record.Query{Kind: "repair"}).ReadFiles(path, func(record.Event) error { repairs++; return nil }); err != nil {
			t.Fatal(err)
		}
		if want := torn && complete > 0; (repairs == 1) != want {
			t.Fatalf("cut at %d: %d repairs", cut, repairs)
		}
		if got := strings.Join(lines(t, path)[:complete], ""); complete > 0 && got != strings.Join(all[:complete], "") {
			t.Fatalf("cut at %d: whole lines were changed", cut)
		}
	}
}

// TestLongTorn: the repair finds the last whole line before one that is longer than what is read at first.
func TestLongTorn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	write(t, path, record.Options{}, 3)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(strings.Repeat("x", 1<<20)); err != nil {
		t.Fatal(err)
	}
	f.Close()
	write(t, path, record.Options{}, 3)
	if s, err := record.VerifyFiles(path, nil); err != nil || s.Last != 8 {
		t.Fatal(s, err)
	}
}

// TestRefusedFiles: Open does not go on with what is not the end of a record, or not that which the checkpoint signs, and leaves
// it as it is.
func TestRefusedFiles(t *testing.T) {
	key, _ := newKey(t)
	other, _ := newKey(t)
	for _, tc := range []struct {
		name, want string
		options    record.Options
		change     func(path string, text []string) error
	}{
		{"text", "not a record", record.Options{}, func(path string, _ []string) error {
			return os.WriteFile(path, []byte("some text"), 0o600)
		}},
		{"lines of text", "not a line of a record", record.Options{}, func(path string, _ []string) error {
			return os.WriteFile(path, []byte("some\ntext\n"), 0o600)
		}},
		{"long text", "not a record", record.Options{}, func(path string, _ []string) error {
			return os.WriteFile(path, []byte(`{"n":1,"time":"`+strings.Repeat("x", 5<<20)), 0o600)
		}},
		{"changed", "its content was changed", record.Options{}, func(path string, text []string) error {
			return os.WriteFile(path, []byte(strings.Replace(strings.Join(text, ""), "acme", "acne", 1)), 0o600)
		}},
		{"directory", "not a regular file", record.Options{}, func(path string, _ []string) error {
			_ = os.Remove(path)
			return os.Mkdir(path, 0o700)
		}},
		{"cut", "lines are cut off", record.Options{Key: key}, func(path string, text []string) error {
			return os.WriteFile(path, []byte(strings.Join(text[:40], "")), 0o600)
		}},
		{"cut to nothing", "its checkpoint signs 51 lines", record.Options{Key: key}, func(path string, _ []string) error {
			return os.Truncate(path, 0)
		}},
		{"removed", "its checkpoint signs 51 lines", record.Options{Key: key}, func(path string, _ []string) error {
			return os.Remove(path)
		}},
		{"replaced", "the checkpoint signs another line 51", record.Options{Key: key}, func(path string, _ []string) error {
			write(t, path+"x", record.Options{}, 60)
			return os.Rename(path+"x", path)
		}},
		{"no checkpoint", "no checkpoint", record.Options{Key: key}, func(path string, _ []string) error {
			return os.Remove(record.CheckpointFile(path))
		}},
		{"another key", "not signed with key", record.Options{Key: other}, func(string, []string) error { return nil }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "r")
			write(t, path, record.Options{Key: key}, 50)
			if err := tc.change(path, lines(t, path)); err != nil {
				t.Fatal(err)
			}
			before, _ := os.ReadFile(path)
			l, err := record.Open(path, tc.options)
			if err == nil {
				l.Close()
			}
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want %s", err, tc.want)
			}
			if after, _ := os.ReadFile(path); string(after) != string(before) {
				t.Error("the file was changed")
			}
		})
	}
}

// TestMissing: a record whose newest file is gone is not begun again.
func TestMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	write(t, path, record.Options{MaxBytes: 2000}, 10)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := record.Open(path, record.Options{}); err == nil || !strings.Contains(err.Error(), "has an earlier part of it") {
		t.Error(err)
	}
}

// TestLinked: a process that is killed while it begins a new file leaves a second name of the old one.
func TestLinked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	write(t, path, record.Options{MaxBytes: 2000}, 3)
	was, err := record.VerifyFiles(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Link(path, path+".7"); err != nil {
		t.Skip("no links here: ", err)
	}
	if err := os.WriteFile(path+".new", []byte("half a li"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := record.VerifyFiles(path, nil); err != nil || s != was {
		t.Error(s, err)
	}
	write(t, path, record.Options{MaxBytes: 2000}, 10)
	if _, err := record.VerifyFiles(path, nil); err != nil {
		t.Error(err)
	}
}
