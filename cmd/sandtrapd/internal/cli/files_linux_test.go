package cli_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestFewFiles: a server that may have few files open has fewer connections, and half of them for others than the one address that has
// the rest. Those on which a request with a key goes on are not in that half.
func TestFewFiles(t *testing.T) {
	p := serveAs(t, t.TempDir(), func(cmd *exec.Cmd) { // 300 connections, and 150 of an address
		cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-c", `ulimit -n 400 && exec "$0"`, os.Args[0]}
	})
	dial := func(from string) net.Conn {
		t.Helper()
		c, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).DialContext(t.Context(), "tcp", strings.TrimPrefix(p.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(2 * time.Minute))
		return c
	}
	var keyed []net.Conn
	for i := range 160 {
		c := dial("127.0.0.1")
		keyed = append(keyed, c)
		_, _ = io.WriteString(c, "POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "+token+"\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n")
		if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
			t.Fatalf("request %d with a key: %q, %v", i+1, line, err)
		}
	}
	for _, c := range keyed {
		_ = c.Close()
	}
	for range 500 {
		defer dial("127.0.0.1").Close()
	}
	other := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return dial("127.0.0.2"), nil }}}
	q, err := http.NewRequestWithContext(t.Context(), "POST", p.url+"/v1/runs", strings.NewReader(`{"code":"fmt.Print(1)"}`))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+token)
	res, err := other.Do(q)
	if err != nil {
		t.Fatal("another address: ", err)
	}
	defer res.Body.Close()
	if text, err := io.ReadAll(res.Body); res.StatusCode != 200 || err != nil {
		t.Errorf("another address: %d %s %v", res.StatusCode, text, err)
	}
	p.kill()
	if log := p.log.String(); strings.Contains(log, "too many open files") || !strings.Contains(log, "connections=300") {
		t.Error(log)
	}
}
