package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A terminal is a shell on a machine of its own: a directory.
type terminal struct {
	t   *testing.T
	dir string
	env []string
}

func newTerminal(t *testing.T) *terminal {
	t.Helper()
	dir, bin := t.TempDir(), t.TempDir()
	program := fmt.Sprintf("#!/bin/sh\necho $$ >> '%s/pids'\nSANDTRAPD_TEST_ARGS=\"$(printf '%%s\\n' \"$@\")\" exec '%s'\n", dir, os.Args[0])
	if err := os.WriteFile(filepath.Join(bin, "sandtrapd"), []byte(program), 0o700); err != nil {
		t.Fatal(err)
	}
	m := &terminal{t, dir, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))}
	t.Cleanup(func() { // what goes on in the background
		text, _ := os.ReadFile(filepath.Join(dir, "pids"))
		for _, pid := range strings.Fields(string(text)) {
			_ = exec.Command("kill", "-9", pid).Run() // it may have ended
		}
	})
	return m
}

// run runs lines, and gives what they print.
func (m *terminal) run(lines string) (string, error) {
	cmd := exec.CommandContext(m.t.Context(), "sh", "-c", lines)
	cmd.Dir, cmd.Env, cmd.WaitDelay = m.dir, m.env, time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (m *terminal) read(name string) string {
	text, err := os.ReadFile(filepath.Join(m.dir, name))
	if err != nil {
		m.t.Fatal(err)
	}
	return string(text)
}

// TestTwoMachines runs the lines of docs/cluster.md that begin with two machines: each has a directory of its own, and both are this one.
func TestTwoMachines(t *testing.T) {
	for _, name := range []string{"sh", "curl", "openssl", "sed", "grep", "kill"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("the lines need %s: %v", name, err)
		}
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "cluster.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Two machines in ten minutes\n")
	section, _, _ = strings.Cut(section, "\n## ")
	at, web := freePort(t), freePort(t)
	_, port, _ := strings.Cut(at, ":")
	here := strings.NewReplacer(
		"front.example.com", "localhost", "0.0.0.0:4222", at, ":4222", ":"+port, "127.0.0.1:8080", web,
		"sandtrapd serve", "sandtrapd serve --isolation none --listen "+web, "sandtrapd worker", "sandtrapd worker --isolation none",
	)
	var blocks []string
	for i, part := range strings.Split(section, "```") {
		if lines, ok := strings.CutPrefix(part, "sh\n"); ok && i%2 == 1 {
			blocks = append(blocks, here.Replace(lines))
		}
	}
	if len(blocks) != 3 {
		t.Fatalf("%d blocks of lines", len(blocks))
	}
	one, two := newTerminal(t), newTerminal(t)
	if out, err := one.run(blocks[0]); err != nil {
		t.Fatal(err, out)
	}
	until(t, "the first key", func() bool { return strings.Contains(one.read("serve.out"), "first key") })
	for _, name := range []string{"w1.key", "cert.pem"} {
		if err := os.WriteFile(filepath.Join(two.dir, name), []byte(one.read(name)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := two.run(blocks[1]); err != nil {
		t.Fatal(err, out)
	}
	until(t, "the worker", func() bool { return strings.Contains(one.read("serve.log"), "worker=w1") })
	out, err := one.run(blocks[2])
	if err != nil || !strings.Contains(out, "2 workers") || !strings.Contains(out, "\nw1 ") || !strings.Contains(out, `"worker":"w1"`) {
		t.Errorf("%v:\n%s\n%s\n%s", err, out, one.read("serve.log"), two.read("worker.log"))
	}
	until(t, "the worker that was removed has ended", func() bool { return strings.Contains(two.read("worker.log"), "its key was removed") })
}
