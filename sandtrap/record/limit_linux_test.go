package record_test

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// TestFileLimit: when the system takes only a part of a line, Write fails, and what is there is whole lines.
func TestFileLimit(t *testing.T) {
	const limit = 5000
	if path := os.Getenv("RECORD_LIMITED"); path != "" {
		signal.Ignore(syscall.SIGXFSZ)
		l := open(t, path, record.Options{})
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			t.Fatal(err)
		}
		for range 100 {
			if err := l.Write(full()); err != nil {
				t.Log("failed: ", err)
				if again := l.Write(full()); again != err {
					t.Errorf("then %v", again)
				}
				return
			}
		}
		t.Fatal("no write fails")
	}
	path := filepath.Join(t.TempDir(), "r")
	cmd := exec.Command(os.Args[0], "-test.run=^TestFileLimit$", "-test.v")
	cmd.Env = append(os.Environ(), "RECORD_LIMITED="+path)
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "file too large") {
		t.Fatalf("%v\n%s", err, out)
	}
	if s, err := record.VerifyFiles(path, nil); err != nil || s.Last < 5 {
		t.Error(s, err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() > limit {
		t.Error(info, err)
	}
}
