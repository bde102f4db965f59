package upstream_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/upstream"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// TestConfigErrors: what is wrong with a configuration is told with the line, and what was meant.
func TestConfigErrors(t *testing.T) {
	t.Setenv("UPSTREAM_EMPTY", "")
	tools := `, policies: [default], tools: {a: {risk: low}}}}`
	for config, want := range map[string]string{
		"servers:\n  x:\n    transport: stdio\n    comand: y\n": `line 4: no key "comand" in servers.x; did you mean "command"?`,
		"server: {}": `line 1: no key "server" in the configuration; did you mean "servers"?`,
		"servers: {x: {transport: stdio, command: y, policies: [default]}}":                                           "server x: the block tools is missing",
		"servers: {x: {transport: stdio, command: y, tools: {}}}":                                                     "policies is missing",
		"servers: {x: {transport: stdio" + tools:                                                                      "command is missing",
		"servers: {x: {transport: pipe" + tools:                                                                       `transport is "pipe"; want stdio or http`,
		"servers: {x: {transport: http, url: \"http://example.com\"" + tools:                                          "want https",
		"servers: {x: {transport: http, url: \"http://example.com\", loopback: true" + tools:                          "the host is not a loopback address",
		"servers: {x: {transport: http, url: \"https://u:p@example.com\"" + tools:                                     "it has a user or a password",
		"servers: {x: {transport: http, url: \"https://example.com\", headers: {K: secret}" + tools:                   "headers come from the environment or from a file",
		"servers: {x: {transport: http, url: \"https://example.com\", headers: {K: {env: UPSTREAM_EMPTY}}" + tools:    "the variable UPSTREAM_EMPTY of the environment is not set",
		"servers: {x: {transport: http, url: \"https://example.com\", headers: {K: {env: A, file: b}}" + tools:        "want env or file, and not both",
		"servers: {x: {transport: http, url: \"https://example.com\", may_start: true" + tools:                        "are for the transport stdio",
		"servers: {x: {transport: stdio, command: y, at_once: 0" + tools:                                              "at_once is 0; want 1 to 100",
		"servers: {x: {transport: stdio, command: y, timeout: 1h" + tools:                                             "timeout in milliseconds is 3600000",
		"servers: {x: {transport: stdio, command: y, timeout: soon" + tools:                                           "soon",
		"servers: {x: {transport: stdio, command: y, policies: [default], tools: {a: {}}}}":                           "servers.x.tools.a: risk is missing",
		"servers: {x: {transport: stdio, command: y, policies: [default], tools: {a: {risk: some}}}}":                 "some",
		"servers: {x: {transport: stdio, command: y, policies: [default], tools: {a: {risk: low, do: alow}}}}":        `do is "alow"`,
		"servers: {x: {transport: stdio, command: y, policies: [default], tools: {a: {risk: low}, a: {risk: high}}}}": `key "a" stands twice`,
		"servers: {json: {transport: stdio, command: y" + tools:                                                       "a package of the standard library",
		"servers: {func: {transport: stdio, command: y" + tools:                                                       "a name of Go's own",
		"servers: {Git-Hub: {transport: stdio, command: y" + tools:                                                    "the name is that of a Go package",
		"servers: {}\n---\nservers: {}":                                                                               "one document",
		"servers: [x]":                                                                                                "want keys and values",
	} {
		if _, err := upstream.Parse(strings.NewReader(config)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\nwant %q: %v", config, want, err)
		}
	}
}

// TestConfig: what is left out has a value, and a tool is denied.
func TestConfig(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(path, []byte("abc\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := upstream.Parse(strings.NewReader(`servers: {x: {transport: http, url: "https://example.com/mcp", headers: {Authorization: {file: ` + path + `, prefix: "Bearer "}},
		policies: [a, b], max_result: 2MiB, tools: {b: {risk: high, requires: [w], do: ask}, a: {risk: low}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	c := list[0]
	if c.Headers[0].Text != "Bearer abc" || !c.Headers[0].Secret || c.MaxResult != 2<<20 || c.AtOnce != 10 || len(c.Policies) != 2 {
		t.Errorf("%+v", c)
	}
	if a, b := c.Tools[0], c.Tools[1]; a.Do != upstream.Deny || a.Risk != decide.Low || b.Do != upstream.Ask || b.Requires[0] != "w" {
		t.Errorf("%+v", c.Tools)
	}
}

// TestAbsentTool: a tool that the server does not have is an error when the service begins.
func TestAbsentTool(t *testing.T) {
	text := refused(t, strings.NewReplacer("list_issues", "list_isues", ", FAKE_CALLS: WRITTEN", "").Replace(github))
	if text != `server github has no tool "list_isues"; did you mean "list_issues"?` {
		t.Error(text)
	}
}

// TestNoLeave: a server over stdio without leave to start its program is not started: its package is not there, and the log says why.
func TestNoLeave(t *testing.T) {
	r := serve(t, sandtrap.None, strings.Replace(github, "may_start: true", "may_start: false", 1))
	if !strings.Contains(r.log.String(), "level=WARN") || !strings.Contains(r.log.String(), "may_start: true") {
		t.Error(r.log)
	}
	if got := r.run(t, "alpha", `github.Fail(github.FailIn{})`); !strings.Contains(got, "github") || len(r.called(t)) > 0 {
		t.Error(got)
	}
}

// TestAbsentCommand: a program that is not there is an error that names the server.
func TestAbsentCommand(t *testing.T) {
	text := refused(t, `servers: {x: {transport: stdio, command: /nowhere/at-all, may_start: true, policies: [default], tools: {a: {risk: low}}}}`)
	if !strings.HasPrefix(text, "server x: ") || !strings.Contains(text, "no such file") {
		t.Error(text)
	}
}

// TestUnlisted: a tool that is not in the block does not exist for scripts.
func TestUnlisted(t *testing.T) {
	r := serve(t, sandtrap.None, strings.Replace(github, "      delete_repo: {risk: critical, do: deny}\n", "", 1))
	if got := r.run(t, "alpha", `github.DeleteRepo(github.DeleteRepoIn{})`); !strings.Contains(got, "DeleteRepo") || !strings.Contains(got, "error") {
		t.Error(got)
	}
}
