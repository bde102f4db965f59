package mcpserver_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// post sends a body as a client of a protocol does, and gives the status and what the server says.
func (r *rig) post(t *testing.T, tenant, session, version, body string) (int, string, http.Header) {
	t.Helper()
	res, err := r.send(t, "POST", tenant, session, version, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text), res.Header
}

func (r *rig) send(t *testing.T, method, tenant, session, version string, body io.Reader) (*http.Response, error) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), method, r.URL+"/mcp", body)
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range map[string]string{"Mcp-Session-Id": session, "Mcp-Protocol-Version": version} {
		if value != "" {
			q.Header.Set(name, value)
		}
	}
	return bearer{r.tokens[tenant]}.RoundTrip(q)
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`

// TestMalformed: no message makes the server fail, or keep anything.
func TestMalformed(t *testing.T) {
	r := newRig(t, nil)
	deep := strings.Repeat("[", 100_000)
	for name, body := range map[string]string{
		"empty": "", "not JSON": "{", "a number": "1", "null": "null", "a batch": "[" + initialize + "," + initialize + "]", "an empty batch": " []",
		"no method": `{"jsonrpc":"2.0","id":1}`, "no version": `{"id":1,"method":"tools/list"}`, "an unknown method": `{"jsonrpc":"2.0","id":1,"method":"no/such"}`,
		"deep":                   `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":` + deep + `}}`,
		"deep meta":              `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":` + deep + `}}`,
		"params of another type": `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}`, "no params": `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`,
		"an ID of another type": `{"jsonrpc":"2.0","id":{},"method":"tools/list"}`, "a response": `{"jsonrpc":"2.0","id":1,"result":{}}`,
		"not UTF-8": "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", "no tool": `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no"}}`,
		"a negative timeout": `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":{"code":"1","timeout_ms":-1}}}`,
		"a huge timeout":     `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":{"code":"1","timeout_ms":1e400}}}`,
	} {
		for _, version := range []string{"", "2025-11-25", "2026-07-28", "1999-01-01", "9999-01-01"} {
			status, text, _ := r.post(t, "alpha", "", version, body)
			if status >= 500 || strings.Contains(text, "panic") || strings.Contains(text, ".go:") {
				t.Errorf("%s, protocol %q: %d: %s", name, version, status, text)
			}
			if strings.Contains(name, "batch") && status != http.StatusBadRequest {
				t.Errorf("%s, protocol %q: %d: %s", name, version, status, text)
			}
		}
	}
	if status, text, _ := r.post(t, "alpha", "", "2026-07-28", strings.Repeat(" ", 1<<20)+initialize); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a huge body: %d: %s", status, text)
	}
	c := connect(t, r.transport("alpha"), "2025-11-25", nil)
	if got := text(c.call(t, "run", map[string]any{"code": "fmt.Println(1)"})); got != "1\n" {
		t.Errorf("%q", got)
	}
	if _, err := c.ListPrompts(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "method not found") {
		t.Errorf("a method that the server has not declared: %v", err)
	}
}

// TestNoSession: a call of a protocol with a handshake needs a session, so that it can be cancelled.
func TestNoSession(t *testing.T) {
	r := newRig(t, nil)
	for _, version := range []string{"", "2025-11-25"} {
		status, text, _ := r.post(t, "alpha", "", version, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":{"code":"fmt.Println(1)"}}}`)
		if status != http.StatusBadRequest || !strings.Contains(text, "Mcp-Session-Id") {
			t.Errorf("%q: %d: %s", version, status, text)
		}
	}
}

// TestHuge: arguments that are too large are refused on stdio too, and the server goes on.
func TestHuge(t *testing.T) {
	c := connect(t, &mcp.CommandTransport{Command: command(t, "mcp", "--isolation", "none", "--data", t.TempDir())}, "", nil)
	if res := c.call(t, "run", map[string]any{"code": "// " + strings.Repeat("a", 1<<20)}); !res.IsError || !strings.Contains(text(res), "want 1048576 at most") {
		t.Errorf("%.200s", text(res))
	}
	if got := text(c.call(t, "run", map[string]any{"code": "fmt.Println(1)"})); got != "1\n" {
		t.Errorf("%q", got)
	}
}

// TestUnauthorized: without a key there is nothing, not even a list of tools.
func TestUnauthorized(t *testing.T) {
	r := newRig(t, nil)
	for _, method := range []string{"GET", "POST", "DELETE"} {
		res, err := r.send(t, method, "none", "", "", strings.NewReader(initialize))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusUnauthorized || res.Header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%s: %d", method, res.StatusCode)
		}
	}
}

// TestForeignSession: a session of another tenant is as absent.
func TestForeignSession(t *testing.T) {
	r := newRig(t, nil)
	_, _, header := r.post(t, "alpha", "", "", initialize)
	id := header.Get("Mcp-Session-Id")
	const list = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	if status, text, _ := r.post(t, "alpha", id, "2025-11-25", list); status != 200 || id == "" {
		t.Fatalf("%d: %s", status, text)
	}
	for _, method := range []string{"POST", "GET", "DELETE"} {
		var got [2]string
		for i, session := range []string{id, "absent"} {
			res, err := r.send(t, method, "beta", session, "2025-11-25", strings.NewReader(list))
			if err != nil {
				t.Fatal(err)
			}
			var text []byte
			if res.StatusCode != http.StatusOK { // a stream would not end
				text, _ = io.ReadAll(res.Body)
			}
			res.Body.Close()
			res.Header.Del("Date")
			got[i] = fmt.Sprint(res.StatusCode, res.Header, string(text))
		}
		if got[0] != got[1] || !strings.HasPrefix(got[0], "404") {
			t.Errorf("%s: foreign: %s, absent: %s", method, got[0], got[1])
		}
	}
}

// TestFloods: sessions and streams of a tenant are bounded, and another one is served meanwhile.
func TestFloods(t *testing.T) {
	r := newRig(t, nil)
	var ids []string
	refused := 0
	for range 100 {
		status, _, header := r.post(t, "alpha", "", "", initialize)
		switch status {
		case http.StatusOK:
			ids = append(ids, header.Get("Mcp-Session-Id"))
		case http.StatusTooManyRequests:
			refused++
		default:
			t.Fatal(status)
		}
	}
	if len(ids) != 64 || refused != 36 {
		t.Errorf("%d sessions, %d refused", len(ids), refused)
	}
	for _, id := range ids { // a stream for each
		res, err := r.send(t, "GET", "alpha", id, "2025-11-25", nil)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%v: %+v", err, res)
		}
		defer res.Body.Close()
	}
	if got := text(connect(t, r.transport("beta"), "2025-11-25", nil).call(t, "run", map[string]any{"code": "fmt.Println(1)"})); got != "1\n" {
		t.Errorf("%q", got)
	}
	res, err := r.send(t, "DELETE", "alpha", ids[0], "2025-11-25", nil)
	if err != nil || res.StatusCode != http.StatusNoContent {
		t.Fatalf("%v: %+v", err, res)
	}
	res.Body.Close()
	if status, text, _ := r.post(t, "alpha", "", "", initialize); status != http.StatusOK {
		t.Errorf("after the end of one: %d: %s", status, text)
	}
}

// TestStreams: requests that do not send their body count, and those above the bound are refused at once.
func TestStreams(t *testing.T) {
	r := newRig(t, nil)
	const most = 256
	const spare = 50 // a request below may take the place of one of these
	var held []net.Conn
	defer func() {
		for _, c := range held {
			c.Close()
		}
	}()
	for range most + spare {
		c, err := net.Dial("tcp", r.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, c)
		fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nAccept: */*\r\nContent-Length: 1000\r\n\r\n{", r.tokens["alpha"])
	}
	until(t, "one more is refused", func() bool {
		status, _, _ := r.post(t, "alpha", "", "2026-07-28", initialize)
		return status == http.StatusTooManyRequests
	})
	if status, _, _ := r.post(t, "beta", "", "", initialize); status != http.StatusOK {
		t.Error(status)
	}
	for _, c := range held {
		c.Close()
	}
	until(t, "there is room again", func() bool {
		status, _, _ := r.post(t, "alpha", "", "", initialize)
		return status == http.StatusOK
	})
}

// TestCalls: calls of a client that go on at a time are bounded, also on one stream.
func TestCalls(t *testing.T) {
	cmd := command(t, "mcp", "--isolation", "none", "--data", t.TempDir())
	c := connect(t, &mcp.CommandTransport{Command: cmd}, "", nil)
	var busy atomic.Int64
	var group sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	for range 100 {
		group.Go(func() {
			_, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "run", Arguments: map[string]any{"code": "for {}", "timeout_ms": 500_000}})
			if err != nil && strings.Contains(err.Error(), "64 calls go on at a time") {
				busy.Add(1)
			}
		})
	}
	until(t, "36 of 100 are refused", func() bool { return busy.Load() == 36 })
	cancel()
	group.Wait()
	until(t, "there is room again", func() bool {
		res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "run", Arguments: map[string]any{"code": "fmt.Println(1)"}})
		return err == nil && text(res) == "1\n"
	})
}

// TestSlowReader: a client that reads nothing of what it has asked for does not hold up its run.
func TestSlowReader(t *testing.T) {
	r := newRig(t, nil)
	c, err := net.Dial("tcp", r.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":{"code":"for range 20_000 { fmt.Println(strings.Repeat(\"a\", 1000)) }\nfmt.Println(1)","timeout_ms":50000},"_meta":{"progressToken":1,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nMcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: run\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s", r.tokens["alpha"], len(body), body)
	until(t, "the run has ended", func() bool {
		list, _, err := r.store.Runs(t.Context(), store.Query{Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		return len(list) == 1 && list[0].State == store.Done
	})
}
