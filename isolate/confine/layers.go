package confine

import (
	"fmt"
	"slices"

	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// A layer is a row of the table: the order is that in which they are applied.
type layer struct {
	name string
	do   func(*process, wire.Profile) error
	why  string
}

// Names lists the layers that Apply knows, in the order in which it applies them.
func Names() []string {
	names := []string{}
	for _, l := range layers {
		names = append(names, l.name)
	}
	return names
}

// Apply locks the process down. On an error it may be so in part, and must end.
func Apply(p wire.Profile) (wire.Report, error) {
	for _, name := range p.Layers {
		if !slices.Contains(Names(), name) {
			return wire.Report{}, fmt.Errorf("confine: no layer %q in this worker", name)
		}
	}
	if !slices.Contains(p.Layers, wire.Threads) { // which does this, when little is left to do
		useProcessors()
	}
	proc := &process{reasons: map[string]string{}}
	report := wire.Report{}
	for _, l := range layers {
		state := wire.Off
		if slices.Contains(p.Layers, l.name) {
			if err := l.do(proc, p); err != nil {
				report.Failed = l.name
				return report, err
			}
			state = wire.Applied
		}
		report.Layers = append(report.Layers, wire.Layer{Name: l.name, State: state, Reason: proc.reasons[l.name]})
	}
	report.Listener = proc.listener
	return report, nil
}
