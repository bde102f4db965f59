package vm

import "reflect"

// What an allocation costs, in bytes. The figures are those of the structures in
// object.go, rounded up to what the allocator hands out.
const (
	objBytes    = 80 // Obj without its cells
	storeHead   = 32
	ifaceBytes  = 64
	nativeBytes = 16 // a number or string in an interface
	deferBytes  = 192
	noteBytes   = 160 // what is remembered of a value that the host has seen
	waitBytes   = 128
	rowBytes    = 24 // a row of a map beside its cells: index and mark
	mapBytes    = 320
	chanBytes   = 160
	taskBytes   = 400
	panicBytes  = 1 << 10 // with its trace
	errorBytes  = 64      // the value of a runtime error, which may be kept
	timerBytes  = 96
	driverBytes = 16 << 10    // with the stack of its goroutine
	cellBytes   = 8 + 16 + 16 // a cell of a stack, in all banks
	frameBytes  = 8

	chargeStep = 16 << 10 // the meter hears of allocations in such steps
)

// charge pays for n bytes of a string, or of something of the host's, before they
// are allocated.
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
	if stop := m.seam.Meter.Charge(n); stop != nil {
		m.halt(&stopped{gate: stop})
	}
}

// cellsBytes is the size of one value in cells.
func cellsBytes(cs []cell) int64 {
	n := int64(0)
	for _, c := range cs {
		if c.m&mI != 0 {
			n += 8
		}
		if c.m&mS != 0 {
			n += 16
		}
		if c.m&mR != 0 {
			n += 16
		}
		if c.agg != nil {
			n += aggBytes(c.agg)
		}
	}
	return n
}

// aggBytes is the size of an array or wide struct.
func aggBytes(t *Type) int64 {
	switch t.kind {
	case reflect.Array:
		return storeBytes(t.elem, int64(t.n))
	case kindHost:
		return int64(t.mem.Size()) + 16
	}
	return objBytes + cellsBytes(t.inner)
}

// storeBytes is the size of n elements as slices and arrays have them.
func storeBytes(elem *Type, n int64) int64 {
	if rt := kindTypes[elem.kind]; rt != nil && elem.w() == 1 {
		return storeHead + n*int64(rt.Size())
	}
	return objBytes + n*cellsBytes(elem.cells)
}

// valueBytes is the size of what new(T) makes.
func valueBytes(t *Type) int64 {
	if t.agg {
		return aggBytes(t)
	}
	return objBytes + cellsBytes(t.cells)
}

// refuseHuge ends the run for a make that no memory limit allows, where Go would
// say that there is no such length.
func (m *machine) refuseHuge(n int64, elem *Type) {
	if n > m.elemLimit(elem) && m.seam.Meter.Limits().Memory > 0 && elem.w() > 0 {
		m.charge(1 << 62)
	}
}
