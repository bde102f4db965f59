package proxy_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress/proxy"
)

// TestForward: a plain request goes by the rules about method and path, and the server sees what the client sent, without what is the proxy's.
func TestForward(t *testing.T) {
	leavesNothing(t)
	r := newRig(t, proxy.Options{}, egress.Limits{}, "GET,HEAD,POST,PUT http://a.example/v1/**")
	r.plain("a.example:80", func(w http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(q.Body)
		w.Header().Set("X-Seen", fmt.Sprint(q.Method, " ", q.Host, " ", q.RequestURI, " ", len(body), " ", err, " ", q.Header["X-Mine"], q.Header["Proxy-Authorization"], q.Header["X-Hop"], q.Header["Connection"]))
		w.Header().Set("Keep-Alive", "x")
		fmt.Fprintf(w, "%d bytes", len(body))
	})
	auth := "Proxy-Authorization: Bearer " + r.grant.Token() + "\r\n"
	for request, want := range map[string]string{
		"GET http://a.example/v1/x?y=1 HTTP/1.1\r\nHost: b.example\r\nX-Mine: 1\r\n" + auth + "\r\n":                                            "200 GET a.example /v1/x?y=1 0 <nil> [1] [] [] [] 0 bytes",
		"GET http://A.Example.:80/v1/x HTTP/1.0\r\nConnection: x-hop, keep-alive\r\nX-Hop: 1\r\n" + auth + "\r\n":                               "200 GET a.example /v1/x 0 <nil> [] [] [] [] 0 bytes",
		"HEAD http://a.example/v1/ HTTP/1.1\r\n" + auth + "\r\n":                                                                                "200 HEAD a.example /v1/ 0 <nil> [] [] [] [] ",
		"POST http://a.example/v1/ HTTP/1.1\r\nContent-Length: 5\r\n" + auth + "\r\nhello":                                                      "200 POST a.example /v1/ 5 <nil> [] [] [] [] 5 bytes",
		"POST http://a.example/v1/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + auth + "\r\n5\r\nhello\r\n0\r\n\r\n":                           "200 POST a.example /v1/ 5 <nil> [] [] [] [] 5 bytes",
		"PUT http://a.example/v1/ HTTP/1.1\r\nContent-Length: 100000\r\n" + auth + "\r\n" + strings.Repeat("0123456789", 10_000):                "200 PUT a.example /v1/ 100000 <nil> [] [] [] [] 100000 bytes",
		"POST http://a.example/v1/ HTTP/1.1\r\nContent-Length: 5\r\n" + auth + "\r\nhelloGET http://a.example/v1/ HTTP/1.1\r\n" + auth + "\r\n": "200 POST a.example /v1/ 5 <nil> [] [] [] [] 5 bytes",
	} {
		resp, err := http.ReadResponse(bufio.NewReader(strings.NewReader(r.say(request))), &http.Request{Method: strings.Fields(request)[0]})
		if err != nil {
			t.Errorf("%.80q: %v", request, err)
			continue
		}
		body, err := io.ReadAll(resp.Body)
		if got := fmt.Sprint(resp.StatusCode, " ", resp.Header.Get("X-Seen"), " ", string(body)); got != want || err != nil || !resp.Close || resp.Header.Get("Keep-Alive") != "" {
			t.Errorf("%.80q: %q, %v; want %q", request, got, err, want)
		}
	}
	for _, line := range []string{"DELETE http://a.example/v1/", "GET http://a.example/v2/", "GET http://a.example:81/v1/", "GET http://b.example/v1/", "GET http://a.example/v1/../x"} {
		if got := r.say(r.ask(line)); !strings.HasPrefix(got, "HTTP/1.1 403 ") || !strings.Contains(got, "is not allowed: the policy lists GET,HEAD,POST,PUT http://a.example/v1/**") {
			t.Errorf("%s: %q", line, got)
		}
	}
	if n := len(r.told(egress.KindEnd)); n != 7 {
		t.Errorf("%d requests were made", n)
	}
}

// TestContinue: a client that waits to be told to go on with its body is told so.
func TestContinue(t *testing.T) {
	r := newRig(t, proxy.Options{}, egress.Limits{}, "POST http://a.example")
	r.plain("a.example:80", func(w http.ResponseWriter, q *http.Request) { io.Copy(w, q.Body) })
	c := r.dial()
	io.WriteString(c, strings.TrimSuffix(r.ask("POST http://a.example/"), "\r\n")+"Content-Length: 5\r\nExpect: 100-continue\r\n\r\n")
	const want = "HTTP/1.1 100 Continue\r\n\r\n"
	buf := make([]byte, len(want))
	if _, err := io.ReadFull(c, buf); err != nil || string(buf) != want {
		t.Fatalf("%q, %v", buf, err)
	}
	io.WriteString(c, "hello")
	if got, err := io.ReadAll(c); err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 200 ") || !strings.HasSuffix(string(got), "hello") {
		t.Errorf("%q, %v", got, err)
	}
}

// TestTruncated: a response that ends early, at the server or by a limit, is not taken for a whole one.
func TestTruncated(t *testing.T) {
	r := newRig(t, proxy.Options{}, egress.Limits{Run: egress.Quota{Received: 100_000}}, "GET http://*.a.example")
	for name, response := range map[string]string{
		"length":  "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n12345",
		"chunked": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n",
		"limit":   "HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("x", 200_000),
	} {
		r.raw(name+".a.example:80", func(c *net.TCPConn) {
			http.ReadRequest(bufio.NewReader(c))
			io.WriteString(c, response)
		})
		grant, err := r.Grant(decide.Subject{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := r.client(grant.Token()).Get("http://" + name + ".a.example/")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if body, err := io.ReadAll(resp.Body); err == nil {
			t.Errorf("%s: %d, %.200q without an error", name, resp.StatusCode, body)
		}
		resp.Body.Close()
	}
}
