package record_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// newKey is a key with its public half.
func newKey(t testing.TB) (*record.Key, note.Verifier) {
	t.Helper()
	private, public, err := note.GenerateKey(rand.Reader, "test")
	if err != nil {
		t.Fatal(err)
	}
	key, err := record.ParseKey(private + "\n")
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := note.NewVerifier(public)
	if err != nil {
		t.Fatal(err)
	}
	return key, verifier
}

func checkpoint(t testing.TB, path string, by note.Verifier) *record.Checkpoint {
	t.Helper()
	text, err := os.ReadFile(record.CheckpointFile(path))
	if err != nil {
		t.Fatal(err)
	}
	c, err := record.ReadCheckpoint(text, by)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// badLine is the number of the line that err names, 0 if there is none.
func badLine(t testing.TB, err error) int64 {
	t.Helper()
	if err == nil {
		return 0
	}
	var bad *record.BadLine
	if !errors.As(err, &bad) {
		t.Fatalf("%T: %v", err, err)
	}
	return bad.Line
}

// TestFlip: each bit of each byte of a record counts, and the line of the first one that differs is named.
func TestFlip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	write(t, path, record.Options{}, 3)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range text {
		for bit := range 8 {
			bad := bytes.Clone(text)
			bad[i] ^= 1 << bit
			_, err := record.Verify(bytes.NewReader(bad), nil)
			if got, want := badLine(t, err), int64(bytes.Count(text[:i], []byte("\n"))+1); got != want {
				t.Fatalf("byte %d, bit %d: %v, want line %d", i, bit, err, want)
			}
		}
	}
}

// TestLines: lines that are deleted, moved, repeated, added or taken from another record are found.
func TestLines(t *testing.T) {
	dir := t.TempDir()
	key, by := newKey(t)
	path, other := filepath.Join(dir, "r"), filepath.Join(dir, "o")
	write(t, path, record.Options{Key: key}, 5)
	write(t, other, record.Options{}, 5)
	good, foreign, c := lines(t, path), lines(t, other), checkpoint(t, path, by)
	for _, tc := range []struct {
		name  string
		lines []string
		bad   int64
	}{
		{"none", good, 0},
		{"first deleted", good[1:], 1},
		{"one deleted", slices.Delete(slices.Clone(good), 2, 3), 3},
		{"last deleted", good[:5], 6},
		{"all but one deleted", good[:1], 2},
		{"all deleted", nil, 1},
		{"swapped", []string{good[0], good[2], good[1], good[3], good[4], good[5]}, 2},
		{"repeated", slices.Insert(slices.Clone(good), 3, good[2]), 4},
		{"foreign", []string{good[0], good[1], foreign[2], good[3], good[4], good[5]}, 3},
		{"foreign end", slices.Concat(good[:3], foreign[3:]), 4},
		{"another record", foreign, 6},
		{"empty line", slices.Insert(slices.Clone(good), 3, "\n"), 4},
		{"space", slices.Replace(slices.Clone(good), 3, 4, " "+good[3]), 4},
		{"unknown field", slices.Replace(slices.Clone(good), 3, 4, `{"x":1,`+good[3][1:]), 4},
		{"torn", slices.Replace(slices.Clone(good), 5, 6, good[5][:20]), 6},
		{"too long", slices.Insert(slices.Clone(good), 3, strings.Repeat("x", 4<<20)+"\n"), 4},
	} {
		_, err := record.Verify(strings.NewReader(strings.Join(tc.lines, "")), c)
		if got := badLine(t, err); got != tc.bad {
			t.Errorf("%s: %v, want line %d", tc.name, err, tc.bad)
		}
	}
}

// TestForged: who can write to the file can make a record that verifies, but no checkpoint for it.
func TestForged(t *testing.T) {
	dir := t.TempDir()
	key, by := newKey(t)
	other, _ := newKey(t)
	path, forged := filepath.Join(dir, "r"), filepath.Join(dir, "o")
	write(t, path, record.Options{Key: key}, 5)
	write(t, forged, record.Options{Key: other}, 5)
	if _, err := record.VerifyFiles(forged, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := record.VerifyFiles(forged, checkpoint(t, path, by)); badLine(t, err) == 0 {
		t.Error("the checkpoint of a record is one of another")
	}
	text, err := os.ReadFile(record.CheckpointFile(forged))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := record.ReadCheckpoint(text, by); err == nil {
		t.Error("a checkpoint of another key is taken")
	}
	signer := func(text string) []byte {
		private, public, _ := note.GenerateKey(rand.Reader, "test")
		s, _ := note.NewSigner(private)
		by, _ = note.NewVerifier(public)
		signed, err := note.Sign(&note.Note{Text: text}, s)
		if err != nil {
			t.Fatal(err)
		}
		return signed
	}
	if _, err := record.ReadCheckpoint(signer("go.sum database tree\n5\nAAAA\n"), by); err == nil {
		t.Error("a note about something else is taken")
	}
}

// TestFiles: a file of a record that is missing, emptied or changed places is found.
func TestFiles(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"oldest":  func(path string) error { return os.Remove(path + ".1") },
		"middle":  func(path string) error { return os.Remove(path + ".3") },
		"emptied": func(path string) error { return os.Truncate(path+".2", 0) },
		"newest":  func(path string) error { return os.Rename(path+".4", path) },
		"swapped": func(path string) error {
			return errors.Join(os.Rename(path+".1", path+".x"), os.Rename(path+".2", path+".1"), os.Rename(path+".x", path+".2"))
		},
		"head cut": func(path string) error {
			text, err := os.ReadFile(path + ".1")
			_, rest, _ := bytes.Cut(text, []byte("\n"))
			return errors.Join(err, os.WriteFile(path+".1", rest, 0o600))
		},
	} {
		key, by := newKey(t)
		path := filepath.Join(t.TempDir(), "r")
		write(t, path, record.Options{MaxBytes: 4000, Key: key}, 30)
		c := checkpoint(t, path, by)
		if s, err := record.VerifyFiles(path, c); err != nil || s.Signed != s.Last {
			t.Fatal(s, err)
		}
		if err := change(path); err != nil {
			t.Fatal(err)
		}
		_, err := record.VerifyFiles(path, c)
		if badLine(t, err) == 0 {
			t.Errorf("%s: not found", name)
		}
		t.Logf("%s: %v", name, err)
	}
}

// TestPublished: each checkpoint is published, and a record that was put back to an earlier state, with its checkpoint, does not
// reach the last one.
func TestPublished(t *testing.T) {
	key, by := newKey(t)
	path := filepath.Join(t.TempDir(), "r")
	var published [][]byte
	o := record.Options{Key: key, Every: 10, Publish: func(c []byte) error {
		published = append(published, bytes.Clone(c))
		return nil
	}}
	write(t, path, o, 15)
	var states []string
	for _, c := range published {
		c, err := record.ReadCheckpoint(c, by)
		if err != nil {
			t.Fatal(err)
		}
		states = append(states, fmt.Sprint(c.Lines))
	}
	if want := "1 11 16"; strings.Join(states, " ") != want {
		t.Errorf("checkpoints at %v, want %s", states, want)
	}
	text := strings.Join(lines(t, path)[:11], "")
	for i, bad := range []int64{0, 0, 12} {
		c, err := record.ReadCheckpoint(published[i], by)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := record.Verify(strings.NewReader(text), c); badLine(t, err) != bad {
			t.Errorf("checkpoint %d: %v", i, err)
		}
	}
}
