package mcpserver_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const twoCalls = `var group sync.WaitGroup
out := make([]string, 2)
for i, q := range []string{"a", "b"} {
	group.Add(1)
	go func() {
		defer group.Done()
		list, err := Search(q)
		out[i] = fmt.Sprint(list, err)
	}()
}
group.Wait()
fmt.Println(out)`

// TestTools: all calls that a run waits for are asked at once, and the run goes on with the answers.
func TestTools(t *testing.T) {
	r := newRig(t, withTools)
	var asked atomic.Int64
	c := connect(t, r.transport("alpha"), "2026-07-28", func(p *mcp.ElicitParams) *mcp.ElicitResult {
		asked.Add(1)
		if strings.Contains(p.Message, `{"query":"b"}`) {
			return &mcp.ElicitResult{Action: "decline"}
		}
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"value": `["x","y"]`}}
	})
	res := c.call(t, "run", map[string]any{"code": twoCalls})
	if got := text(res); got != "[[x y] <nil> [] the client has declined to answer]\n" || asked.Load() != 2 {
		t.Errorf("%d asked: %q", asked.Load(), got)
	}
}

// TestMisfit: an answer that does not fit the function is asked for again, with the reason.
func TestMisfit(t *testing.T) {
	var asked []string
	c := connect(t, newRig(t, withTools).transport("alpha"), "2026-07-28", func(p *mcp.ElicitParams) *mcp.ElicitResult {
		asked = append(asked, p.Message)
		value := "5"
		if len(asked) > 1 {
			value = `["x"]`
		}
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"value": value}}
	})
	res := c.call(t, "run", map[string]any{"code": `fmt.Println(Search("a"))`})
	if got := text(res); got != "[x] <nil>\n" || len(asked) != 2 || !strings.Contains(asked[1], "a number does not fit") {
		t.Errorf("%q, %q", got, asked)
	}
}

// TestAnswer: a client that cannot be asked answers with a tool.
func TestAnswer(t *testing.T) {
	r := newRig(t, withTools)
	each(t, func(t *testing.T, protocol string) {
		c := connect(t, r.transport("alpha"), protocol, nil)
		res := c.call(t, "run", map[string]any{"code": twoCalls})
		o := outputOf(t, res)
		if o.State != "pending" || len(o.Pending) != 2 || o.Result == nil || !strings.Contains(text(res), "Call answer for:\ncall 1: Search {") {
			t.Fatalf("%+v: %s", o, text(res))
		}
		if res := c.call(t, "answer", map[string]any{"run": o.ID, "answers": []any{map[string]any{"id": 1, "value": 5}}}); !res.IsError || !strings.Contains(text(res), "does not fit") {
			t.Error(text(res))
		}
		res = c.call(t, "answer", map[string]any{"run": o.ID, "answers": []any{map[string]any{"id": 1, "value": []string{"x"}}, map[string]any{"id": 2, "error": "no"}}})
		if got := text(res); !strings.Contains(got, "[x] <nil>") || !strings.Contains(got, "[] no") {
			t.Errorf("%q", got)
		}
		if res := c.call(t, "answer", map[string]any{"run": o.ID, "answers": []any{map[string]any{"id": 1, "value": []string{"x"}}}}); !res.IsError {
			t.Error(text(res))
		}
	})
}

// forged is an ID that nothing has, one letter from one that something has.
func forged(id string) string {
	last := "x"
	if strings.HasSuffix(id, last) {
		last = "y"
	}
	return id[:len(id)-1] + last
}

// TestForeign: the run of another tenant is as absent, for the tool and as a request state.
func TestForeign(t *testing.T) {
	r := newRig(t, withTools)
	alpha, beta := connect(t, r.transport("alpha"), "2026-07-28", nil), connect(t, r.transport("beta"), "2026-07-28", nil)
	const code = `fmt.Println(Search("a"))`
	id := outputOf(t, alpha.call(t, "run", map[string]any{"code": code})).ID
	answers := []any{map[string]any{"id": 1, "value": []string{"x"}}}
	foreign, absent := beta.call(t, "answer", map[string]any{"run": id, "answers": answers}), beta.call(t, "answer", map[string]any{"run": "run_absent", "answers": answers})
	if text(foreign) != text(absent) || !foreign.IsError {
		t.Errorf("foreign: %q, absent: %q", text(foreign), text(absent))
	}
	retry := func(c *client, state, code string) string {
		_, err := c.CallTool(t.Context(), &mcp.CallToolParams{
			Name: "run", Arguments: map[string]any{"code": code}, RequestState: state,
			InputResponses: mcp.InputResponseMap{"call-1": &mcp.ElicitResult{Action: "accept", Content: map[string]any{"value": `["x"]`}}},
		})
		if err == nil {
			return ""
		}
		return err.Error()
	}
	none := retry(alpha, "run_absent", code)
	for name, got := range map[string]string{
		"foreign": retry(beta, id, code), "of other code": retry(alpha, id, code+" "), "forged": retry(alpha, forged(id), code), "malformed": retry(alpha, "\x00'; --", code),
		"huge": retry(alpha, strings.Repeat("x", 500_000), code),
	} {
		if got != none || none == "" {
			t.Errorf("%s: %q, absent: %q", name, got, none)
		}
	}
	other := outputOf(t, alpha.call(t, "run", map[string]any{"code": code})).ID
	_, err := alpha.CallTool(t.Context(), &mcp.CallToolParams{Name: "answer", Arguments: map[string]any{"run": other}, RequestState: id})
	if err == nil || err.Error() != none {
		t.Errorf("the state of another run: %v, absent: %q", err, none)
	}
	if got := retry(alpha, id, code); got != "" {
		t.Error(got)
	}
}

// TestApproval: the user is asked whether a call may be made, by each protocol, and what he says holds.
func TestApproval(t *testing.T) {
	r := newRig(t, asking)
	each(t, func(t *testing.T, protocol string) {
		verdict := &mcp.ElicitResult{Action: "accept", Content: map[string]any{"verdict": "deny", "reason": "not today"}}
		var asked []string
		c := connect(t, r.transport("alpha"), protocol, func(p *mcp.ElicitParams) *mcp.ElicitResult {
			asked = append(asked, p.Message)
			return verdict
		})
		res := c.call(t, "run", map[string]any{"code": `fmt.Println(Search("a\u202e"))`})
		if got := text(res); !strings.Contains(got, "not today") || len(asked) != 1 || !strings.HasPrefix(asked[0], "A script wants to call Search, at script.go:1") || !strings.Contains(asked[0], `\u202e`) {
			t.Errorf("%q, %q", got, asked)
		}
		verdict = &mcp.ElicitResult{Action: "decline"}
		if got := text(c.call(t, "run", map[string]any{"code": `fmt.Println(Search("a"))`})); !strings.Contains(got, "the user has declined") {
			t.Errorf("%q", got)
		}
		verdict = &mcp.ElicitResult{Action: "cancel"}
		o := outputOf(t, c.call(t, "run", map[string]any{"code": `fmt.Println(Search("a"))`}))
		if o.State != "pending" || len(o.Pending) != 1 || o.Pending[0].Ask == "" {
			t.Fatalf("%+v", o)
		}
		res = c.call(t, "answer", map[string]any{"run": o.ID, "answers": []any{map[string]any{"id": 1, "verdict": "approve"}}})
		if !res.IsError || !strings.Contains(text(res), "the user decides") {
			t.Errorf("a model has approved its own call: %s", text(res))
		}
		verdict = &mcp.ElicitResult{Action: "decline"}
		if got := text(c.call(t, "answer", map[string]any{"run": o.ID})); !strings.Contains(got, "the user has declined") {
			t.Errorf("%q", got)
		}
	})
}

// TestRetries: a retry without answers is asked again, answers to calls that do not wait are ignored, and a client that cannot ask its
// user is not asked to.
func TestRetries(t *testing.T) {
	r := newRig(t, withTools)
	q := pause(t, r.transport("alpha"), &mcp.CallToolParams{Name: "run", Arguments: map[string]any{"code": oneCall}})
	answers := q.InputResponses
	for _, responses := range []mcp.InputResponseMap{nil, {"call-2": answers["call-1"]}, {"call-1": &mcp.ElicitResult{Action: "accept"}}, {"call-1": &mcp.ListRootsResult{}}} {
		retry := pause(t, r.transport("alpha"), &mcp.CallToolParams{Name: "run", Arguments: q.Arguments, RequestState: q.RequestState, InputResponses: responses})
		if retry.RequestState != q.RequestState {
			t.Errorf("%v: %q, want %q", responses, retry.RequestState, q.RequestState)
		}
	}
	q.InputResponses = mcp.InputResponseMap{"call-1": answers["call-1"], "call-7": answers["call-1"], "": answers["call-1"]}
	res, err := connect(t, r.transport("alpha"), "2026-07-28", nil).CallTool(t.Context(), q)
	if err != nil || text(res) != "before\n[x] <nil>\n" {
		t.Errorf("%v: %+v", err, res)
	}
	res = connect(t, r.transport("alpha"), "2026-07-28", nil).call(t, "run", map[string]any{"code": oneCall})
	if res.NeedsInput() || res.RequestState != "" || outputOf(t, res).State != "pending" {
		t.Errorf("%+v", res)
	}
}

// TestNoVerdict: a form that is accepted without a verdict approves nothing.
func TestNoVerdict(t *testing.T) {
	r := newRig(t, asking)
	q := pause(t, r.transport("alpha"), &mcp.CallToolParams{Name: "run", Arguments: map[string]any{"code": oneCall}})
	for _, content := range []map[string]any{nil, {}, {"verdict": "yes"}, {"verdict": true}, {"reason": "approve"}, {"value": `["x"]`}} {
		q.InputResponses = mcp.InputResponseMap{"call-1": &mcp.ElicitResult{Action: "accept", Content: content}}
		next := *q
		if retry := pause(t, r.transport("alpha"), &next); retry.RequestState != q.RequestState {
			t.Errorf("%v: %q, want %q", content, retry.RequestState, q.RequestState)
		}
	}
}
