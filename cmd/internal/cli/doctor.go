package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// doctor tries each isolation, and says of each layer what became of it. It is fine if
// isolation kernel lacks nothing.
func (c *call) doctor(args []string) int {
	if len(args) > 0 {
		return c.usage(fmt.Errorf("doctor takes no arguments"))
	}
	code := exitOK
	for _, mode := range []sandtrap.Isolation{sandtrap.None, sandtrap.Process, sandtrap.Kernel} {
		status, err := sandtrap.Probe(context.Background(), mode, "")
		verdict := "available"
		switch {
		case err != nil:
			verdict = "not available: " + err.Error()
		case len(status.Missing) > 0:
			verdict = fmt.Sprintf("not complete: %d of %d layers are missing", len(status.Missing), len(status.Layers))
		}
		fmt.Fprintf(c.stdout, "%-8s %s\n", mode, verdict)
		for _, l := range status.Layers {
			c.layer(l)
		}
		if mode == sandtrap.Kernel && err == nil {
			c.levels(status)
		}
		if mode == sandtrap.Kernel && verdict != "available" {
			code = exitIsolation
		}
	}
	return code
}

// levels says which levels of isolation kernel have all of their layers.
func (c *call) levels(status sandtrap.Status) {
	lacks := []string{}
	for _, level := range []isolate.Level{"", isolate.Standard, isolate.Strict, isolate.Maximum} {
		for _, l := range status.Layers {
			if l.Level == level && slices.Contains(status.Missing, l.Name) {
				lacks = append(lacks, l.Name)
			}
		}
		switch {
		case level == "": // what each of them has
		case len(lacks) == 0:
			fmt.Fprintf(c.stdout, "  level %-12s available\n", level)
		default:
			fmt.Fprintf(c.stdout, "  level %-12s not complete: it lacks %s\n", level, strings.Join(lacks, ", "))
		}
	}
}

// layer prints a layer, why it is as it is, and what can be done.
func (c *call) layer(l sandtrap.Layer) {
	fmt.Fprintf(c.stdout, "  %-18s %s", l.Name, l.State)
	if l.Reason != "" {
		fmt.Fprintf(c.stdout, ": %s", l.Reason)
	}
	if l.Remedy != "" {
		fmt.Fprintf(c.stdout, " (remedy: %s)", l.Remedy)
	}
	fmt.Fprintln(c.stdout)
}
