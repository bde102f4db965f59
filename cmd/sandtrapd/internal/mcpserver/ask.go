package mcpserver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/internal/plaintext"
)

// askTime bounds how long a client of a protocol with a handshake may take to answer.
const askTime = 10 * time.Minute

// metaCall is the key of the call that a request for input is about, for clients that answer by program.
const metaCall = "sandtrap.dev/call"

// elicits reports that the client can ask its user with a form.
func elicits(req *mcp.CallToolRequest) bool {
	c := req.ClientCapabilities()
	return c != nil && c.Elicitation != nil && (c.Elicitation.Form != nil || c.Elicitation.URL == nil)
}

// retries reports that the protocol of a call has requests for input in results: each call of it names its version.
func retries(req *mcp.CallToolRequest) bool {
	version, _ := req.Params.Meta[mcp.MetaKeyProtocolVersion].(string)
	return version >= stateless
}

// ask asks the client about a run that waits: by the result, if its protocol has that; else approvals by requests of the server. A
// client that can do neither gets the run as it is, and has the tool answer.
func (t *tenant) ask(ctx context.Context, req *mcp.CallToolRequest, view runs.View) (*mcp.CallToolResult, error) {
	if !elicits(req) {
		return t.result(ctx, view), nil
	}
	if retries(req) {
		return t.inputs(view, ""), nil
	}
	responses := mcp.InputResponseMap{}
	wait, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	for _, p := range view.Pending {
		if p.Ask == "" {
			continue
		}
		answer, err := req.Session.Elicit(wait, question(p, ""))
		if ctx.Err() != nil {
			return nil, context.Cause(ctx) // the run waits on
		}
		if err != nil {
			break
		}
		responses[key(p)] = answer
	}
	answers, _ := answersOf(view.Pending, responses, t.by())
	if len(answers) == 0 {
		return t.result(ctx, view), nil
	}
	return t.goOn(ctx, req, view.ID, answers)
}

// inputs is the result that asks for all that a run waits for, with the run as its state.
func (t *tenant) inputs(view runs.View, fault string) *mcp.CallToolResult {
	res := &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{}, RequestState: view.ID}
	for _, p := range view.Pending {
		res.InputRequests[key(p)] = question(p, fault)
	}
	return res
}

// key names the request for input about a call.
func key(p runjson.Pending) string { return "call-" + strconv.Itoa(p.ID) }

// maxShown bounds the arguments that a question shows, in bytes. All of them are in its metadata.
const maxShown = 2000

var (
	approvalForm = json.RawMessage(`{"type":"object","properties":{"verdict":{"type":"string","title":"Verdict","enum":["approve","deny"]},"reason":{"type":"string","title":"Why not"}},"required":["verdict"]}`)
	valueForm    = json.RawMessage(`{"type":"object","properties":{"value":{"type":"string","title":"Result","description":"what the function returns, in JSON"},"error":{"type":"string","title":"Error","description":"if it fails"}}}`)
)

// question asks about a call. The script has chosen the arguments: they are shown so that none looks like something else.
func question(p runjson.Pending, fault string) *mcp.ElicitParams {
	var args bytes.Buffer
	if json.Compact(&args, p.Args) != nil {
		args.Reset()
	}
	call := fmt.Sprintf("%s, at %s, with the arguments %s", plaintext.Line(p.Name), plaintext.Line(p.At), cut(plaintext.Line(args.String()), maxShown))
	q := &mcp.ElicitParams{Mode: "form", RequestedSchema: valueForm, Message: "A script waits for the result of its call of " + call, Meta: mcp.Meta{metaCall: p}}
	if p.Ask != "" {
		q.RequestedSchema, q.Message = approvalForm, fmt.Sprintf("A script wants to call %s\nIt needs approval: %s", call, plaintext.Line(p.Ask))
	}
	if fault != "" {
		q.Message += "\nThe answers before were not taken: " + plaintext.Line(fault)
	}
	return q
}

// answersOf are those of a client to calls that wait. A call whose form was dismissed goes on waiting, as does one without an answer.
func answersOf(pending []runjson.Pending, responses mcp.InputResponseMap, by string) (answers []runs.Answer, dismissed bool) {
	for _, p := range pending {
		r, ok := responses[key(p)].(*mcp.ElicitResult)
		if !ok {
			continue
		}
		a := runs.Answer{ID: p.ID, By: by}
		switch {
		case r.Action == "decline" && p.Ask != "":
			a.Verdict, a.Error = "deny", "the user has declined"
		case r.Action == "decline":
			a.Error = "the client has declined to answer"
		case r.Action != "accept":
			dismissed = true
			continue
		case !fill(&a, p, r.Content):
			continue
		}
		answers = append(answers, a)
	}
	return answers, dismissed
}

// fill takes an answer from a form. It reports whether the form has one.
func fill(a *runs.Answer, p runjson.Pending, form map[string]any) bool {
	field := func(name string) string { text, _ := form[name].(string); return text }
	if p.Ask != "" {
		a.Verdict = field("verdict")
		if a.Verdict == "deny" {
			a.Error = cmp.Or(field("reason"), "the user has denied it")
		}
		return a.Verdict == "approve" || a.Verdict == "deny"
	}
	if a.Error = field("error"); a.Error != "" {
		return true
	}
	value, ok := form["value"]
	if !ok {
		return false
	}
	text, isText := value.(string)
	if a.Value = json.RawMessage(text); !isText || !json.Valid(a.Value) {
		a.Value, _ = json.Marshal(value) // it came as JSON
	}
	return true
}
