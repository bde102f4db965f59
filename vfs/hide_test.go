package vfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/spf13/afero"
)

// TestHide tries each way to a hidden file: by its path in all spellings, through
// links and directories, and by making or moving one.
func TestHide(t *testing.T) {
	base := Mem()
	for _, name := range []string{"/.env", "/app/.env", "/app/main.go", "/app/.git/config", "/keys/server.PEM"} {
		if err := base.MkdirAll(name[:len(name)-len(path.Base(name))], 0o755); err != nil {
			t.Fatal(err)
		}
		if err := afero.WriteFile(base, name, []byte("secret"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"/app/alias": ".env", "/app/deep": "../keys", "/keys/indirect": "/app/alias", "/app/own": "main.go", "/app/round": "round"} {
		if err := symlink(base, to, name); err != nil {
			t.Fatal(err)
		}
	}
	hidden, err := Hide(base, ".env", ".git", "*.pem")
	if err != nil {
		t.Fatal(err)
	}
	f := view(t, hidden, Options{Cwd: "/app"})
	read := func(name string) error { _, err := f.ReadFile(name); return err }
	for _, tc := range []struct {
		name string
		err  error
	}{
		{"relative", read(".env")},
		{"absolute", read("/.env")},
		{"with dots", read("./x/../.env")},
		{"above", read("../.env")},
		{"upper case", read("/.ENV")},
		{"below", read(".git/config")},
		{"by pattern", read("/keys/server.PEM")},
		{"directory", func() error { _, err := f.ReadDir(".git"); return err }()},
		{"stat", func() error { _, err := f.Stat(".env"); return err }()},
		{"write", f.WriteFile(".env", nil, 0o644)},
		{"append", func() error { _, err := f.OpenFile(".env", os.O_APPEND|os.O_WRONLY, 0); return err }()},
		{"new", f.WriteFile("new.pem", nil, 0o644)},
		{"directory of the name", f.Mkdir("/app/x.pem", 0o755)},
		{"link to it", f.Symlink(".env", "shown")},
		{"link to a link to it", f.Symlink("alias", "shown")},
		{"link to it elsewhere", f.Symlink("../app/.git/config", "shown")},
		{"moved away", f.Rename(".env", "shown")},
		{"moved onto", f.Rename("main.go", ".env")},
		{"removed", f.Remove(".env")},
		{"mode", f.Chmod(".env", 0o777)},
		{"truncated", f.Truncate(".env", 0)},
		{"by a link that was there", read("alias")},
		{"by a link to a link", read("deep/indirect")},
		{"through a directory's link", read("deep/server.PEM")},
		{"written by a link", f.WriteFile("alias", nil, 0o644)},
		{"a link moved", f.Rename("alias", "shown")},
		{"stat of a link", func() error { _, err := f.Stat("alias"); return err }()},
		{"where a link leads", func() error { _, err := f.Readlink("alias"); return err }()},
	} {
		if !errors.Is(tc.err, fs.ErrNotExist) && !errors.Is(tc.err, fs.ErrPermission) {
			t.Errorf("%s: %v", tc.name, tc.err)
		}
	}
	if list, err := f.ReadDir("."); err != nil || fmt.Sprint(list) != "[L deep - main.go L own L round]" {
		t.Error(list, err)
	}
	if err := read("own"); err != nil {
		t.Error("a link to what is not hidden: ", err)
	}
	if err := f.Symlink("/app", "/way"); err != nil {
		t.Fatal(err)
	}
	if err := read("/way/.env"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("through a link: ", err)
	}
	if err := f.RemoveAll("/app"); err == nil {
		t.Error("removed with what it hides")
	}
	for _, name := range []string{"/.env", "/app/.env", "/app/.git/config", "/keys/server.PEM"} {
		if data, err := afero.ReadFile(base, name); err != nil || string(data) != "secret" {
			t.Errorf("%s: %q %v", name, data, err)
		}
	}
	for _, bad := range []string{"", "a/b", "[", "/"} {
		if _, err := Hide(base, bad); err == nil {
			t.Errorf("pattern %q", bad)
		}
	}
}

// leaky are bases in each of which a link that was there, /config or /m/config, leads to a hidden file.
func leaky(t *testing.T) map[string]afero.Fs {
	t.Helper()
	fill := func(b afero.Fs) afero.Fs {
		for _, err := range []error{
			b.MkdirAll("/x", 0o755), b.MkdirAll("/d/e", 0o755), afero.WriteFile(b, "/.env", []byte("secret"), 0o600),
			symlink(b, ".env", "/config"), symlink(b, "../.env", "/x/other"), symlink(b, "/config", "/absolute"),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		return b
	}
	root := t.TempDir()
	dir, err := WholeDir(root)
	if err != nil {
		t.Fatal(err)
	}
	fill(dir)
	return map[string]afero.Fs{
		"directory": dir, "memory": fill(Mem()), "layer": layer(t, dir),
		"mount": Mount(Mem(), "/m", fill(Mem())), "read-only mount": ReadOnly(Mount(Mem(), "/m", fill(Mem()))),
		"mount over a layer": Mount(Mem(), "/m", layer(t, dir)),
	}
}

// TestHideDots: a link of the script's leads to a link that leads to what is hidden: by dots behind a link, which
// mean one place for the system and another one for who takes them out of the text, or by a path that
// is one of a mount.
func TestHideDots(t *testing.T) {
	for name, base := range leaky(t) {
		hidden, err := Hide(base, ".env")
		if err != nil {
			t.Fatal(err)
		}
		f := view(t, hidden, Options{})
		for _, below := range []string{"", "/m"} {
			if f.isDir(below+"/x") != nil {
				continue
			}
			// The first two make the directories of which the dots are.
			for i, l := range [][2]string{{"../d", "/x/s"}, {"../d/e", "/x/deep"}, {"s/../config", "/x/l"}, {"deep/../../config", "/x/k"}, {"s/../other", "/x/j"}, {"/config", "/a"}, {"../config", "/d/b"}, {"/config", "/absolute"}} {
				_ = f.Symlink(l[0], below+l[1]) // refused, as well as it may
				if data, err := f.ReadFile(below + l[1]); err == nil && i > 1 {
					t.Errorf("%s: %s%s -> %s: %q", name, below, l[1], l[0], data)
				}
			}
		}
	}
}

// meddler lets something happen when somebody looks at a path.
type meddler struct {
	afero.Fs
	at     string
	meddle func()
}

func (m *meddler) LstatIfPossible(name string) (fs.FileInfo, bool, error) {
	st, err := lstat(m.Fs, name)
	if name == m.at && m.meddle != nil {
		m.meddle()
	}
	return st, true, err
}
func (m *meddler) SymlinkIfPossible(target, name string) error { return symlink(m.Fs, target, name) }
func (m *meddler) ReadlinkIfPossible(name string) (string, error) {
	return readlink(m.Fs, name)
}

// TestHideSwap: another goroutine of the script's puts a link to what is hidden in the place of a file,
// after it was seen to be one and before it is opened.
func TestHideSwap(t *testing.T) {
	base := &meddler{Fs: leaky(t)["directory"], at: "/p/f"}
	hidden, err := Hide(base, ".env")
	if err != nil {
		t.Fatal(err)
	}
	f := view(t, hidden, Options{})
	for _, err := range []error{
		f.MkdirAll("/z/q", 0o755), f.Symlink("../config", "/z/q/f"), // there is no /z/config
		f.Mkdir("/p", 0o755), f.WriteFile("/p/f", []byte("open"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	swapped := make(chan error, 1)
	var looks atomic.Int32
	base.meddle = func() {
		if looks.Add(1) != 2 { // the first is whether it is there
			return
		}
		go func() { swapped <- errors.Join(hidden.Rename("/p", "/old"), hidden.Rename("/z/q", "/p")) }()
		for range 1000 {
			runtime.Gosched()
		}
	}
	data, err := f.ReadFile("/p/f")
	if string(data) != "open" {
		t.Errorf("%q, %v", data, err)
	}
	if err := <-swapped; err != nil {
		t.Error(err)
	}
}

// TestHideAllDots: the dots of a path are no names.
func TestHideAllDots(t *testing.T) {
	base := Mem()
	for _, err := range []error{
		base.Mkdir("/d", 0o755), afero.WriteFile(base, "/x", []byte("x"), 0o600), symlink(base, "./../d/../x", "/d/link"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	hidden, err := Hide(base, ".*")
	if err != nil {
		t.Fatal(err)
	}
	if data, err := view(t, hidden, Options{}).ReadFile("/d/link"); string(data) != "x" {
		t.Errorf("%q, %v", data, err)
	}
}
