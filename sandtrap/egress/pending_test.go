package egress_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// TestGivenUp: a request that is given up leaves no connection that is being made: neither one that the server has not accepted, nor one
// whose handshake goes on. Package net/http would go on with both, for requests that may come.
func TestGivenUp(t *testing.T) {
	leavesNothing(t)
	for name, dial := range map[string]func(context.Context, net.Conn) (net.Conn, error){
		"dial":      func(ctx context.Context, _ net.Conn) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() },
		"handshake": func(_ context.Context, c net.Conn) (net.Conn, error) { return c, nil },
	} {
		var began, ended atomic.Int64
		given := listOf(t, "GET https://a.example/*")
		given.Limits.FirstByte = 10 * time.Minute // ends nothing here
		g, err := egress.New(given, egress.Options{
			Resolve: func(context.Context, string) ([]netip.Addr, error) {
				return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
			},
			Dial: func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
				ours, theirs := net.Pipe()
				began.Add(1)
				go func() { // a server that reads what comes, and says nothing
					for buf := make([]byte, 1<<10); ; {
						if _, err := theirs.Read(buf); err != nil {
							ended.Add(1)
							return
						}
					}
				}()
				c, err := dial(ctx, ours)
				if err != nil {
					ours.Close()
				}
				return c, err
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		r := g.Begin(decide.Subject{})
		const requests = 100
		for i := range int64(requests) {
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				for began.Load() <= i {
					time.Sleep(time.Millisecond)
				}
				cancel()
			}()
			req, _ := http.NewRequestWithContext(ctx, "GET", "https://a.example/x", nil)
			if _, err := r.RoundTrip(req); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		r.Close()
		for late := time.Now().Add(time.Minute); ended.Load() < requests && time.Now().Before(late); {
			time.Sleep(10 * time.Millisecond)
		}
		n := ended.Load()
		g.Close()
		if n != requests {
			t.Fatalf("%s: of %d connections that nobody waits for %d are closed", name, requests, n)
		}
	}
}
