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

// TestFreed: a tenant that has as many requests open as it may still ends what goes on. Answers do not take the room that is left for that.
func TestFreed(t *testing.T) {
	r := newRig(t)
	waits := func() string { return r.start(t, "alpha", `{"code":"Search(\"a\")","tools":"`+tools+`"}`).ID }
	answered, cancelled, session := waits(), waits(), r.session(t, "alpha", "{}").ID
	ends := make(chan struct{})
	var all sync.WaitGroup
	hold := func(n int, path string) {
		for range n {
			all.Go(func() {
				for r.serve(t.Context(), "alpha", "POST", path, until(ends)).Code == http.StatusTooManyRequests {
					time.Sleep(10 * time.Millisecond)
				}
			})
		}
	}
	want := func(status int, method, path, body string) {
		t.Helper()
		if w := r.serve(t.Context(), "alpha", method, path, strings.NewReader(body)); w.Code != status {
			t.Errorf("%s %s: %d: %s; want %d", method, path, w.Code, w.Body, status)
		}
	}
	hold(2500, "/v1/runs")
	r.refused(t, "requests_at_once", "GET", "/v1/limits", "")
	want(200, "POST", "/v1/runs/"+answered+"/answers", `{"answers":[{"id":1,"value":[]}]}`)
	hold(50, "/v1/runs/"+answered+"/answers")
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if w := r.serve(t.Context(), "alpha", "POST", "/v1/runs/"+cancelled+"/answers", strings.NewReader("{}")); w.Code == 429 {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("one answer more: %d: %s", w.Code, w.Body)
		}
	}
	want(200, "POST", "/v1/runs/"+cancelled+"/cancel", "")
	want(204, "DELETE", "/v1/runs/"+answered, "")
	want(204, "DELETE", "/v1/sessions/"+session, "")
	want(429, "GET", "/v1/limits", "")
	close(ends)
	all.Wait()
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
