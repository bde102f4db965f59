package egress_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// BenchmarkDecision is the canonical form of a URL, and the decision about it, by a thousand rules.
func BenchmarkDecision(b *testing.B) {
	p := egress.Policy{}
	for i := range 1000 {
		p.Rules = append(p.Rules, egress.Rule{Host: fmt.Sprintf("h%d.example.com", i/2), Path: fmt.Sprintf("/v%d/**", i%2)})
	}
	d, err := egress.NewDecider(p)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := d.Decide("GET", "https://h321.example.com/v1/users/17?page=2"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGet is a request on a connection that is kept: by the gate, and by net/http alone.
func BenchmarkGet(b *testing.B) {
	l := newLab(b)
	server := l.plain("a.example", hello)
	get := func(b *testing.B, through http.RoundTripper, url string) {
		for b.Loop() {
			req, err := http.NewRequest("GET", url, nil)
			if err != nil {
				b.Fatal(err)
			}
			resp, err := through.RoundTrip(req)
			if err != nil {
				b.Fatal(err)
			}
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
	}
	b.Run("gate", func(b *testing.B) {
		p := listOf(b, "GET http://a.example/**")
		p.Limits.Run = egress.Quota{Requests: 1 << 40, Sent: 1 << 40, Received: 1 << 40}
		p.Limits.Tenant = p.Limits.Run
		o := l.options()
		o.Observe = nil
		g, err := egress.New(p, o)
		if err != nil {
			b.Fatal(err)
		}
		defer g.Close()
		get(b, g.Begin(decide.Subject{}), "http://a.example/")
	})
	b.Run("direct", func(b *testing.B) {
		transport := &http.Transport{}
		defer transport.CloseIdleConnections()
		get(b, transport, server.URL+"/")
	})
}

// BenchmarkScan is a body of JSON without secrets.
func BenchmarkScan(b *testing.B) {
	body := strings.Repeat(`{"id": 17, "name": "Ann \"A\" B", "url": "https://example.com/a%20b"}`+"\n", 10_000)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		io.Copy(io.Discard, egress.Scanned(strings.NewReader(body), theSecret))
	}
}
