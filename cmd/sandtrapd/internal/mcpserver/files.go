package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// maxFile bounds a file that is read, in bytes.
const maxFile = 1 << 20

// Arguments of files.
type filesArgs struct {
	Session string `json:"session"`
	Op      string `json:"op"`
	Path    string `json:"path"`
	Content string `json:"content"`
}

// files does a call of files.
func (t *tenant) files(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in filesArgs
	if err := read(req, &in); err != nil {
		return nil, err
	}
	if (in.Op == "list") != (in.Path == "") {
		return nil, fmt.Errorf("%w: path: read and write want one, list none", runs.ErrRequest)
	}
	policy := ""
	if len(t.Policies) > 0 {
		policy = t.Policies[0]
	}
	id, err := t.Sessions.Open(ctx, t.name, in.Session, policy, t.Tools)
	if err != nil {
		return nil, err
	}
	switch in.Op {
	case "list":
		return t.listFiles(ctx, id)
	case "read":
		data, err := t.Sessions.ReadFile(ctx, t.name, id, in.Path)
		if errors.Is(err, store.ErrNone) {
			return failed(fmt.Sprintf("there is no file %q", in.Path)), nil
		}
		if err != nil {
			return nil, err
		}
		return fileResult(in.Path, data), nil
	case "write":
		if err := t.Sessions.WriteFile(ctx, t.name, id, in.Path, []byte(in.Content)); err != nil {
			return nil, err
		}
		return said(fmt.Sprintf("%d bytes are written", len(in.Content))), nil
	}
	return nil, fmt.Errorf("%w: op: want list, read or write", runs.ErrRequest)
}

func said(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

func (t *tenant) listFiles(ctx context.Context, id string) (*mcp.CallToolResult, error) {
	list, err := t.Sessions.Files(ctx, t.name, id)
	if err != nil {
		return nil, err
	}
	if list == nil {
		list = []File{}
	}
	var b strings.Builder
	for _, f := range list {
		fmt.Fprintf(&b, "%s, %d bytes\n", f.Path, f.Size)
	}
	res := said(cut(b.String(), maxText))
	if len(list) == 0 {
		res = said("The session has no files.")
	}
	res.StructuredContent = map[string]any{"files": list}
	return res, nil
}

// fileResult is a file: as text, if it is that.
func fileResult(path string, data []byte) *mcp.CallToolResult {
	switch {
	case len(data) > maxFile:
		return failed(fmt.Sprintf("the file has %d bytes; want %d at most: read a part of it with a script", len(data), maxFile))
	case utf8.Valid(data):
		return said(string(data))
	}
	uri := (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(path, "/")}).String()
	return &mcp.CallToolResult{Content: []mcp.Content{contentOf(uri, http.DetectContentType(data), data)}}
}

// reset does a call of reset.
func (t *tenant) reset(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in struct {
		Session string `json:"session"`
	}
	if err := read(req, &in); err != nil {
		return nil, err
	}
	err := t.Sessions.Reset(ctx, t.name, in.Session)
	if errors.Is(err, store.ErrNone) {
		return failed(fmt.Sprintf("there is no session %q", in.Session)), nil
	}
	if err != nil {
		return nil, err
	}
	return said("The session is empty."), nil
}

// Bounds of the hits of search.
const (
	usualHits = 10
	maxHits   = 50
)

// search does a call of search.
func (t *tenant) search(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	in := struct {
		Query string `json:"query"`
		Limit int    `json:"limit"`
	}{Limit: usualHits}
	if err := read(req, &in); err != nil {
		return nil, err
	}
	const longest = 1000
	if len(in.Query) > longest || in.Limit < 1 || in.Limit > maxHits {
		return nil, fmt.Errorf("%w: want a query of %d bytes at most, and a limit of 1 to %d", runs.ErrRequest, longest, maxHits)
	}
	var b strings.Builder
	for _, h := range t.Search(in.Query, in.Limit) {
		if h.Package != "" {
			fmt.Fprintf(&b, "// package %s\n", h.Package)
		}
		for line := range strings.Lines(h.Doc) {
			b.WriteString("// " + strings.TrimSuffix(line, "\n") + "\n")
		}
		b.WriteString(h.Decl + "\n\n")
	}
	if b.Len() == 0 {
		return said("Nothing is found. Try other words, or the name of a package."), nil
	}
	return said(cut(strings.TrimSuffix(b.String(), "\n"), maxText)), nil
}
