package nettest

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress/proxy"
)

// childProgram is a child program of a host, in a namespace without a link. It does what each line says, and prints what became of that.
func childProgram() {
	fmt.Println("child")
	socket, token := os.Getenv("NETTEST_SOCKET"), os.Getenv("NETTEST_TOKEN")
	roots := x509.NewCertPool()
	if text, err := os.ReadFile(filepath.Join(os.Getenv("NETTEST_DIR"), "cert.pem")); err == nil {
		roots.AppendCertsFromPEM(text)
	}
	client := &http.Client{Transport: &http.Transport{
		Proxy:             http.ProxyURL(&url.URL{Scheme: "http", Host: "proxy", User: url.UserPassword("run", token)}),
		DialContext:       func(context.Context, string, string) (net.Conn, error) { return net.Dial("unix", socket) },
		TLSClientConfig:   &tls.Config{RootCAs: roots},
		DisableKeepAlives: true,
	}}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		do, what, _ := strings.Cut(lines.Text(), " ")
		text, err := "", error(nil)
		switch do {
		case "get":
			var resp *http.Response
			if resp, err = client.Get(what); err == nil {
				var body []byte
				body, err = io.ReadAll(resp.Body)
				resp.Body.Close()
				text = fmt.Sprintf("%d %s", resp.StatusCode, body)
			}
		case "curl":
			var out []byte
			out, err = exec.Command("curl", "-sS", "--unix-socket", socket, "--request-target", what, "-H", "Proxy-Authorization: Bearer "+token, "-w", " %{http_code}", what).CombinedOutput()
			text = string(out)
		case "say":
			var c net.Conn
			if c, err = net.Dial("unix", socket); err == nil {
				fmt.Fprintf(c, "%s HTTP/1.1\r\nProxy-Authorization: Bearer %s\r\n\r\n", what, token)
				text, err = bufio.NewReader(c).ReadString('\n')
				c.Close()
			}
		case "dial":
			var c net.Conn
			if c, err = net.Dial("tcp", what); err == nil {
				c.Close()
				text = "connected"
			}
		case "listen":
			var out []byte
			if out, err = exec.Command("ip", "link", "set", "lo", "up").CombinedOutput(); err == nil {
				var l net.Listener
				if l, err = net.Listen("tcp", "127.0.0.1:0"); err == nil && listens(l.Addr().String()) {
					text = "connected"
				}
			}
			text += string(out)
		}
		fmt.Printf("%q\n", fmt.Sprint(text, " ", err))
	}
}

// TestChildProgram: a child program without a network reaches by the socket of the proxy what is allowed, and nothing else: what is refused sends no
// packet, and without the proxy there is no way, neither to the internet nor to the services of its host on the loopback.
func TestChildProgram(t *testing.T) {
	w := inNamespace(t)
	if w == nil {
		return
	}
	g := w.gate(t, map[string]string{"api.example": thereAddr, "private.example": "10.1.2.3"}, "CONNECT https://api.example", "GET http://api.example/v1/*", "CONNECT https://private.example")
	path := filepath.Join(t.TempDir(), "proxy")
	server, err := proxy.Listen(path, g, proxy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	grant, err := server.Grant(decide.Subject{Run: "1"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	service, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer service.Close()
	child := start(t, "child", nil, "NETTEST_ROLE=child", "NETTEST_SOCKET="+path, "NETTEST_TOKEN="+grant.Token())
	grant.Only(child.cmd.Process.Pid)
	do := func(line string) (string, int) {
		t.Helper()
		before := w.packets(t)
		io.WriteString(child.in, line+"\n")
		answer := child.line(t)
		return answer, w.packets(t) - before
	}
	for _, row := range []struct{ line, want string }{
		{"get https://other.example/", "CONNECT other.example:443 is not allowed: the policy lists CONNECT https://api.example/**"},
		{"get https://private.example/", "private.example has the address 10.1.2.3, which is private"},
		{"get http://api.example/v2", "403 GET http://api.example/v2 is not allowed"},
		{"get http://169.254.169.254/", "403 GET http://169.254.169.254/ is not allowed"},
		{"say CONNECT other.example:443", "HTTP/1.1 403 "},
		{"say CONNECT 127.0.0.1:443", "HTTP/1.1 403 "},
		{"say GET /", "HTTP/1.1 400 "},
		{"say CONNECT ::1:443", "HTTP/1.1 400 "},
		{"dial " + thereAddr + ":443", "network is unreachable"},
		{"listen", "connected"},
		{"dial " + service.Addr().String(), "connection refused"},
	} {
		if got, sent := do(row.line); !strings.Contains(got, row.want) || sent != 0 {
			t.Errorf("%s: %s, %d packets; want %q", row.line, got, sent, row.want)
		}
	}
	for _, row := range []struct{ line, want string }{
		{"get https://api.example/any", `"200 hello /any <nil>"`},
		{"get http://api.example/v1/x", `"200 hello /v1/x <nil>"`},
	} {
		if got, sent := do(row.line); got != row.want || sent < 5 {
			t.Errorf("%s: %s, %d packets; want %s", row.line, got, sent, row.want)
		}
	}
	t.Run("curl", func(t *testing.T) {
		if _, err := exec.LookPath("curl"); err != nil {
			cannot(t, err.Error())
		}
		if got, _ := do("curl http://api.example/v1/x"); !strings.Contains(got, " 407 ") { // it is another process
			t.Error(got)
		}
		grant.Only(0)
		if got, _ := do("curl http://other.example/"); !strings.Contains(got, "GET http://other.example/ is not allowed: the policy lists ") || !strings.Contains(got, " 403 ") {
			t.Error(got)
		}
		if got, _ := do("curl http://api.example/v1/x"); got != `"hello /v1/x 200 <nil>"` {
			t.Error(got)
		}
	})
	grant.Close()
	if got, sent := do("say CONNECT api.example:443"); !strings.Contains(got, "HTTP/1.1 407 ") || sent > 0 {
		t.Errorf("%s, %d packets", got, sent)
	}
}
