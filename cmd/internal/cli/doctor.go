package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A diagnosis is what became of one isolation. Fields may be added, never changed.
type diagnosis struct {
	Mode      sandtrap.Isolation `json:"mode"`
	Available bool               `json:"available"` // and lacks nothing
	Error     string             `json:"error,omitempty"`
	Layers    []jsonLayer        `json:"layers"`
	Levels    []jsonLevel        `json:"levels,omitempty"` // of isolation kernel

	status sandtrap.Status
}

type jsonLayer struct {
	Name   string        `json:"name"`
	State  string        `json:"state"`
	Level  isolate.Level `json:"level,omitempty"` // the lowest one that has it; none if each has
	Reason string        `json:"reason,omitempty"`
	Remedy string        `json:"remedy,omitempty"`
}

type jsonLevel struct {
	Level isolate.Level `json:"level"`
	Lacks []string      `json:"lacks"`
}

// doctor tries each isolation, and says of each layer what became of it. It is fine if
// isolation kernel lacks nothing.
func (c *call) doctor(args []string) int {
	flags := flag.NewFlagSet("doctor", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() { c.help([]string{"doctor"}) }
	asJSON := flags.Bool("json", false, "")
	if err := flags.Parse(args); err != nil {
		return c.usage(err)
	}
	if flags.NArg() > 0 {
		return c.usage(fmt.Errorf("doctor takes no arguments but --json"))
	}
	var all []diagnosis
	code := exitIsolation
	for _, mode := range []sandtrap.Isolation{sandtrap.None, sandtrap.Process, sandtrap.Kernel} {
		d := diagnose(mode)
		if !*asJSON {
			c.diagnosis(d)
		}
		all = append(all, d)
		if mode == sandtrap.Kernel && d.Available {
			code = exitOK
		}
	}
	if *asJSON {
		return c.printObject(map[string]any{"isolations": all}, code)
	}
	return code
}

func diagnose(mode sandtrap.Isolation) diagnosis {
	status, err := sandtrap.Probe(context.Background(), mode, "")
	d := diagnosis{Mode: mode, Available: err == nil && len(status.Missing) == 0, Layers: []jsonLayer{}, status: status}
	if err != nil {
		d.Error = err.Error()
	}
	for _, l := range status.Layers {
		d.Layers = append(d.Layers, jsonLayer{l.Name, string(l.State), l.Level, l.Reason, l.Remedy})
	}
	if mode == sandtrap.Kernel && err == nil {
		d.Levels = levels(status)
	}
	return d
}

// diagnosis prints one.
func (c *call) diagnosis(d diagnosis) {
	verdict := "available"
	switch {
	case d.Error != "":
		verdict = "not available: " + d.Error
	case !d.Available:
		verdict = fmt.Sprintf("not complete: %d of %d layers are missing", len(d.status.Missing), len(d.Layers))
	}
	fmt.Fprintf(c.stdout, "%-8s %s\n", d.Mode, verdict)
	for _, l := range d.Layers {
		c.layer(l)
	}
	for _, l := range d.Levels {
		if len(l.Lacks) == 0 {
			fmt.Fprintf(c.stdout, "  level %-12s available\n", l.Level)
		} else {
			fmt.Fprintf(c.stdout, "  level %-12s not complete: it lacks %s\n", l.Level, strings.Join(l.Lacks, ", "))
		}
	}
}

// levels says which levels of isolation kernel have all of their layers.
func levels(status sandtrap.Status) (list []jsonLevel) {
	lacks := []string{}
	for _, level := range []isolate.Level{"", isolate.Standard, isolate.Strict, isolate.Maximum} {
		for _, l := range status.Layers {
			if l.Level == level && slices.Contains(status.Missing, l.Name) {
				lacks = append(lacks, l.Name)
			}
		}
		if level != "" { // what each of them has
			list = append(list, jsonLevel{level, slices.Clone(lacks)})
		}
	}
	return list
}

// layer prints a layer, why it is as it is, and what can be done.
func (c *call) layer(l jsonLayer) {
	fmt.Fprintf(c.stdout, "  %-18s %s", l.Name, l.State)
	if l.Reason != "" {
		fmt.Fprintf(c.stdout, ": %s", l.Reason)
	}
	if l.Remedy != "" {
		fmt.Fprintf(c.stdout, " (remedy: %s)", l.Remedy)
	}
	fmt.Fprintln(c.stdout)
}
