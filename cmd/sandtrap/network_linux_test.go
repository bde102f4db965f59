package main

import (
	"bytes"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestWorkerEnvironment: a worker has neither the variable with a secret nor its value, while the host sends it.
func TestWorkerEnvironment(t *testing.T) {
	const secret = "geheim-0123456789"
	command, dir := buildCommand(t), t.TempDir()
	got, done := make(chan string), make(chan bool)
	server := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got <- r.Header.Get("Authorization")
		<-done
	}))
	defer server.Close()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	host := strings.TrimPrefix(server.URL, "https://")
	policy := write("policy.yaml", fmt.Sprintf("network:\n  rules: [%s/** loopback]\n  secrets: [{name: s, env: TEST_TOKEN, hosts: [%q], scheme: Bearer}]\n", server.URL, host))
	script := write("script.go", fmt.Sprintf("import \"net/http\"\nresp, err := http.Get(%q)\nfmt.Println(resp.StatusCode, err)\n", server.URL))
	roots := write("roots.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})))
	for _, isolation := range []string{"process", "kernel"} {
		t.Run(isolation, func(t *testing.T) {
			var out bytes.Buffer
			cmd := exec.Command(command, "run", "--policy", policy, "--isolation", isolation, "--timeout", "5m", script)
			cmd.Env = append(os.Environ(), "TEST_TOKEN="+secret, "SSL_CERT_FILE="+roots)
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			select {
			case header := <-got:
				if header != "Bearer "+secret {
					t.Errorf("the header is %q", header)
				}
			case err := <-ended:
				cannot(t, fmt.Sprint(err, ": ", out.String()))
			}
			if !strings.Contains(environment(t, cmd.Process.Pid), secret) {
				t.Error("the command has no secret: this test finds none")
			}
			workers := descendants(t, cmd.Process.Pid)
			if len(workers) == 0 {
				t.Error("there is no worker")
			}
			for _, pid := range workers {
				if text := environment(t, pid); text != "" {
					t.Errorf("process %d has the environment %q", pid, text)
				}
			}
			done <- true
			if err := <-ended; err != nil || out.String() != "200 <nil>\n" {
				t.Errorf("%v: %s", err, out.String())
			}
		})
	}
}

// environment is that of a process; empty if the kernel does not show it to this one.
func environment(t *testing.T, pid int) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil && !os.IsPermission(err) {
		t.Error(err)
	}
	return string(text)
}

// descendants are the processes that a process has started, and those that these have.
func descendants(t *testing.T, of int) (list []int) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil { // it has ended
			continue
		}
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && fields[1] == strconv.Itoa(of) {
			list = append(append(list, pid), descendants(t, pid)...)
		}
	}
	return list
}
