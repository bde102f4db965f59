package api_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// serve answers a request of a tenant without a connection.
func (r *rig) serve(ctx context.Context, tenant, method, path string, body io.Reader) *httptest.ResponseRecorder {
	q := httptest.NewRequestWithContext(ctx, method, "http://localhost"+path, body)
	q.Header.Set("Authorization", "Bearer "+r.tokens[tenant])
	w := httptest.NewRecorder()
	r.api.Handler().ServeHTTP(w, q)
	return w
}

// refused waits until a small request of a tenant is refused by a limit, while another tenant is answered.
func (r *rig) refused(t *testing.T, limit, method, path, body string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		w := r.serve(t.Context(), "alpha", method, path, strings.NewReader(body))
		if w.Code == http.StatusTooManyRequests && strings.Contains(w.Body.String(), fmt.Sprintf(`"field":"%s"`, limit)) && w.Header().Get("Retry-After") == "1" {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d: %s", w.Code, w.Body)
		}
	}
	if w := r.serve(t.Context(), "beta", method, path, strings.NewReader(body)); w.Code != http.StatusOK {
		t.Errorf("another tenant: %d: %s", w.Code, w.Body)
	}
}

// TestRequestsOfATenant: a tenant has so many requests open, such as those whose bodies do not end, and leaves room for others.
func TestRequestsOfATenant(t *testing.T) {
	r := newRig(t)
	ends := make(chan struct{})
	var all sync.WaitGroup
	for range 2500 {
		all.Go(func() { // again if it came beside the small request
			for r.serve(t.Context(), "alpha", "POST", "/v1/runs", until(ends)).Code == http.StatusTooManyRequests {
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
	r.refused(t, "requests_at_once", "GET", "/v1/limits", "")
	close(ends)
	all.Wait()
	if w := r.serve(t.Context(), "alpha", "GET", "/v1/limits", nil); w.Code != http.StatusOK {
		t.Errorf("after they have ended: %d: %s", w.Code, w.Body)
	}
}

// TestBodiesOfATenant: the bodies that a tenant is sending hold so much memory, and no more.
func TestBodiesOfATenant(t *testing.T) {
	r := newRig(t)
	var all sync.WaitGroup
	const size = 1000 << 10
	ends := make(chan struct{})
	for range 131 { // 128 MiB hold no more of them
		all.Go(func() { // again if it came beside the small request
			for r.serve(t.Context(), "alpha", "POST", "/v1/runs", io.MultiReader(strings.NewReader(`{"code":"`+strings.Repeat("a", size)), until(ends))).Code == http.StatusTooManyRequests {
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
	r.refused(t, "bytes_of_bodies", "POST", "/v1/runs", `{"code":"n := 1 // `+strings.Repeat("a", 500<<10)+`"}`)
	close(ends)
	all.Wait()
	if w := r.serve(t.Context(), "alpha", "POST", "/v1/runs", strings.NewReader(`{"code":"n := 1"}`)); w.Code != http.StatusOK {
		t.Errorf("after they have ended: %d: %s", w.Code, w.Body)
	}
}

// until is a body of which nothing comes until a channel is closed, and which ends then.
type until chan struct{}

func (u until) Read([]byte) (int, error) {
	<-u
	return 0, io.EOF
}
