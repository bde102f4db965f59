package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRecordFile: a record has a line for the begin of each run and for its end, also when another had
// no end since the command was killed, and is for the eyes of its owner.
func TestRecordFile(t *testing.T) {
	command, dir := buildCommand(t), t.TempDir()
	log := filepath.Join(dir, "log")
	run := func(src string) *exec.Cmd {
		script := filepath.Join(dir, "script.go")
		if err := os.WriteFile(script, []byte("package main\nfunc main() { "+src+" }\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return exec.Command(command, "run", "--isolation", "kernel", "--record", log, "--timeout", "1m", script)
	}
	if out, err := run("println(1)").CombinedOutput(); err != nil {
		cannot(t, string(out))
	}
	killed := run("for {}")
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); len(recordLines(t, log)) < 5; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the run does not begin")
		}
	}
	killed.Process.Kill()
	killed.Wait()
	if out, err := run("panic(2)").CombinedOutput(); err == nil {
		t.Errorf("a panic: %s", out)
	}
	if got, want := strings.Join(recordLines(t, log), " "), "file start use end:ok start start use end:panic"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if info, err := os.Stat(log); err != nil || info.Mode() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
}

// recordLines are the events of a record, with the outcomes of runs.
func recordLines(t *testing.T, path string) (events []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var e struct {
			Time                  time.Time
			Kind, Script, Outcome string
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Time.IsZero() || e.Kind == "start" && filepath.Base(e.Script) != "script.go" {
			t.Errorf("%v: %s", err, line)
		}
		if e.Outcome != "" {
			e.Kind += ":" + e.Outcome
		}
		events = append(events, e.Kind)
	}
	return events
}
