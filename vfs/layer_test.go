package vfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"
)

// tree is a file system written down: a line for each path.
func tree(t *testing.T, base afero.Fs) string {
	t.Helper()
	var b strings.Builder
	var walk func(at string)
	walk = func(at string) {
		list, err := listing(base, at)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.Sorted(slices.Values(names(list))) {
			p := path.Join(at, name)
			st, err := lstat(base, p)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case st.IsDir():
				fmt.Fprintln(&b, p, st.Mode())
				walk(p)
			case st.Mode()&fs.ModeSymlink != 0:
				to, err := readlink(base, p)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintln(&b, p, "->", to)
			default:
				data, err := afero.ReadFile(base, p)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&b, "%s %v %q\n", p, st.Mode(), data)
			}
		}
	}
	walk("/")
	return b.String()
}

// bases are file systems with the same files.
func bases(t *testing.T) map[string]func() afero.Fs {
	fill := func(b afero.Fs) afero.Fs {
		for p, text := range map[string]string{"/keep": "keep", "/edit": "old", "/gone": "x", "/d/a": "a", "/d/b": "b", "/e/f/g": "g", "/type": "file"} {
			if err := b.MkdirAll(path.Dir(p), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := afero.WriteFile(b, p, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := symlink(b, "keep", "/link"); err != nil {
			t.Fatal(err)
		}
		return b
	}
	return map[string]func() afero.Fs{
		"mem": func() afero.Fs { return fill(newMem(time.Time{})) },
		"dir": func() afero.Fs {
			d, err := Dir(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { d.(io.Closer).Close() })
			return fill(d)
		},
	}
}

// edits are what the tests do to a tree, through a layer or directly.
func edits(t *testing.T, b afero.Fs) {
	t.Helper()
	write := func(at, text string) error { return afero.WriteFile(b, at, []byte(text), 0o644) }
	for i, err := range []error{
		write("/new", "new"), write("/edit", "changed"), b.Remove("/gone"), b.RemoveAll("/d"), b.Mkdir("/d", 0o700),
		write("/d/c", "c"), b.Rename("/e", "/moved"), b.Chmod("/keep", 0o600), b.Remove("/type"), b.MkdirAll("/type/is/dir", 0o755),
		symlink(b, "edit", "/second"), b.Remove("/link"), symlink(b, "new", "/link"), write("/moved/f/h", "h"),
		write("/back", "x"), b.Remove("/back"), b.Rename("/new", "/newer"),
	} {
		if err != nil {
			t.Fatal(i, err)
		}
	}
}

// oddNames are made by a script as any others.
func oddNames(t *testing.T, b afero.Fs) {
	t.Helper()
	if err := errors.Join(afero.WriteFile(b, "/odd \xff\n\"\\u00e9\u2028", []byte("odd"), 0o600), symlink(b, "\xfe", "/odd \xfd")); err != nil {
		t.Fatal(err)
	}
}

func layer(t *testing.T, base afero.Fs) *Layer {
	t.Helper()
	l, err := NewLayer(base)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestCommit wants the tree that the same changes make directly, and the old one
// until then.
func TestCommit(t *testing.T) {
	for name, base := range bases(t) {
		t.Run(name, func(t *testing.T) {
			direct, under := base(), base()
			edits(t, direct)
			before, l := tree(t, under), layer(t, under)
			edits(t, l)
			if got, want := tree(t, l), tree(t, direct); got != want {
				t.Errorf("through the layer:\n%swant\n%s", got, want)
			}
			if got := tree(t, under); got != before {
				t.Errorf("changed before the commit:\n%s", got)
			}
			if err := l.Commit(); err != nil {
				t.Fatal(err)
			}
			if got, want := tree(t, under), tree(t, direct); got != want {
				t.Errorf("after the commit:\n%swant\n%s", got, want)
			}
			if d, err := l.Diff(); err != nil || len(d) != 0 {
				t.Error("left after the commit:", d, err)
			}
		})
	}
}

// TestDiff lists what is different, and nothing else.
func TestDiff(t *testing.T) {
	for name, base := range bases(t) {
		t.Run(name, func(t *testing.T) {
			l := layer(t, base())
			edits(t, l)
			changes, err := l.Diff()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range changes {
				got = append(got, string(c.Kind)+" "+c.Path)
			}
			want := `modified /d, deleted /d/a, deleted /d/b, added /d/c, deleted /e, deleted /e/f, deleted /e/f/g, modified /edit, deleted /gone, modified /keep, modified /link, added /moved, added /moved/f, added /moved/f/g, added /moved/f/h, added /newer, added /second, modified /type, added /type/is, added /type/is/dir`
			if s := strings.Join(got, ", "); s != want {
				t.Errorf("got  %s\nwant %s", s, want)
			}
			before := tree(t, layer(t, l.base))
			l.Discard()
			if d, err := l.Diff(); err != nil || len(d) != 0 {
				t.Error(d, err)
			}
			if got := tree(t, l); got != before {
				t.Errorf("after Discard:\n%s", got)
			}
		})
	}
}

// TestChangedBack is no change.
func TestChangedBack(t *testing.T) {
	base := bases(t)["mem"]()
	l := layer(t, base)
	if err := afero.WriteFile(l, "/edit", []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if d, err := l.Diff(); err != nil || len(d) != 0 {
		t.Error(d, err)
	}
}

// TestConflict changes the base behind the layer's back.
func TestConflict(t *testing.T) {
	for what, change := range map[string]func(b afero.Fs) error{
		"/edit": func(b afero.Fs) error { return afero.WriteFile(b, "/edit", []byte("by another"), 0o644) },
		"/gone": func(b afero.Fs) error { return b.Remove("/gone") },
		"/new":  func(b afero.Fs) error { return afero.WriteFile(b, "/new", nil, 0o644) },
		"/keep": func(b afero.Fs) error { return b.Chmod("/keep", 0o640) },
	} {
		t.Run(what, func(t *testing.T) {
			for name, base := range bases(t) {
				under := base()
				l := layer(t, under)
				for i, err := range []error{
					afero.WriteFile(l, "/edit", []byte("mine"), 0o644), l.Remove("/gone"),
					afero.WriteFile(l, "/new", []byte("mine"), 0o644), l.Chmod("/keep", 0o600), change(under),
				} {
					if err != nil {
						t.Fatal(i, err)
					}
				}
				before := tree(t, under)
				err := l.Commit()
				var conflict *ConflictError
				if !errors.As(err, &conflict) || fmt.Sprint(conflict.Paths) != "["+what+"]" {
					t.Errorf("%s: %v", name, err)
				}
				if got := tree(t, under); got != before {
					t.Errorf("%s: changed all the same:\n%s", name, got)
				}
			}
		})
	}
}

// TestConflictAround changes what is around the layer's changes, so that they cannot be
// made. The base stays as it is, and the next layer is not in the way.
func TestConflictAround(t *testing.T) {
	for what, tc := range map[string]struct{ mine, others func(b afero.Fs) error }{
		"/d/more": { // in a directory that the layer removed
			func(b afero.Fs) error { return b.RemoveAll("/d") },
			func(b afero.Fs) error { return afero.WriteFile(b, "/d/more", nil, 0o644) },
		},
		"/d/a": { // in one that it made again
			func(b afero.Fs) error { return errors.Join(b.RemoveAll("/d"), afero.WriteFile(b, "/d", nil, 0o644)) },
			func(b afero.Fs) error { return afero.WriteFile(b, "/d/a", []byte("longer"), 0o644) },
		},
		"/e/f": { // where it made a file
			func(b afero.Fs) error { return afero.WriteFile(b, "/e/f/new", nil, 0o644) },
			func(b afero.Fs) error { return b.RemoveAll("/e") },
		},
		"/e": { // which now leads elsewhere
			func(b afero.Fs) error { return afero.WriteFile(b, "/e/f/new", nil, 0o644) },
			func(b afero.Fs) error {
				return errors.Join(b.Rename("/e", "/d/f"), b.MkdirAll("/x/f", 0o755), symlink(b, "x", "/e"))
			},
		},
	} {
		t.Run(what, func(t *testing.T) {
			for name, base := range bases(t) {
				under := base()
				l := layer(t, under)
				if err := errors.Join(tc.mine(l), tc.others(under)); err != nil {
					t.Fatal(err)
				}
				before := tree(t, under)
				err := l.Commit()
				var conflict *ConflictError
				if !errors.As(err, &conflict) || fmt.Sprint(conflict.Paths) != "["+what+"]" {
					t.Errorf("%s: %v", name, err)
				}
				layer(t, under)
				if got := tree(t, under); got != before {
					t.Errorf("%s: changed all the same:\n%s", name, got)
				}
			}
		})
	}
}

// TestOneCommit keeps a commit away from another that is under way, or was cut off.
func TestOneCommit(t *testing.T) {
	for name, base := range bases(t) {
		left := 1 << 30
		under := base()
		first, second := layer(t, cutOff{under, &left}), layer(t, under)
		for _, err := range []error{afero.WriteFile(first, "/edit", []byte("first"), 0o644), second.Remove("/gone")} {
			if err != nil {
				t.Fatal(err)
			}
		}
		left = 4
		if err := first.Commit(); err == nil {
			t.Fatalf("%s: nothing was cut off", name)
		}
		before := tree(t, under)
		if err := second.Commit(); err == nil || tree(t, under) != before {
			t.Errorf("%s: a commit into another: %v\n%s", name, err, tree(t, under))
		}
		layer(t, under)
		if err := second.Commit(); err != nil {
			t.Errorf("%s: after the other was finished: %v", name, err)
		}
	}
}

// cutOff fails each change after the first n, as if the process had died.
type cutOff struct {
	afero.Fs
	left *int
}

var errCut = errors.New("cut off")

func (c cutOff) may() error {
	if *c.left--; *c.left < 0 {
		return errCut
	}
	return nil
}

func (c cutOff) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	if writes(flag) {
		if err := c.may(); err != nil {
			return nil, err
		}
	}
	return c.Fs.OpenFile(name, flag, perm)
}
func (c cutOff) Open(name string) (afero.File, error) { return c.Fs.Open(name) }
func (c cutOff) Mkdir(name string, perm fs.FileMode) error {
	return errors.Join(c.may(), run(c, func() error { return c.Fs.Mkdir(name, perm) }))
}
func (c cutOff) Remove(name string) error {
	return errors.Join(c.may(), run(c, func() error { return c.Fs.Remove(name) }))
}
func (c cutOff) RemoveAll(name string) error {
	return errors.Join(c.may(), run(c, func() error { return c.Fs.RemoveAll(name) }))
}
func (c cutOff) Rename(a, b string) error {
	return errors.Join(c.may(), run(c, func() error { return c.Fs.Rename(a, b) }))
}
func (c cutOff) Chmod(name string, mode fs.FileMode) error {
	return errors.Join(c.may(), run(c, func() error { return c.Fs.Chmod(name, mode) }))
}
func (c cutOff) SymlinkIfPossible(target, name string) error {
	return errors.Join(c.may(), run(c, func() error { return symlink(c.Fs, target, name) }))
}
func (c cutOff) ReadlinkIfPossible(name string) (string, error) { return readlink(c.Fs, name) }
func (c cutOff) LstatIfPossible(name string) (fs.FileInfo, bool, error) {
	st, err := lstat(c.Fs, name)
	return st, true, err
}

// run does f while nothing has been cut off.
func run(c cutOff, f func() error) error {
	if *c.left < 0 {
		return nil
	}
	return f()
}

// TestCommitCutOff cuts a commit off at each of its changes. The next layer finds
// the old tree or the new one.
func TestCommitCutOff(t *testing.T) {
	for name, base := range bases(t) {
		t.Run(name, func(t *testing.T) {
			after := base()
			before := tree(t, after)
			edits(t, after)
			oddNames(t, after)
			want := tree(t, after)
			old, done := 0, false
			for n := 0; !done; n++ {
				if n > 200 {
					t.Fatal("never done")
				}
				left := 1 << 30
				under := base()
				l := layer(t, cutOff{under, &left})
				edits(t, l)
				oddNames(t, l)
				left = n
				done = l.Commit() == nil
				layer(t, under) // finishes it
				switch tree(t, under) {
				case before:
					old++
				case want:
				default:
					t.Fatalf("cut off after %d changes:\n%s", n, tree(t, under))
				}
			}
			if old == 0 {
				t.Error("never the old tree: nothing was cut off")
			}
		})
	}
}

// TestNoPlan lets nobody make a commit through a layer but the layer.
func TestNoPlan(t *testing.T) {
	l := layer(t, Mem())
	for what, err := range map[string]error{
		"mkdir": l.Mkdir(stage, 0o755), "write": afero.WriteFile(l, planFile, nil, 0o644), "mkdirall": l.MkdirAll(stage+"/x", 0o755),
		"rename": func() error {
			if err := l.Mkdir("/d", 0o755); err != nil {
				t.Fatal(err)
			}
			return l.Rename("/d", stage)
		}(),
		"symlink": l.SymlinkIfPossible("x", stage),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

// TestLayerTruncates: a file that is opened to be read and emptied is emptied, as Linux does, in the
// layer; the one below stays as it is.
func TestLayerTruncates(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, "kept")
	if err := os.WriteFile(at, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	base, err := Dir(dir)
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLayer(base)
	if err != nil {
		t.Fatal(err)
	}
	direct, err := l.OpenFile("/kept", os.O_TRUNC, 0)
	if err != nil {
		t.Fatal(err)
	}
	direct.Close()
	l.Discard()
	v, err := New(l, Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := v.FS().OpenFile("/kept", os.O_TRUNC, 0)
	if err != nil {
		t.Fatal(err)
	}
	if st, err := f.Stat(); err != nil || st.Size() != 0 {
		t.Errorf("in the layer: %v, %v", st, err)
	}
	if _, err := f.Write([]byte("x")); err == nil {
		t.Error("it can be written")
	}
	if text, err := os.ReadFile(at); string(text) != "text" || err != nil {
		t.Errorf("below it: %q, %v", text, err)
	}
}
