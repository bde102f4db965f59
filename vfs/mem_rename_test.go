package vfs

import (
	"errors"
	"testing"

	"github.com/spf13/afero"
)

// TestRenameIntoItself: a directory does not get into itself, by a link neither, and is there afterwards.
func TestRenameIntoItself(t *testing.T) {
	for _, to := range []string{"/a/b/c", "/a/c", "/link/c", "/a/back/c", "/a"} {
		m := Mem()
		link := m.(afero.Symlinker).SymlinkIfPossible
		if err := errors.Join(m.MkdirAll("/a/b", 0o755), link("/a/b", "/link"), link("..", "/a/back"), afero.WriteFile(m, "/a/b/f", []byte("x"), 0o644)); err != nil {
			t.Fatal(err)
		}
		err := m.Rename("/a", to)
		if to != "/a" && to != "/a/back/c" && !errors.Is(err, errInvalid) {
			t.Errorf("into %s: %v", to, err)
		}
		at := "/a"
		if to == "/a/back/c" { // which is /c
			at = "/c"
		}
		if text, err := afero.ReadFile(m, at+"/b/f"); string(text) != "x" {
			t.Errorf("into %s: the file is gone: %q, %v", to, text, err)
		}
	}
}
