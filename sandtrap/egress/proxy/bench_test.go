package proxy_test

import (
	"io"
	"net"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress/proxy"
)

// noLimits are for benchmarks.
func noLimits() egress.Limits {
	q := egress.Quota{Requests: 1 << 40, Sent: 1 << 60, Received: 1 << 60}
	return egress.Limits{Run: q, Tenant: q}
}

// BenchmarkConnect is a tunnel that is opened, and ended by the server.
func BenchmarkConnect(b *testing.B) {
	r := newRig(b, proxy.Options{}, noLimits(), "CONNECT https://a.example")
	r.raw("a.example:443", func(*net.TCPConn) {})
	text := r.ask("CONNECT a.example:443")
	for b.Loop() {
		r.say(text)
	}
}

// BenchmarkTunnel is 1 MiB through a tunnel, there and back.
func BenchmarkTunnel(b *testing.B) {
	r := newRig(b, proxy.Options{}, noLimits(), "CONNECT https://a.example")
	r.raw("a.example:443", func(c *net.TCPConn) { io.Copy(c, c) })
	c := r.open("a.example:443")
	part := make([]byte, 64<<10)
	b.SetBytes(1 << 20)
	for b.Loop() {
		go func() {
			for range 16 {
				c.Write(part)
			}
		}()
		if _, err := io.CopyN(io.Discard, c, 1<<20); err != nil {
			b.Fatal(err)
		}
	}
}
