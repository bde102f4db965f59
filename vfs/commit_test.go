package vfs

import (
	"errors"
	"io/fs"
	"path"
	"testing"

	"github.com/spf13/afero"
)

// asUser is a file system for somebody whom modes bind.
type asUser struct{ afero.Fs }

// in fails if nothing may be changed in the directory of a path, or one on the way cannot be gone through.
func (u asUser) in(at string) error {
	for need := fs.FileMode(0o300); at != "/"; need = 0o100 {
		at = path.Dir(at)
		if st, err := u.Fs.Stat(at); err == nil && st.Mode()&need != need {
			return errDenied
		}
	}
	return nil
}

func (u asUser) Mkdir(name string, perm fs.FileMode) error {
	if err := u.in(name); err != nil {
		return err
	}
	return u.Fs.Mkdir(name, perm)
}

func (u asUser) Rename(from, to string) error {
	if err := errors.Join(u.in(from), u.in(to)); err != nil {
		return err
	}
	return u.Fs.Rename(from, to)
}

func (u asUser) Chmod(name string, mode fs.FileMode) error {
	if err := u.in(name); err == errDenied && path.Dir(path.Dir(name)) != "/" {
		return err
	}
	return u.Fs.Chmod(name, mode)
}

// TestCommitModes: modes that a script gives to directories are not in the way of what it puts there, nor
// of a commit that was cut off between them.
func TestCommitModes(t *testing.T) {
	for n := range 40 {
		base, left := Mem(), 1<<30
		if err := base.Mkdir("/old", 0o755); err != nil {
			t.Fatal(err)
		}
		l := layer(t, cutOff{asUser{base}, &left})
		f := view(t, l, Options{})
		for _, err := range []error{
			f.MkdirAll("/d/e", 0), f.Chmod("/old", 0), f.Mkdir("/old/new", 0),
			f.WriteFile("/d/e/f", []byte("x"), 0o600), f.WriteFile("/old/new/f", []byte("y"), 0o600),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		left = n
		done := l.Commit()
		if _, err := NewLayer(asUser{base}); err != nil {
			t.Fatalf("cut off after %d changes: %v", n, err)
		}
		if done == nil {
			if n < 10 {
				t.Errorf("done after %d changes", n)
			}
			if st, err := base.Stat("/d/e"); err != nil || st.Mode().Perm() != 0 {
				t.Error(st, err)
			}
			return
		}
	}
	t.Error("never done")
}

// TestCommitNowhere: a commit that the base has no place for changes nothing, and is in nobody's way.
func TestCommitNowhere(t *testing.T) {
	hidden, err := Hide(Mem(), "*.key")
	if err != nil {
		t.Fatal(err)
	}
	for what, base := range map[string]afero.Fs{
		"mount": Mount(Mem(), "/m", Mem()), "read-only": Mount(Mem(), "/m", ReadOnly(Mem())), "hidden": hidden,
	} {
		for where, change := range map[string]func(f *FS) error{
			"file":      func(f *FS) error { return f.WriteFile("/m/x.key", []byte("x"), 0o600) },
			"directory": func(f *FS) error { return f.Mkdir("/m/x.key", 0o755) },
			"link":      func(f *FS) error { return f.Symlink("nowhere", "/m/x.key") },
		} {
			l := layer(t, base)
			f := view(t, l, Options{})
			if err := errors.Join(f.MkdirAll("/m", 0o755), f.WriteFile("/a", []byte("a"), 0o600), change(f)); err != nil {
				t.Fatal(err)
			}
			before := tree(t, base)
			if err := l.Commit(); err == nil {
				t.Errorf("%s, %s: no error", what, where)
			}
			if now := tree(t, base); now != before {
				t.Errorf("%s, %s: it is\n%sand was\n%s", what, where, now, before)
			}
			layer(t, base)
		}
	}
}

// TestCommitUnderWay: a layer that is made while a commit goes on does not take it for one that was
// cut off, whoever opened the directory.
func TestCommitUnderWay(t *testing.T) {
	root, mem := t.TempDir(), Mem()
	for name, open := range map[string]func() afero.Fs{
		"memory": func() afero.Fs { return mem },
		"mount":  func() afero.Fs { return Mount(mem, "/m", Mem()) },
		"directory": func() afero.Fs {
			d, err := Dir(root)
			if err != nil {
				t.Fatal(err)
			}
			return d
		},
	} {
		l, asked := layer(t, open()), 0
		if err := afero.WriteFile(l, "/f", []byte("f"), 0o600); err != nil {
			t.Fatal(err)
		}
		l.upper = &meddler{l.upper, "/f", func() {
			if _, err := lstat(open(), stage); err != nil {
				return // it is not at it yet
			}
			if asked++; asked > 1 {
				return
			}
			if _, err := NewLayer(open()); !errors.Is(err, errExist) {
				t.Errorf("%s: a layer: %v", name, err)
			}
		}}
		if err := l.Commit(); err != nil || asked == 0 {
			t.Errorf("%s: %v, asked %d times", name, err, asked)
		}
		if data, err := afero.ReadFile(layer(t, open()), "/f"); string(data) != "f" {
			t.Errorf("%s: %q, %v", name, data, err)
		}
		if err := mem.RemoveAll("/f"); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLinkWithNUL is none, as for the system.
func TestLinkWithNUL(t *testing.T) {
	for name, base := range implementations(t) {
		if err := view(t, base, Options{}).Symlink("a\x00b", "/link"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
