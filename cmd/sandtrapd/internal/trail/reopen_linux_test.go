package trail_test

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/trail"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// TestWriteAgain: a record that the system has cut short goes on when there is room again: what is there verifies, and has all events
// whose writes gave no error.
func TestWriteAgain(t *testing.T) {
	const limited = "TRAIL_LIMITED"
	if dir := os.Getenv(limited); dir != "" {
		writeAgain(t, dir)
		return
	}
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestWriteAgain$", "-test.v")
	cmd.Env = append(os.Environ(), limited+"="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "record.jsonl"))
	if err != nil || strings.Count(string(text), "written ") != strings.Count(string(out), "went well") || !strings.Contains(string(text), "written after") {
		t.Errorf("%v: %s\n%s", err, text, out)
	}
	if _, err := record.VerifyFiles(filepath.Join(dir, "record.jsonl"), nil); err != nil {
		t.Error(err)
	}
}

func writeAgain(t *testing.T, dir string) {
	signal.Ignore(syscall.SIGXFSZ)
	tr, err := trail.Open(dir, trail.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 5000, Max: old.Max}); err != nil {
		t.Fatal(err)
	}
	write := func(reason string) error {
		err := tr.Write(record.Event{Kind: record.KindDecision, Subject: decide.Subject{Tenant: "alpha", Run: "run_a"}, Member: "a.B", Reason: reason})
		if err == nil {
			t.Log("went well")
		}
		return err
	}
	for range 100 {
		if err = write("written before"); err != nil {
			break
		}
	}
	if err == nil || tr.Check() == nil {
		t.Fatal("no write fails, or nobody is told: ", err, tr.Check())
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); write("written after") != nil; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the record stays failed")
		}
	}
	if err := tr.Check(); err != nil {
		t.Error(err)
	}
	if err := tr.Close(); err != nil {
		t.Error(err)
	}
}
