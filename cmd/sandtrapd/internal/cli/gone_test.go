package cli_test

import (
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// frontKey is the file of a key for another server of the embedded cluster in a directory.
func frontKey(t *testing.T, dir, name string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name+".key")
	if out, err := run(t, "cluster", "add-front", name, "--data", filepath.Join(dir, "data"), "--out", file); err != nil {
		t.Fatal(err, out)
	}
	return file
}

// TestClusterGone: who waits for a run at a server whose cluster is gone is told so in time, and where to find the run; who asks later is told at once. The
// run has its outcome when the cluster is there again, at each server.
func TestClusterGone(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits as long as clients do")
	}
	dir, at, other := t.TempDir(), freePort(t), t.TempDir()
	flags := []string{"--cluster", "embedded", "--cluster-listen", at}
	key := frontKey(t, dir, "f2")
	first := serve(t, dir, flags...)
	p := serve(t, other, "--cluster", "nats://"+at, "--cluster-key", key)
	slow := make(chan *http.Response, 2)
	for _, body := range []map[string]any{
		{"code": "time.Sleep(2*time.Second); n := 1"},
		{"code": "fmt.Println(Ask())", "tools": "package tools\nfunc Ask() int"},
	} {
		if body["tools"] != nil {
			first.kill()
		}
		go func() {
			res, err := p.open(t.Context(), "POST", "/v1/runs", body)
			if err != nil {
				t.Error(err)
			}
			slow <- res
		}()
		time.Sleep(500 * time.Millisecond) // it has begun
	}
	began := time.Now()
	var found []string
	for range cap(slow) {
		var res *http.Response
		select {
		case res = <-slow:
		case <-time.After(time.Minute):
			t.Fatalf("a client waits\n%s", p.log)
		}
		found = append(found, cutOff(t, res))
		t.Logf("told after %s", time.Since(began).Round(100*time.Millisecond))
	}
	for _, path := range found {
		if v, err := p.request(t.Context(), "GET", path, nil); err != nil || v.status != 200 || v.State != "running" {
			t.Errorf("%s: %+v, %v", path, v, err)
		}
	}
	for _, body := range []map[string]any{{"code": "n := 1"}, {"code": "n := 1", "idempotency_key": "k"}} {
		began := time.Now()
		res, err := p.open(t.Context(), "POST", "/v1/runs", body)
		if err != nil {
			t.Fatal(err)
		}
		cutOff(t, res)
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%v: it took %s", body, took)
		}
	}
	again := serve(t, dir, flags...)
	for _, path := range found {
		until(t, "the run is written", func() bool {
			v, err := again.request(t.Context(), "GET", path, nil)
			return err == nil && v.status == 200 && v.State != "running"
		})
	}
}

// cutOff is where a response says that the run is that could not be told because the cluster is gone; empty if there is none.
func cutOff(t *testing.T, res *http.Response) string {
	t.Helper()
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	var p struct{ Code, Detail string }
	_ = json.Unmarshal(text, &p)
	if res.StatusCode != 503 || p.Code != "cluster" || res.Header.Get("Retry-After") == "" || strings.Contains(p.Detail, "disk") {
		t.Errorf("%d, %s", res.StatusCode, text)
	}
	return res.Header.Get("Location")
}
