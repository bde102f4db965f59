package vfs

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"
)

const (
	killedFiles = 60
	rounds      = 12
	killedEnv   = "VFS_TEST_COMMIT"
)

// rewrite gives each file of a directory the text.
func rewrite(t *testing.T, base afero.Fs, text string) {
	t.Helper()
	for i := range killedFiles {
		if err := afero.WriteFile(base, fmt.Sprintf("/%d/file", i), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCommitKilled: a process that is killed while it commits to a directory leaves the old tree or the new one to the next
// layer, also if the kernel ends it between two changes of files.
func TestCommitKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	if dir := os.Getenv(killedEnv); dir != "" { // the process that is killed
		base, err := Dir(dir)
		if err != nil {
			t.Fatal(err)
		}
		l := layer(t, base)
		rewrite(t, l, "new")
		if err := l.Commit(); err != nil {
			t.Fatal(err)
		}
		return
	}
	found := map[string]int{}
	for round := range rounds {
		dir := t.TempDir()
		base, err := Dir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for i := range killedFiles {
			if err := base.Mkdir(fmt.Sprintf("/%d", i), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		rewrite(t, base, "old")
		child := exec.Command(os.Args[0], "-test.run=^TestCommitKilled$")
		child.Env = append(os.Environ(), killedEnv+"="+dir)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		gone := make(chan bool)
		go func() { child.Wait(); close(gone) }()
		// What is there shows how far it is.
		sign := []string{stage, planFile, planFile}[round%3]
		begun := func() bool { _, err := os.Stat(filepath.Join(dir, sign)); return err == nil }
		if round%3 == 2 {
			last := filepath.Join(dir, "0/file")
			begun = func() bool { text, _ := os.ReadFile(last); return string(text) != "old" }
		}
		for running := true; running && !begun(); {
			select {
			case <-gone:
				running = false
			default:
			}
		}
		time.Sleep(time.Duration(round/3) * 400 * time.Microsecond)
		child.Process.Kill()
		<-gone
		cut := "not at all"
		if _, err := os.Stat(filepath.Join(dir, planFile)); err == nil {
			cut = "with a plan"
		} else if _, err := os.Stat(filepath.Join(dir, stage)); err == nil {
			cut = "without a plan" // not yet, or no more
		}
		layer(t, base) // finishes it
		now := tree(t, base)
		old, changed := strings.Count(now, `"old"`), strings.Count(now, `"new"`)
		if old+changed != killedFiles || old > 0 && changed > 0 || cut == "with a plan" && old > 0 {
			t.Fatalf("cut off %s: %d files are old and %d new:\n%s", cut, old, changed, now)
		}
		found[cut]++
		if err := base.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
	}
	if t.Log(found); found["not at all"] == rounds {
		t.Error("no commit was cut off")
	}
}
