package worker

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/sandtrap-go/sandtrap/isolate/jobs"
)

// TestGiven: files beneath a directory that was handed in are read without asking the host, and the
// host is asked for all else, by the path of the script.
func TestGiven(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.txt": "outer", "in/b.txt": "outer in", "kept.txt": "kept"} {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	inner := t.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(inner, "b.txt"), []byte("inner"), 0o644), os.WriteFile(filepath.Join(inner, ".env"), []byte("key"), 0o644), os.Symlink("b.txt", filepath.Join(inner, "link"))); err != nil {
		t.Fatal(err)
	}
	asked := ""
	f := &files{slots: newSlots(), run: t.Context, call: func(_ context.Context, op jobs.FileOp) (jobs.FileResult, error) {
		asked = op.Op + " " + op.Path
		return jobs.FileResult{Handle: 7}, nil
	}}
	for at, path := range map[string]string{"/data": dir, "/data/in": inner, "/data/kept": "", "/shut": inner} {
		g := given{at: at, whole: at != "/data/kept" && at != "/shut"}
		if path != "" {
			root, err := os.OpenRoot(path)
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			g.root = root
		}
		if at == "/data" {
			f.given = append([]given{g}, f.given...)
		} else {
			f.given = append(f.given, g)
		}
	}
	for _, tc := range []struct {
		name string
		flag int
		text string // what is read here
		ask  string // else what the host is asked
	}{
		{"/data/a.txt", os.O_RDONLY, "outer", ""},
		{"data/a.txt", os.O_RDONLY, "outer", ""},
		{"/data/in/b.txt", os.O_RDONLY, "inner", ""},
		{"/data/in/link", os.O_RDONLY, "inner", ""},
		{"/data/in/.env", os.O_RDONLY, "key", ""},
		{"/shut/b.txt", os.O_RDONLY, "inner", ""},
		{"/shut/link", os.O_RDONLY, "", "open /shut/link"},
		{"/shut/.env", os.O_RDONLY, "", "open /shut/.env"},
		{"/data/in", os.O_RDONLY, "", "open /data/in"},
		{"/data/none", os.O_RDONLY, "", "open /data/none"},
		{"/data/a.txt", os.O_RDWR, "", "open /data/a.txt"},
		{"/data/a.txt", os.O_RDONLY | os.O_CREATE, "", "open /data/a.txt"},
		{"/data/kept/a.txt", os.O_RDONLY, "", "open /data/kept/a.txt"},
		{"/database", os.O_RDONLY, "", "open /database"},
		{"/data/../etc/passwd", os.O_RDONLY, "", "open /etc/passwd"},
	} {
		asked = ""
		file, err := f.OpenFile(tc.name, tc.flag, 0)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		text := ""
		if asked == "" {
			b, _ := io.ReadAll(file)
			text = string(b)
		}
		if text != tc.text || asked != tc.ask {
			t.Errorf("%s: %q, asked %q; want %q, %q", tc.name, text, asked, tc.text, tc.ask)
		}
		file.Close()
	}
}
