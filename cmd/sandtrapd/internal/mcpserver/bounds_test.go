package mcpserver_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/mcpserver"
)

// sendTo sends a message without a network. Headers are pairs of name and value.
func sendTo(web *mcpserver.HTTP, tenant, policy string, body io.Reader, headers ...string) *httptest.ResponseRecorder {
	q := httptest.NewRequest("POST", "http://localhost/mcp?policy="+policy, body)
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		q.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	web.ServeTenant(w, q, tenant)
	return w
}

// open opens a session.
func open(web *mcpserver.HTTP, tenant, policy string) *httptest.ResponseRecorder {
	return sendTo(web, tenant, policy, strings.NewReader(initialize))
}

// tools asks for the tools, without a session if that is empty.
func tools(web *mcpserver.HTTP, tenant, policy, session string) *httptest.ResponseRecorder {
	if session != "" {
		return sendTo(web, tenant, policy, strings.NewReader(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`),
			"Mcp-Session-Id", session, "Mcp-Protocol-Version", "2025-11-25")
	}
	const meta = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	return sendTo(web, tenant, policy, strings.NewReader(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":`+meta+`}}`),
		"Mcp-Method", "tools/list", "Mcp-Protocol-Version", "2026-07-28")
}

// anyPolicy is for NewHTTP: each tenant has each policy. It counts how often each is looked up.
func anyPolicy(found map[string]int) func(context.Context, string, string) (*mcpserver.Options, error) {
	var mu sync.Mutex
	return func(_ context.Context, _, policy string) (*mcpserver.Options, error) {
		mu.Lock()
		defer mu.Unlock()
		found[policy]++
		return &mcpserver.Options{Version: "v0.0.1", Log: slog.New(slog.DiscardHandler)}, nil
	}
}

// TestPolicies: the servers that are kept for policies of a tenant are bounded; one with an open session is not given up.
func TestPolicies(t *testing.T) {
	const most = 64
	found := map[string]int{}
	web := mcpserver.NewHTTP(anyPolicy(found))
	defer web.Close()
	ask := func(n int) {
		t.Helper()
		if w := tools(web, "alpha", fmt.Sprint("p", n), ""); w.Code != http.StatusOK {
			t.Fatalf("%d: %s", w.Code, w.Body)
		}
	}
	session := open(web, "alpha", "p0").Header().Get("Mcp-Session-Id")
	for n := range most {
		ask(n)
	}
	ask(1)
	if found["p1"] != 1 {
		t.Errorf("a policy of %d was looked up %d times", most, found["p1"])
	}
	ask(most)
	ask(1)
	if found["p1"] != 2 {
		t.Errorf("a policy was looked up %d times: more than %d servers are kept", found["p1"], most)
	}
	if w := tools(web, "alpha", "p0", session); w.Code != http.StatusOK || found["p0"] != 1 {
		t.Errorf("the session that was open: %d: %s", w.Code, w.Body)
	}
	for n := 100; n < 100+most-1; n++ {
		if w := open(web, "alpha", fmt.Sprint("p", n)); w.Code != http.StatusOK {
			t.Fatalf("%d: %s", w.Code, w.Body)
		}
	}
	if w := tools(web, "alpha", "other", ""); w.Code != http.StatusTooManyRequests {
		t.Errorf("with sessions of %d policies: %d: %s", most, w.Code, w.Body)
	}
	if w := tools(web, "beta", "other", ""); w.Code != http.StatusOK {
		t.Errorf("another tenant: %d: %s", w.Code, w.Body)
	}
}

// A stuck body does not come until it is let go.
type stuck struct {
	begun *sync.WaitGroup
	let   <-chan struct{}
}

func (s *stuck) Read([]byte) (int, error) {
	s.begun.Done()
	<-s.let
	return 0, io.ErrUnexpectedEOF
}

// TestAllStreams: requests of all tenants together are bounded.
func TestAllStreams(t *testing.T) {
	const most, ofTenant = 2048, 256
	web := mcpserver.NewHTTP(anyPolicy(map[string]int{}))
	defer web.Close()
	var begun, ended sync.WaitGroup
	let := make(chan struct{})
	begun.Add(most)
	for n := range most {
		ended.Go(func() { sendTo(web, fmt.Sprint("t", n/ofTenant), "", &stuck{&begun, let}) })
	}
	begun.Wait()
	if w := tools(web, "beta", "", ""); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("one more: %d: %s", w.Code, w.Body)
	}
	close(let)
	ended.Wait()
	if w := tools(web, "beta", "", ""); w.Code != http.StatusOK {
		t.Errorf("when they have ended: %d: %s", w.Code, w.Body)
	}
}

// TestIdle: a session that nobody uses ends after half an hour.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		web := mcpserver.NewHTTP(anyPolicy(map[string]int{}))
		session := open(web, "alpha", "").Header().Get("Mcp-Session-Id")
		for _, tc := range []struct {
			wait time.Duration
			want int
		}{{29 * time.Minute, http.StatusOK}, {29 * time.Minute, http.StatusOK}, {31 * time.Minute, http.StatusNotFound}} {
			time.Sleep(tc.wait)
			if w := tools(web, "alpha", "", session); w.Code != tc.want {
				t.Errorf("after %v: %d: %s", tc.wait, w.Code, w.Body)
			}
		}
		web.Close()
	})
}

// TestClosed: a server that ends takes no requests.
func TestClosed(t *testing.T) {
	web := mcpserver.NewHTTP(anyPolicy(map[string]int{}))
	web.Close()
	if w := open(web, "alpha", ""); w.Code != http.StatusServiceUnavailable {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
}

// A counter is a body without an end, of which it counts what is read.
type counter struct{ n int }

func (c *counter) Read(p []byte) (int, error) {
	if c.n > 64<<20 {
		return 0, io.EOF
	}
	c.n += len(p)
	return copy(p, bytes.Repeat([]byte(" "), len(p))), nil
}

// TestEndlessBody: a body that is too large is not read to its end.
func TestEndlessBody(t *testing.T) {
	web := mcpserver.NewHTTP(anyPolicy(map[string]int{}))
	defer web.Close()
	body := &counter{}
	if w := sendTo(web, "alpha", "", body); w.Code != http.StatusRequestEntityTooLarge || body.n > 4<<20 {
		t.Errorf("%d after %d bytes: %s", w.Code, body.n, w.Body)
	}
}

// TestLine: a message on stdio that is too large is not answered, and ends the connection.
func TestLine(t *testing.T) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	defer toServer.Close()
	go func() {
		_, _ = fmt.Fprintf(toServer, `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":{"x":"%s"}}}`+"\n", strings.Repeat("a", 3<<20))
	}()
	go func() {
		_ = mcpserver.Serve(t.Context(), mcpserver.Options{Log: slog.New(slog.DiscardHandler)}, "alpha", in, out)
		out.Close()
	}()
	first := make([]byte, 1)
	if n, err := fromServer.Read(first); err != io.EOF {
		t.Errorf("%d bytes, %v: the server has answered", n, err)
	}
}

// TestCacheScope: what a tenant sees is kept by no cache that others use.
func TestCacheScope(t *testing.T) {
	c := connect(t, newRig(t, nil).transport("alpha"), "2026-07-28", nil)
	list, err := c.ListTools(t.Context(), nil)
	if err != nil || list.CacheScope != "private" {
		t.Errorf("%v: %q", err, list.CacheScope)
	}
}

// TestPace: a script that prints without end sends its client progress of bounded size, at a bounded rate.
func TestPace(t *testing.T) {
	c := connect(t, newRig(t, nil).transport("alpha"), "2026-07-28", nil)
	for name, code := range map[string]string{
		"often": `for range 300 { fmt.Println("a"); time.Sleep(time.Millisecond) }`,
		"much":  `for range 2_000 { fmt.Println(strings.Repeat("a", 1000)) }`,
	} {
		p := &mcp.CallToolParams{Name: "run", Arguments: map[string]any{"code": code, "timeout_ms": 50_000}}
		p.SetProgressToken("token")
		began := time.Now()
		if _, err := c.CallTool(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		took, sent, longest := time.Since(began), len(c.progress), 0
		for range sent {
			longest = max(longest, len(<-c.progress))
		}
		if most := int(took/(20*time.Millisecond)) + 1; sent == 0 || sent > most || longest > 8<<10+100 {
			t.Errorf("%s: %d notifications in %v, want %d at most; the longest has %d bytes", name, sent, took, most, longest)
		}
	}
}

// TestLongOutput: a model reads a bounded part of what a script prints, a program all of it.
func TestLongOutput(t *testing.T) {
	c := connect(t, newRig(t, nil).transport("alpha"), "", nil)
	res := c.call(t, "run", map[string]any{"code": `fmt.Print("first ", strings.Repeat("a", 100_000), " last")`})
	if got := text(res); len(got) > 20_100 || !strings.HasPrefix(got, "first ") || !strings.HasSuffix(got, " last\n") || !strings.Contains(got, "bytes are left out") {
		t.Errorf("%d bytes: %.100s", len(got), got)
	}
	if o := outputOf(t, res); len(o.Result.Stdout) != 100_011 {
		t.Errorf("%d bytes", len(o.Result.Stdout))
	}
}
