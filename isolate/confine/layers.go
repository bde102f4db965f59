package confine

import (
	"fmt"
	"slices"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// A layer is a row of the table: the order is that in which they are applied.
type layer struct {
	name string
	do   func(*process, posture.Profile) error
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
func Apply(p posture.Profile) (posture.Report, error) {
	for _, name := range p.Layers {
		if !slices.Contains(Names(), name) {
			return posture.Report{}, fmt.Errorf("confine: no layer %q in this worker", name)
		}
	}
	if !slices.Contains(p.Layers, posture.Threads) { // which does this, when little is left to do
		useProcessors()
	}
	proc := &process{reasons: map[string]string{}}
	report := posture.Report{}
	for _, l := range layers {
		state := posture.Off
		if slices.Contains(p.Layers, l.name) {
			if err := l.do(proc, p); err != nil {
				report.Failed = l.name
				return report, err
			}
			state = posture.Applied
		}
		report.Layers = append(report.Layers, posture.Layer{Name: l.name, State: state, Reason: proc.reasons[l.name]})
	}
	report.Listener = proc.listener
	return report, nil
}
