package egress_test

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// framing are headers that say where a request ends, for which host it is, or whose connection it has, in spellings that
// http.Header.Get does not find.
var framing = []http.Header{
	{"content-length": {"0"}},
	{"CONTENT-LENGTH": {"0"}, "Content-length": {"1"}},
	{"Content-Length": {"0"}},
	{"transfer-encoding": {"chunked"}},
	{"Transfer-encoding": {"identity"}},
	{"Transfer-Encoding": {"chunked"}},
	{"host": {"b.example"}},
	{"HOST": {"b.example"}},
	{"Host": {"b.example"}},
	{"connection": {"close, x-kept"}},
	{"keep-alive": {"timeout=1000"}},
	{"proxy-connection": {"keep-alive"}},
	{"proxy-authorization": {"Basic eDp5"}},
	{"te": {"trailers"}},
	{"trailer": {"X-Kept"}},
}

// TestFraming: whatever the header of a request says, its server sees one request, for the host and with the body that the gate has
// decided about. Names of headers are canonical.
func TestFraming(t *testing.T) {
	leavesNothing(t)
	const smuggled = "GET /admin HTTP/1.1\r\nHost: a.example\r\n\r\n"
	const want = "POST /x HTTP/1.1|Accept-Encoding: gzip|Content-Length: 40|Host: a.example|User-Agent: Go-http-client/1.1|X-Kept: 1|" + smuggled
	for _, header := range framing {
		l := newLab(t)
		seen := make(chan string, 1)
		l.raw("a.example", func(c net.Conn) {
			b := bufio.NewReader(c)
			var lines []string
			for {
				line, err := b.ReadString('\n')
				if line = strings.TrimSpace(line); line == "" || err != nil {
					break
				}
				lines = append(lines, line)
			}
			body := make([]byte, len(smuggled))
			io.ReadFull(b, body)
			io.WriteString(c, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
			slices.Sort(lines[1:])
			rest, _ := io.ReadAll(b)
			seen <- strings.Join(lines, "|") + "|" + string(body) + string(rest)
		})
		req := request(t, "POST", "http://a.example/x", strings.NewReader(smuggled))
		req.Header = header.Clone()
		req.Header["x-kept"] = []string{"1"}
		if _, _, err := do(l.run("POST http://a.example/x"), req); err != nil {
			t.Errorf("%v: %v", header, err)
			continue
		}
		if got := <-seen; got != want {
			t.Errorf("%v:\ngot  %q\nwant %q", header, got, want)
		}
	}
}

// TestSpellingsOfHeaders: what is decided by a header is decided however its name is spelt.
func TestSpellingsOfHeaders(t *testing.T) {
	l := newLab(t)
	l.plain("a.example", hello)
	r := l.run("GET http://a.example/**")
	for _, name := range []string{"Upgrade", "upgrade", "UPGRADE", "uPgrade"} {
		req := request(t, "GET", "http://a.example/", nil)
		req.Header = http.Header{name: {"websocket"}}
		if _, _, err := do(r, req); err == nil || !strings.Contains(err.Error(), "another protocol") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"Accept-Encoding", "accept-encoding", "ACCEPT-ENCODING"} {
		seen := ""
		l.plain("a.example", func(_ http.ResponseWriter, r *http.Request) { seen = fmt.Sprint(r.Header["Accept-Encoding"]) })
		req := request(t, "GET", "http://a.example/", nil)
		req.Header = http.Header{name: {"br"}}
		if _, _, err := do(l.run("GET http://a.example/**"), req); err != nil || seen != "[br]" {
			t.Errorf("%s: %s, %v", name, seen, err)
		}
	}
}

// TestHeaderFields: a header is bounded by its fields too, with or without values, and a length that no body has is not sent.
func TestHeaderFields(t *testing.T) {
	l := newLab(t)
	l.plain("a.example", func(w http.ResponseWriter, r *http.Request) {
		var n int
		fmt.Sscan(r.URL.RawQuery, &n)
		for i := range n {
			w.Header()[fmt.Sprintf("A%d", i)] = []string{""}
		}
	})
	r := l.run("GET,POST http://a.example/**")
	for _, values := range [][]string{{}, {""}} {
		req := request(t, "GET", "http://a.example/", nil)
		for i := range 10_000 {
			req.Header[fmt.Sprint("X", i)] = values
		}
		_, _, err := do(r, req)
		reaches(t, err, egress.Header, "", 64<<10)
	}
	if _, _, err := get(r, "http://a.example/?1000"); err != nil {
		t.Error(err)
	}
	_, _, err := get(r, "http://a.example/?5000")
	reaches(t, err, egress.Header, "", 64<<10)

	for _, most := range []int64{3, 1 << 20} {
		p := listOf(t, "POST http://a.example/**")
		p.Limits.Run.Sent = most
		run := l.gate(p).Begin(decide.Subject{})
		for range 2 {
			req := request(t, "POST", "http://a.example/", strings.NewReader("x"))
			req.ContentLength = math.MaxInt64
			_, _, err := do(run, req)
			reaches(t, err, egress.Sent, "run", most)
		}
		if _, _, err := send(run, "POST", "http://a.example/", strings.NewReader("x")); (err == nil) != (most > 3) {
			t.Errorf("%d: %v", most, err)
		}
	}
}
