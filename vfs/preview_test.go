package vfs

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"
)

// walked is what is at each path below a directory of the host: its mode, the text of a file, where a link leads.
func walked(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(at string, e fs.DirEntry, err error) error {
		if err != nil || at == dir {
			return err
		}
		st, err := os.Lstat(at)
		if err != nil {
			return err
		}
		text, _ := os.ReadFile(at)
		if st.Mode()&fs.ModeSymlink != 0 {
			link, _ := os.Readlink(at)
			text = []byte(link)
		}
		found[strings.TrimPrefix(at, dir)] = fmt.Sprintf("%v %s", st.Mode(), text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// work does some of each change.
func work(t *testing.T, f *FS, dir string) (outcome string) {
	t.Helper()
	for _, err := range []error{
		f.WriteFile(dir+"/new", []byte("new"), 0o666),
		f.WriteFile(dir+"/a", []byte("changed"), 0o600),
		f.MkdirAll(dir+"/x/y", 0o777),
		f.Remove(dir + "/b"),
		f.RemoveAll(dir + "/d"),
		f.Rename(dir+"/e", dir+"/x/e"),
		f.Chmod(dir+"/c", 0o640),
		f.Symlink("a", dir+"/l"),
		f.WriteFile(dir+"/.env", nil, 0o600),
		f.WriteFile(dir+"/short", nil, 0o600), f.Remove(dir + "/short"),
		f.Remove(dir + "/missing"),
	} {
		outcome += fmt.Sprintln(err)
	}
	return strings.ReplaceAll(outcome, dir, "DIR")
}

// filled is a directory of the host with files.
func filled(t *testing.T) string {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c", "d/1", "d/2/3", "e/f", ".env", "keep"} {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestPreview: a preview does what its volume does, lists as its differences what the disk shows afterwards, and touches nothing.
func TestPreview(t *testing.T) {
	for name, how := range map[string]func(dir string) (afero.Fs, []*Given, string){
		"given": func(dir string) (afero.Fs, []*Given, string) {
			given, err := Give([]string{dir + ":rw"}, false)
			if err != nil {
				t.Fatal(err)
			}
			return Mem(), given, dir
		},
		"read-only": func(dir string) (afero.Fs, []*Given, string) {
			given, err := Give([]string{dir}, false)
			if err != nil {
				t.Fatal(err)
			}
			return Mem(), given, dir
		},
		"base": func(dir string) (afero.Fs, []*Given, string) {
			base, err := Dir(dir)
			if err != nil {
				t.Fatal(err)
			}
			return base, nil, ""
		},
		"mounted": func(dir string) (afero.Fs, []*Given, string) {
			base, err := Dir(dir)
			if err != nil {
				t.Fatal(err)
			}
			return Mount(ReadOnly(Mem()), "/data", base), nil, "/data"
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filled(t)
			before := walked(t, dir)
			old := time.Now().Add(-time.Hour)
			_ = filepath.WalkDir(dir, func(at string, _ fs.DirEntry, _ error) error { return os.Chtimes(at, old, old) })

			base, given, at := how(dir)
			p, err := NewPreview(base, given)
			if err != nil {
				t.Fatal(err)
			}
			files, _ := p.Files()
			v, err := New(files, Options{})
			if err != nil {
				t.Fatal(err)
			}
			planned := work(t, v.FS(), at)
			list, err := p.Diff()
			if err != nil {
				t.Fatal(err)
			}
			if after := walked(t, dir); fmt.Sprint(after) != fmt.Sprint(before) {
				t.Fatalf("the preview has changed the disk:\n%v\n%v", before, after)
			}
			_ = filepath.WalkDir(dir, func(at string, _ fs.DirEntry, _ error) error {
				if st, err := os.Lstat(at); err != nil || st.ModTime().Sub(old).Abs() > time.Millisecond {
					t.Errorf("%s was touched: %v", at, st.ModTime())
				}
				return nil
			})
			got := map[string]string{}
			for _, d := range list {
				got[strings.TrimPrefix(d.Path, at)] = fmt.Sprint(d.Kind, " ", shownAs(t, p, d, false), " > ", shownAs(t, p, d, true))
			}

			base, given, at = how(dir)
			v, err = New(base, Options{Given: given})
			if err != nil {
				t.Fatal(err)
			}
			if done := work(t, v.FS(), at); done != planned {
				t.Errorf("planned\n%s\ndone\n%s", planned, done)
			}
			want := map[string]string{}
			after := walked(t, dir)
			for path, now := range after {
				switch was, ok := before[path]; {
				case !ok:
					want[path] = "added - > " + now
				case was != now:
					want[path] = "modified " + was + " > " + now
				}
			}
			for path, was := range before {
				if _, ok := after[path]; !ok {
					want[path] = "deleted " + was + " > -"
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(want) || (len(got) == 0) != (name == "read-only") {
				t.Errorf("planned %v\ndone    %v", got, want)
			}
		})
	}
}

// shownAs is one side of a difference as walked has it.
func shownAs(t *testing.T, p *Preview, d Difference, after bool) string {
	st := d.Before
	if after {
		st = d.After
	}
	switch {
	case st == nil:
		return "-"
	case st.IsDir():
		return st.Mode().String() + " "
	case st.Mode()&fs.ModeSymlink != 0:
		link, err := p.Readlink(d.Path, after)
		if err != nil {
			t.Error(err)
		}
		return st.Mode().String() + " " + link
	}
	f, err := p.Open(d.Path, after)
	if err != nil {
		t.Error(err)
		return err.Error()
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		t.Error(err)
	}
	return st.Mode().String() + " " + string(text)
}

// TestPreviewInterrupted: a commit that was interrupted is not finished by a preview.
func TestPreviewInterrupted(t *testing.T) {
	base := Mem()
	if err := base.MkdirAll(stage, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := NewPreview(Mount(Mem(), "/data", base), nil); err == nil || !strings.Contains(err.Error(), "at /data was interrupted") {
		t.Error(err)
	}
	if _, err := base.Stat(stage); err != nil {
		t.Error("the preview has ended the commit")
	}
}

// TestPreviewClock: the clock of a preview is that of its volume.
func TestPreviewClock(t *testing.T) {
	at := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	p, err := NewPreview(MemAt(at), nil)
	if err != nil {
		t.Fatal(err)
	}
	files, _ := p.Files()
	if err := afero.WriteFile(files, "/f", []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if st, err := files.Stat("/f"); err != nil || !st.ModTime().Equal(at) {
		t.Error(st.ModTime(), err)
	}
}
