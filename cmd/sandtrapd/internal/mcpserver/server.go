package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/search"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// Options are for all clients of a server.
type Options struct {
	Runs     Runs
	Sessions Sessions                                   // nil if there are none: then there are no tools files and reset
	Search   func(query string, limit int) []search.Hit // the best first; nil if there is none
	Policies []string                                   // which a run may name; the first is that of a run that names none. Empty for the default
	Tools    string                                     // Go declarations of functions whose calls the client answers
	About    string                                     // what the policies open, for the description of run; a sentence or two
	Version  string                                     // of the server, for its clients
	Log      *slog.Logger
}

// Protocols are the versions of the protocol, the newest first.
func Protocols() []string { return []string{stateless, "2025-11-25", "2025-06-18"} }

// stateless is the version that has no handshake and no sessions.
const stateless = "2026-07-28"

// maxCalls bounds how many calls of tools of a client, or of a tenant, go on or wait for it at a time.
const maxCalls = 64

// maxArgs bounds the arguments of a call, in bytes.
const maxArgs = 1 << 20

// A tenant is what the clients of one tenant see.
type tenant struct {
	*Options
	name  string
	calls *atomic.Int64
}

// server is one with the tools.
func (t *tenant) server() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "sandtrapd", Title: "Sandbox for Go", Version: t.Version}, &mcp.ServerOptions{
		Instructions:              instructions,
		Capabilities:              &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		SupportedProtocolVersions: Protocols(),
		SetCacheable:              func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" },
	})
	s.AddReceivingMiddleware(onlyMethods)
	for _, tool := range t.tools() {
		s.AddTool(tool.Tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return t.call(ctx, req, tool.do)
		})
	}
	return s
}

// methods are those that clients may call; the SDK has answers to others too, of prompts and resources.
var methods = []string{"initialize", "server/discover", "ping", "tools/list", "tools/call", "subscriptions/listen"}

// onlyMethods refuses requests of other methods.
func onlyMethods(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if !slices.Contains(methods, method) && !strings.HasPrefix(method, "notifications/") {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: fmt.Sprintf("there is no method %q", method)}
		}
		return next(ctx, method, req)
	}
}

// call does a call of a tool, within the bounds.
func (t *tenant) call(ctx context.Context, req *mcp.CallToolRequest, do handler) (*mcp.CallToolResult, error) {
	defer t.calls.Add(-1)
	if t.calls.Add(1) > maxCalls {
		return nil, &jsonrpc.Error{Code: codeBusy, Message: fmt.Sprintf("%d calls go on at a time, and there may be no more: try again when one has ended", maxCalls)}
	}
	if len(req.Params.Arguments) > maxArgs {
		return failed(fmt.Sprintf("the arguments have %d bytes; want %d at most", len(req.Params.Arguments), maxArgs)), nil
	}
	res, err := do(t, ctx, req)
	if err == nil || ctx.Err() != nil {
		return res, err
	}
	return t.errorOf(err)
}

// codeBusy is of the range that is for implementations.
const codeBusy = -32000

// errorOf is the one table of errors. Those that a model can mend are results.
func (t *tenant) errorOf(err error) (*mcp.CallToolResult, error) {
	if _, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return nil, err
	}
	_, isLimit := errors.AsType[*limits.Error](err)
	switch {
	case isLimit, errors.Is(err, runs.ErrBusy), errors.Is(err, sessions.ErrTooLarge), errors.Is(err, plans.ErrTools):
		return failed(err.Error()), nil
	case errors.Is(err, runs.ErrRequest):
		return failed(strings.TrimPrefix(err.Error(), runs.ErrRequest.Error()+": ")), nil
	case errors.Is(err, store.ErrNone):
		return failed("there is no such thing"), nil
	case errors.Is(err, store.ErrState), errors.Is(err, store.ErrExists), errors.Is(err, runs.ErrReused), errors.Is(err, runs.ErrDraining):
		return failed(err.Error()), nil
	}
	t.Log.Error("a call of a tool failed", "tenant", t.name, "error", err)
	if errors.Is(err, store.ErrCluster) {
		return failed("the server does not reach its cluster now: try again later"), nil
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the server could not do it; its log says why"}
}

// failed is the result of a call that did nothing.
func failed(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: true}
}

// read reads the arguments of a call.
func read(req *mcp.CallToolRequest, to any) error {
	text := string(req.Params.Arguments)
	if text == "" || text == "null" {
		text = "{}"
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(to); err != nil {
		text, _ := problem.JSON(err, to)
		return fmt.Errorf("%w: arguments: %s", runs.ErrRequest, text)
	}
	return nil
}

// Serve serves one client on a pair of streams until it is gone or ctx has ended. Nothing but the protocol is written to out.
func Serve(ctx context.Context, o Options, name string, in io.ReadCloser, out io.WriteCloser) error {
	t := &tenant{Options: &o, name: name, calls: new(atomic.Int64)}
	return t.server().Run(ctx, &mcp.IOTransport{Reader: in, Writer: out, MaxLineLength: maxLine})
}

// maxLine bounds a message of a client, in bytes: arguments of the full size, escaped, and what is around them.
const maxLine = 2*maxArgs + 64<<10
