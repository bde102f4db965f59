//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestRefusedFlags: serve and doctor take the same flags, and refuse the same values of them.
func TestRefusedFlags(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	policy := write(t, "bad.yaml", "isolation: [\n")
	upstream := write(t, "upstream.yaml", "servers: 5\n")
	for _, test := range []struct {
		flag, value string
		code        int
		want        string
	}{
		{"--policies", filepath.Dir(policy), 1, policy},
		{"--policies", missing, 1, missing},
		{"--upstream", upstream, 1, upstream},
		{"--clone-hosts", "a b", 1, "not a host"},
		{"--listen", "127.0.0.1:none", 1, "none"},
		{"--grace", "-1s", 2, "want a time of 0 or more"},
		{"--host", "https://a.example", 2, "want the name of a host"},
		{"--host", "a/b", 2, "want the name of a host"},
	} {
		for _, name := range []string{"serve", "doctor"} {
			cmd := command(t, name, "--isolation", "none", "--data", t.TempDir(), test.flag, test.value)
			out, _ := cmd.CombinedOutput()
			if cmd.ProcessState.ExitCode() != test.code || !strings.Contains(string(out), test.want) {
				t.Errorf("%s %s %s: %d\n%s", name, test.flag, test.value, cmd.ProcessState.ExitCode(), out)
			}
		}
	}
	out, err := command(t, "doctor", "--isolation", "none", "--data", t.TempDir(), "--grace", "1s", "--host", "a.example", "--keep-days", "3", "--policies", t.TempDir()).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestListensWide: a server that other machines can reach warns, and prints an address that leads to it.
func TestListensWide(t *testing.T) {
	for listen, wide := range map[string]bool{"0.0.0.0:0": true, "127.0.0.1:0": false} {
		cmd := command(t, "serve", "--isolation", "none", "--data", t.TempDir(), "--listen", listen)
		log := &bytes.Buffer{}
		cmd.Stderr = log
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(out)
		first, err := lines.ReadString('\n')
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_, _ = io.Copy(io.Discard, lines)
		if waitErr := cmd.Wait(); err != nil || waitErr != nil {
			t.Errorf("%v, %v\n%s", err, waitErr, log)
		}
		if got := strings.HasPrefix(first, "sandtrapd: http://localhost:"); got != wide {
			t.Errorf("%s: %s", listen, first)
		}
		if got := strings.Contains(log.String(), "other machines can reach"); got != wide {
			t.Errorf("%s: %s", listen, log)
		}
	}
}

// TestUnlistedHost: who comes by a name that the server does not have gets no page either, but is told of the flag.
func TestUnlistedHost(t *testing.T) {
	p := serve(t, t.TempDir(), "--host", "runs.example")
	for host, want := range map[string]int{"runs.example": 200, "other.example": 403} {
		for _, path := range []string{"/login", "/healthz"} {
			q, err := http.NewRequestWithContext(t.Context(), "GET", p.url+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			q.Host = host
			res, err := http.DefaultClient.Do(q)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(res.Body)
			res.Body.Close()
			if err != nil || res.StatusCode != want || strings.Contains(string(text), "--host") != (want == 403) {
				t.Errorf("%s%s: %d: %s, %v", host, path, res.StatusCode, text, err)
			}
		}
	}
}
