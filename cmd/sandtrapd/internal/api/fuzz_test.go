package api_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/api"
)

// ofMCP begins the messages of MCP that are seeds.
const ofMCP = `{"jsonrpc":"2.0","id":1,"method":`

// bodySeeds are bodies that routes read, and what no route does.
func bodySeeds(mine things) []string {
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	return []string{
		`{"code":"fmt.Println(1)","inputs":{"n":1},"policy":"default","timeout_ms":5,"idempotency_key":"k"}`, `{"code":"Search(\"a\")","tools":"` + tools + `","session":""}`,
		`{"code":"for {}","timeout_ms":1}`, `{"code":"n := 1","session":"` + mine.session + `"}`, `{"code":"1","tools":"package tools\nfunc"}`, `{"CODE":"1"}`,
		`{"answers":[{"id":1,"error":"no","verdict":"deny","by":"x"}]}`, `{"answers":[{"id":1,"value":null}]}`, `{"answers":[{"id":1},{"id":1}]}`, `{"n":3}`, `{"n":1000000}`, `{"n":-1}`, `{"n":1e2}`,
		`{"tenant":"a","role":"user"}`, `{"tenant":"../a","role":"root"}`, `{"name":"a","policy":"default"}`, `{"snapshot":"` + mine.snapshot + `"}`,
		`{"url":"https://git@localhost/a.git","ref":"--upload-pack=sh"}`, `{"url":"https://example.com/a.git","ref":"main","dir":"../a"}`,
		"std: [fmt]\nextends: default", "a: &a [*a, *a]", "name\x00ustar",
		ofMCP + `"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`,
		ofMCP + `"tools/list","params":{` + meta + `}}`, ofMCP + `"tools/call","params":{"name":"run","arguments":{"code":"fmt.Println(1)"},` + meta + `}}`,
		ofMCP + `"tools/call","params":{"name":"files","arguments":{"session":"` + mine.session + `","op":"list"},` + meta + `}}`,
		`null`, `[]`, `""`, `{}`, "", " ", "\xff", strings.Repeat("[", 200), `{"code":"\ud800"}`, `{"a":1,"a":1}`, `1e999`,
	}
}

// FuzzBodies sends any body, twice, to each route that reads one. Each response is one of those that the document has for the route, but
// for messages of MCP, whose errors are those of its protocol; none is a fault of the server; a body that is refused the first time is
// the second time too, and one that is taken is not found malformed.
func FuzzBodies(f *testing.F) {
	r := newRigWith(f, rigOptions{timeout: 200 * time.Millisecond, limits: `tenants: {admin: {pending_runs: 100000000, runs_per_minute: 100000000, run_seconds_per_hour: 100000000}}`})
	mine := r.own(f, "admin")
	var routes []api.Pattern
	for _, p := range api.Patterns() {
		if p.Body {
			routes = append(routes, p)
		}
	}
	for i, p := range routes {
		for _, seed := range append(bodySeeds(mine), expectations[p.Method+" "+p.Path].body) {
			f.Add(uint8(i), seed)
		}
	}
	handler, document := r.api.Handler(), api.Document(f)
	f.Fuzz(func(t *testing.T, n uint8, body string) {
		checked := api.ConformingTo(t, document, handler)
		send := func(method, path, body string) *httptest.ResponseRecorder {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			q := httptest.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
			q.Host = "localhost"
			q.Header.Set("Authorization", "Bearer "+r.tokens["admin"])
			if path == "/mcp" {
				q.Header.Set("Content-Type", "application/json")
				q.Header.Set("Accept", "application/json, text/event-stream")
				if !strings.Contains(body, `"initialize"`) {
					q.Header.Set("Mcp-Protocol-Version", "2026-07-28")
				}
			}
			w := httptest.NewRecorder()
			if path == "/mcp" {
				handler.ServeHTTP(w, q)
			} else {
				checked.ServeHTTP(w, q)
			}
			if ctx.Err() != nil || w.Code >= http.StatusInternalServerError {
				t.Errorf("%s %s %q: %d: %s, %v", method, path, body, w.Code, w.Body, ctx.Err())
			}
			if strings.Contains(w.Body.String(), r.dir) {
				t.Errorf("%q shows the data directory: %s", body, w.Body)
			}
			forget(mine, w, func(method, path string) {
				q := httptest.NewRequestWithContext(context.WithoutCancel(ctx), method, path, nil)
				q.Host, q.Header = "localhost", http.Header{"Authorization": {"Bearer " + r.tokens["admin"]}, "Mcp-Session-Id": w.Header()["Mcp-Session-Id"]}
				handler.ServeHTTP(httptest.NewRecorder(), q)
			})
			return w
		}
		p, of := routes[int(n)%len(routes)], mine
		if p.Path == "/v1/runs/{id}/answers" {
			of.run = r.fork(t, mine.run)
		}
		var values []string
		if get := expectations[p.Method+" "+p.Path].values; get != nil {
			values = get(of)
		}
		path := fill(p.Path, values)
		first, second := send(p.Method, path, body), send(p.Method, path, body)
		again := second.Code < 400 || second.Code == http.StatusConflict || second.Code == http.StatusTooManyRequests
		if first.Code >= 400 && second.Code != first.Code || first.Code < 400 && !again {
			t.Errorf("%s %s %q: %d: %s, then %d: %s", p.Method, path, body, first.Code, first.Body, second.Code, second.Body)
		}
	})
}

// fork makes a run that waits like another one of admin's, until the end of the test.
func (r *rig) fork(t testing.TB, id string) string {
	t.Helper()
	list, err := r.api.Runs.Fork(t.Context(), "admin", id, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = r.api.Runs.Cancel(context.Background(), "admin", list[0].ID) }) // it may be over
	return list[0].ID
}

var made = regexp.MustCompile(`"id":"((run|ses)_[a-z0-9]+)"`)

// forget has what a response has made removed, so that the server keeps as little as before.
func forget(mine things, w *httptest.ResponseRecorder, do func(method, path string)) {
	for _, m := range made.FindAllStringSubmatch(w.Body.String(), -1) {
		switch {
		case m[1] == mine.run, m[1] == mine.session:
		case m[2] == "run":
			do("POST", "/v1/runs/"+m[1]+"/cancel")
		default:
			do("DELETE", "/v1/sessions/"+m[1])
		}
	}
	if w.Header().Get("Mcp-Session-Id") != "" {
		do("DELETE", "/mcp")
	}
}
