package proxy_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress/proxy"
)

func hello(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "hello %s", r.URL.Path) }

// get gives the text of a page, or the error.
func get(c *http.Client, url string) string {
	resp, err := c.Get(url)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return fmt.Sprint(resp.StatusCode, " ", string(text), err)
}

// TestClient: a client with a proxy in its environment reaches by https what rules allow, and gets the reason where they do not.
func TestClient(t *testing.T) {
	leavesNothing(t)
	r := newRig(t, proxy.Options{}, egress.Limits{}, "CONNECT https://a.example", "GET https://get.example", "CONNECT https://private.example", "GET http://plain.example/v1/*")
	r.secure("a.example:443", hello)
	r.plain("plain.example:80", hello)
	c := r.client(r.grant.Token())
	for url, want := range map[string]string{
		"https://a.example/x":         "200 hello /x<nil>",
		"https://A.example.:443/y":    "hello",
		"https://a.example:444/":      "CONNECT a.example:444 is not allowed: the policy lists CONNECT https://a.example/**",
		"https://b.example/":          "CONNECT b.example:443 is not allowed: the policy lists",
		"https://get.example/":        "CONNECT get.example:443 is not allowed: the policy lists GET https://get.example/** (CONNECT shows no method and no path, so it needs a rule of its own",
		"https://private.example/":    "private.example has the address 10.0.0.1, which is private (RFC 1918)",
		"https://127.0.0.1/":          "CONNECT 127.0.0.1:443 is not allowed",
		"http://plain.example/v1/z":   "200 hello /v1/z<nil>",
		"http://plain.example/v2":     "403 GET http://plain.example/v2 is not allowed: the policy lists GET http://plain.example/v1/*\n<nil>",
		"http://b.example/":           "403 GET http://b.example/ is not allowed",
		"http://plain.example/v1/a%2": "invalid URL escape",
	} {
		if got := get(c, url); !strings.Contains(got, want) && !(want == "hello" && strings.Contains(got, "certificate")) {
			t.Errorf("%s: %q; want %q", url, got, want)
		}
	}
	for _, target := range r.reached() {
		if target != "a.example:443" && target != "plain.example:80" {
			t.Errorf("dialed %s", target)
		}
	}
	until(t, "the end of the tunnel is told", func() bool {
		c.CloseIdleConnections()
		for _, e := range r.told(egress.KindEnd) {
			if e.URL == "a.example:443" && e.Sent > 100 && e.Received > 100 && e.Tenant == "acme" && e.Run == "1" {
				return true
			}
		}
		return false
	})
}

// TestMalformed: what is no request of a proxy, or is read differently by some, is answered with 400, and nothing is dialed.
func TestMalformed(t *testing.T) {
	leavesNothing(t)
	r := newRig(t, proxy.Options{}, egress.Limits{}, "CONNECT https://a.example", "GET http://a.example")
	auth := "\r\nProxy-Authorization: Bearer " + r.grant.Token() + "\r\n"
	line := func(l string) string { return l + " HTTP/1.1\r\nHost: a.example" + auth + "\r\n" }
	for _, text := range []string{
		line("GET /"), line("GET /x"), line("OPTIONS *"), line("GET a.example/"), line("GET https://a.example/"), line("GET ftp://a.example/"), line("GET http:///x"),
		line("CONNECT ::1:443"), line("CONNECT [::1"), line("CONNECT a.example"), line("CONNECT a.example:"), line("CONNECT a.example:0"), line("CONNECT a.example:65536"),
		line("CONNECT a.example:https"), line("CONNECT a.example:0443"), line("CONNECT a.example:+443"), line("CONNECT a.example:443:443"), line("CONNECT u@a.example:443"),
		line("CONNECT u:p@a.example:443"), line("CONNECT /"), line("CONNECT a.example:443/x"), line("CONNECT https://a.example:443"), line("CONNECT 0x7f.1:443"), line("CONNECT 127.1:443"),
		line("CONNECT [fe80::1%25eth0]:443"), line("CONNECT %61.example:443"), line("CONNECT a.example:443#x"), line("CONNECT a.example:443?x"), line("CONNECT"), line("CONNECT  a.example:443"),
		line("CONNECT a.example:443 x"), line("GET http://u:p@a.example/"), line("GET http://a.example\\@b/"), line("GET http://a.example/\x01"), line("GET http://a.example/\x7f"), line("\r\nCONNECT a.example:443"),
		"CONNECT a.example:443\r\n" + auth + "\r\n", "CONNECT a.example:443 HTTP/2.0\r\nHost: x" + auth + "\r\n", "CONNECT a.example:443 HTTP/0.9" + auth + "\r\n",
		strings.ReplaceAll(line("CONNECT a.example:443"), "\r\n", "\n"),
		"CONNECT a.example:443 HTTP/1.1" + auth + " folded\r\n\r\n", "CONNECT a.example:443 HTTP/1.1" + auth + "\tfolded: x\r\n\r\n",
		"CONNECT a.example:443 HTTP/1.1" + auth + "a b: c\r\n\r\n", "CONNECT a.example:443 HTTP/1.1" + auth + "a\r\n\r\n", "CONNECT a.example:443 HTTP/1.1" + auth + "a: \x00\r\n\r\n", "CONNECT a.example:443 HTTP/1.1" + auth + "a: b\rc: d\r\n\r\n",
		"CONNECT a.example:443 HTTP/1.1" + auth + "Content-Length: 1\r\n\r\nx", "CONNECT a.example:443 HTTP/1.1" + auth + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"GET http://a.example/ HTTP/1.1" + auth + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx", "GET http://a.example/ HTTP/1.1" + auth + "Transfer-Encoding: chunked, x\r\n\r\n",
		"CONNECT " + strings.Repeat("a", 9000) + ":443 HTTP/1.1" + auth + "\r\n",
		"CONNECT a.example:443 HTTP/1.1" + auth + "a: " + strings.Repeat("a", 9000) + "\r\n\r\n",
		"CONNECT a.example:443 HTTP/1.1" + auth + strings.Repeat("a: b\r\n", 200) + "\r\n",
		"CONNECT a.example:443 HTTP/1.1" + auth + strings.Repeat("a: "+strings.Repeat("b", 8000)+"\r\n", 20) + "\r\n",
		strings.Repeat("a", 100_000), "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n", "\r\n\r\n",
	} {
		if got := r.say(text); !strings.HasPrefix(got, "HTTP/1.1 400 ") {
			t.Errorf("%.100q: %q", text, got)
		}
	}
	for _, text := range []string{"", "CONNECT a.example:443 HTTP/1.1" + auth, "CONN"} {
		if got := r.say(text); got != "" {
			t.Errorf("%q: %q", text, got)
		}
	}
	if len(r.reached()) > 0 {
		t.Errorf("dialed %v", r.reached())
	}
}

// TestHeaderFits: a header of the greatest size is read.
func TestHeaderFits(t *testing.T) {
	r := newRig(t, proxy.Options{}, egress.Limits{}, "CONNECT https://a.example")
	r.raw("a.example:443", func(c *net.TCPConn) { io.WriteString(c, "hi") })
	text := strings.TrimSuffix(r.ask("CONNECT a.example:443"), "\r\n") + strings.Repeat("a: b\r\n", 97)
	text += "a: " + strings.Repeat("b", 8<<10-5) + "\r\n\r\n"
	if got := r.say(text); !strings.HasSuffix(got, "\r\n\r\nhi") {
		t.Errorf("%q", got)
	}
}

// TestHalfClose: each direction of a tunnel ends for itself, and what was sent before the answer to CONNECT arrives.
func TestHalfClose(t *testing.T) {
	leavesNothing(t)
	r := newRig(t, proxy.Options{}, egress.Limits{}, "CONNECT https://*.a.example:7,9")
	echo := func(c *net.TCPConn) {
		io.Copy(c, c)
		c.CloseWrite()
	}
	r.raw("client.a.example:7", echo)
	r.raw("server.a.example:9", func(c *net.TCPConn) {
		io.WriteString(c, "first")
		c.CloseWrite()
		if got, err := io.ReadAll(c); string(got) != "and then" || err != nil {
			t.Errorf("the server got %q, %v", got, err)
		}
	})
	sent := strings.Repeat("0123456789", 100_000)
	if got := r.say(r.ask("CONNECT client.a.example:7") + sent); !strings.HasSuffix(got, "\r\n\r\n"+sent) {
		t.Errorf("%d bytes, want %d", len(got), len(sent))
	}
	c := r.open("server.a.example:9")
	if got, err := io.ReadAll(c); string(got) != "first" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	io.WriteString(c, "and then")
	c.CloseWrite()
	until(t, "both ends are told", func() bool { return len(r.told(egress.KindEnd)) == 2 })
	first := r.told(egress.KindEnd)[0]
	if first.Sent != int64(len(sent)) || first.Received != int64(len(sent)) || first.Error != "" {
		t.Errorf("%+v", first)
	}
}

// TestSocket: the file of the socket is for its user alone, and is removed at the end; a path that is in use is an error.
func TestSocket(t *testing.T) {
	r := newRig(t, proxy.Options{}, egress.Limits{})
	info, err := os.Stat(r.path)
	if err != nil || info.Mode() != os.ModeSocket|0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if _, err := proxy.Listen(r.path, nil, proxy.Options{}); err == nil {
		t.Error("two servers listen at one path")
	}
	if _, err := proxy.Listen(r.path+"2", nil, proxy.Options{Idle: -1}); err == nil {
		t.Error("a negative time")
	}
	for range 2 {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(r.path); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestAtOnce: connections are bounded, and one that ends makes room.
func TestAtOnce(t *testing.T) {
	r := newRig(t, proxy.Options{AtOnce: 2}, egress.Limits{}, "CONNECT https://a.example")
	r.raw("a.example:443", func(c *net.TCPConn) { io.Copy(c, c) })
	c := r.open("a.example:443")
	r.open("a.example:443")
	if got := r.say(r.ask("CONNECT a.example:443")); !strings.HasPrefix(got, "HTTP/1.1 503 the proxy serves 2 connections") {
		t.Errorf("%q", got)
	}
	c.Close()
	until(t, "there is room", func() bool {
		return strings.HasPrefix(r.say(r.ask("CONNECT a.example:443")+"x"), "HTTP/1.1 200 ")
	})
}

// TestStatus: what the errors of the gate become.
func TestStatus(t *testing.T) {
	r := newRig(t, proxy.Options{}, egress.Limits{Run: egress.Quota{Requests: 2, Sent: 1000}}, "CONNECT https://a.example", "POST http://a.example")
	if got := r.say(r.ask("CONNECT a.example:443")); !strings.HasPrefix(got, "HTTP/1.1 502 ") {
		t.Errorf("nothing listens: %q", got)
	}
	post := strings.TrimSuffix(r.ask("POST http://a.example/"), "\r\n")
	body := bytes.Repeat([]byte("x"), 3000)
	if got := r.say(post + "Content-Length: 3000\r\n\r\n" + string(body)); !strings.HasPrefix(got, "HTTP/1.1 429 the network limit sent") {
		t.Errorf("%q", got)
	}
	r.say(r.ask("CONNECT a.example:443"))
	if got := r.say(r.ask("CONNECT a.example:443")); !strings.HasPrefix(got, "HTTP/1.1 429 the network limit requests of the run is reached: 2 requests\r\n") {
		t.Errorf("%q", got)
	}
	hangs := newRig(t, proxy.Options{}, egress.Limits{FirstByte: 100 * time.Millisecond}, "GET http://a.example")
	hangs.raw("a.example:80", func(c *net.TCPConn) { io.Copy(io.Discard, c) })
	if got := hangs.say(hangs.ask("GET http://a.example/")); !strings.HasPrefix(got, "HTTP/1.1 504 the network limit first_byte is reached: 100ms until a response begins\r\n") {
		t.Errorf("%q", got)
	}
}
