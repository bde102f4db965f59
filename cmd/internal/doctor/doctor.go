// Package doctor says what this machine has of each isolation, layer by layer, and what can be done about the rest.
//
// It may not change the machine, or decide whether what it has is enough.
package doctor

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A Diagnosis is what became of one isolation. Fields may be added, never changed.
type Diagnosis struct {
	Mode      sandtrap.Isolation `json:"mode"`
	Available bool               `json:"available"` // and lacks nothing
	Error     string             `json:"error,omitempty"`
	Layers    []Layer            `json:"layers"`
	Levels    []Level            `json:"levels,omitempty"` // of isolation kernel

	status sandtrap.Status
}

// A Layer is one of an isolation, and what became of it.
type Layer struct {
	Name   string        `json:"name"`
	State  string        `json:"state"`
	Level  isolate.Level `json:"level,omitempty"` // the lowest one that has it; none if each has
	Reason string        `json:"reason,omitempty"`
	Remedy string        `json:"remedy,omitempty"`
}

// A Level is one of isolation kernel, and the layers that it lacks.
type Level struct {
	Level isolate.Level `json:"level"`
	Lacks []string      `json:"lacks"`
}

// Diagnose tries an isolation.
func Diagnose(ctx context.Context, mode sandtrap.Isolation) Diagnosis {
	status, err := sandtrap.Probe(ctx, mode, "")
	d := Diagnosis{Mode: mode, Available: err == nil && len(status.Missing) == 0, Layers: LayersOf(status), status: status}
	if err != nil {
		d.Error = err.Error()
	}
	if mode == sandtrap.Kernel && err == nil {
		d.Levels = levels(status)
	}
	return d
}

// LayersOf are the layers of a status; it is not nil.
func LayersOf(status sandtrap.Status) []Layer {
	list := []Layer{}
	for _, l := range status.Layers {
		list = append(list, Layer{l.Name, string(l.State), l.Level, l.Reason, l.Remedy})
	}
	return list
}

// Print prints it as lines of text.
func (d Diagnosis) Print(w io.Writer) {
	verdict := "available"
	switch {
	case d.Error != "":
		verdict = "not available: " + d.Error
	case !d.Available:
		verdict = fmt.Sprintf("not complete: %d of %d layers are missing", len(d.status.Missing), len(d.Layers))
	}
	fmt.Fprintf(w, "%-8s %s\n", d.Mode, verdict)
	for _, l := range d.Layers {
		l.print(w)
	}
	for _, l := range d.Levels {
		if len(l.Lacks) == 0 {
			fmt.Fprintf(w, "  level %-12s available\n", l.Level)
		} else {
			fmt.Fprintf(w, "  level %-12s not complete: it lacks %s\n", l.Level, strings.Join(l.Lacks, ", "))
		}
	}
}

// levels says which levels of isolation kernel have all of their layers.
func levels(status sandtrap.Status) (list []Level) {
	lacks := []string{}
	for _, level := range []isolate.Level{"", isolate.Standard, isolate.Strict, isolate.Maximum} {
		for _, l := range status.Layers {
			if l.Level == level && slices.Contains(status.Missing, l.Name) {
				lacks = append(lacks, l.Name)
			}
		}
		if level != "" { // what each of them has
			list = append(list, Level{level, slices.Clone(lacks)})
		}
	}
	return list
}

// print prints a layer, why it is as it is, and what can be done.
func (l Layer) print(w io.Writer) {
	fmt.Fprintf(w, "  %-18s %s", l.Name, l.State)
	if l.Reason != "" {
		fmt.Fprintf(w, ": %s", l.Reason)
	}
	if l.Remedy != "" {
		fmt.Fprintf(w, " (remedy: %s)", l.Remedy)
	}
	fmt.Fprintln(w)
}
