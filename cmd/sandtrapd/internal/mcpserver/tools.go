package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const instructions = `Runs Go source in a sandbox. Prefer one run that does all of a task, with loops and concurrency, to many small ones.`

// A handler does a call of a tool. Its error is one of errorOf's.
type handler func(*tenant, context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error)

// A tool is one with what it does.
type tool struct {
	*mcp.Tool
	do handler
}

// maxDeclared bounds the declarations of tools that the description of run shows, in bytes; of more it has the names.
const maxDeclared = 1500

const aboutRun = `Run Go source in a sandbox; the result has what it printed.
The code is a snippet, statements and declarations as in a function body, whose imports of the standard library are added; or a whole program. To get a value, print it, or return it as the last statement; artifact("chart.png", data) leaves a file.
Nothing is reachable but what the policy opens: by default the language, the standard library without network and processes, and files in memory. Time, memory and output are limited. A faulty script is refused before it runs: the error has the line, a caret and often the right name.`

const aboutAnswer = `Answer calls that a run waits for, when run has returned the state "pending": a value in JSON, or an error, for each call; a verdict for one that waits for approval, as the user has decided. Without answers it asks the user, if the client can.`

// tools are those that the clients of t see, in the order of the list.
func (t *tenant) tools() []tool {
	list := []tool{
		{&mcp.Tool{Name: "run", Description: t.aboutRun(), InputSchema: t.runSchema(), OutputSchema: outputSchema}, (*tenant).run},
		{&mcp.Tool{Name: "answer", Description: aboutAnswer, InputSchema: answerSchema, OutputSchema: outputSchema}, (*tenant).answer},
	}
	if t.Search != nil {
		list = append(list, tool{&mcp.Tool{Name: "search", Description: "Find declarations of what scripts can call, the best first, by words or by names such as strings.Cut.", InputSchema: searchSchema, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, (*tenant).search})
	}
	if t.Sessions != nil {
		list = append(list,
			tool{&mcp.Tool{Name: "files", Description: "List, read or write the files that the scripts of a session see.", InputSchema: filesSchema}, (*tenant).files},
			tool{&mcp.Tool{Name: "reset", Description: "Forget the variables and the files of a session.", InputSchema: resetSchema}, (*tenant).reset})
	}
	return list
}

// aboutRun is the description of run.
func (t *tenant) aboutRun() string {
	text := aboutRun
	if t.About != "" {
		text += "\n" + t.About
	}
	if t.Search != nil {
		text += "\nThe tool search has the declarations of what scripts can call."
	}
	if t.Tools != "" && len(t.Tools) <= maxDeclared {
		text += "\nThese functions can be called without an import:\n" + strings.TrimSpace(t.Tools)
	} else if t.Tools != "" {
		text += "\nThere are functions of this server that can be called without an import."
	}
	return text
}

// runSchema is that of the arguments of run.
func (t *tenant) runSchema() json.RawMessage {
	more := ""
	if t.Sessions != nil {
		more += `,"session":{"type":"string","description":"name of a session: its scripts see the variables, functions and files of those before; made on first use"}`
	}
	if len(t.Policies) > 1 {
		names, _ := json.Marshal(t.Policies) // of strings
		more += fmt.Sprintf(`,"policy":{"type":"string","enum":%s}`, names)
	}
	return json.RawMessage(`{"type":"object","properties":{"code":{"type":"string"},"inputs":{"type":"object","description":"values of variables that the code uses without declaring them"},"timeout_ms":{"type":"integer"}` + more + `},"required":["code"],"additionalProperties":false}`)
}

var (
	answerSchema = json.RawMessage(`{"type":"object","properties":{"run":{"type":"string","description":"id of the run"},"answers":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer","description":"of the call"},"value":{},"error":{"type":"string"},"verdict":{"type":"string","enum":["approve","deny"]}},"required":["id"]}}},"required":["run"],"additionalProperties":false}`)
	searchSchema = json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":50}},"required":["query"],"additionalProperties":false}`)
	filesSchema  = json.RawMessage(`{"type":"object","properties":{"session":{"type":"string"},"op":{"type":"string","enum":["list","read","write"]},"path":{"type":"string"},"content":{"type":"string"}},"required":["session","op"],"additionalProperties":false}`)
	resetSchema  = json.RawMessage(`{"type":"object","properties":{"session":{"type":"string"}},"required":["session"],"additionalProperties":false}`)

	// outputSchema is that of an output.
	outputSchema = json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"},"state":{"type":"string","enum":["running","pending","done","failed","cancelled"]},"result":{"type":["object","null"],"properties":{"stdout":{"type":"string"},"stderr":{"type":"string"},"vars":{"type":"object"},"echo":{"type":"array"},"error":{"type":["object","null"]}}},"pending":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"},"args":{},"ask":{"type":"string"}},"required":["id","name"]}}},"required":["id","state","result","pending"]}`)
)
