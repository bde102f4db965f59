package api_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/api"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/pace"
)

// TestOrigins: what a page of another origin has a browser send is refused, also by a name that leads to this machine; what programs
// and pages of this server send is not.
func TestOrigins(t *testing.T) {
	r := newRig(t)
	local := strings.TrimPrefix(r.URL, "http://")
	port := local[strings.LastIndexByte(local, ':'):]
	for _, test := range []struct {
		host, origin, site string
		status             int
	}{
		{local, "", "", 200}, {"localhost" + port, "", "", 200}, {"LOCALHOST", "", "", 200}, {"[::1]" + port, "", "", 200}, {"192.0.2.1", "", "", 200},
		{local, "http://" + local, "same-origin", 200}, {local, "", "none", 200},
		{"evil.example" + port, "", "", 403}, {"evil.example" + port, "http://evil.example" + port, "same-origin", 403}, {"127.0.0.1.evil.example", "", "", 403},
		{"localhost.evil.example", "", "", 403}, {"", "", "", 403},
		{local, "http://evil.example", "", 403}, {local, "null", "", 403}, {local, "http://evil.example", "cross-site", 403}, {local, "", "cross-site", 403}, {local, "", "same-site", 403},
	} {
		q := httptest.NewRequest("POST", "http://x/v1/runs", strings.NewReader(`{"code":"n := 1"}`))
		q = q.WithContext(context.WithValue(t.Context(), http.LocalAddrContextKey, r.Listener.Addr()))
		q.Host = test.host
		q.Header.Set("Authorization", "Bearer "+r.tokens["alpha"])
		if test.origin != "" {
			q.Header.Set("Origin", test.origin)
		}
		if test.site != "" {
			q.Header.Set("Sec-Fetch-Site", test.site)
		}
		w := httptest.NewRecorder()
		r.Config.Handler.ServeHTTP(w, q)
		if w.Code != test.status {
			t.Errorf("%+v: %d: %s", test, w.Code, w.Body)
		}
	}
}

// TestHosts: the names that are given are answered to. With such names no others are, at any address.
func TestHosts(t *testing.T) {
	loopback, outside := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}, &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 1}
	for _, test := range []struct {
		hosts  []string
		at     net.Addr
		host   string
		status int
	}{
		{nil, loopback, "runs.example", 403}, {nil, outside, "runs.example", 200}, {[]string{"runs.example"}, loopback, "Runs.example:443", 200},
		{[]string{"runs.example"}, outside, "runs.example", 200}, {[]string{"runs.example"}, outside, "evil.example", 403}, {[]string{"runs.example"}, outside, "192.0.2.1:80", 200},
	} {
		h := (&api.Server{Hosts: test.hosts}).Handler()
		q := httptest.NewRequest("GET", "/healthz", nil).WithContext(context.WithValue(t.Context(), http.LocalAddrContextKey, test.at))
		q.Host = test.host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, q)
		if w.Code != test.status {
			t.Errorf("%+v: %d", test, w.Code)
		}
	}
}

// TestSlowBody: a request whose body does not come ends, with and without a key, and at a path that there is not; one that came, and
// whose run goes on for longer than a body may take, does not.
func TestSlowBody(t *testing.T) {
	r := newRig(t)
	server := httptest.NewServer(pace.Handler(r.api.Handler(), pace.Bounds{Body: 200 * time.Millisecond})) // that of the rig reads bodies before
	defer server.Close()
	conns := map[string]net.Conn{}
	end := time.Now().Add(time.Minute)
	for _, head := range []string{
		"POST /v1/runs HTTP/1.1\r\nAuthorization: Bearer " + r.tokens["alpha"], "POST /v1/runs HTTP/1.1", "POST /none HTTP/1.1", "POST /v1/runs/x/cancel HTTP/1.1\r\nAuthorization: Bearer " + r.tokens["alpha"],
		"GET /v1/runs HTTP/1.1\r\nAuthorization: Bearer " + r.tokens["alpha"],
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := conn.SetDeadline(end); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "%s\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{\"code\":", head)
		conns[head] = conn
	}
	for head, conn := range conns {
		in := bufio.NewReader(conn)
		for { // up to the end of the connection
			if _, err := in.ReadByte(); err != nil {
				if e, ok := err.(net.Error); ok && e.Timeout() {
					t.Errorf("%.30s: the server waits", head)
				}
				break
			}
		}
	}
	q, err := http.NewRequestWithContext(t.Context(), "POST", server.URL+"/v1/runs", strings.NewReader(`{"code":"time.Sleep(600 * time.Millisecond); fmt.Print(7)"}`))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+r.tokens["alpha"])
	res, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if text, err := io.ReadAll(res.Body); err != nil || res.StatusCode != 200 || !strings.Contains(string(text), `"stdout":"7"`) {
		t.Errorf("%d: %s, %v", res.StatusCode, text, err)
	}
}

// TestLarge: bodies, headers and paths are bounded.
func TestLarge(t *testing.T) {
	r := newRig(t)
	for name, test := range map[string]struct {
		path, body string
		status     int
	}{
		"body":      {"/v1/runs", `{"code":"` + strings.Repeat("a", 2<<20) + `"}`, 413},
		"spaces":    {"/v1/runs", strings.Repeat(" ", 2<<20), 413},
		"after it":  {"/v1/runs", `{"code":"n := 1"}` + strings.Repeat(" ", 2<<20), 413},
		"of a fork": {"/v1/runs/x/fork", strings.Repeat(" ", 2<<20), 413},
		"just fits": {"/v1/runs/x/fork", strings.Repeat(" ", 1<<20), 404},
		"query":     {"/v1/runs?a=" + strings.Repeat("a", 2<<20), "", 431},
		"path":      {"/v1/runs/" + strings.Repeat("a", 2<<20), "", 431},
	} {
		if got := r.ask(t, "alpha", "POST", test.path, test.body); got.status != test.status {
			t.Errorf("%s: %d: %.200s", name, got.status, got.body)
		}
	}
}

// TestMalformedBodies: each is told what is wrong.
func TestMalformedBodies(t *testing.T) {
	r := newRig(t)
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for body, want := range map[string]string{
		"":                                  "empty, or ends too early",
		"{":                                 "ends too early",
		`{"code":"n := 1"`:                  "ends too early",
		`{"code":"n := 1"} {}`:              "something follows",
		`{"code":"n := 1"}}`:                "something follows",
		`{"code":"n := 1","code":"m := 1"}`: `\"code\" is there twice`,
		`{"code":"n","inputs":{"a":{"b":1,"b":2}}}`:           `\"b\" is there twice`,
		`{"code":"n := 1","CODE":"n := 2"}`:                   `unknown field \"CODE\"`,
		`{"answers":[{"ID":1}]}`:                              `unknown field \"ID\"`,
		`{"Code":"n := 1"}`:                                   `unknown field \"Code\"`,
		`{"code":"n := 1","ſession":"x"}`:                     "unknown field",
		`{"code":"n := 1","cod":1}`:                           `unknown field \"cod\"; the fields are code, inputs, session, policy, timeout_ms, tools, idempotency_key","field":"cod"`,
		"{\"code\":\"\xff\"}":                                 "not UTF-8",
		`{"code":5}`:                                          `code: want a string, got number","field":"code"`,
		`{"code":"n := 1","timeout_ms":1e400}`:                "timeout_ms: want an integer, got number 1e400",
		`{"code":"n := 1","timeout_ms":99999999999999999999}`: "timeout_ms: want an integer, got number",
		`{"code":"n := 1","inputs":[1]}`:                      "inputs: want an object, got array",
		`{"code":"n := 1","inputs":{"my-key":1}}`:             `inputs: \"my-key\" is not a Go name`,
		`{"code":"n := 1","inputs":{"init":1}}`:               `inputs: \"init\" is not a Go name`,
		`{"code":"n := 1","inputs":{"type":1}}`:               `inputs: \"type\" is not a Go name`,
		`{"code":"n := 1","tools":"func P() int"}`:            "begins with: package tools",
		`{"code":"n := 1","timeout_ms":-1}`:                   "want milliseconds",
		`{"code":"n := 1","inputs":{"n":` + deep(200) + `}}`:  "nested deeper than 100",
		deep(500_000):                                         "nested deeper than 100",
		strings.Repeat(`{"a":`, 100_000):                      "nested deeper than 100",
		`[]`:                                                  "want an object, got array",
		`"x"`:                                                 "want an object, got string",
		`null`:                                                "want an object",
		`{"code":nul}`:                                        "invalid character",
		`{"code":"n := 1",}`:                                  "invalid character",
		`{"code":'n'}`:                                        "invalid character",
	} {
		if got := r.ask(t, "alpha", "POST", "/v1/runs", body); got.status != 400 || !strings.Contains(got.body, want) {
			t.Errorf("%.80s: %d: %.300s, want %s", body, got.status, got.body, want)
		}
	}
	if n := r.count(t, `SELECT count(*) FROM run`); n != 0 {
		t.Errorf("%d runs", n)
	}
	if got := r.ask(t, "alpha", "POST", "/v1/runs", `{"code":"fmt.Print(n)","inputs":{"n":`+deep(50)+`}}`); got.status != 200 {
		t.Errorf("%d: %s", got.status, got.body)
	}
	if got := r.ask(t, "alpha", "POST", "/v1/runs", `{"code":"fmt.Print(N)","inputs":{"N":{"A":[{"B":1}],"a":2}}}`); got.status != 200 {
		t.Errorf("names of inputs: %d: %s", got.status, got.body)
	}
}
