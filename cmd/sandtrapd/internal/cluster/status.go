package cluster

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/turns"
)

// Waiting are those of now.
func (f *Front) Waiting() []turns.Waiting { return f.turns.Waiting() }

// Workers are those that are there now.
func (f *Front) Workers() dispatch.Workers {
	all := dispatch.Workers{Again: f.again.Load()}
	f.mu.Lock()
	defer f.mu.Unlock()
	for name, one := range f.members {
		all.List = append(all.List, dispatch.Worker{
			Name: name, Slots: one.beat.Slots, Running: one.beat.Running, Isolation: one.beat.Level, Version: one.beat.Version, Memory: one.beat.Memory, Free: one.beat.Free, Load: one.beat.Load, Seen: one.seen, Unfit: one.unfit,
		})
	}
	slices.SortFunc(all.List, func(a, b dispatch.Worker) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// noWorker is the error of a job that nobody has taken. If workers are there, and none fits, it has the reason of one of them.
func (f *Front) noWorker() error {
	why := ""
	for _, one := range f.Workers().List {
		if one.Unfit == "" {
			return dispatch.ErrNoWorker
		}
		why = one.Unfit
	}
	if why == "" {
		return dispatch.ErrNoWorker
	}
	return fmt.Errorf("%w: workers are there, but none that fits; of one of them, %s", dispatch.ErrNoWorker, why)
}
