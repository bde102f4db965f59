package proxy_test

import (
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress/proxy"
)

// ends reads until the proxy ends the connection, which it does before the deadline of the test.
func ends(t *testing.T, c *net.UnixConn) string {
	t.Helper()
	got, err := io.ReadAll(c)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the connection goes on")
	}
	return string(got)
}

// TestSlowHeader: a client that does not finish its header in time is served no longer, whatever it sends meanwhile.
func TestSlowHeader(t *testing.T) {
	leavesNothing(t)
	r := newRig(t, proxy.Options{Head: 100 * time.Millisecond}, egress.Limits{}, "CONNECT https://a.example")
	slow := r.dial()
	go func() {
		for i := range 4 * len("request") * 10 {
			time.Sleep(10 * time.Millisecond)
			if _, err := io.WriteString(slow, "request"[i%7:i%7+1]); err != nil {
				return
			}
		}
		io.WriteString(slow, "\r\n")
	}()
	if got := ends(t, slow); got != "" {
		t.Errorf("%q", got)
	}
}

// TestIdle: a tunnel, and a request whose server or client is silent, end after a time without a byte; one that goes on does not.
func TestIdle(t *testing.T) {
	leavesNothing(t)
	const idle = time.Second
	r := newRig(t, proxy.Options{Idle: idle}, egress.Limits{}, "CONNECT https://*.a.example", "POST http://a.example")
	r.raw("silent.a.example:443", func(c *net.TCPConn) {
		c.SetReadDeadline(time.Now().Add(10 * idle))
		io.Copy(io.Discard, c)
		io.WriteString(c, "late")
	})
	r.raw("a.example:80", func(c *net.TCPConn) {
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345")
		io.Copy(io.Discard, c)
	})
	r.raw("busy.a.example:443", func(c *net.TCPConn) {
		for range 40 {
			time.Sleep(idle / 20)
			io.WriteString(c, ".")
		}
	})
	busy, silent, reads, sends := r.open("busy.a.example:443"), r.open("silent.a.example:443"), r.dial(), r.dial()
	io.WriteString(reads, r.ask("POST http://a.example/"))
	io.WriteString(sends, strings.TrimSuffix(r.ask("POST http://a.example/"), "\r\n")+"Content-Length: 10\r\n\r\n12345")
	if got := ends(t, silent); got != "" {
		t.Errorf("%q", got)
	}
	if got := ends(t, reads); !strings.HasSuffix(got, "\r\n\r\n12345") {
		t.Errorf("%q", got)
	}
	ends(t, sends)
	if got := ends(t, busy); got != strings.Repeat(".", 40) {
		t.Errorf("%q", got)
	}
	until(t, "the reason is told", func() bool {
		for _, e := range r.told(egress.KindEnd) {
			if e.Host == "silent.a.example" && strings.Contains(e.Error, "no byte came for 1s") {
				return true
			}
		}
		return false
	})
}

// TestUnread: a client that does not read what its server sends ends in the idle time, and holds up neither the server nor the gate.
func TestUnread(t *testing.T) {
	leavesNothing(t)
	r := newRig(t, proxy.Options{Idle: time.Second}, egress.Limits{}, "CONNECT https://a.example", "GET http://a.example")
	ended := make(chan bool, 2)
	pour := func(c *net.TCPConn) {
		_, err := io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
		for b := make([]byte, 64<<10); err == nil; {
			_, err = c.Write(b)
		}
		ended <- true
	}
	r.raw("a.example:443", pour)
	r.raw("a.example:80", pour)
	r.open("a.example:443")
	io.WriteString(r.dial(), r.ask("GET http://a.example/"))
	<-ended
	<-ended
}

// TestTotal: the limit of the gate ends a tunnel that goes on.
func TestTotal(t *testing.T) {
	leavesNothing(t)
	r := newRig(t, proxy.Options{}, egress.Limits{Total: time.Second}, "CONNECT https://a.example")
	r.raw("a.example:443", func(c *net.TCPConn) {
		for _, err := io.WriteString(c, "."); err == nil; _, err = io.WriteString(c, ".") {
			time.Sleep(time.Millisecond)
		}
	})
	ends(t, r.open("a.example:443"))
}
