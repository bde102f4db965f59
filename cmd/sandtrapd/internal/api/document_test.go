package api_test

import (
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestConforming sends requests to each route; the rig compares the responses with the document.
func TestConforming(t *testing.T) {
	r := newRig(t)
	v := r.start(t, "alpha", `{"code":"r, err := Search(\"go\")\nfmt.Println(r, err)","tools":"package tools\nfunc Search(query string) ([]string, error)"}`)
	done := r.start(t, "alpha", `{"code":"fmt.Println(1); x := []int{1}; x","timeout_ms":5000,"idempotency_key":"k"}`)
	if done.State != store.Done {
		t.Fatalf("%s", done.Result)
	}
	r.start(t, "alpha", `{"code":"var p *int; *p = 1"}`)
	run := "/v1/runs/" + v.ID
	for _, tc := range []struct {
		method, path, body string
		status             int
	}{
		{"GET", "/v1/runs", "", 200},
		{"GET", "/v1/runs?limit=1&state=pending,done&since=2026-01-01T00:00:00Z&q=fmt", "", 200},
		{"GET", "/v1/runs?limit=0", "", 400},
		{"GET", run, "", 200},
		{"GET", run + "/source", "", 200},
		{"GET", run + "/events", "", 200},
		{"GET", run + "/events?after=1", "", 200},
		{"GET", run + "/events?after=x", "", 400},
		{"GET", run + "/artifacts/none", "", 404},
		{"POST", run + "/fork", "", 201},
		{"POST", run + "/fork", `{"n":2}`, 201},
		{"POST", run + "/fork", `{"n":0}`, 400},
		{"POST", run + "/answers", `{"answers":[{"id":1}],"x":1}`, 400},
		{"POST", run + "/answers", `{"answers":[{"id":1,"value":["a"]}]}`, 200},
		{"POST", run + "/answers", `{"answers":[{"id":1,"value":["a"]}]}`, 409},
		{"POST", run + "/cancel", "", 200},
		{"POST", "/v1/runs", `{"code":"fmt.Println(2)","idempotency_key":"k"}`, 409},
		{"POST", "/v1/runs", `{"code":"` + strings.Repeat("/", 1<<20) + `"}`, 413},
		{"DELETE", "/v1/runs", "", 405},
		{"GET", "/v1/none", "", 404},
		{"GET", "/healthz", "", 200},
		{"GET", "/readyz", "", 200},
	} {
		if status, text := r.do(t, "alpha", tc.method, tc.path, tc.body); status != tc.status {
			t.Errorf("%s %s: %d, want %d: %.300s", tc.method, tc.path, status, tc.status, text)
		}
	}
	if status, _ := r.do(t, "nobody", "GET", "/v1/runs", ""); status != 401 {
		t.Errorf("without a key: %d", status)
	}
}
