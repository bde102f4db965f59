//go:build unix

package vfs

import (
	"path/filepath"
	"testing"
)

// TestSplitPath: the suffix says what scripts may do, and takes nothing else off a path.
func TestSplitPath(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Chdir(home)
	for text, want := range map[string]struct {
		dir   string
		write bool
	}{
		"/data/foo":       {"/data/foo", false},
		"/data/foo:ro":    {"/data/foo", false},
		"/data/foo:rw":    {"/data/foo", true},
		"/data/error:ro":  {"/data/error", false},
		"/data/x:ro:rw":   {"/data/x:ro", true},
		"/data/x:r":       {"/data/x:r", false},
		"/data/../etc/":   {"/etc", false},
		"~":               {home, false},
		"~:rw":            {home, true},
		"~/data:rw":       {filepath.Join(home, "data"), true},
		"~other/data":     {filepath.Join(home, "~other/data"), false},
		"data/~:ro":       {filepath.Join(home, "data/~"), false},
		"/data/with:many": {"/data/with:many", false},
	} {
		dir, write, err := SplitPath(text)
		if dir != want.dir || write != want.write || err != nil {
			t.Errorf("%q: %q, %v, %v", text, dir, write, err)
		}
	}
	for _, text := range []string{"", ":ro", ":rw"} {
		if dir, _, err := SplitPath(text); err == nil {
			t.Errorf("%q is %q", text, dir)
		}
	}
	t.Setenv("HOME", "")
	if dir, _, err := SplitPath("~/data"); err == nil {
		t.Errorf("without a home ~/data is %q", dir)
	}
}
