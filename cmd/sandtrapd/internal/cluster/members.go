package cluster

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// The bounds of what a worker may claim.
const (
	maxMembers = 4096
	maxSlots   = 4096
	maxStrays  = 20_000 // messages of one in a second that no job needs, where each KiB is one more: then it is barred
	maxBeat    = 512    // bytes
	maxMemory  = 1 << 50
	maxLoad    = 1_000_000
)

// claims reports whether a worker can be as it says.
func (b *beat) claims() bool {
	return token(b.Instance) && b.Slots >= 0 && b.Slots <= maxSlots && b.Running >= 0 && b.Running <= waitFor*maxSlots && token(b.Level) && readable(b.Version) &&
		b.Memory >= 0 && b.Memory <= maxMemory && b.Free >= 0 && b.Free <= b.Memory && b.Load >= 0 && b.Load <= maxLoad
}

// heard gets a beat of a worker.
func (f *Front) heard(m *nats.Msg) {
	name, b, unfit := f.readBeat(m)
	if name == "" {
		return
	}
	f.mu.Lock()
	f.stray(name, len(m.Data))
	one := f.members[name]
	if one == nil {
		if len(f.members) >= maxMembers {
			f.mu.Unlock()
			return
		}
		one = &member{unfit: unfit}
		f.members[name] = one
		if unfit == "" {
			f.log.Info("a worker is there", "worker", name, "slots", b.Slots, "version", b.Version)
		} else {
			f.log.Warn("a worker is there that gets no runs", "worker", name, "because", unfit)
		}
	}
	if f.isSecond(name, one, &b) {
		f.mu.Unlock()
		return
	}
	if was := one.beat.Instance; was != b.Instance {
		if was != one.second {
			one.first = was
		}
		for _, t := range f.tries {
			if t.worker == name && t.of == was {
				t.fail(lost(name, "it was started again"))
			}
		}
	}
	before := f.slots
	f.slots -= f.slotsOf(one)
	one.beat, one.seen, one.missed, one.unfit = b, time.Now(), 0, unfit
	f.slots += f.slotsOf(one)
	slots := f.slots
	f.mu.Unlock()
	if slots != before {
		f.turns.Resize(slots)
	}
}

// isSecond reports that a beat is of a process with the name of one that was there before it, and is there still. It is told to end. The lock is
// held.
func (f *Front) isSecond(name string, one *member, b *beat) bool {
	instance := b.Instance
	if b.Slots > 0 && instance != "" && instance == one.first { // it is back: the other one was not its successor
		one.first, one.second = "", one.beat.Instance
		f.log.Error("two processes have the key of a worker: the second one is to end", "worker", name)
	}
	if one.second == "" || instance != one.second {
		return false
	}
	_ = f.conn.Publish(ends+name, []byte(second+instance)) // it is told at its next beat too
	return true
}

// readBeat reads a beat, and why its worker gets no jobs. Of one that is not to be trusted there is the name alone.
func (f *Front) readBeat(m *nats.Msg) (name string, b beat, unfit string) {
	parts := strings.Split(m.Subject, ".") // sandtrap, VERSION, here, NAME
	if len(parts) != 4 || !token(parts[1]) || !token(parts[3]) {
		return "", b, ""
	}
	name = parts[3]
	if v := parts[1]; v != version {
		return name, b, fmt.Sprintf("it speaks version %s of the protocol, and this server version %s", v, version)
	}
	switch {
	case len(m.Data) > maxBeat || decode(m.Data, &b) != nil || !b.claims():
		return name, beat{}, "it sends malformed messages"
	case b.Level != f.level:
		return name, b, fmt.Sprintf("its isolation is %s, and that of this server %s", b.Level, f.level)
	}
	return name, b, ""
}

// readable reports that a version of a program can be shown.
func readable(version string) bool {
	return len(version) <= 64 && !strings.ContainsFunc(version, func(r rune) bool { return r < ' ' || r > '~' })
}

// OnFlood has a function be called with the name of a worker that sends so much that others would not be heard.
func (f *Front) OnFlood(bar func(worker string)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bar = bar
}

// stray counts a message of a worker that no job needs. The lock is held.
func (f *Front) stray(name string, size int) {
	before := f.strays[name]
	f.strays[name] = before + 1 + size>>10
	if before <= maxStrays && f.strays[name] > maxStrays {
		f.log.Error("a worker sends too much", "worker", name)
		if f.bar != nil {
			go f.bar(name)
		}
	}
}

// slotsOf are those that jobs of the front can have.
func (f *Front) slotsOf(one *member) int {
	if one.unfit != "" {
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
	connected := f.conn.Stats().Reconnects
	for i := 0; ; i++ {
		select {
		case <-f.stop:
			return
		case <-tick.C:
			if n := f.conn.Stats().Reconnects; n != connected {
				connected = n
				f.cutOff(time.Now())
			}
			f.isAway() // which jobs know that come later
			f.missedFrames(time.Now())
			if i%int(time.Second/beatEach) == 0 {
				f.mu.Lock()
				clear(f.strays)
				f.mu.Unlock()
			}
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
			if one.beat.Slots == 0 && one.beat.Running == 0 && one.unfit == "" {
				f.log.Info("a worker has left", "worker", name)
			} else {
				f.log.Warn("a worker is silent", "worker", name, "running", one.beat.Running)
			}
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
