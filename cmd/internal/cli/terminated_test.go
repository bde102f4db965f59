package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// sandtrapIn is the command in another process, which works in dir.
func sandtrapIn(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Args, cmd.Dir = append([]string{"sandtrap"}, args...), dir
	return cmd
}

// TestTerminated: resume that gets a SIGTERM leaves a journal with its answers, whether the script has come to them or not, and no
// other file.
func TestTerminated(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("windows has no SIGTERM")
	}
	const spin = "for range 100_000_000 { }\n"
	for name, row := range map[string]struct {
		script string
		begun  string // what the new journal has when the signal comes
		left   string // and then
	}{
		"before the answer": {spin + "fmt.Println(Ask(`a`))", `{"journal":1`, `{"answered":1,"result":["yes"]}`},
		"after the answer":  {"a := Ask(`a`)\n" + spin + "fmt.Println(a)", `{"call":1,`, `"result":["yes"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"tools.go": "package tools\n\nfunc Ask(q string) string\n", "s.go": row.script} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if out, err := sandtrapIn(dir, "run", "--tools", "tools.go", "--journal", "j", "s.go").CombinedOutput(); fmt.Sprint(err) != "exit status 6" {
				t.Fatalf("%v: %s", err, out)
			}
			cmd := sandtrapIn(dir, "resume", "j", "--answer", `1="yes"`)
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			for end := time.Now().Add(20 * time.Second); !strings.Contains(nextJournal(t, dir), row.begun); time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("it does not begin: %s", &out)
				}
			}
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			err := cmd.Wait()
			text, readErr := os.ReadFile(filepath.Join(dir, "j"))
			if err == nil || readErr != nil || !strings.Contains(string(text), row.left) {
				t.Fatalf("%v, %v: %s\n%s", err, readErr, &out, text)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "j.*")); len(left) > 0 {
				t.Errorf("%s is left", left)
			}
			last, err := sandtrapIn(dir, "resume", "j").Output()
			if err != nil || string(last) != "yes\n" {
				t.Errorf("%q, %v", last, err)
			}
		})
	}
}

// nextJournal is what resume has written so far.
func nextJournal(t *testing.T, dir string) string {
	files, _ := filepath.Glob(filepath.Join(dir, "j.*"))
	if len(files) == 0 {
		return ""
	}
	text, err := os.ReadFile(files[0])
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}
