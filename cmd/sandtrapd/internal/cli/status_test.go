package cli_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	sandtrapd "github.com/sandtrap-go/sandtrap/cmd/sandtrapd/client"
)

// clusterStatus is what "sandtrapd cluster status" prints about a server.
func clusterStatus(t *testing.T, url, key string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SANDTRAPD_KEY="+key, "SANDTRAPD_TEST_ARGS="+strings.Join(append([]string{"cluster", "status", "--server", url}, args...), "\n"))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

const operatorKey = token + "-3"

// TestClusterStatus: operators see the workers, what they do, who waits, and that a worker leaves; the metrics count the same.
func TestClusterStatus(t *testing.T) {
	dir, at := t.TempDir(), freePort(t)
	p := serve(t, dir, "--cluster", "embedded", "--cluster-listen", at)
	w := startWorker(t, "nats://"+at, workerKey(t, dir, "w1"))
	c := &sandtrapd.Client{URL: p.url, Key: operatorKey}
	view := func() *sandtrapd.Cluster {
		t.Helper()
		v, err := c.Cluster(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	until(t, "two workers", func() bool { return len(view().Workers) == 2 })
	turns := view().Queues[1].Turns
	var ids []string
	for range turns + 3 { // more than all workers do at a time
		v, err := p.request(t.Context(), "POST", "/v1/runs", map[string]any{"code": "time.Sleep(time.Minute)"}, "Prefer", "respond-async")
		if err != nil || v.status != http.StatusAccepted {
			t.Fatal(v, err)
		}
		ids = append(ids, v.ID)
	}
	until(t, "runs on each worker, and some that wait", func() bool {
		v := view()
		return v.Mode == "embedded" && v.Workers[0].Running > 0 && v.Workers[1].Running > 0 && v.Workers[0].Running+v.Workers[1].Running+v.Queues[1].Waiting == len(ids) &&
			len(v.Queues[1].Tenants) == 1 && v.Queues[1].Tenants[0].Tenant == "alpha"
	})
	text, err := clusterStatus(t, p.url, operatorKey)
	if err != nil || !regexp.MustCompile(`cluster: embedded, 1 server, 2 workers, 0 runs sent(?s:.*)SERVER.*\nembedded +0 +\d+ms ago +.*, which answers\n(?s:.*)workers +\d+ +\d+ +\d.*\n +alpha +\d+ (?s:.*)\nthis server \(self\) +\d+ +\d+ +\d+ms ago +none `).MatchString(text) {
		t.Errorf("%v:\n%s", err, text)
	}
	metrics := get(t, p.url+"/metrics")
	for _, line := range []string{`sandtrapd_cluster_workers{state="fit"} 2`, `sandtrapd_cluster_workers{state="unfit"} 0`, "sandtrapd_cluster_again_total 0", `sandtrapd_runs_live{state="queued"} `} {
		if !strings.Contains(metrics, "\n"+line) {
			t.Errorf("%s is not in the metrics:\n%s", line, metrics)
		}
	}
	_ = w.cmd.Process.Signal(syscall.SIGTERM)
	until(t, "a worker that leaves", func() bool {
		text, err = clusterStatus(t, p.url, operatorKey)
		return err == nil && strings.Contains(text, " 0  ") && view().Queues[1].Turns == turns-4
	})
	for _, id := range ids {
		if _, err := p.request(t.Context(), "POST", "/v1/runs/"+id+"/cancel", nil); err != nil {
			t.Error(err)
		}
	}
	if err := w.cmd.Wait(); err != nil {
		t.Errorf("the worker that leaves: %v", err)
	}
}

// get is what operators get at an address.
func get(t *testing.T, url string) string {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+operatorKey)
	res, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestNoClusterStatus: a server without workers says so, and so does the command what it lacks. What a server claims is quoted for terminals.
func TestNoClusterStatus(t *testing.T) {
	p := serve(t, t.TempDir())
	if text, err := clusterStatus(t, p.url, operatorKey); err != nil || !strings.HasPrefix(text, "cluster: none. ") {
		t.Errorf("%v: %s", err, text)
	}
	for want, ask := range map[string]func() (string, error){
		"SANDTRAPD_KEY is empty":                    func() (string, error) { return clusterStatus(t, p.url, "") },
		"sandtrapd: forbidden: this needs the role": func() (string, error) { return clusterStatus(t, p.url, token) },
		"connection refused":                        func() (string, error) { return clusterStatus(t, "http://"+freePort(t), token) },
		"takes no arguments":                        func() (string, error) { return clusterStatus(t, p.url, token, "now") },
		"flag provided but not defined":             func() (string, error) { return clusterStatus(t, p.url, token, "--nope") },
	} {
		if text, err := ask(); err == nil || !strings.Contains(text, want) {
			t.Errorf("%v: %s, want %s", err, text, want)
		}
	}
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "5")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, `{"code":"cluster","detail":"keys cannot be checked"}`)
	}))
	defer busy.Close()
	for server, want := range map[string]string{
		busy.URL: "takes keys of its file --keys alone",
		p.url:    "the key in SANDTRAPD_KEY is none of " + p.url,
	} {
		began := time.Now()
		if text, err := clusterStatus(t, server, "unknown"); err == nil || !strings.Contains(text, want) || time.Since(began) > 4*time.Second {
			t.Errorf("%v after %s: %s, want %s", err, time.Since(began), text, want)
		}
	}
	liar := http.NewServeMux()
	liar.HandleFunc("/v1/cluster", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(sandtrapd.Cluster{Mode: "external", Workers: []sandtrapd.Worker{{Name: "w", Version: "\x1b[2J"}}})
	})
	at := httptest.NewServer(liar)
	defer at.Close()
	if text, err := clusterStatus(t, at.URL, token); err != nil || strings.Contains(text, "\x1b") || !strings.Contains(text, `"\x1b[2J"`) {
		t.Errorf("%v: %q", err, text)
	}
}
