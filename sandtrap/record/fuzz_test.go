package record_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// FuzzVerify: whatever a file has, Verify and Query end with an error or not, and a record that verifies can be read, does not
// verify with a byte changed, and can be gone on with.
func FuzzVerify(f *testing.F) {
	path := filepath.Join(f.TempDir(), "r")
	write(f, path, record.Options{}, 3)
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text, uint(10))
	f.Add(text[:len(text)-5], uint(0))
	f.Add([]byte("{}\n{}\n"), uint(0))
	f.Add([]byte(`{"n":1,"time":"`), uint(0))
	f.Add(bytes.Repeat([]byte("["), 300), uint(0))
	f.Fuzz(func(t *testing.T, text []byte, at uint) {
		s, err := record.Verify(bytes.NewReader(text), nil)
		n := int64(0)
		failed := record.Query{Since: full().Time.AddDate(-9000, 0, 0)}.Read(bytes.NewReader(text), func(record.Event) error { n++; return nil })
		path := filepath.Join(t.TempDir(), "r")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		l, refused := record.Open(path, record.Options{})
		if refused == nil {
			refused = l.Close()
		}
		if err != nil {
			return
		}
		if failed != nil || n > s.Last-s.First+1 || refused != nil {
			t.Errorf("verified %+v, read %d, %v, open: %v", s, n, failed, refused)
		}
		text = bytes.Clone(text)
		text[at%uint(len(text))] ^= 1
		if _, err := record.Verify(bytes.NewReader(text), nil); err == nil {
			t.Error("a byte was changed, and it verifies")
		}
	})
}

// FuzzCheckpoint: a note that nobody has signed is no checkpoint.
func FuzzCheckpoint(f *testing.F) {
	_, by := newKey(f)
	path := filepath.Join(f.TempDir(), "r")
	key, _ := newKey(f)
	write(f, path, record.Options{Key: key}, 1)
	text, err := os.ReadFile(record.CheckpointFile(path))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		if c, err := record.ReadCheckpoint(text, by); err == nil {
			t.Errorf("%+v", c)
		}
	})
}
