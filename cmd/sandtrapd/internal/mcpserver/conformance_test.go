package mcpserver_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"testing"
)

// scenarios are those of the conformance suite that apply, by protocol: the others want tools, prompts or resources of the suite.
var scenarios = map[string][]string{
	"2025-11-25": {"server-initialize", "server-session-lifecycle", "ping", "tools-list", "server-sse-multiple-streams", "dns-rebinding-protection"},
	"2026-07-28": {"server-stateless", "tools-list", "server-sse-multiple-streams", "dns-rebinding-protection", "caching", "http-header-validation", "input-required-result-unsupported-methods"},
}

// ofSuite are checks of these scenarios that want tools of the suite, or prompts and resources, which the server has not.
var ofSuite = []string{
	"sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400",
	"sep-2575-http-server-no-independent-requests-on-stream", "sep-2575-server-no-log-without-loglevel",
	"sep-2549-prompts-list-caching-hints", "sep-2549-resources-list-caching-hints", "sep-2549-resources-templates-list-caching-hints",
}

// checks finds the names of checks in what the suite prints, and what has become of them.
var checks = regexp.MustCompile(`\[(\S+) *\] \S*?(SUCCESS|FAILURE|WARNING)`)

// TestConformance runs the conformance suite of the protocol, npm package @modelcontextprotocol/conformance, if the variable
// MCP_CONFORMANCE names its program, such as ".../node_modules/@modelcontextprotocol/conformance/dist/index.js", and MCP_NODE that of
// Node.js, 22 at least.
func TestConformance(t *testing.T) {
	suite, node := os.Getenv("MCP_CONFORMANCE"), os.Getenv("MCP_NODE")
	if suite == "" || node == "" {
		t.Skip("MCP_CONFORMANCE and MCP_NODE name no programs")
	}
	r := newRig(t, withSessions)
	to, err := url.Parse(r.URL)
	if err != nil {
		t.Fatal(err)
	}
	// The suite sends no key, so a proxy adds it.
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite:   func(q *httputil.ProxyRequest) { q.SetURL(to); q.Out.Host = q.In.Host },
		Transport: bearer{r.tokens["alpha"]}, FlushInterval: -1,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	})
	defer proxy.Close()
	for protocol, list := range scenarios {
		for _, name := range list {
			t.Run(protocol+"/"+name, func(t *testing.T) {
				cmd := exec.CommandContext(t.Context(), node, suite, "server", "--url", proxy.URL+"/mcp", "--spec-version", protocol, "--scenario", name)
				cmd.Dir = t.TempDir()
				out, _ := cmd.CombinedOutput() // it fails with the first check
				good := 0
				for _, check := range checks.FindAllSubmatch(out, -1) {
					switch {
					case string(check[2]) == "SUCCESS":
						good++
					case !slices.Contains(ofSuite, string(check[1])):
						t.Errorf("%s: %s", check[1], check[2])
					}
				}
				if good == 0 || t.Failed() {
					t.Errorf("%s", out)
				}
				t.Logf("%d checks pass", good)
			})
		}
	}
}
