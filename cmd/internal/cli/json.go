package cli

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/internal/plaintext"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

type jsonBinding struct {
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Type   string `json:"type"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// printJSON prints res as one line and returns the exit code for it.
func (c *call) printJSON(res *sandtrap.Result, refused []*decide.Denied, pause *durable.Pause) int {
	out := runjson.Of(res)
	out.Refused = append(out.Refused, refused...)
	if pause == nil {
		return c.printObject(out, exitCode(res.Error))
	}
	for _, p := range pause.Pending {
		out.Pending = append(out.Pending, runjson.Pending(p))
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
