package api_test

import (
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/api"
)

// TestNotCached: no cache keeps what a tenant has, files and artifacts neither: a request of a page has no header that tells caches so.
func TestNotCached(t *testing.T) {
	r := newRig(t)
	mine := r.own(t, "alpha")
	mine.batch = r.aBatchOf(t, "alpha")
	asked := 0
	for _, route := range api.Patterns() {
		row := expectations[route.Method+" "+route.Path]
		if route.Method != "GET" || row.values == nil {
			continue
		}
		asked++
		got := r.ask(t, "alpha", "GET", fill(route.Path, row.values(mine)), "")
		if got.status != 200 || got.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d, Cache-Control %q", route.Path, got.status, got.header.Get("Cache-Control"))
		}
	}
	if asked < 10 {
		t.Errorf("only %d routes were asked", asked)
	}
}
