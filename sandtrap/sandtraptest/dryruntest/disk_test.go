package dryruntest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/dryrun"
)

// An entry is what the disk has at a path.
type entry struct {
	mode  string
	size  int64
	sum   string // of a file
	link  string
	mtime time.Time
}

// walked is what the disk has below a directory.
func walked(t *testing.T, dir string) map[string]entry {
	t.Helper()
	found := map[string]entry{}
	err := filepath.WalkDir(dir, func(at string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		st, err := os.Lstat(at)
		if err != nil {
			return err
		}
		e := entry{mode: st.Mode().String(), mtime: st.ModTime()}
		switch {
		case st.Mode().IsRegular():
			text, err := os.ReadFile(at)
			if err != nil {
				return err
			}
			sum := sha256.Sum256(text)
			e.size, e.sum = st.Size(), hex.EncodeToString(sum[:])
		case st.Mode()&fs.ModeSymlink != 0:
			e.link, _ = os.Readlink(at)
		}
		found[at] = e
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func (e entry) state() *dryrun.State { return &dryrun.State{Mode: e.mode, Size: e.size, Link: e.link} }

// changed is what a dry run should say of what the disk had and has now, without lines and hashes.
func changed(before, after map[string]entry) map[string]string {
	list := map[string]string{}
	for at, now := range after {
		was, ok := before[at]
		was.mtime, now.mtime = time.Time{}, time.Time{}
		switch {
		case !ok:
			list[at] = fmt.Sprintf("added %+v", *now.state())
		case was != now:
			list[at] = fmt.Sprintf("modified %+v %+v", *was.state(), *now.state())
		}
	}
	for at, was := range before {
		if _, ok := after[at]; !ok {
			list[at] = fmt.Sprintf("deleted %+v", *was.state())
		}
	}
	return list
}

// planned is the same of a report.
func planned(files []dryrun.Change) map[string]string {
	list := map[string]string{}
	for _, c := range files {
		text := string(c.Kind)
		for _, s := range []*dryrun.State{c.Before, c.After} {
			if s != nil {
				text += fmt.Sprintf(" %+v", dryrun.State{Mode: s.Mode, Size: s.Size, Link: s.Link})
			}
		}
		list[c.Path] = text
	}
	return list
}

// fill makes a directory with files whose times are in the past.
func fill(t *testing.T, dir string) {
	t.Helper()
	big := make([]byte, 100<<10)
	for name, text := range map[string]string{
		"notes.txt": "one\ntwo\nthree\n", "todo.md": "- a\n- b\n", "data/1.csv": "a,b\n1,2\n", "data/2.csv": "a,b\n3,4\n",
		"data/deep/x": "x", "big.bin": string(big), ".env": "TOKEN=1", "old/a": "a", "old/b": "b",
	} {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("notes.txt", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	past := time.Now().Add(-time.Hour)
	_ = filepath.WalkDir(dir, func(at string, e fs.DirEntry, _ error) error {
		if e.Type()&fs.ModeSymlink != 0 {
			return nil
		}
		return os.Chtimes(at, past, past)
	})
}
