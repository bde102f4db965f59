package api_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
)

// TestMetrics: operators read metrics, of these names and labels.
func TestMetrics(t *testing.T) {
	w := newWorld(t, nil)
	w.run(alpha, runs.Request{Code: `os.WriteFile("/work/a", nil, 0o600)`})
	w.run(beta, runs.Request{Code: `panic("x")`})
	w.want(alpha, "GET", "/metrics", "", 403, "operator")
	var names []string
	text := w.want(operator, "GET", "/metrics", "", 200, "")
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "# TYPE sandtrapd_"); ok {
			names = append(names, strings.TrimSpace(name))
		}
	}
	want := []string{
		"decisions_total counter", "plans gauge", "run_duration_seconds histogram", "runs_live gauge", "runs_total counter",
		"store_commit_time_seconds_total counter", "store_commits_total counter", "store_failures_total counter", "store_writes_total counter",
		"streams gauge", "workers gauge", "workers_queue gauge",
	}
	if !slices.Equal(names, want) {
		t.Errorf("%q\nwant %q", names, want)
	}
	for _, line := range []string{
		`sandtrapd_runs_total{kind="",state="done"} 1`, `sandtrapd_runs_total{kind="panic",state="failed"} 1`, `sandtrapd_decisions_total{code="",decision="allow"} 1`,
		`sandtrapd_run_duration_seconds_count{state="failed"} 1`, `sandtrapd_runs_live{state="running"} 0`, "go_goroutines ",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("%s is not in\n%s", line, text)
		}
	}
	if strings.Contains(text, "alpha") || strings.Contains(text, "beta") {
		t.Error("a metric has a tenant")
	}
}

// TestMachine: operators see what the machine does.
func TestMachine(t *testing.T) {
	w := newWorld(t, nil)
	w.run(alpha, runs.Request{Code: "1"})
	w.want(beta, "GET", "/v1/machine", "", 403, "operator")
	var v struct {
		Version   string
		Isolation struct{ Mode string }
		Runs      struct{ Running, Queued int }
		Plans     []struct{ Policy string }
		Layers    []any
	}
	if err := json.Unmarshal([]byte(w.want(operator, "GET", "/v1/machine", "", 200, `"workers":{"starting":0,`)), &v); err != nil {
		t.Fatal(err)
	}
	if v.Version != "v1.2.3" || v.Isolation.Mode != "none" || v.Runs.Running != 0 || len(v.Plans) != 1 || v.Plans[0].Policy != "default@builtin" || v.Layers == nil {
		t.Errorf("%+v", v)
	}
}

// TestNoCluster: operators, and nobody else, see what waits; a server without workers says that it has none.
func TestNoCluster(t *testing.T) {
	w := newWorld(t, nil)
	w.want(beta, "GET", "/v1/cluster", "", 403, "operator")
	w.want(operator, "GET", "/v1/cluster", "", 200, `{"mode":"none","queues":[{"name":"here","turns":`)
	w.want(operator, "GET", "/v1/cluster", "", 200, `"waiting":0,"tenants":[]}],"workers":[],"again":0,"servers":[],"cut_off":""}`)
}

// TestLogsHaveNoSecrets: tokens, scripts, inputs and the values of secrets are in no line of the log, whatever fails.
func TestLogsHaveNoSecrets(t *testing.T) {
	token := filepath.Join(t.TempDir(), "token.txt")
	if err := os.WriteFile(token, []byte("canary-secret-value"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, map[string]string{
		"web.yaml": "std: [fmt, net/http]\nnetwork:\n  rules: [\"GET https://127.0.0.1:1 loopback\"]\n  secrets: [{name: k, file: " + token + ", hosts: [\"127.0.0.1:1\"]}]\n",
		"bad.yaml": "std: [fmt]\nnetwork:\n  rules: [\"GET https://127.0.0.1:1 loopback\"]\n  secrets: [{name: k, file: " + token + ".gone, hosts: [\"127.0.0.1:1\"]}]\n",
	})
	for _, q := range []runs.Request{
		{Code: "// canary-code\n_, err := http.Get(\"https://127.0.0.1:1/\")\nfmt.Println(err)", Policy: "web"},
		{Code: `fmt.Println("canary-code" + s)`, Inputs: map[string]json.RawMessage{"s": json.RawMessage(`"canary-input"`)}},
		{Code: `canary-code(`}, {Code: `panic("canary-code")`},
	} {
		w.run(alpha, q)
	}
	w.do(alpha, "POST", "/v1/runs", `{"code":"canary-code","policy":"bad"}`)
	w.do("canary-token", "POST", "/v1/runs", `{"code":"canary-code"}`)
	w.do(alpha, "POST", "/v1/runs", `canary-code`)
	w.do(admin, "PUT", "/v1/policies/mine", "std: [fmt]\n# canary-code\n")
	if err := w.trail.Close(); err != nil { // so that runs fail
		t.Fatal(err)
	}
	w.run(alpha, runs.Request{Code: `fmt.Println("canary-code")`})
	w.file("web.yaml", "canary-code: 1\n")
	w.do(alpha, "POST", "/v1/runs", `{"code":"canary-code","policy":"web"}`)
	log := w.log.String()
	if !strings.Contains(log, "policy=bad@") || !strings.Contains(log, "a policy was sent") {
		t.Errorf("the log has not what happened: %s", log)
	}
	for _, canary := range []string{"canary-secret-value", "canary-token", "canary-input", alpha, admin} {
		if strings.Contains(log, canary) {
			t.Errorf("%s is in the log", canary)
		}
	}
	if strings.Contains(strings.ReplaceAll(log, `no key \"canary-code\"`, ""), "canary-code") { // a key of a policy file is none of a script
		t.Errorf("a script is in the log: %s", log)
	}
}

// TestStreamsCounted: a stream that a client reads is counted, and one that has ended is not.
func TestStreamsCounted(t *testing.T) {
	w := newWorld(t, nil)
	v := w.run(alpha, runs.Request{Code: callsTool, Tools: tool})
	w.stream(alpha, v.ID)
	w.want(operator, "GET", "/metrics", "", 200, "\nsandtrapd_streams 0\n")
	q, err := http.NewRequestWithContext(t.Context(), "POST", w.http.URL+"/v1/runs", strings.NewReader(`{"code":"for {}"}`))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+alpha)
	q.Header.Set("Accept", "text/event-stream")
	res, err := w.http.Client().Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.ReadFull(res.Body, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	w.want(operator, "GET", "/metrics", "", 200, "\nsandtrapd_streams 1\n")
}
