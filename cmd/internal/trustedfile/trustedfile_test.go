//go:build unix

package trustedfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write makes a file of a directory that is gone after the test, with the mode that is given.
func write(t *testing.T, name, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil { // not cut by the umask
		t.Fatal(err)
	}
	return path
}

func TestTrusted(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link.yaml")
	if err := os.Symlink(write(t, "p.yaml", "echo: last", 0o600), link); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, path, want string }{
		{"ours", write(t, "p", "echo: last", 0o644), ""},
		{"as long as may be", write(t, "p", strings.Repeat(" ", maxFile), 0o400), ""},
		{"too long", write(t, "p", strings.Repeat(" ", maxFile+1), 0o600), "longer than 1048576 bytes"},
		{"of the group", write(t, "p", "", 0o664), "(mode 0664): chmod go-w"},
		{"of everybody", write(t, "p", "", 0o602), "(mode 0602): chmod go-w"},
		{"link", link, "is a link"},
		{"directory", t.TempDir(), "not a regular file"},
		{"absent", filepath.Join(t.TempDir(), "p"), "no such file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Read(test.path)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}

// TestSecret: a file that others may read is refused; the group may read one of root.
func TestSecret(t *testing.T) {
	group := ""
	if os.Geteuid() != 0 {
		group = "(mode 0640): chmod go-rwx"
	}
	for _, test := range []struct {
		mode os.FileMode
		want string
	}{
		{0o600, ""}, {0o400, ""}, {0o640, group}, {0o604, "can be read by others (mode 0604): chmod"}, {0o644, "can be read by others (mode 0644): chmod"},
		{0o620, "can be written by others"}, {0o601, "can be read by others"},
	} {
		_, err := ReadSecret(write(t, "keys", "", test.mode))
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("mode %04o: %v, want %q", test.mode, err, test.want)
		}
	}
	if os.Geteuid() != 0 {
		return
	}
	path := write(t, "keys", "", 0o640)
	if err := os.Chown(path, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadSecret(path); err == nil {
		t.Error("a file of another user was read")
	}
}

func TestTrustedOwner(t *testing.T) {
	path := write(t, "p", "", 0o644)
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	if err := os.Chown(path, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "belongs to user 65534") {
		t.Errorf("a file of another user: %v", err)
	}
}

// While somebody exchanges the file, what comes back is that of the one that was looked at.
func TestTrustedSwapped(t *testing.T) {
	dir := t.TempDir()
	path, theirs := filepath.Join(dir, "p"), write(t, "other", "theirs", 0o600)
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
			}
			next := filepath.Join(dir, "next")
			if i%2 == 0 {
				os.WriteFile(next, []byte("ours"), 0o600)
			} else {
				os.Symlink(theirs, next)
			}
			os.Rename(next, path)
		}
	}()
	read := 0
	for range 100_000 {
		text, err := Read(path)
		if err == nil && len(text) > 0 {
			read++
			if string(text) == "theirs" {
				t.Fatal("read what a link led to")
			}
		}
	}
	close(done)
	<-stopped
	if read == 0 {
		t.Error("never read anything")
	}
}
