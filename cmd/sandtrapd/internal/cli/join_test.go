package cli

import (
	"net/url"
	"os"
	"testing"
)

// TestJoinAt: who starts workers is told an address that they can connect to.
func TestJoinAt(t *testing.T) {
	name, err := os.Hostname()
	if err != nil {
		t.Skip(err)
	}
	for from, guess := range map[string]bool{
		"nats://127.0.0.1:4222": false, "tls://192.0.2.1:4222": false, "tls://front.example.com:4222": false, "tls://0.0.0.0:4222": true, "tls://[::]:4222": true,
	} {
		at, guessed := joinAt(from)
		if guessed != guess || !guess && at != from {
			t.Errorf("%s: %s, %t", from, at, guessed)
		}
		if u, err := url.Parse(at); err != nil || guess && (u.Hostname() != name || u.Port() != "4222" || u.Scheme != "tls") {
			t.Errorf("%s: %s, %v", from, at, err)
		}
	}
}
