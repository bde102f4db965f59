package cluster

import (
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// The bounds of what a worker may claim.
const (
	maxMembers = 4096
	maxSlots   = 4096
)

// heard gets a beat of a worker.
func (f *Front) heard(m *nats.Msg) {
	name := strings.TrimPrefix(m.Subject, here)
	var b beat
	if err := decode(m.Data, &b); err != nil || !token(name) || b.Slots < 0 || b.Slots > maxSlots || b.Level != f.level || len(b.Version) > 64 {
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
	changed := one.beat.Slots != b.Slots
	one.beat, one.seen, one.missed = b, time.Now(), 0
	slots := f.slots()
	f.mu.Unlock()
	if changed {
		f.turns.Resize(slots)
	}
}

// slots are those of all workers. The lock is held.
func (f *Front) slots() (n int) {
	for _, one := range f.members {
		n += one.beat.Slots
	}
	return n
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
			_ = f.conn.PublishRequest(ends+name, back+"nobody."+f.id+"."+probes+name, nil) // it is silent then
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
			delete(f.members, name)
			f.log.Warn("a worker is silent", "worker", name, "running", one.beat.Running)
		}
	}
	for _, t := range f.tries {
		if t.worker != "" && f.members[t.worker] == nil {
			t.fail(lost(t.worker, "it is silent"))
		}
	}
	slots := f.slots()
	f.mu.Unlock()
	if gone {
		f.turns.Resize(slots)
	}
}
