package gates

import (
	"fmt"
	"time"
)

// Measure sets the functions that return how many bytes the run holds when coming more are wanted,
// and that are called with the bytes of a host function before they are charged. Without them all
// charged bytes count as held.
func (m *Meter) Measure(held func(coming int64) int64, hosts func(n int64)) {
	m.measure, m.hosts = held, hosts
}

// Holds tells the meter that n bytes are held from before the run. The next charge checks
// the limit.
func (m *Meter) Holds(n int64) { m.live += n }

// Charge counts n bytes before they are allocated, and returns the stop that ends the run
// if it would then hold more than its limit. An engine calls it for allocations of the
// script, a host function for its own.
func (m *Meter) Charge(n int64) *Stop { return m.charge(n, n) }

// Made is Charge for n bytes that are already allocated, and so are included in a
// measurement.
func (m *Meter) Made(n int64) *Stop { return m.charge(n, 0) }

// Keep counts n bytes of output before they are kept for the host. Kept output has a bound of
// its own, as large as the memory limit.
func (m *Meter) Keep(n int64) *Stop {
	if kept := m.kept.Add(n); m.limits.Memory > 0 && kept > m.limits.Memory {
		return m.Trip(m.memoryStop(n))
	}
	return m.stop.Load()
}

// charge counts n bytes, of which no measure tells of the coming ones.
func (m *Meter) charge(n, coming int64) *Stop {
	if s := m.stop.Load(); s != nil {
		return s
	}
	limit := m.limits.Memory
	if n < 0 || (limit > 0 && n > limit) {
		return m.Trip(m.memoryStop(n))
	}
	if all := m.alloc.Add(n); m.limits.Alloc > 0 && all > m.limits.Alloc {
		return m.Trip(&Stop{Reason: Memory, Message: fmt.Sprintf("the program allocated more than the %s it may in all, whatever it has freed", size(m.limits.Alloc))})
	}
	m.live += n
	if limit > 0 && m.live > limit {
		if m.measure != nil {
			m.live = m.measure(coming) + coming
			if s := m.check(false); s != nil { // measuring takes its time
				return s
			}
		}
		if m.live > limit {
			return m.Trip(m.memoryStop(n))
		}
	}
	if m.live > m.peak.Load() {
		m.peak.Store(m.live)
	}
	if n >= largeBlock {
		return m.Afford(time.Duration(n / bytesPerNano))
	}
	return nil
}

// A large block takes the allocator its time, and whoever fills it: nobody can be
// interrupted in that.
const (
	largeBlock   = 1 << 20
	bytesPerNano = 2
)

// ChargeHost is Charge for a host function, whose allocations the engine does not see. It reports
// them to the hosts function of Measure, so that they count as held.
func (m *Meter) ChargeHost(n int64) *Stop {
	if m.hosts == nil || n <= 0 {
		return m.Charge(n)
	}
	m.hosts(n)
	return m.charge(n, 0)
}

// Exceed stops the run, which was found to hold n bytes more than it may. It may be called from any
// goroutine.
func (m *Meter) Exceed(n int64) *Stop { return m.Trip(m.memoryStop(n)) }

// memoryStop names no figure of the host, only the script's wish and its limit.
func (m *Meter) memoryStop(n int64) *Stop {
	return &Stop{Reason: Memory, Message: fmt.Sprintf("the program needs more memory than the %s it may use (asked for %s more)", size(m.limits.Memory), size(n))}
}

// Held returns how much the run held at the last measurement, plus all charges since.
func (m *Meter) Held() int64 { return m.live }

// Alloc returns the number of bytes charged so far; Peak the most that were held at a
// time, as far as that was measured.
func (m *Meter) Alloc() int64 { return m.alloc.Load() }

// Peak is the most that the run held at a time; see Alloc.
func (m *Meter) Peak() int64 { return m.peak.Load() }

// addressable is more than any process can have: 47 bits of address on the platforms of Go.
const addressable = 1 << 48

func size(n int64) string {
	switch {
	case n < 0 || n >= addressable:
		return "an impossible number of bytes"
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 10<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
