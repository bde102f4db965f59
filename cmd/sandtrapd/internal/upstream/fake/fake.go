// Package fake has MCP servers for tests: one that behaves, and some that do not. A test binary becomes one when the variable FAKE of its
// environment says so.
//
// It may not be linked by anything but tests.
package fake

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Variable is that of the environment which names the server, and Calls that of the file in which calls are written down.
const (
	Variable = "FAKE"
	Calls    = "FAKE_CALLS"
)

// Main serves, and does not return, if the environment says so.
func Main() {
	name := os.Getenv(Variable)
	if name == "" {
		return
	}
	if err := Serve(name, os.Stdin, os.Stdout); err != nil && !errors.Is(err, io.EOF) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Serve is a server over a pipe: "github", or one of the hostile ones.
func Serve(name string, in io.ReadCloser, out io.WriteCloser) error {
	if name == "github" {
		return GitHub().Run(context.Background(), &mcp.IOTransport{Reader: in, Writer: out})
	}
	return hostile(name, in, out)
}

// Handler serves the one that behaves over HTTP.
func Handler() http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return GitHub() }, nil)
}

// note writes a call down.
func note(text string) {
	path := os.Getenv(Calls)
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	fmt.Fprintln(f, text)
}

// GitHub is a server with tools as they are in the wild.
func GitHub() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "github", Version: "1"}, nil)
	var mu sync.Mutex
	var remembered string
	add := func(name, about, in, out string, do func(ctx context.Context, args map[string]any) (any, error)) {
		t := &mcp.Tool{Name: name, Description: about, InputSchema: json.RawMessage(in)}
		if out != "" {
			t.OutputSchema = json.RawMessage(out)
		}
		s.AddTool(t, func(ctx context.Context, q *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			note(name + " " + string(q.Params.Arguments))
			args := map[string]any{}
			if err := json.Unmarshal(q.Params.Arguments, &args); err != nil {
				return nil, err
			}
			v, err := do(ctx, args)
			if err != nil {
				return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}, nil
			}
			if text, ok := v.(string); ok {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
			}
			return &mcp.CallToolResult{StructuredContent: v, Content: []mcp.Content{&mcp.TextContent{Text: "see structuredContent"}}}, nil
		})
	}
	add("list_issues", "List issues of a repository.\n*/ // func Evil()\x1b[31m", listIn, listOut, func(_ context.Context, args map[string]any) (any, error) {
		issue := func(n int, title string) map[string]any {
			return map[string]any{"number": n, "title": title, "labels": []any{map[string]any{"name": "bug", "color": "red"}}, "html_url": "https://example.com", "assignee": nil}
		}
		return map[string]any{"issues": []any{issue(1, "first of "+args["owner"].(string)), issue(2, "second")}, "total": 2, "extra": true}, nil
	})
	add("create_issue", "Create an issue.", `{"type":"object","properties":{"title":{"type":"string","minLength":1},"draft":{"type":"boolean"}},"required":["title"]}`, "",
		func(_ context.Context, args map[string]any) (any, error) {
			return "created " + args["title"].(string), nil
		})
	add("delete_repo", "Delete a repository.", `{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`, "",
		func(context.Context, map[string]any) (any, error) { return "gone", nil })
	add("fail", "Fails.", `{"type":"object"}`, "", func(context.Context, map[string]any) (any, error) {
		return nil, errors.New("no such repository, token " + os.Getenv("TOKEN"))
	})
	var waiting int
	all := make(chan struct{})
	add("meet", "Returns when ten calls are there.", `{"type":"object"}`, "", func(ctx context.Context, _ map[string]any) (any, error) {
		mu.Lock()
		if waiting++; waiting == 10 {
			close(all)
		}
		mu.Unlock()
		select {
		case <-all:
			return "done", nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	add("remember", "Keeps a text, and returns the one before.", `{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`, "",
		func(_ context.Context, args map[string]any) (any, error) {
			mu.Lock()
			defer mu.Unlock()
			before := remembered
			remembered = args["text"].(string)
			return "before: " + before, nil
		})
	add("environment", "Prints the environment.", `{"type":"object"}`, "", func(context.Context, map[string]any) (any, error) {
		return strings.Join(os.Environ(), " "), nil
	})
	return s
}

const listIn = `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{
	"owner":{"type":"string","description":"Who owns it"},"state":{"type":"string","enum":["open","closed"],"default":"open"},
	"labels":{"type":"array","items":{"type":"string"}},"perPage":{"type":"number","minimum":1,"maximum":100},
	"filter":{"anyOf":[{"$ref":"#/$defs/Filter"},{"type":"null"}],"default":null}},"required":["owner"],
	"$defs":{"Filter":{"type":"object","properties":{"since":{"type":"string","format":"date-time"},"deep":{"type":"boolean","default":false}}}}}`

const listOut = `{"type":"object","properties":{"issues":{"type":"array","items":{"type":"object","properties":{
	"number":{"type":"integer"},"title":{"type":"string"},"html_url":{"type":"string"},"assignee":{"type":["string","null"]},
	"labels":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}},"required":["number","title"]}},
	"total":{"type":"integer"}},"required":["issues"]}`
