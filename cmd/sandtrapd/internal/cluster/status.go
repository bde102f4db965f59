package cluster

import (
	"cmp"
	"fmt"
	"math"
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

// noWorker is the error of a job that nobody has taken, with so much memory. It says whether workers are there, and why none fits.
func (f *Front) noWorker(memory int64) error {
	unfit := ""
	list := f.Workers().List
	fit := slices.DeleteFunc(slices.Clone(list), func(w dispatch.Worker) bool { return w.Unfit != "" || w.Slots == 0 })
	for _, one := range list {
		unfit = cmp.Or(unfit, one.Unfit)
	}
	switch {
	case !f.conn.IsConnected():
		return fmt.Errorf("%w: the server does not reach its cluster", dispatch.ErrNoWorker)
	case len(fit) == 0 && unfit != "":
		return fmt.Errorf("%w: workers are there, but none that fits; of one of them, %s", dispatch.ErrNoWorker, unfit)
	case len(fit) == 0 && len(list) > 0:
		return fmt.Errorf("%w: all workers are leaving", dispatch.ErrNoWorker)
	case len(fit) == 0:
		return fmt.Errorf("%w: no worker answers", dispatch.ErrNoWorker)
	case memory != math.MaxInt64 && !slices.ContainsFunc(fit, func(w dispatch.Worker) bool { return memory <= w.Memory }):
		return fmt.Errorf("%w: its policy lets it have %d MiB of memory, and no worker has as much", dispatch.ErrNoWorker, memory>>20)
	}
	return dispatch.ErrNoWorker
}
