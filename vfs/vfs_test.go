package vfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/spf13/afero"
)

// TestFSTest runs the tests of package testing/fstest on every implementation.
func TestFSTest(t *testing.T) {
	for name, base := range implementations(t) {
		t.Run(name, func(t *testing.T) {
			f := view(t, base, Options{Cwd: "/w"})
			want := []string{"a.txt", "d/b.txt", "d/e/c.txt"}
			for _, n := range want {
				if err := f.MkdirAll(filepath.Dir(n), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := f.WriteFile(n, []byte(n), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := fstest.TestFS(f.DirFS("."), want...); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestNothingOfTheHost wants no path of the host's in any error or in what is known
// of a file.
func TestNothingOfTheHost(t *testing.T) {
	root := t.TempDir()
	base, err := Dir(root)
	if err != nil {
		t.Fatal(err)
	}
	defer base.(io.Closer).Close()
	f := view(t, base, Options{})
	if err := os.Symlink(root, filepath.Join(root, "absolute")); err != nil {
		t.Fatal(err)
	}
	_, e1 := f.ReadFile("missing")
	_, e2 := f.ReadFile("absolute")
	_, e3 := f.Readlink("absolute")
	e4 := f.Mkdir("a/b", 0o755)
	e5 := f.Rename("a", "b")
	_, e6 := f.ReadFile("../../etc/passwd")
	for i, err := range []error{e1, e2, e3, e4, e5, e6} {
		if err == nil {
			t.Errorf("%d: no error", i+1)
		} else if strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), root) {
			t.Errorf("%d: %#v", i+1, err)
		}
	}
	if err := f.WriteFile("f", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	st, err := f.Stat("f")
	if err != nil || st.Sys() != nil {
		t.Error(err, st.Sys())
	}
}

// TestWayOut tries the ways out of a directory.
func TestWayOut(t *testing.T) {
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	rel, err := filepath.Rel(root, secret)
	if err != nil {
		t.Fatal(err)
	}
	base, err := Dir(root)
	if err != nil {
		t.Fatal(err)
	}
	defer base.(io.Closer).Close()
	f := view(t, base, Options{})
	for i, target := range []string{secret, rel, outside, filepath.Dir(rel)} {
		name := fmt.Sprintf("link%d", i)
		if err := f.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{name, name + "/secret"} {
			if data, err := f.ReadFile(path); err == nil {
				t.Errorf("read %s: %q", path, data)
			}
			if err := f.WriteFile(path, []byte("x"), 0o644); err == nil {
				t.Errorf("wrote %s", path)
			}
			_ = f.Chmod(path, 0)
			_ = f.Truncate(path, 0)
		}
		_ = f.RemoveAll(name + "/")
		_ = f.Rename("f", name+"/out")
	}
	for _, path := range []string{secret, rel, "../" + filepath.Base(outside) + "/secret", "/proc/self/../../" + secret} {
		if data, err := f.ReadFile(path); err == nil {
			t.Errorf("read %s: %q", path, data)
		}
	}
	if data, err := os.ReadFile(secret); err != nil || string(data) != "secret" {
		t.Error(string(data), err)
	}
}

// TestSwapRace swaps a directory and a link that leads outside while the path
// through it is read and written.
func TestSwapRace(t *testing.T) {
	const races = 10_000
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "f"), []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	base, err := Dir(root)
	if err != nil {
		t.Fatal(err)
	}
	defer base.(io.Closer).Close()
	in := filepath.Join(root, "d")
	if err := os.Mkdir(filepath.Join(root, "real"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "real/f"), []byte("inside"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", in); err != nil {
		t.Fatal(err)
	}
	f := view(t, base, Options{})
	var done atomic.Bool
	var group sync.WaitGroup
	group.Go(func() {
		for i := 0; !done.Load(); i++ {
			target, next := "real", filepath.Join(root, "next")
			if i%2 == 0 {
				target = outside
			}
			_ = os.Symlink(target, next)
			_ = os.Rename(next, in)
		}
	})
	inside := 0
	for range races {
		data, err := f.ReadFile("d/f")
		if err == nil && string(data) == "secret" {
			t.Fatal("read what is outside")
		}
		if err == nil {
			inside++
		}
		if err := f.WriteFile("d/new", []byte("x"), 0o644); err == nil {
			inside++
		}
	}
	done.Store(true)
	group.Wait()
	if list, err := os.ReadDir(outside); err != nil || len(list) != 1 {
		t.Error("wrote outside:", list, err)
	}
	if inside == 0 {
		t.Error("never inside: the race tests nothing")
	}
	t.Logf("%d of %d were inside", inside, 2*races)
}

// TestNoDevice refuses what could block the host.
func TestNoDevice(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Fatal("no /dev/zero to try: ", err)
	}
	base, err := Dir("/dev")
	if err != nil {
		t.Fatal(err)
	}
	defer base.(io.Closer).Close()
	f := view(t, ReadOnly(base), Options{})
	if _, err := f.Open("zero"); !errors.Is(err, fs.ErrPermission) { // to read it would not end
		t.Error(err)
	}
}

// TestQuota goes over each bound.
func TestQuota(t *testing.T) {
	for name, base := range implementations(t) {
		t.Run(name, func(t *testing.T) {
			vol, err := New(base, Options{Quota: Quota{Bytes: 1000, Files: 5, Open: 3}})
			if err != nil {
				t.Fatal(err)
			}
			f := vol.FS()
			defer f.Close()
			full := func(what string, err error) {
				t.Helper()
				if err == nil || !strings.Contains(err.Error(), "disk quota exceeded") {
					t.Errorf("%s: %v", what, err)
				}
			}
			if err := f.WriteFile("a", make([]byte, 900), 0o644); err != nil {
				t.Fatal(err)
			}
			full("bytes", f.WriteFile("b", make([]byte, 101), 0o644))
			if st, err := f.Stat("b"); err != nil || st.Size() != 100 { // as on a full disk
				t.Error(st, err)
			}
			full("the next byte", writeAt(f, "b", 100))
			if err := f.Truncate("b", 0); err != nil {
				t.Error(err)
			}
			full("truncate", f.Truncate("a", 1001))
			full("hole", writeAt(f, "a", 1<<40))
			if err := f.WriteFile("a", make([]byte, 1000), 0o644); err != nil {
				t.Error("replaced, not added:", err)
			}
			if err := f.Remove("a"); err != nil {
				t.Error(err)
			}
			if bytes, files := vol.Used(); bytes != 0 || files != 1 {
				t.Error("used", bytes, files)
			}
			for i := range 4 {
				if err := f.Mkdir(fmt.Sprint("d", i), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			full("files", f.Mkdir("d9", 0o755))
			full("files", f.WriteFile("f9", nil, 0o644))
			for range 3 {
				if _, err := f.Open("b"); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := f.Open("b"); err == nil || !strings.Contains(err.Error(), "too many open files") {
				t.Error(err)
			}
		})
	}
}

func writeAt(f *FS, name string, off int64) error {
	file, err := f.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.WriteAt([]byte("x"), off)
	return err
}

// TestClose closes what a run left open.
func TestClose(t *testing.T) {
	vol, err := New(Mem(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := vol.FS()
	file, err := f.Create("left")
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := file.Write([]byte("x")); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
}

// TestReadOnly and mounts of it.
func TestReadOnly(t *testing.T) {
	data := Mem()
	if err := afero.WriteFile(data, "/in.txt", []byte("in"), 0o644); err != nil {
		t.Fatal(err)
	}
	f := view(t, Mount(Mem(), "/data", ReadOnly(data)), Options{})
	if got, err := f.ReadFile("/data/in.txt"); err != nil || string(got) != "in" {
		t.Error(string(got), err)
	}
	for what, err := range map[string]error{
		"write": f.WriteFile("/data/in.txt", nil, 0o644), "new": f.WriteFile("/data/x", nil, 0o644),
		"mkdir": f.Mkdir("/data/d", 0o755), "remove": f.Remove("/data/in.txt"), "chmod": f.Chmod("/data/in.txt", 0),
		"rename": f.Rename("/data/in.txt", "/data/out.txt"), "truncate": f.Truncate("/data/in.txt", 0),
	} {
		if !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := f.Rename("/data/in.txt", "/in.txt"); err == nil || !strings.Contains(err.Error(), "cross-device") {
		t.Error(err)
	}
	if list, err := f.ReadDir("/"); err != nil || fmt.Sprint(list) != "[d data/ d tmp/]" {
		t.Error(list, err)
	}
	if _, err := view(t, From(fstest.MapFS{"x": {Data: []byte("y")}}), Options{}).ReadFile("x"); err != nil {
		t.Error(err)
	}
}

// TestTemp makes temporary files, in memory where the base has no place for them.
func TestTemp(t *testing.T) {
	root := t.TempDir()
	base, err := Dir(root)
	if err != nil {
		t.Fatal(err)
	}
	defer base.(io.Closer).Close()
	f := view(t, base, Options{})
	a, err := f.CreateTemp("", "x*.txt")
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.CreateTemp("", "x*.txt")
	if err != nil || a.Name() == b.Name() {
		t.Error(a.Name(), b.Name(), err)
	}
	if !strings.HasPrefix(a.Name(), "/tmp/x") || !strings.HasSuffix(a.Name(), ".txt") {
		t.Error(a.Name())
	}
	if _, err := f.MkdirTemp("", "a/b"); err == nil {
		t.Error("a pattern with a separator")
	}
	if list, err := os.ReadDir(root); err != nil || len(list) != 0 {
		t.Error("in the host's directory:", list, err)
	}
}

// TestNegativeQuota keeps a bad quota out.
func TestNegativeQuota(t *testing.T) {
	if _, err := New(Mem(), Options{Quota: Quota{Bytes: -1}}); err == nil {
		t.Error("no error")
	}
}
