package upstream

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// FuzzConfig: a configuration is refused, or all of it keeps to what the documentation says. No file is read for a secret.
func FuzzConfig(f *testing.F) {
	const tools = `policies: [default], tools: {a: {risk: low}, b_c: {risk: high, requires: [w], do: ask}}}}`
	for _, text := range []string{
		"servers: {x: {transport: stdio, command: y, args: [a, b], env: {A: b, C: {env: HOME}}, may_start: true, " + tools,
		"servers: {x: {transport: http, url: \"https://example.com/mcp\", headers: {A: {env: HOME, prefix: \"Bearer \"}}, max_result: 2MiB, timeout: 5s, " + tools,
		"servers: {x: {transport: http, url: \"http://127.0.0.1:1/\", loopback: true, at_once: 3, restarts: 2, tenants: 4, " + tools,
		"servers: {x: {transport: stdio, command: y, policies: [default], tools: {a: {}}}}", "servers: {json: {}}", "servers: [x]", "servers: {}\n---\n", "server: {}", "",
		"a: &a [*a, *a]", "servers: &a {x: *a}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "file") || strings.Contains(text, `\`) {
			return // its path may be that of a device
		}
		list, err := Parse(strings.NewReader(text))
		if err != nil {
			return
		}
		if len(list) > maxServers {
			t.Errorf("%d servers", len(list))
		}
		for _, c := range list {
			if !token.IsIdentifier(c.Name) || c.Name != strings.ToLower(c.Name) || len(c.Policies) == 0 || c.Tools == nil || len(c.Tools) > maxTools {
				t.Errorf("%q: %+v", text, c)
			}
			if c.Timeout < time.Millisecond || c.Timeout > 10*time.Minute || c.MaxResult < 1 || c.MaxResult > 16<<20 || c.AtOnce < 1 || c.AtOnce > 100 || c.Tenants < 1 || c.Tenants > 1000 {
				t.Errorf("%q: %+v", text, c)
			}
			https := strings.HasPrefix(strings.ToLower(c.URL), "https://") && !strings.Contains(c.URL, "@")
			if c.Transport == Stdio && (c.Command == "" || c.URL != "") || c.Transport == HTTP && (c.MayStart || c.Command != "" || !https && !c.Loopback) {
				t.Errorf("%q: %+v", text, c)
			}
			names := map[string]bool{}
			for _, tool := range c.Tools {
				if names[tool.Name] || tool.Risk == 0 || !slices.Contains([]Action{Deny, Ask, Allow}, tool.Do) {
					t.Errorf("%q: %+v", text, tool)
				}
				names[tool.Name] = true
			}
		}
	})
}

// FuzzSchema: of any schemas of a tool it is refused, or its declarations are types and one function without a body, as package parser
// reads them, of a bounded size, and any value can be checked.
func FuzzSchema(f *testing.F) {
	for _, in := range []string{
		`{"type":"object","properties":{"b":{"type":"string"},"a":{"type":["integer","null"]}},"required":["b"]}`,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}}}}}`,
		`{"properties":{"a":{"$ref":"#/$defs/f"}},"$defs":{"f":false}}`, `{"$ref":"#"}`, `{"$ref":"#/a~1b/0"}`, `{"anyOf":[{"type":"null"},{"type":"array","items":false}]}`,
		`{"allOf":[{"properties":{"a":{"enum":["x","y"]}}},{"required":["a"]}]}`, `{"type":"object","additionalProperties":{"pattern":"^(a*)*$","maxLength":-1}}`,
		`{"type":"object","properties":{"2fa":{},"type":{},"a-b":{"const":null},"` + "`" + `":{}},"nullable":true}`, `{"oneOf":[true,false]}`, `true`, `false`, `null`, `[]`, `{}`,
		`{"not":{"if":{},"then":false},"prefixItems":[{"multipleOf":0.1}],"contains":{"minimum":1e308}}`,
	} {
		f.Add("do_it", "does\nit */", in, in, `{"a":1,"b":"x"}`)
	}
	f.Fuzz(func(t *testing.T, name, about, in, out, value string) {
		tool := &mcp.Tool{Name: name, Description: about}
		if json.Unmarshal([]byte(in), &tool.InputSchema) != nil || out != "" && json.Unmarshal([]byte(out), &tool.OutputSchema) != nil {
			return
		}
		all, err := functions(&Config{Name: "x", Tools: []Tool{{Name: name}}}, []*mcp.Tool{tool})
		if err != nil {
			return
		}
		text := all[0].text
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", text, parser.SkipObjectResolution)
		if err != nil || len(text) > 8<<20 {
			t.Fatalf("%d bytes, %v\n%s", len(text), err, text)
		}
		for i, d := range file.Decls {
			fn, isFunc := d.(*ast.FuncDecl)
			if isFunc != (i == len(file.Decls)-1) || isFunc && (fn.Body != nil || fn.Recv != nil || fn.Name.Name != all[0].name) {
				t.Errorf("declaration %d is %T\n%s", i, d, text)
			}
		}
		for _, c := range []*checker{all[0].args, all[0].given} {
			if c != nil {
				_ = c.check([]byte(value)) // any answer is right
			}
		}
		if v, err := decode([]byte(value)); err == nil {
			all[0].in.complete(v)
			new(pruner).prune(all[0].out, v)
		}
	})
}
