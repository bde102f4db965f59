package api

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
)

// TestBusy: a tenant with too much is told 429, and a server with too much 503; both say when to try again.
func TestBusy(t *testing.T) {
	for _, test := range []struct {
		busy    runs.Busy
		status  int
		code    string
		seconds string
	}{
		{runs.Busy{Tenant: true, After: time.Second}, 429, "limit", "1"}, {runs.Busy{Tenant: true, After: 2500 * time.Millisecond}, 429, "limit", "3"},
		{runs.Busy{After: time.Minute}, 503, "busy", "60"},
	} {
		w := httptest.NewRecorder()
		c := &call{w: w}
		p := (&Server{}).problemOf(c, &test.busy)
		if p.Code.Status() != test.status || string(p.Code) != test.code || w.Header().Get("Retry-After") != test.seconds {
			t.Errorf("%+v: %+v, %v", test.busy, p, w.Header())
		}
	}
}
