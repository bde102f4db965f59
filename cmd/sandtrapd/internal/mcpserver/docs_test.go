package mcpserver_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/mcpserver"
)

const page = "../../../../docs/mcp.md"

func pageText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// list are the tools of a server that has all of them.
func list(t *testing.T) []*mcp.Tool {
	t.Helper()
	r := newRig(t, func(o *mcpserver.Options) {
		withSessions(o)
		withSearch(o)
		o.Policies = []string{"default", "compute", "files", "review"}
	})
	res, err := connect(t, r.transport("alpha"), "", nil).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return res.Tools
}

// TestToolsOfSessions: a server that has sessions offers them, also where the client answers tools; one that has none does not.
func TestToolsOfSessions(t *testing.T) {
	for _, has := range []bool{true, false} {
		r := newRig(t, func(o *mcpserver.Options) {
			withTools(o)
			if has {
				withSessions(o)
			}
		})
		res, err := connect(t, r.transport("alpha"), "", nil).ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range res.Tools {
			if schema, _ := json.Marshal(tool.InputSchema); strings.Contains(string(schema), `"session"`) {
				names = append(names, tool.Name)
			}
		}
		slices.Sort(names)
		if want := []string{"files", "reset", "run"}; has != slices.Equal(names, want) || !has && names != nil {
			t.Errorf("sessions %v: they are arguments of %q", has, names)
		}
	}
}

// TestToolsDocumented: the page has the tools, and their list costs a client little.
func TestToolsDocumented(t *testing.T) {
	tools := list(t)
	var rows strings.Builder
	for _, tool := range tools {
		text, _ := json.Marshal(tool.InputSchema)
		var schema jsonschema.Schema
		if err := json.Unmarshal(text, &schema); err != nil {
			t.Fatal(err)
		}
		var args []string
		for name := range schema.Properties {
			args = append(args, "`"+name+"`")
		}
		slices.Sort(args)
		begin, _, _ := strings.Cut(tool.Description, "\n")
		begin, _, _ = strings.Cut(begin, ";")
		begin, _, _ = strings.Cut(begin, ":")
		fmt.Fprintf(&rows, "| `%s` | %s | %s |\n", tool.Name, strings.TrimSuffix(begin, "."), strings.Join(args, ", "))
	}
	if !strings.Contains(pageText(t), "| tool | description begins | arguments |\n|---|---|---|\n"+rows.String()+"\n") {
		t.Errorf("%s does not have these rows:\n%s", page, rows.String())
	}
	text, err := json.Marshal(tools)
	if err != nil || len(text) > 4500 {
		t.Errorf("the list has %d bytes, %v", len(text), err)
	}
	t.Logf("%d bytes", len(text))
}

// TestOutputSchema: results are as the declared schema says, however a run ends.
func TestOutputSchema(t *testing.T) {
	var schema jsonschema.Schema
	for _, tool := range list(t) {
		if tool.Name == "run" {
			text, _ := json.Marshal(tool.OutputSchema)
			if err := json.Unmarshal(text, &schema); err != nil {
				t.Fatal(err)
			}
		}
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := connect(t, newRig(t, withTools).transport("alpha"), "", nil)
	for state, code := range map[string]string{"done": "x := []int{1}\nfmt.Println(x)", "failed": "panic(1)", "pending": oneCall} {
		res := c.call(t, "run", map[string]any{"code": code})
		if err := resolved.Validate(res.StructuredContent); err != nil || outputOf(t, res).State != state {
			t.Errorf("%s: %v: %v", state, err, res.StructuredContent)
		}
		result, _ := res.StructuredContent.(map[string]any)["result"].(map[string]any)
		for name := range schema.Properties["result"].Properties {
			if _, ok := result[name]; !ok {
				t.Errorf("%s: the result has no %s", state, name)
			}
		}
	}
}

// TestTranscript: the server answers as the page says.
func TestTranscript(t *testing.T) {
	cmd := command(t, "mcp", "--isolation", "none", "--data", t.TempDir(), "--tools", toolsFile(t))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	id, lines, compared := "RUN", bufio.NewReader(out), 0
	for _, m := range regexp.MustCompile(`(?m)^([<>]) (.*)$`).FindAllStringSubmatch(pageText(t), -1) {
		text := strings.ReplaceAll(m[2], "RUN", id)
		if m[1] == ">" {
			if _, err := io.WriteString(in, text+"\n"); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		compared++
		if strings.Contains(text, "RUN") {
			id = regexp.MustCompile(`run_[a-z0-9]+`).FindString(got)
			text = strings.ReplaceAll(text, "RUN", id)
		}
		var have, want any
		if err := json.Unmarshal([]byte(got), &have); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		if !within(want, have) {
			t.Errorf("got %s, want %s", got, text)
		}
	}
	if compared != 4 {
		t.Errorf("%d lines were compared", compared)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// within reports that have has all that want has.
func within(want, have any) bool {
	switch want := want.(type) {
	case map[string]any:
		have, ok := have.(map[string]any)
		for name := range want {
			ok = ok && within(want[name], have[name])
		}
		return ok
	case []any:
		have, ok := have.([]any)
		if !ok || len(have) != len(want) {
			return false
		}
		for i := range want {
			ok = ok && within(want[i], have[i])
		}
		return ok
	}
	return want == have
}
