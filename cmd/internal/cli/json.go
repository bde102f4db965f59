package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"github.com/sandtrap-go/sandtrap/internal/plaintext"
	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/dryrun"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// The object that run --json prints. Fields may be added, never changed.
type jsonResult struct {
	Stdout     string                     `json:"stdout"`
	Stderr     string                     `json:"stderr"`
	Vars       map[string]json.RawMessage `json:"vars"`
	Types      map[string]string          `json:"types"` // of vars, as Go writes them
	Echo       []jsonEcho                 `json:"echo"`
	Artifacts  []jsonArtifact             `json:"artifacts"`
	Error      *sandtrap.Error            `json:"error"`
	Warnings   []string                   `json:"warnings"`
	Reminders  []string                   `json:"reminders"` // of rules
	Refused    []*decide.Denied           `json:"refused"`   // requests that the policy does not allow
	Ticks      int64                      `json:"ticks"`
	AllocBytes int64                      `json:"alloc_bytes"`
	PeakBytes  int64                      `json:"peak_bytes"`
	DurationMS float64                    `json:"duration_ms"`
	Engine     string                     `json:"engine"`
	Isolation  jsonStatus                 `json:"isolation"`
	Pending    []jsonPending              `json:"pending,omitempty"` // of a run with a journal that waits
	Plan       *dryrun.Report             `json:"plan,omitempty"`    // of a dry run
}

// A jsonPending is a call that waits for its answer.
type jsonPending struct {
	ID   int             `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
	At   string          `json:"at"`
	Ask  string          `json:"ask,omitempty"` // why it needs approval, which it waits for
}

type jsonEcho struct {
	Text string `json:"text"`
	Type string `json:"type"`
}

// A jsonArtifact is a file that the script left; --artifacts says where it is.
type jsonArtifact struct {
	Name      string `json:"name"`
	MediaType string `json:"media_type"`
	Size      int    `json:"size"`
}

type jsonBinding struct {
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Type   string `json:"type"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type jsonStatus struct {
	Mode    sandtrap.Isolation `json:"mode"`
	Level   isolate.Level      `json:"level,omitempty"`
	Missing []string           `json:"missing"`
}

// resultObject is what run --json prints of a run.
func resultObject(res *sandtrap.Result) jsonResult {
	out := jsonResult{
		Stdout: res.Stdout, Stderr: res.Stderr,
		Vars: map[string]json.RawMessage{}, Types: map[string]string{}, Echo: []jsonEcho{}, Artifacts: []jsonArtifact{}, Error: res.Error, Warnings: append([]string{}, res.Warnings...),
		Reminders: append([]string{}, res.Reminders...), Refused: []*decide.Denied{},
		Ticks: res.Ticks, AllocBytes: res.AllocBytes, PeakBytes: res.PeakBytes,
		DurationMS: math.Round(res.Duration.Seconds()*1e6) / 1e3,
		Engine:     res.Engine,
		Isolation:  jsonStatus{Mode: res.Isolation.Mode, Level: res.Isolation.Level, Missing: append([]string{}, res.Isolation.Missing...)},
	}
	for name := range res.Vars {
		out.Vars[name], out.Types[name] = res.JSON(name), res.Types[name]
	}
	for _, a := range res.Artifacts {
		out.Artifacts = append(out.Artifacts, jsonArtifact{a.Name, a.MediaType, len(a.Data)})
	}
	for _, e := range res.Echo {
		out.Echo = append(out.Echo, jsonEcho(e))
	}
	return out
}

// printJSON prints res as one line and returns the exit code for it.
func (c *call) printJSON(res *sandtrap.Result, refused []*decide.Denied, pause *durable.Pause) int {
	out := resultObject(res)
	out.Refused = append(out.Refused, refused...)
	if pause == nil {
		return c.printObject(out, exitCode(res.Error))
	}
	for _, p := range pause.Pending {
		out.Pending = append(out.Pending, jsonPending(p))
	}
	return c.printObject(out, exitWaits)
}

// checkObject is what check --json prints: of a script that is refused, e is why.
func checkObject(p *sandtrap.CheckResult, e *sandtrap.Error) any {
	out := struct {
		Bindings []jsonBinding   `json:"bindings"`
		Warnings []string        `json:"warnings"`
		Error    *sandtrap.Error `json:"error"`
	}{[]jsonBinding{}, append([]string{}, p.Warnings...), e}
	for _, b := range p.Bindings {
		out.Bindings = append(out.Bindings, jsonBinding{b.Kind, b.Name, b.Type, b.Pos.Line, b.Pos.Column})
	}
	return out
}

// rewriteObject is what rewrite --json prints: of a script that is refused, e is why, and there is no text.
func rewriteObject(p *sandtrap.CheckResult, e *sandtrap.Error) any {
	text := ""
	if e == nil {
		text = p.Rewritten()
	}
	return struct {
		Rewritten string          `json:"rewritten"`
		Warnings  []string        `json:"warnings"`
		Error     *sandtrap.Error `json:"error"`
	}{text, append([]string{}, p.Warnings...), e}
}

// usageObject is what a command with --json prints when it is used wrongly.
func usageObject(message string) any {
	return map[string]any{"error": map[string]string{"kind": "usage", "message": message}}
}

// printObject prints out as one line and returns code.
func (c *call) printObject(out any, code int) int {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		fmt.Fprintf(c.stderr, "sandtrap: %v\n", err)
		return exitInternal
	}
	c.stdout.Write(plaintext.JSON(text.Bytes()))
	return code
}
