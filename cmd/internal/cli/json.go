package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/sandtrap-go/sandtrap/internal/plaintext"
	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// The object that run --json prints, and check and rewrite for a script that is refused. Fields may be added, never changed.
type jsonResult struct {
	Stdout     string                     `json:"stdout"`
	Stderr     string                     `json:"stderr"`
	Vars       map[string]json.RawMessage `json:"vars"`
	Echo       []jsonEcho                 `json:"echo"`
	Error      *sandtrap.Error            `json:"error"`
	Warnings   []string                   `json:"warnings"`
	Ticks      int64                      `json:"ticks"`
	AllocBytes int64                      `json:"alloc_bytes"`
	PeakBytes  int64                      `json:"peak_bytes"`
	DurationMS float64                    `json:"duration_ms"`
	Engine     string                     `json:"engine"`
	Isolation  jsonStatus                 `json:"isolation"`
}

type jsonEcho struct {
	Text string `json:"text"`
	Type string `json:"type"`
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

// printJSON prints res as one line and returns the exit code for it.
func (c *call) printJSON(res *sandtrap.Result) int {
	out := jsonResult{
		Stdout: res.Stdout, Stderr: res.Stderr,
		Vars: map[string]json.RawMessage{}, Echo: []jsonEcho{}, Error: res.Error, Warnings: append([]string{}, res.Warnings...),
		Ticks: res.Ticks, AllocBytes: res.AllocBytes, PeakBytes: res.PeakBytes,
		DurationMS: math.Round(res.Duration.Seconds()*1e6) / 1e3,
		Engine:     res.Engine,
		Isolation:  jsonStatus{Mode: res.Isolation.Mode, Level: res.Isolation.Level, Missing: append([]string{}, res.Isolation.Missing...)},
	}
	for name, v := range res.Vars {
		out.Vars[name] = varJSON(v, res.Types[name])
	}
	for _, e := range res.Echo {
		out.Echo = append(out.Echo, jsonEcho(e))
	}
	return c.printObject(out, exitCode(res.Error))
}

// checkObject is what check --json prints for a script that is not refused.
func checkObject(p *sandtrap.CheckResult) any {
	out := struct {
		Bindings []jsonBinding   `json:"bindings"`
		Warnings []string        `json:"warnings"`
		Error    *sandtrap.Error `json:"error"`
	}{[]jsonBinding{}, append([]string{}, p.Warnings...), nil}
	for _, b := range p.Bindings {
		out.Bindings = append(out.Bindings, jsonBinding{b.Kind, b.Name, b.Type, b.Pos.Line, b.Pos.Column})
	}
	return out
}

// rewriteObject is what rewrite --json prints for a script that is not refused.
func rewriteObject(p *sandtrap.CheckResult) any {
	return struct {
		Rewritten string          `json:"rewritten"`
		Warnings  []string        `json:"warnings"`
		Error     *sandtrap.Error `json:"error"`
	}{p.Rewritten(), append([]string{}, p.Warnings...), nil}
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

// varJSON is v in JSON. What JSON has no form for is a text: errors their
// message, numbers that are none their name, all else its type, typ.
func varJSON(v any, typ string) (out json.RawMessage) {
	defer func() {
		if recover() != nil { // a method of a host type
			out = quoted("(" + typ + ")")
		}
	}()
	switch v := v.(type) {
	case error:
		return quoted(v.Error())
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return quoted(strconv.FormatFloat(v, 'g', -1, 64))
		}
	case complex128:
		return quoted(strconv.FormatComplex(v, 'g', -1, 128))
	}
	text, err := json.Marshal(v)
	if err != nil {
		return quoted("(" + typ + ")")
	}
	return text
}

func quoted(s string) json.RawMessage {
	text, _ := json.Marshal(s) // a string always has a form
	return text
}
