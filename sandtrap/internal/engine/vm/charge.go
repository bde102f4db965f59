package vm

import (
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// What an allocation costs, in bytes. The figures are those of the structures in
// object.go, rounded up to what the allocator hands out.
const (
	ifaceBytes  = 48
	nativeBytes = inspect.HeldBytes
	deferBytes  = 192
	noteBytes   = inspect.NoteBytes
	waitBytes   = 128
	rowBytes    = 28 // a row of a map beside its cells: index and mark
	textRow     = 14 // more of it, where the index is not by number
	mapBytes    = 320
	chanBytes   = 160
	taskBytes   = 512
	panicBytes  = 1 << 10 // with its trace
	errorBytes  = 64      // the value of a runtime error, which may be kept
	timerBytes  = 96
	driverBytes = 16 << 10    // with the stack of its goroutine
	backBytes   = 8 << 10     // of the stack, that frames of the host under a callback take
	cellBytes   = 8 + 16 + 16 // a cell of a stack, in all banks
	frameBytes  = 8

	chargeStep = 16 << 10 // the meter hears of allocations in such steps
)

// charge pays for n bytes that cannot be followed before they are allocated.
func (m *machine) charge(n int64) {
	m.owe(n)
	m.seam.live.loose += n
}

// alloc pays for n bytes of an object before it is allocated. A call of follow with
// that object comes next.
func (m *machine) alloc(n int64) {
	m.owe(n)
	m.seam.live.count(n)
}

func (m *machine) owe(n int64) {
	m.seam.owed += n
	if m.seam.owed >= chargeStep {
		m.pay()
	}
}

// pay tells the meter what was allocated since it last heard.
func (m *machine) pay() {
	n := m.seam.owed
	m.seam.owed = 0
	m.seam.live.tell(0)
	if stop := m.seam.Meter.Charge(n); stop != nil {
		m.halt(&stopped{gate: stop})
	}
}

// chargeMade pays for n bytes that a call of the host has made, where the call has not
// paid for them itself.
func (m *machine) chargeMade(n int64) {
	n -= m.paidFor(n)
	m.seam.live.loose += n
	m.payMade(n)
}

// textMade does it for a text, and returns the one to go on with.
func (m *machine) textMade(s string) string {
	n := ir.Allocated(int64(len(s)))
	paid := m.paidFor(n)
	s = m.seam.live.returned(s, n, paid)
	m.payMade(n - paid)
	return s
}

// paidFor is how many of n bytes the call of the host has paid for itself.
func (m *machine) paidFor(n int64) int64 {
	paid := min(n, m.seam.live.hosts-m.seam.before)
	m.seam.before += paid
	return paid
}

func (m *machine) payMade(n int64) {
	if n <= 0 {
		return
	}
	m.seam.live.tell(0)
	if stop := m.seam.Meter.Made(n); stop != nil {
		m.halt(&stopped{gate: stop})
	}
}

// refuseHuge ends the run for a make that no memory limit allows, where Go would
// say that there is no such length.
func (m *machine) refuseHuge(n int64, elem *ir.Type) {
	limit := m.seam.Meter.Limits().Memory
	if limit <= 0 || n <= 0 || elem.W() == 0 {
		return
	}
	const uncountable = 1 << 62
	size := int64(uncountable)
	if n <= uncountable/ir.StoreBytes(elem, 1) {
		size = ir.StoreBytes(elem, n)
	}
	switch {
	case size > limit:
		m.charge(size)
	case n > maxElems:
		m.charge(uncountable)
	}
}
