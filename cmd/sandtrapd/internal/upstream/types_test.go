package upstream

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// declared are the declarations of one tool.
func declared(t *testing.T, name, about, in, out string) string {
	t.Helper()
	tool := &mcp.Tool{Name: name, Description: about}
	if err := json.Unmarshal([]byte(in), &tool.InputSchema); err != nil {
		t.Fatal(err)
	}
	if out != "" {
		if err := json.Unmarshal([]byte(out), &tool.OutputSchema); err != nil {
			t.Fatal(err)
		}
	}
	f := &function{Tool: Tool{Name: name}, name: goName(name)}
	names := newNames()
	in2, out2 := names.add(f.name+"In"), names.add(f.name+"Out")
	if err := f.make("x", names, tool, in2, out2); err != nil {
		t.Fatal(err)
	}
	return f.text
}

// TestTypes: schemas as they are in the wild, and the types of Go that they become.
func TestTypes(t *testing.T) {
	for name, c := range map[string]struct{ in, out, want string }{
		"nothing":               {in: `{"type":"object"}`, want: "type DoIn struct {\n}\n|type DoOut struct {\n\tText string `json:\"text\"`\n}"},
		"bare":                  {in: `{}`, want: "type DoIn struct {\n}"},
		"required":              {in: `{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer"}},"required":["b"]}`, want: "\tB string `json:\"b\"`\n\tA int `json:\"a,omitempty\"`"},
		"names":                 {in: `{"type":"object","properties":{"issue_id":{"type":"string"},"html-url":{"type":"string"},"perPage":{"type":"number"},"2fa":{"type":"string"},"名":{"type":"string"},"type":{"type":"string"}}}`, want: "\tIssueID string|\tHTMLURL string|\tPerPage float64|\tX2fa string|\tX名 string|\tType string"},
		"twice":                 {in: `{"type":"object","properties":{"a_b":{"type":"string"},"aB":{"type":"string"}}}`, want: "\tAB string `json:\"aB,omitempty\"`\n\tAB2 string `json:\"a_b,omitempty\"`"},
		"enum":                  {in: `{"type":"object","properties":{"s":{"enum":["a","b"],"description":"Which","default":"a"}}}`, want: "\t// Which. One of \"a\", \"b\". Default \"a\".\n\tS string"},
		"list":                  {in: `{"type":"object","properties":{"s":{"type":"array","items":{"type":"string"}},"t":{"type":"array"},"u":{"type":"array","items":[{"type":"string"}]}}}`, want: "\tS []string `json:\"s,omitzero\"`\n\tT []any|\tU []any"},
		"null":                  {in: `{"type":"object","properties":{"s":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null},"t":{"type":["integer","null"]}}}`, want: "\tS string `json:\"s,omitempty\"`\n\tT int `json:\"t,omitempty\"`"},
		"null that is wanted":   {in: `{"type":"object","properties":{"s":{"type":["string","null"]}},"required":["s"]}`, want: "\tS any `json:\"s\"`"},
		"map":                   {in: `{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"number"}},"n":{"type":"object"}}}`, want: "\tM map[string]float64|\tN map[string]any"},
		"union":                 {in: `{"type":"object","properties":{"u":{"oneOf":[{"type":"string"},{"type":"integer"}]},"v":{"anyOf":[{"const":"a"},{"const":"b"}]}}}`, want: "\tU any|\tV string"},
		"bools":                 {in: `{"type":"object","properties":{"a":{"type":"boolean","default":false},"b":{"type":"boolean"},"c":{"type":"boolean","default":true}},"required":[]}`, want: "\tA bool `|\t// A bool.\n\tB any `|\tC any `"},
		"zeros":                 {in: `{"type":"object","properties":{"t":{"type":"number","default":1,"minimum":0},"n":{"type":"integer","default":30,"minimum":1}}}`, want: "\tT any `|\tN int `"},
		"refs":                  {in: `{"type":"object","properties":{"a":{"$ref":"#/$defs/P"},"b":{"$ref":"#/$defs/P"}},"$defs":{"P":{"type":"object","properties":{"x":{"type":"integer"}}}}}`, want: "\tA DoInA `json:\"a,omitzero\"`\n\tB DoInA `|type DoInA struct {\n\tX int"},
		"itself":                {in: `{"type":"object","properties":{"t":{"$ref":"#/definitions/T"}},"definitions":{"T":{"type":"object","properties":{"v":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/definitions/T"}}}}}}`, want: "\tKids []any"},
		"all of":                {in: `{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"integer"}}}]}`, want: "\tA string `json:\"a\"`\n\tB int"},
		"draft 4":               {in: `{"id":"x","type":"object","properties":{"a":{"type":"integer","minimum":0,"exclusiveMinimum":true},"b":{"type":"any"}}}`, want: "\tA int|\tB any"},
		"lookahead":             {in: `{"type":"object","properties":{"a":{"type":"string","pattern":"^(?!x).*$"}}}`, want: "\tA string"},
		"elsewhere":             {in: `{"type":"object","properties":{"a":{"$ref":"https://example.com/x.json"}}}`, want: "\tA any"},
		"odd names":             {in: "{\"type\":\"object\",\"properties\":{\"a\\\"b\":{\"type\":\"string\"},\"`\":{\"type\":\"string\"},\"$top\":{\"type\":\"integer\"},\"\":{\"type\":\"string\"},\"-\":{\"type\":\"string\"}}}", want: "type DoIn struct {\n\tTop int `json:\"$top,omitempty\"`\n}"},
		"output":                {in: `{}`, out: `{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"type":"boolean"},"c":{"type":"array","items":{"type":"object","properties":{"d":{"type":"integer"}}}}}}`, want: "\tA string|\tB bool|\tC []DoOutCItem|\tD int"},
		"output that is a list": {in: `{}`, out: `{"type":"array","items":{"type":"string"}}`, want: "type DoOut struct {\n\tValue []string `json:\"value\"`\n}"},
		"output of anything":    {in: `{}`, out: `{"type":"object","additionalProperties":true}`, want: "\tValue map[string]any"},
	} {
		got := declared(t, "do", "", c.in, c.out)
		for want := range strings.SplitSeq(c.want, "|") {
			if !strings.Contains(got, want) {
				t.Errorf("%s: there is no\n%s\nin\n%s", name, want, got)
			}
		}
	}
}

// TestDescriptions: nothing in a description or a name is more than a comment.
func TestDescriptions(t *testing.T) {
	evil := "ends */ }\nfunc Evil()\r\x1b[31m \u202e\u2028 //go:linkname x y `json:\"x\"`" + strings.Repeat("long ", 10_000)
	in, err := json.Marshal(object{"type": "object", "description": evil, "properties": object{"a": object{"type": "string", "description": evil, "enum": []any{evil}, "default": evil}}})
	if err != nil {
		t.Fatal(err)
	}
	got := declared(t, "do it\nfunc Evil()", evil, string(in), "")
	for _, bad := range []string{"\r", "\x1b", "\u202e", "\u2028"} {
		if strings.Contains(got, bad) {
			t.Errorf("there is %q in\n%s", bad, got)
		}
	}
	if len(got) > 10_000 {
		t.Errorf("%d bytes", len(got))
	}
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", got, 0)
	if err != nil || len(file.Decls) != 3 {
		t.Errorf("%v\n%s", err, got)
	}
}

// TestNames: functions and types have one scope, names that are taken get numbers, and what a server adds changes none.
func TestNames(t *testing.T) {
	c := &Config{Name: "x"}
	var listed []*mcp.Tool
	for _, name := range []string{"a_b", "a_b_in", "aB", "list"} {
		c.Tools = append(c.Tools, Tool{Name: name})
		listed = append(listed, &mcp.Tool{Name: name, InputSchema: object{"type": "object", "properties": object{"in": object{"type": "object", "properties": object{"x": object{}}}}}})
	}
	for range 2 {
		all, err := functions(c, listed)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range all {
			got = append(got, f.name+" "+f.in.name+" "+f.out.name)
		}
		if text := strings.Join(got, ", "); text != "AB ABIn2 ABOut, ABIn ABInIn ABInOut, AB2 AB2In AB2Out, List ListIn ListOut" {
			t.Error(text)
		}
		listed = append([]*mcp.Tool{{Name: "a__b", InputSchema: object{}}}, listed...)
	}
}

// TestLargeSchema: a schema that would become very large when its references are put in place is cut, soon.
func TestLargeSchema(t *testing.T) {
	defs := object{}
	for i := range 60 {
		next := object{"$ref": "#/$defs/" + string(rune('a'+(i+1)%26)) + strings.Repeat("x", (i+1)/26)}
		defs[string(rune('a'+i%26))+strings.Repeat("x", i/26)] = object{"type": "object", "properties": object{"l": next, "r": next}, "anyOf": []any{next, next}}
	}
	s, cost, err := clean(object{"type": "object", "properties": object{"a": object{"$ref": "#/$defs/a"}}, "$defs": defs})
	if err != nil || cost > 4*maxNodes {
		t.Errorf("%d, %v", cost, err)
	}
	b := &shaper{names: newNames(), input: true, done: map[string]*shape{}}
	if _, err := b.root(s, "DoIn"); err != nil || len(b.list) > maxStructs {
		t.Errorf("%d types, %v", len(b.list), err)
	}
	deep := any(object{"type": "string"})
	for range 5000 {
		deep = object{"type": "array", "items": deep}
	}
	if _, _, err := clean(deep); err != nil {
		t.Error(err)
	}
}

// TestCheckBounded: a value that is too large for its schema is refused before it is checked.
func TestCheckBounded(t *testing.T) {
	s, cost, err := clean(object{"type": "array", "items": object{"type": "string", "pattern": "^(a{1,200}b?){1,5}$"}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := newChecker(s, cost)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.check([]byte(`["` + strings.Repeat("a", 8<<20) + `"]`)); err == nil || !strings.Contains(err.Error(), "too many to check") {
		t.Errorf("%v, the cost is %d", err, cost)
	}
}

// TestReferenceToFalse: a reference to the schema that nothing fits is that schema.
func TestReferenceToFalse(t *testing.T) {
	got := declared(t, "do", "", `{"type":"object","properties":{"a":{"$ref":"#/$defs/none"},"b":{"type":"string"}},"$defs":{"none":false}}`, "")
	if !strings.Contains(got, "\tA any") || !strings.Contains(got, "\tB string") {
		t.Error(got)
	}
	s, cost, err := clean(object{"properties": object{"a": object{"$ref": "#/$defs/none"}}, "$defs": object{"none": false}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := newChecker(s, cost)
	if err != nil {
		t.Fatal(err)
	}
	if c.check([]byte(`{"a":1}`)) == nil || c.check([]byte(`{"b":1}`)) != nil {
		t.Error("a value for what nothing fits is taken, or none is refused")
	}
}
