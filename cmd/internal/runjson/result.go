// Package runjson has runs as JSON, for the command and the service: the inputs that a script gets, and the objects in which
// programs are told what became of it.
//
// It may not leave a field out that is empty, unless its comment says so.
package runjson

import (
	"encoding/json"
	"math"

	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/dryrun"
)

// A Result is the object that run --json prints. Fields may be added, never changed.
type Result struct {
	Stdout     string                     `json:"stdout"`
	Stderr     string                     `json:"stderr"`
	Vars       map[string]json.RawMessage `json:"vars"`
	Types      map[string]string          `json:"types"` // of vars, as Go writes them
	Echo       []Echo                     `json:"echo"`
	Artifacts  []Artifact                 `json:"artifacts"`
	Error      *sandtrap.Error            `json:"error"`
	Warnings   []string                   `json:"warnings"`
	Reminders  []string                   `json:"reminders"` // of rules
	Refused    []*decide.Denied           `json:"refused"`   // requests that the policy does not allow
	Ticks      int64                      `json:"ticks"`
	AllocBytes int64                      `json:"alloc_bytes"`
	PeakBytes  int64                      `json:"peak_bytes"`
	DurationMS float64                    `json:"duration_ms"`
	Engine     string                     `json:"engine"`
	Isolation  Status                     `json:"isolation"`
	Pending    []Pending                  `json:"pending,omitempty"` // of a run with a journal that waits
	Plan       *dryrun.Report             `json:"plan,omitempty"`    // of a dry run
}

// A Pending is a call that waits for its answer.
type Pending struct {
	ID   int             `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
	At   string          `json:"at"`
	Ask  string          `json:"ask,omitempty"` // why it needs approval, which it waits for
}

// An Echo is the value of a bare expression.
type Echo struct {
	Text string `json:"text"`
	Type string `json:"type"`
}

// An Artifact is a file that the script left, without what is in it.
type Artifact struct {
	Name      string `json:"name"`
	MediaType string `json:"media_type"`
	Size      int    `json:"size"`
}

// A Status is the isolation that a run had.
type Status struct {
	Mode    sandtrap.Isolation `json:"mode"`
	Level   isolate.Level      `json:"level,omitempty"`
	Missing []string           `json:"missing"`
}

// StatusOf is the object of an isolation.
func StatusOf(s sandtrap.Status) Status {
	return Status{Mode: s.Mode, Level: s.Level, Missing: append([]string{}, s.Missing...)}
}

// Of is the object of a run.
func Of(res *sandtrap.Result) Result {
	out := Result{
		Stdout: res.Stdout, Stderr: res.Stderr,
		Vars: map[string]json.RawMessage{}, Types: map[string]string{}, Echo: []Echo{}, Artifacts: []Artifact{}, Error: res.Error,
		Warnings:  append([]string{}, res.Warnings...),
		Reminders: append([]string{}, res.Reminders...), Refused: []*decide.Denied{},
		Ticks: res.Ticks, AllocBytes: res.AllocBytes, PeakBytes: res.PeakBytes,
		DurationMS: math.Round(res.Duration.Seconds()*1e6) / 1e3,
		Engine:     res.Engine,
		Isolation:  StatusOf(res.Isolation),
	}
	for name := range res.Vars {
		out.Vars[name], out.Types[name] = res.JSON(name), res.Types[name]
	}
	for _, a := range res.Artifacts {
		out.Artifacts = append(out.Artifacts, Artifact{a.Name, a.MediaType, len(a.Data)})
	}
	for _, e := range res.Echo {
		out.Echo = append(out.Echo, Echo(e))
	}
	return out
}
