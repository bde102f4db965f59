package vfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
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
