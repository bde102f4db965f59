package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/api"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/mcpserver"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/pace"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// declared are tools that the client answers.
const declared = "package tools\n\n// Search finds pages.\nfunc Search(query string) ([]string, error)\n"

// A rig is a server over HTTP with a key for each of two tenants.
type rig struct {
	*httptest.Server
	tokens map[string]string
	store  *store.Store
	runs   *runs.Manager
}

// newRig makes one. change may change its options.
func newRig(t *testing.T, change func(*mcpserver.Options)) *rig {
	t.Helper()
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	set := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8})
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	m, err := runs.New(t.Context(), runs.Options{Plans: set, Store: st, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{tokens: map[string]string{}, store: st, runs: m}
	ring := &keys.Ring{}
	for _, tenant := range []string{"alpha", "beta"} {
		token, key, err := keys.New(tenant, keys.User)
		if err != nil {
			t.Fatal(err)
		}
		r.tokens[tenant] = token
		ring.Add(key)
	}
	o := mcpserver.Options{Runs: mcpserver.Of(m, st), Version: "v0.0.1", Log: log}
	if change != nil {
		change(&o)
	}
	web := mcpserver.NewHTTP(mcpserver.ByPolicy(set, o))
	r.Server = httptest.NewServer(pace.Handler((&api.Server{Runs: m, Store: st, Keys: ring, Log: log, MCP: web}).Handler(), pace.Bounds{}))
	t.Cleanup(func() {
		over, cancel := context.WithCancel(context.Background())
		cancel()
		m.Drain(over)
		web.Close()
		r.CloseClientConnections()
		r.Close()
		set.Close()
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// withTools has the server's scripts call tools that the client answers.
func withTools(o *mcpserver.Options) { o.Tools = declared }

// asking has each call of the tools need approval too.
func asking(o *mcpserver.Options) { o.Tools, o.Policies = declared, []string{"review"} }

// A bearer sends a key with each request.
type bearer struct{ token string }

func (b bearer) RoundTrip(q *http.Request) (*http.Response, error) {
	q = q.Clone(q.Context())
	q.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(q)
}

// transport is that of a client of a tenant.
func (r *rig) transport(tenant string) *mcp.StreamableClientTransport {
	return &mcp.StreamableClientTransport{Endpoint: r.URL + "/mcp", HTTPClient: &http.Client{Transport: bearer{r.tokens[tenant]}}, MaxRetries: -1}
}

// A client is one of the SDK's.
type client struct {
	*mcp.ClientSession
	progress chan string
}

// connect makes a client that speaks one protocol. answer answers forms; nil for a client that has none.
func connect(t *testing.T, transport mcp.Transport, protocol string, answer func(*mcp.ElicitParams) *mcp.ElicitResult) *client {
	t.Helper()
	c := &client{progress: make(chan string, 10_000)}
	o := &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, q *mcp.ProgressNotificationClientRequest) { c.progress <- q.Params.Message },
	}
	if answer != nil {
		o.ElicitationHandler = func(_ context.Context, q *mcp.ElicitRequest) (*mcp.ElicitResult, error) { return answer(q.Params), nil }
	}
	var err error
	c.ClientSession, err = mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o).Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// call calls a tool.
func (c *client) call(t *testing.T, name string, args map[string]any) *mcp.CallToolResult {
	t.Helper()
	res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// text is the text of a result.
func text(res *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range res.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			b.WriteString(c.Text)
		}
	}
	return b.String()
}

// An output is the structured content of a result.
type output struct {
	ID, State string
	Result    *struct{ Stdout string }
	Pending   []struct {
		ID        int
		Name, Ask string
	}
}

func outputOf(t *testing.T, res *mcp.CallToolResult) (o output) {
	t.Helper()
	data, err := json.Marshal(res.StructuredContent)
	if err == nil {
		err = json.Unmarshal(data, &o)
	}
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// until polls for a state.
func until(t *testing.T, about string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not within a minute: " + about)
		}
	}
}

// each runs a test with each protocol.
func each(t *testing.T, do func(t *testing.T, protocol string)) {
	for _, p := range mcpserver.Protocols() {
		t.Run(fmt.Sprint(p), func(t *testing.T) { do(t, p) })
	}
}
