package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestEgress: the command prints its socket and tokens, serves what its rules allow with them, tells what it refuses, and removes the
// socket when it is terminated.
func TestEgress(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "hello ", r.URL.Path) }))
	defer s.Close()
	dir := t.TempDir()
	cmd := sandtrapIn(dir, "egress", "--listen", "unix:s", "--net", "GET "+s.URL+"/v1/* loopback", "--run", "one", "--run", "two", "--tenant", "acme", "--json")
	var told bytes.Buffer
	cmd.Stderr = &told
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	line, err := bufio.NewReader(out).ReadBytes('\n')
	var its struct {
		Socket string
		Tokens []struct{ Run, Token string }
	}
	if err == nil {
		err = json.Unmarshal(line, &its)
	}
	if err != nil || its.Socket != "s" || len(its.Tokens) != 2 || its.Tokens[0].Run != "one" || its.Tokens[1].Run != "two" || its.Tokens[0].Token == its.Tokens[1].Token {
		t.Fatalf("%s, %v: %s", line, err, &told)
	}
	socket := filepath.Join(dir, "s")
	if info, err := os.Stat(socket); err != nil || info.Mode() != os.ModeSocket|0o600 {
		t.Errorf("%v, %v", info, err)
	}
	get := func(path, token string) string {
		c, err := net.Dial("unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "GET %s%s HTTP/1.1\r\nProxy-Authorization: Bearer %s\r\n\r\n", s.URL, path, token)
		text, _ := io.ReadAll(c)
		return string(text)
	}
	for i, token := range []string{its.Tokens[0].Token, its.Tokens[1].Token} {
		if got := get("/v1/x", token); !strings.HasPrefix(got, "HTTP/1.1 200 ") || !strings.HasSuffix(got, "hello /v1/x") {
			t.Errorf("token %d: %q", i, got)
		}
	}
	if got := get("/v2", its.Tokens[1].Token); !strings.HasPrefix(got, "HTTP/1.1 403 ") {
		t.Errorf("%q", got)
	}
	if got := get("/v1/x", "none"); !strings.HasPrefix(got, "HTTP/1.1 407 ") {
		t.Errorf("%q", got)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, &told)
	}
	if want := fmt.Sprintf("sandtrap: two GET %s/v2 is not allowed: the policy lists GET %[1]s/v1/* loopback\n", s.URL); told.String() != want {
		t.Errorf("%q, want %q", told.String(), want)
	}
	if _, err := os.Stat(socket); !os.IsNotExist(err) {
		t.Errorf("the socket stays: %v", err)
	}
}

// TestEgressExpires: the command ends with the time of its tokens. As text it prints a line for the socket and for each token.
func TestEgressExpires(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "s")
	var out, told bytes.Buffer
	code := Main([]string{"egress", "--net", "public", "--listen", "unix:" + socket, "--ttl", "10ms", "--run", "one"}, strings.NewReader(""), &out, &told)
	lines := strings.Split(out.String(), "\n")
	if code != exitOK || told.Len() > 0 || len(lines) != 3 || lines[0] != "socket "+socket || !strings.HasPrefix(lines[1], "token ") || !strings.HasSuffix(lines[1], " one") {
		t.Errorf("%d, %q, %q", code, &out, &told)
	}
}

// TestEgressUsage: what is wrong is said, and nothing is served.
func TestEgressUsage(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	free := "unix:" + filepath.Join(dir, "s")
	for _, row := range []struct {
		args string
		code int
		want string
	}{
		{"", exitUsage, "needs --listen unix:PATH"},
		{"--listen /s", exitUsage, "want unix:PATH"},
		{"--listen " + free, exitUsage, "egress needs --net, or a policy file with the key network"},
		{"--listen " + free + " --net all", exitUsage, "there is no URL with a scheme"},
		{"--listen " + free + " --net https://*.com", exitUsage, "at least two labels"},
		{"--listen " + free + " --net public --ttl 0s", exitUsage, "--ttl is a time above 0"},
		{"--listen " + free + " --net public --run a --run a", exitUsage, "want a name that no other run has"},
		{"--listen " + free + " --net public x", exitUsage, "takes no argument"},
		{"--listen " + free + " --nett public", exitUsage, "did you mean \"--net\"?"},
		{"--listen unix:" + filepath.Join(dir, "file") + " --net public", exitUsage, "remove it if nothing listens"},
		{"--listen unix:" + filepath.Join(dir, "none", "s") + " --net public", exitInternal, "no such file or directory"},
	} {
		var out, told bytes.Buffer
		if code := Main(append([]string{"egress"}, strings.Fields(row.args)...), strings.NewReader(""), &out, &told); code != row.code || !strings.Contains(told.String(), row.want) || out.Len() > 0 {
			t.Errorf("%s: %d, %q, %q; want %q", row.args, code, &out, &told, row.want)
		}
	}
}
