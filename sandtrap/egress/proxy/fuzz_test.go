package proxy_test

import (
	"bufio"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/egress/proxy"
)

// FuzzConnect: whatever a client sends, the answer is one of the proxy's, and only the host that is allowed is dialed, for a request
// that package net/http reads likewise.
func FuzzConnect(f *testing.F) {
	r := newRig(f, proxy.Options{}, noLimits(), "CONNECT https://a.example", "GET http://b.example/x")
	const token = "TOKEN"
	for _, line := range []string{"CONNECT a.example:443 HTTP/1.1", "CONNECT ::1:443 HTTP/1.1", "CONNECT [::1]:443 HTTP/1.1", "CONNECT u@a.example:443 HTTP/1.1", "CONNECT A.Example.:443 HTTP/1.0",
		"GET http://b.example/x HTTP/1.1", "GET / HTTP/1.1", "GET http://b.example:80/%78 HTTP/1.1", "POST http://b.example/x HTTP/1.1", "GET http://u@b.example/x HTTP/1.1"} {
		f.Add(line + "\r\nHost: x\r\nProxy-Authorization: Bearer " + token + "\r\n\r\n")
	}
	f.Add("CONNECT a.example:443 HTTP/1.1\r\nProxy-Authorization: Basic eDpUT0tFTg==\r\nContent-Length: 1\r\n\r\nx")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ReplaceAll(text, token, r.grant.Token())
		before := len(r.reached())
		got := r.say(text)
		status, _, _ := strings.Cut(strings.TrimPrefix(got, "HTTP/1.1 "), " ")
		if got != "" && !slices.Contains([]string{"100", "400", "403", "407", "502"}, status) {
			t.Fatalf("%q: %q", text, got)
		}
		dialed := r.reached()[before:]
		if len(dialed) == 0 {
			return
		}
		req, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
		if err != nil {
			t.Fatalf("%q: dialed %v; net/http: %v", text, dialed, err)
		}
		host := strings.ToLower(strings.TrimSuffix(req.URL.Hostname(), "."))
		want := map[string]string{"CONNECT a.example 443": "a.example:443", "GET b.example ": "b.example:80", "GET b.example 80": "b.example:80"}[req.Method+" "+host+" "+req.URL.Port()]
		if len(dialed) != 1 || dialed[0] != want || !strings.Contains(text, r.grant.Token()) && req.Header.Get("Proxy-Authorization") == "" {
			t.Fatalf("%q: dialed %v; net/http reads %s %s", text, dialed, req.Method, req.URL)
		}
	})
}
