package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// Arguments of run.
type runArgs struct {
	Code      string                     `json:"code"`
	Inputs    map[string]json.RawMessage `json:"inputs"`
	Session   string                     `json:"session"`
	Policy    string                     `json:"policy"`
	TimeoutMS int64                      `json:"timeout_ms"`
}

// run does a call of run: it begins a run, or goes on with the one that the request state names.
func (t *tenant) run(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in runArgs
	if err := read(req, &in); err != nil {
		return nil, err
	}
	if state := req.Params.RequestState; state != "" {
		return t.retry(ctx, req, state, func(r Run) bool { return r.Source() == in.Code })
	}
	q, err := t.request(ctx, &in)
	if err != nil {
		return nil, err
	}
	r, err := t.Runs.Start(ctx, t.name, q)
	if err != nil {
		return nil, err
	}
	return t.follow(ctx, req, r)
}

// choice says which policies there are, if there is a choice.
func (t *tenant) choice() string {
	if len(t.Policies) < 2 {
		return ""
	}
	return ", or take one of " + strings.Join(t.Policies, ", ")
}

// request is the one that arguments ask for.
func (t *tenant) request(ctx context.Context, in *runArgs) (q runs.Request, err error) {
	q = runs.Request{Code: in.Code, Inputs: in.Inputs, TimeoutMS: in.TimeoutMS, Policy: in.Policy, Tools: t.Tools}
	switch { // the first policy is that of a run that names none
	case in.Policy == "" && len(t.Policies) > 0:
		q.Policy = t.Policies[0]
	case in.Policy != "" && !slices.Contains(t.Policies, in.Policy):
		return q, fmt.Errorf("%w: policy: there is no %q: leave it out%s", runs.ErrRequest, in.Policy, t.choice())
	}
	if in.Session == "" {
		return q, nil
	}
	if t.Sessions == nil {
		return q, fmt.Errorf("%w: session: this server has none", runs.ErrRequest)
	}
	q.Session, err = t.Sessions.Open(ctx, t.name, in.Session, q.Policy, t.Tools)
	q.Policy = "" // is the session's
	return q, err
}

// Arguments of answer.
type answerArgs struct {
	Run     string        `json:"run"`
	Answers []runs.Answer `json:"answers"`
}

// answer does a call of answer.
func (t *tenant) answer(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in answerArgs
	if err := read(req, &in); err != nil {
		return nil, err
	}
	if state := req.Params.RequestState; state != "" {
		return t.retry(ctx, req, state, func(Run) bool { return state == in.Run })
	}
	if len(in.Answers) == 0 {
		r, err := t.Runs.Get(ctx, t.name, in.Run)
		if err != nil {
			return nil, err
		}
		return t.follow(ctx, req, r)
	}
	for i := range in.Answers {
		if in.Answers[i].Verdict != "" && elicits(req) {
			return nil, fmt.Errorf("%w: the user decides about approval: call answer without answers, and he is asked", runs.ErrRequest)
		}
		in.Answers[i].By = t.by()
	}
	return t.goOn(ctx, req, in.Run, in.Answers)
}

// by is who answers, for the record.
func (t *tenant) by() string { return "MCP client of " + t.name }

// goOn answers a run, and follows it.
func (t *tenant) goOn(ctx context.Context, req *mcp.CallToolRequest, id string, answers []runs.Answer) (*mcp.CallToolResult, error) {
	r, err := t.Runs.Answer(ctx, t.name, id, answers)
	if err != nil {
		return nil, err
	}
	return t.follow(ctx, req, r)
}

// follow waits until a run has ended or waits, tells of its output meanwhile, and ends it with the call.
func (t *tenant) follow(ctx context.Context, req *mcp.CallToolRequest, r Run) (*mcp.CallToolResult, error) {
	told := t.tell(ctx, req, r)
	view, err := r.Reply(ctx)
	if ctx.Err() != nil {
		r.Abandon()
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	<-told
	if view.State == store.Pending {
		return t.ask(ctx, req, view)
	}
	return t.result(ctx, view), nil
}

// retry goes on with the run that a request state names, with the answers of the client. The state is the ID of the run, which nobody
// can guess, and which is nothing to another tenant. same reports that the call is the one that the state was given to.
func (t *tenant) retry(ctx context.Context, req *mcp.CallToolRequest, state string, same func(Run) bool) (*mcp.CallToolResult, error) {
	r, err := t.Runs.Get(ctx, t.name, state)
	if errors.Is(err, store.ErrNone) || err == nil && !same(r) {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "requestState: it is not that of this call"}
	}
	if err != nil {
		return nil, err
	}
	view := r.View()
	if view.State != store.Pending {
		return t.follow(ctx, req, r) // its answers have come before
	}
	answers, dismissed := answersOf(view.Pending, req.Params.InputResponses, t.by())
	switch {
	case len(answers) > 0:
		res, err := t.goOn(ctx, req, r.ID(), answers)
		switch {
		case errors.Is(err, runs.ErrRequest):
			return t.inputs(view, err.Error()), nil
		case errors.Is(err, store.ErrState): // somebody else has answered in between
			return t.again(ctx, req, r.ID())
		}
		return res, err
	case dismissed:
		return t.result(ctx, view), nil
	}
	return t.ask(ctx, req, view)
}

// again follows a run that somebody else has answered.
func (t *tenant) again(ctx context.Context, req *mcp.CallToolRequest, id string) (*mcp.CallToolResult, error) {
	r, err := t.Runs.Get(ctx, t.name, id)
	if err != nil {
		return nil, err
	}
	return t.follow(ctx, req, r)
}

// tell sends the output of a run as progress, if the client wants that. The channel is closed when all is sent.
func (t *tenant) tell(ctx context.Context, req *mcp.CallToolRequest, r Run) <-chan struct{} {
	done := make(chan struct{})
	token := req.Params.GetProgressToken()
	log, err := r.Events()
	if token == nil || err != nil || log == nil {
		close(done)
		return done
	}
	go func() {
		defer close(done)
		after := int64(0)
		for first := true; ; first = false {
			list := log.After(ctx, after)
			if len(list) == 0 {
				return
			}
			after = list[len(list)-1].ID
			if first {
				list = sinceResume(list)
			}
			text := outputOf(list)
			if text == "" {
				continue
			}
			err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(after), Message: text})
			if err != nil {
				return
			}
			select { // a client is not sent more than it can read
			case <-time.After(progressEvery):
			case <-ctx.Done():
				return
			}
		}
	}()
	return done
}

// progressEvery is the least time between two notifications of progress.
const progressEvery = 20 * time.Millisecond

// maxProgress bounds the text of one, in bytes: the rest is in the result.
const maxProgress = 8 << 10

// sinceResume are the events after the last one that tells of a wait: those before were told of to who waited then.
func sinceResume(list []runs.Event) []runs.Event {
	for i := range slices.Backward(list) {
		if list[i].Kind == runs.EventResume {
			return list[i+1:]
		}
	}
	return list
}

// outputOf is the text that events tell of.
func outputOf(list []runs.Event) string {
	var text []byte
	for _, e := range list {
		var data struct{ Text string }
		if e.Kind != runs.EventStdout && e.Kind != runs.EventStderr || json.Unmarshal(e.Data, &data) != nil {
			continue
		}
		text = append(text, data.Text...)
	}
	return cut(string(text), maxProgress)
}
