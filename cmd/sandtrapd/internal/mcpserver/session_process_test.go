package mcpserver_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const askInSession = `n := 1
fmt.Println("before")
list, err := Search("a")
fmt.Println(list, err)`

// TestKilledSession: a run in a session asks its client, by a process that is killed then; another process goes on with it in the session,
// and uses the answer once, however often it comes.
func TestKilledSession(t *testing.T) {
	args := []string{"mcp", "--isolation", "none", "--data", t.TempDir(), "--tools", toolsFile(t)}
	first := command(t, args...)
	q := pause(t, &mcp.CommandTransport{Command: first}, &mcp.CallToolParams{Name: "run", Arguments: map[string]any{"code": askInSession, "session": "s"}})
	kill(t, first)
	c := connect(t, &mcp.CommandTransport{Command: command(t, args...)}, "2026-07-28", nil)
	for range 2 { // the second time as a client does that did not get the first result
		res, err := c.CallTool(t.Context(), q)
		if err != nil || text(res) != "before\n[x] <nil>\n" {
			t.Fatalf("%v: %+v", err, res)
		}
	}
	if got := text(c.call(t, "run", map[string]any{"code": "n++\nfmt.Println(n, list)", "session": "s"})); got != "2 [x]\n" {
		t.Errorf("%q", got)
	}
	_ = c.Close()
	other := filepath.Join(t.TempDir(), "other.go")
	if err := os.WriteFile(other, []byte("package tools\nfunc Other() string\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c = connect(t, &mcp.CommandTransport{Command: command(t, append(args[:len(args)-1:len(args)-1], other)...)}, "2026-07-28", nil)
	if res := c.call(t, "run", map[string]any{"code": "fmt.Println(n)", "session": "s"}); !res.IsError || !strings.Contains(text(res), "tools: a run in a session has the tools") {
		t.Errorf("with other tools: %s", text(res))
	}
	c.call(t, "reset", map[string]any{"session": "s"})
	if got := text(c.call(t, "run", map[string]any{"code": "fmt.Println(1)", "session": "s"})); got != "1\n" {
		t.Errorf("after a reset: %q", got)
	}
}

// TestAnswerInSession: a client that cannot be asked answers a run in a session with a tool. Until then the session takes no other run, and
// says which one waits.
func TestAnswerInSession(t *testing.T) {
	tools := toolsFile(t)
	each(t, func(t *testing.T, protocol string) {
		c := connect(t, &mcp.CommandTransport{Command: command(t, "mcp", "--isolation", "none", "--data", t.TempDir(), "--tools", tools)}, protocol, nil)
		run := func(code string) *mcp.CallToolResult {
			return c.call(t, "run", map[string]any{"code": code, "session": "s"})
		}
		o := outputOf(t, run(askInSession))
		if o.State != "pending" || len(o.Pending) != 1 {
			t.Fatalf("%+v", o)
		}
		for name, res := range map[string]*mcp.CallToolResult{
			"a run":  run("fmt.Println(1)"),
			"a file": c.call(t, "files", map[string]any{"session": "s", "op": "write", "path": "f", "content": "x"}),
		} {
			if !res.IsError || !strings.Contains(text(res), o.ID) {
				t.Errorf("%s while %s waits: %s", name, o.ID, text(res))
			}
		}
		for i, want := range []string{"[x y] <nil>", "the run is done"} {
			res := c.call(t, "answer", map[string]any{"run": o.ID, "answers": []any{map[string]any{"id": 1, "value": []string{"x", "y"}}}})
			if got := text(res); !strings.Contains(got, want) || res.IsError != (i > 0) {
				t.Errorf("answer %d: %q", i+1, got)
			}
		}
		if got := text(run("fmt.Println(n, len(list))")); got != "1 2\n" {
			t.Errorf("%q", got)
		}
		waits := outputOf(t, run(askInSession))
		if c.call(t, "reset", map[string]any{"session": "s"}); text(run("fmt.Println(1)")) != "1\n" {
			t.Error("a session that was reset while a run waited takes no run")
		}
		res := c.call(t, "answer", map[string]any{"run": waits.ID, "answers": []any{map[string]any{"id": 1, "value": []string{"x"}}}})
		if !res.IsError {
			t.Error(text(res))
		}
	})
}

// asks is a policy whose scripts have files, and whose calls all wait for approval.
const asks = "extends: agent\nguard:\n  max_risk: critical\n  max_class: restricted\n  ask: [\"*\"]\n"

// apiCall makes a request to the HTTP API of a process that has to be granted.
func apiCall(t *testing.T, method, url, body string) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res, err := (bearer{token}).RoundTrip(q)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if text, _ := io.ReadAll(res.Body); res.StatusCode >= 300 {
		t.Fatalf("%s %s: %d: %s", method, url, res.StatusCode, text)
	}
}

// TestApprovalInSession: the user is asked about each call of a run in a session whose policy wants approval, and what he says holds there.
func TestApprovalInSession(t *testing.T) {
	keys := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(keys, []byte(token+"@alpha:admin\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, url := serve(t, t.TempDir(), keys)
	apiCall(t, "PUT", url+"/v1/policies/asks", asks)
	each(t, func(t *testing.T, protocol string) {
		name := "s-" + protocol
		apiCall(t, "POST", url+"/v1/sessions", fmt.Sprintf(`{"name": %q, "policy": "asks", "tools": %q}`, name, declared))
		verdict, asked := "approve", 0
		c := connect(t, endpoint(url), protocol, func(p *mcp.ElicitParams) *mcp.ElicitResult {
			if strings.Contains(p.Message, "needs approval") {
				asked++
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"verdict": verdict}}
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"value": `["x"]`}}
		})
		run := func(code string) string {
			res := c.call(t, "run", map[string]any{"code": code, "session": name})
			if o := outputOf(t, res); o.State == "pending" { // by this protocol the function's result comes by answer
				res = c.call(t, "answer", map[string]any{"run": o.ID, "answers": []any{map[string]any{"id": o.Pending[0].ID, "value": []string{"x"}}}})
			}
			return text(res)
		}
		if got := run(askInSession); got != "before\n[x] <nil>\n" || asked != 1 {
			t.Errorf("asked %d times: %q", asked, got)
		}
		verdict = "deny"
		if got := run("list, err = Search(\"b\")\nfmt.Println(err != nil)"); got != "true\n" || asked != 2 {
			t.Errorf("asked %d times: %q", asked, got)
		}
		if got := run("fmt.Print(n, len(list), err)"); !strings.HasPrefix(got, "1 0 ") || !strings.Contains(got, "Search") {
			t.Errorf("%q", got)
		}
	})
}
