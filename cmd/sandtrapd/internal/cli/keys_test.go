//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRefuses: serve does not start with a malformed file, which it names with the line; doctor exits as serve does.
func TestRefuses(t *testing.T) {
	fine := write(t, "keys", "a-token-of-alpha@alpha:user\n")
	bad := write(t, "keys", "# ours\nSECRET-TOKEN-OF-ALPHA@alpha:usr\n")
	open := write(t, "keys", "a-token-of-alpha@alpha:user\n")
	if err := os.Chmod(open, 0o604); err != nil {
		t.Fatal(err)
	}
	inUse := t.TempDir()
	limits := write(t, "limits", "default:\n  byte: 1\n")
	for _, test := range []struct{ name, keys, limits, data, want string }{
		{"keys", bad, "", t.TempDir(), bad + ":2: there is no such role"},
		{"open keys", open, "", t.TempDir(), open + " can be read by others (mode 0604)"},
		{"absent keys", fine + "x", "", t.TempDir(), "no such file"},
		{"no keys", write(t, "keys", "# none\n"), "", t.TempDir(), "there is no key"},
		{"limits", fine, limits, t.TempDir(), limits + ": line 2: no key \"byte\" in default"},
		{"data", fine, "", fine, fine},
	} {
		args := []string{"--isolation", "none", "--keys", test.keys, "--limits", test.limits, "--data", test.data}
		for _, name := range []string{"serve", "doctor"} {
			cmd := command(t, append([]string{name}, args...)...)
			out, err := cmd.CombinedOutput()
			if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), test.want) || strings.Contains(string(out), "SECRET") {
				t.Errorf("%s with %s: %v\n%s\nwant %s", name, test.name, err, out, test.want)
			}
		}
	}
	out, err := command(t, "doctor", "--isolation", "none", "--keys", fine, "--data", inUse).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "keys      fine: 1 in "+fine) {
		t.Errorf("%v\n%s", err, out)
	}
	if left, err := os.ReadDir(inUse); err != nil || len(left) > 0 {
		t.Errorf("doctor has left %v, %v", left, err)
	}
}

// TestFirstKey: a start that fails makes no key, since it would show none; the next one makes it.
func TestFirstKey(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	data := t.TempDir()
	if out, err := command(t, "serve", "--isolation", "none", "--data", data, "--listen", taken.Addr().String()).CombinedOutput(); err == nil || strings.Contains(string(out), "stk_") {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []bool{true, false} { // it is shown once
		cmd := command(t, "serve", "--isolation", "none", "--data", data, "--listen", "127.0.0.1:0")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(out)
		address, err := lines.ReadString('\n')
		if err != nil {
			t.Error(err)
		}
		_ = cmd.Process.Signal(syscall.SIGTERM)
		rest, _ := io.ReadAll(lines)
		if err := cmd.Wait(); err != nil || strings.Contains(string(rest), "stk_") != want {
			t.Errorf("%v, want a key: %t\n%s%s", err, want, address, rest)
		}
	}
}

// TestUsage: help is no failure, and a wrong flag is one of the usage.
func TestUsage(t *testing.T) {
	if out, err := command(t, "version").Output(); err != nil || !strings.HasPrefix(string(out), "sandtrapd ") {
		t.Errorf("%v: %s", err, out)
	}
	out, err := command(t, "serve", "--isolation", "none", "--data", t.TempDir(), "--clone-hosts", "https://github.com").CombinedOutput()
	if err == nil || !strings.Contains(string(out), `"https://github.com" is not a host`) {
		t.Errorf("%v: %s", err, out)
	}
	for _, name := range []string{"serve", "doctor", "mcp"} {
		for flag, want := range map[string]int{"-h": 0, "--polices": 2} {
			cmd := command(t, name, flag)
			if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != want || !strings.Contains(string(out), "-data") {
				t.Errorf("%s %s: %d, want %d\n%s", name, flag, cmd.ProcessState.ExitCode(), want, out)
			}
		}
	}
}

// A server is a process that serves.
type server struct {
	cmd *exec.Cmd
	url string
	log *bytes.Buffer
}

func serveArgs(t *testing.T, args ...string) *server {
	t.Helper()
	s := &server{cmd: command(t, append([]string{"serve", "--isolation", "none", "--listen", "127.0.0.1:0", "--data", t.TempDir()}, args...)...), log: &bytes.Buffer{}}
	s.cmd.Stderr = s.log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.cmd.Process.Signal(syscall.SIGTERM)
		_, _ = io.Copy(io.Discard, out)
		if err := s.cmd.Wait(); err != nil {
			t.Errorf("%v\n%s", err, s.log)
		}
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if s.url = regexp.MustCompile(`http://\S+`).FindString(lines.Text()); s.url != "" {
			return s
		}
	}
	t.Fatalf("it has no address\n%s", s.log)
	return nil
}

func (s *server) status(t *testing.T, token string) int {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), "GET", s.url+"/v1/runs", nil)
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	return res.StatusCode
}

// becomes waits until the status is want.
func (s *server) becomes(t *testing.T, token string, want int) {
	t.Helper()
	for end := time.Now().Add(time.Minute); s.status(t, token) != want; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: %d, want %d", token, s.status(t, token), want)
		}
	}
}

// TestReload: at SIGHUP the keys are those of the file then; if it is malformed they stay as they were.
func TestReload(t *testing.T) {
	path := write(t, "keys", "first-token-of-alpha@alpha:user\n")
	s := serveArgs(t, "--keys", path)
	s.becomes(t, "first-token-of-alpha", 200)
	rewrite := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	rewrite("second-token-of-alpha@alpha:user\n")
	s.becomes(t, "second-token-of-alpha", 200)
	s.becomes(t, "first-token-of-alpha", 401)
	rewrite("third-token-of-alpha@alpha:user\nSECRET-bad-line\n")
	rewrite("fourth-token-of-alpha@alpha\n")
	for range 20 {
		if got := s.status(t, "second-token-of-alpha"); got != 200 {
			t.Fatal(got)
		}
		if got := s.status(t, "third-token-of-alpha"); got != 401 {
			t.Fatal(got)
		}
	}
	rewrite("second-token-of-alpha@alpha:user\nfifth-token-of-alpha@alpha:user\n")
	s.becomes(t, "fifth-token-of-alpha", 200)
}
