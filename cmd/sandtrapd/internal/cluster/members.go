package cluster

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/nats-io/nats.go"
)

// The bounds of what a worker may claim.
const (
	maxMembers = 4096
	maxSlots   = 4096
	maxMemory  = 1 << 50
	maxLoad    = 1_000_000
)

// A Member is a worker that is there.
type Member struct {
	Name, Version, Level string
	Slots, Running       int // 0 slots: it takes no more
	Memory, Free         int64
	Load                 int       // of 100 for each processor of its machine
	Seen                 time.Time // as of this machine
}

// Members are the workers that are there, those of other isolations too, by their names.
func (f *Front) Members() []Member {
	f.mu.Lock()
	list := make([]Member, 0, len(f.members))
	for name, one := range f.members {
		b := one.beat
		list = append(list, Member{name, b.Version, b.Level, b.Slots, b.Running, b.Memory, b.Free, b.Load, one.seen})
	}
	f.mu.Unlock()
	slices.SortFunc(list, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// claims reports whether a worker can be as it says.
func (b *beat) claims() bool {
	return token(b.Instance) && b.Slots >= 0 && b.Slots <= maxSlots && b.Running >= 0 && b.Running <= waitFor*maxSlots && token(b.Level) && len(b.Version) <= 64 && utf8.ValidString(b.Version) &&
		b.Memory >= 0 && b.Memory <= maxMemory && b.Free >= 0 && b.Free <= b.Memory && b.Load >= 0 && b.Load <= maxLoad
}

// heard gets a beat of a worker.
func (f *Front) heard(m *nats.Msg) {
	name := strings.TrimPrefix(m.Subject, here)
	var b beat
	if err := decode(m.Data, &b); err != nil || !token(name) || !b.claims() {
		return
	}
	f.mu.Lock()
	one := f.members[name]
	if one == nil {
		if len(f.members) >= maxMembers {
			f.mu.Unlock()
			return
		}
		one = &member{}
		f.members[name] = one
		f.log.Info("a worker is there", "worker", name, "slots", b.Slots)
	}
	if was := one.beat.Instance; was != b.Instance {
		for _, t := range f.tries {
			if t.worker == name && t.of == was {
				t.fail(lost(name, "it was started again"))
			}
		}
	}
	before := f.slots
	f.slots -= f.slotsOf(one)
	one.beat, one.seen, one.missed = b, time.Now(), 0
	f.slots += f.slotsOf(one)
	slots := f.slots
	f.mu.Unlock()
	if slots != before {
		f.turns.Resize(slots)
	}
}

// slotsOf are those that jobs of the front can have.
func (f *Front) slotsOf(one *member) int {
	if one.beat.Level != f.level {
		return 0
	}
	return one.beat.Slots
}

// fit is how many workers there are, and whether one of them can have a job with so much memory.
func (f *Front) fit(memory int64) (workers int, fits bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, one := range f.members {
		if f.slotsOf(one) > 0 {
			workers++
			fits = fits || memory <= one.beat.Memory || memory == math.MaxInt64
		}
	}
	return workers, fits
}

// watch notices workers that are silent.
func (f *Front) watch() {
	tick := time.NewTicker(beatEach)
	defer tick.Stop()
	for {
		select {
		case <-f.stop:
			return
		case <-tick.C:
			f.probe(time.Now().Add(-2 * beatEach))
			f.forget(time.Now().Add(-silentFor))
		}
	}
}

// probe asks NATS whether workers that were not heard since a time are connected.
func (f *Front) probe(since time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for name, one := range f.members {
		if one.seen.Before(since) {
			_ = f.conn.PublishRequest(ends+name, back+nobody+"."+f.id+"."+probes+name, nil) // it is silent then
		}
	}
}

// missed notes that a worker is not connected. One that is so twice, and was not heard meanwhile, is lost: its process has ended, or it
// connects anew.
func (f *Front) missed(name string) {
	f.mu.Lock()
	one := f.members[name]
	if one != nil {
		one.missed++
	}
	gone := one != nil && one.missed > 1
	if gone {
		one.seen = time.Time{}
	}
	f.mu.Unlock()
	if gone {
		f.forget(time.Unix(0, 0))
	}
}

// forget gives up workers that were not heard since a time, and their jobs.
func (f *Front) forget(since time.Time) {
	f.mu.Lock()
	gone := false
	for name, one := range f.members {
		if one.seen.Before(since) {
			gone = true
			f.slots -= f.slotsOf(one)
			delete(f.members, name)
			f.log.Warn("a worker is silent", "worker", name, "running", one.beat.Running)
		}
	}
	for _, t := range f.tries {
		one := f.members[t.worker]
		if t.worker != "" && (one == nil || one.beat.Instance != t.of && t.since.Before(since)) {
			t.fail(lost(t.worker, "it is silent"))
		}
	}
	slots := f.slots
	f.mu.Unlock()
	if gone {
		f.turns.Resize(slots)
	}
}
